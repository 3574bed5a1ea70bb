import * as z from 'zod/mini';
import { ShellName } from '../../action/action.ts';
import { commandOf } from '../../worlds/language/turnText.ts';
import type { TrajectoryStep } from '../step.ts';
import { type Imported, type ImportOptions, jsonLines } from './imported.ts';

/** A command that ran in a real terminal, as shell integration tells it. `output`: what was printed, as text. */
export const RecordedCommand = z.looseObject({
  command: z.string(),
  /** Absolute. */
  cwd: z.string(),
  output: z.string(),
  /** Absent: the shell did not say. */
  exitCode: z.optional(z.number()),
  shell: z.optional(ShellName),
  /** ISO 8601. */
  at: z.optional(z.string()),
  durationMs: z.optional(z.number()),
  /** How many characters of the output were not kept. */
  leftOut: z.optional(z.number()),
});
export type RecordedCommand = z.infer<typeof RecordedCommand>;

/** Recorded commands, one JSON object a line (`RecordedCommand`): each is a step whose action can be rehearsed. */
export function importTerminalCommands(text: string, { name }: ImportOptions): Imported {
  const imported: Imported = { steps: [], problems: [] };
  for (const line of jsonLines(text)) {
    const read = line.ok ? RecordedCommand.safeParse(line.value) : undefined;
    if (!line.ok) imported.problems.push(line);
    else if (read?.success)
      imported.steps.push(stepOfCommand(read.data, { trajectory: name, before: imported.steps.at(-1) }));
    else
      imported.problems.push({
        line: line.line,
        message: 'This is no recorded command: it needs command, cwd and output.',
      });
  }
  return imported;
}

/** The step of a recorded command. `before`: the step of the command before it. */
export function stepOfCommand(
  recorded: RecordedCommand,
  { trajectory, before }: { trajectory: string; before: TrajectoryStep | undefined },
): TrajectoryStep {
  const { command, cwd, output, exitCode, shell = 'bash', at, durationMs, leftOut } = recorded;
  const number = before ? Number(/#(\d+)$/.exec(before.id)?.[1] ?? 0) + 1 : 1;
  return {
    version: 1,
    id: `${trajectory}#${number}`,
    trajectory,
    ...(before ? { after: before.id } : {}),
    ...(at === undefined ? {} : { at }),
    domain: 'terminal',
    action: { kind: 'command', script: command, shell, cwd },
    observation: {
      text: output,
      basis: 'observed',
      facts: {
        output: output === '' ? [] : [{ stream: 'stdout', text: output, basis: 'observed' }],
        ...(exitCode === undefined ? {} : { exitCode }),
        files: [],
        effects: [],
      },
      known: exitCode === undefined ? ['output'] : ['output', 'exitCode'],
      source: 'terminal',
      ...(durationMs === undefined ? {} : { durationMs }),
    },
    uncertain: [
      'A terminal shows both streams as one: what went to standard error stands under standard output.',
      ...(leftOut ? [`${leftOut} characters of the output were not kept.`] : []),
    ],
  };
}

/**
 * The steps that are commands with a folder and an observation, as recorded commands: also those that were typed or called
 * in a turn. `problems` are sentences about the others.
 */
export function commandsOfSteps(steps: readonly TrajectoryStep[]): { commands: RecordedCommand[]; problems: string[] } {
  const commands: RecordedCommand[] = [];
  const problems: string[] = [];
  for (const { id, at, action, observation } of steps) {
    const command =
      action.kind === 'edit' ? undefined : action.kind === 'command' ? action.script : commandOf(action.turn);
    const { cwd } = action;
    if (command === undefined || cwd === undefined || !observation) {
      problems.push(`The step ${id} is no command with a folder and an observation; it was left out.`);
      continue;
    }
    const { facts } = observation;
    commands.push({
      command,
      cwd,
      ...(action.kind === 'command' ? { shell: action.shell } : {}),
      output: facts ? facts.output.map(({ text }) => text ?? '').join('') : observation.text,
      ...(facts?.exitCode === undefined ? {} : { exitCode: facts.exitCode }),
      ...(at === undefined ? {} : { at }),
    });
  }
  return { commands, problems };
}
