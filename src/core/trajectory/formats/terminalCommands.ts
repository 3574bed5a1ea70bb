import * as z from 'zod/mini';
import { ShellName } from '../../action/action.ts';
import { commandOf } from '../../worlds/language/prompt/turns/turnText.ts';
import type { TrajectoryStep } from '../step/step.ts';
import { type Imported, type ImportOptions, jsonLines } from './imported.ts';
import { outputOf } from './terminalStream.ts';

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
  /** A program took the whole screen; what it painted is not in the output. */
  tookScreen: z.optional(z.boolean()),
  /** What was printed is not known; `output` is empty. */
  untold: z.optional(z.boolean()),
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
  const { command, cwd, output, exitCode, shell = 'bash', at, durationMs, leftOut, tookScreen, untold } = recorded;
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
      known: [...(untold ? [] : (['output'] as const)), ...(exitCode === undefined ? [] : (['exitCode'] as const))],
      source: 'terminal',
      ...(durationMs === undefined ? {} : { durationMs }),
    },
    uncertain: [
      'A terminal shows both streams as one: what went to standard error stands under standard output.',
      ...(leftOut ? [`${leftOut} characters of the output were not kept.`] : []),
      ...(untold ? ['What it printed is not known: the terminal did not tell it.'] : []),
      ...(tookScreen ? ['A program took the whole screen; what it painted is left out.'] : []),
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

/** Everything that a terminal printed for one command, with its control sequences, and what is known of the command. */
export interface PrintedCommand {
  command: string;
  cwd: string;
  shell: ShellName;
  /** Absent: the terminal did not tell it. */
  raw: string | undefined;
  exitCode: number | undefined;
  at: string;
  durationMs: number;
  leftOut: number;
}

/** A command as it is recorded: what was printed becomes the text that a person would have read. */
export function recordedCommand({ raw, exitCode, leftOut, ...rest }: PrintedCommand): RecordedCommand {
  const { output, tookScreen } = outputOf(raw ?? '');
  return {
    ...rest,
    output,
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(leftOut > 0 ? { leftOut } : {}),
    ...(tookScreen ? { tookScreen } : {}),
    ...(raw === undefined ? { untold: true } : {}),
  };
}
