import path from 'node:path';
import type { Replay } from '../../core/loop/replay.ts';
import type { AgentRun } from '../../core/loop/runAgent.ts';
import { folderProblem } from '../../core/prediction/request.ts';
import { printable } from '../../core/prediction/text/printable.ts';
import type { TrajectoryStep } from '../../core/trajectory/step/step.ts';
import { countOf } from '../../core/view/quantity.ts';
import type { BenchProcess } from '../bench/benchProcess.ts';
import { type Flags, helpFlag, optionsText } from '../helpText.ts';
import { openOutput } from '../outputFile.ts';
import { type Parsed, readWord } from '../readArguments.ts';
import { hybridFlags, hybridOptions } from './loopHybrid.ts';
import { providerAt, readWorld, worldFlags } from './loopWorld.ts';

const flags = {
  task: { type: 'string', value: 'TEXT', help: 'what the agent is to do' },
  turns: { type: 'string', value: 'N', help: 'most actions (default: 20)' },
  out: { type: 'string', short: 'o', value: 'FILE', help: 'where the steps go (needed)' },
  domain: { type: 'string', value: 'NAME', help: 'swe (default: tools) or terminal (keystrokes)' },
  cwd: {
    type: 'string',
    value: 'DIR',
    help: 'the workspace that the world is grounded in and the actions are rehearsed in (default: here)',
  },
  'no-grounding': { type: 'boolean', help: "the world's model is not shown the workspace" },
  'no-replay': { type: 'boolean', help: 'do not rehearse the actions afterwards' },
  'open-gate': {
    type: 'boolean',
    help: 'in the rehearsal (and with --hybrid already before it) really run every program, still confined and without network',
  },
  protocol: { type: 'string', value: 'NAME', help: 'auto (default), tools or text: how the agent calls tools' },
  json: { type: 'boolean', help: 'the outcome as JSON' },
  force: { type: 'boolean', help: 'overwrite FILE' },
  'agent-url': {
    type: 'string',
    value: 'URL',
    help: "server of the agent's model, if it is another one (its key in FORETELL_AGENT_API_KEY, else FORETELL_API_KEY)",
  },
  'agent-model': { type: 'string', value: 'NAME', help: "the agent's model, if it is another one" },
  ...hybridFlags,
  ...worldFlags,
  ...helpFlag,
} as const satisfies Flags;

const usage = `Usage: foretell agent --task TEXT --model-url URL -o FILE.trajectory.jsonl [options]

Lets an agent (a model that can use tools) work on a task in a simulated environment: a language world model says what each
of its actions leads to, and nothing is run; with --hybrid the agent acts in a real shell on a copy. Afterwards the same
actions are rehearsed confined in the workspace, and you see where imagination and truth part.

${optionsText({ Options: flags })}
Exit status: 0 the agent finished, 1 its turns were used up, 3 it went wrong, 64 wrong usage.
`;

/** `foretell agent`. */
export async function runAgentWord(args: string[], around: BenchProcess): Promise<number> {
  const rules = { word: 'foretell agent', usage, takesFiles: false };
  const parsed = await readWord(
    args,
    flags,
    { ...rules, isEnough: ({ values }) => Object.keys(values).length > 0 },
    around,
  );
  if ('status' in parsed) return parsed.status;
  const { values, wrong: complain } = parsed;
  const read = readTask(values, around);
  if ('problem' in read) return complain(read.problem);
  const { task, turns, protocol, domain, dialect, cwd, world, out } = read;
  const output = openOutput(out, values.force ?? false);
  if ('problem' in output) return complain(output.problem);
  const [{ createEnvironment }, { runAgent }, { replay }, { stepLine }] = await Promise.all([
    import('../../core/loop/environment.ts'),
    import('../../core/loop/runAgent.ts'),
    import('../../core/loop/replay.ts'),
    import('../../core/trajectory/file/trajectoryFile.ts'),
  ]);
  const foretell = around.foretell();
  const steps: TrajectoryStep[] = [];
  const hybrid = hybridOptions(values, around);
  const environment = createEnvironment(foretell, {
    ...(world.language ? { language: world.language } : {}),
    ...(hybrid ? { hybrid } : {}),
    workspace: cwd,
    recordsMessages: true,
    record: (step) => void steps.push(step),
  });
  const url = values['agent-url'] ?? values['model-url'] ?? '';
  const variable = process.env['FORETELL_AGENT_API_KEY'] ? 'FORETELL_AGENT_API_KEY' : 'FORETELL_API_KEY';
  try {
    const run = await runAgent({
      provider: providerAt(url, values['agent-model'] ?? (values['agent-url'] ? undefined : values.model), variable),
      environment,
      task,
      turns,
      protocol,
      start: {
        domain,
        dialect,
        ...(values['no-grounding'] && !hybrid ? {} : { cwd }),
        ...world.world,
      },
      onTurn: ({ turn, observation }, call) =>
        around.progress(
          `turn ${turn} of ${turns}: ${printable(call.name)}: ${printable(observation.split('\n')[0] ?? '')}`,
        ),
      signal: around.signal,
    });
    const compared: Replay | undefined =
      values['no-replay'] || around.signal.aborted || steps.length === 0
        ? undefined
        : await replay(steps, {
            foretell,
            cwd,
            dialect,
            openGate: values['open-gate'] ?? false,
            signal: around.signal,
          });
    const kept = compared ? compared.steps.map(({ step }) => step) : steps;
    await output.write(kept.map((step) => `${stepLine(step)}\n`).join(''));
    await around.say(
      values.json ? `${JSON.stringify(outcomeJson(run, compared, out))}\n` : outcomeText(run, compared, out),
    );
    return run.outcome === 'finished' ? 0 : run.outcome === 'turns' ? 1 : 3;
  } finally {
    environment.dispose();
    await output.close();
    await foretell.dispose();
  }
}

type Values = Parsed<typeof flags>['values'];

/** What an agent is to do, where, and in which world. */
interface Task {
  task: string;
  turns: number;
  protocol: 'auto' | 'tools' | 'text';
  domain: 'swe' | 'terminal';
  dialect: 'qwen' | 'claude';
  cwd: string;
  world: Exclude<ReturnType<typeof readWorld>, { problem: string }>;
  out: string;
}

/** Reads it from the options; a problem is one sentence. */
function readTask(values: Values, around: BenchProcess): Task | { problem: string } {
  const { task = '', protocol = 'auto', domain = 'swe', dialect = 'qwen' } = values;
  const turns = Number(values.turns ?? 20);
  if (task.trim() === '') return { problem: 'The task is empty; say what the agent is to do with --task.' };
  if (!Number.isInteger(turns) || turns < 1 || turns > 1000)
    return { problem: `--turns takes a whole number from 1 to 1000, not ${values.turns}.` };
  if (protocol !== 'auto' && protocol !== 'tools' && protocol !== 'text')
    return { problem: `--protocol takes auto, tools or text, not ${protocol}.` };
  if (domain !== 'swe' && domain !== 'terminal') return { problem: `--domain takes swe or terminal, not ${domain}.` };
  if (dialect !== 'qwen' && dialect !== 'claude') return { problem: `--dialect takes qwen or claude, not ${dialect}.` };
  if (values.out === undefined) return { problem: 'Say where the steps go: -o FILE.trajectory.jsonl.' };
  const cwd = path.resolve(around.cwd, values.cwd ?? '.');
  const lost = folderProblem(cwd);
  if (lost !== undefined) return { problem: lost };
  if (values['model-url'] === undefined && values['agent-url'] === undefined)
    return { problem: 'An agent needs a model; give its server with --model-url URL, or with --agent-url URL.' };
  const world = readWorld(values, around, values.hybrid ?? false);
  if ('problem' in world) return { problem: world.problem };
  const out = path.resolve(around.cwd, values.out);
  return { task, turns, protocol, domain, dialect, cwd, world, out };
}

function outcomeJson(run: AgentRun, compared: Replay | undefined, out: string) {
  if (!compared) return { ...run, out };
  const steps = compared.steps.map(({ step, score, difference, why }) => ({
    id: step.id,
    score: score?.score,
    difference,
    why,
  }));
  return { ...run, out, replay: { ...compared, steps } };
}

/** The run, and beside each action whether the confined rehearsal says the same. */
function outcomeText(run: AgentRun, compared: Replay | undefined, out: string): string {
  const lines = [
    `${run.sentence} ${countOf(run.turns, 'turn')}, ${run.promptTokens} + ${run.completionTokens} tokens of the agent.`,
    ...(run.summary ? [`The agent: ${printable(run.summary)}`] : []),
    out,
  ];
  if (!compared) return `${lines.join('\n')}\n`;
  lines.push('', 'Imagined, against the confined rehearsal of the same actions:');
  for (const [index, { step, score, difference, why }] of compared.steps.entries()) {
    const mark = why !== undefined ? '?' : difference ? '≠' : '=';
    const told = why ?? (score ? `${Math.round(score.score * 100)} %` : '');
    lines.push(`  ${mark} ${index + 1} ${printable(titleOf(step)).slice(0, 70)}  ${told}`);
    if (!difference) continue;
    const side = (text: string | undefined) => (text === undefined ? '(nothing)' : printable(text).slice(0, 120));
    const at = difference.line > 0 ? `line ${difference.line}` : 'the end';
    lines.push(
      `      ${at}: imagined ${side(difference.imagined)}`,
      `      ${' '.repeat(at.length)}  really   ${side(difference.real)}`,
    );
  }
  const { partsAt } = compared;
  lines.push(
    '',
    partsAt === undefined
      ? `They never part in the ${compared.compared} actions that could be compared.`
      : `They part at action ${partsAt + 1}; ${compared.same} of ${compared.compared} that could be compared are the same.`,
  );
  return `${lines.join('\n')}\n`;
}

function titleOf({ action }: TrajectoryStep): string {
  if (action.kind !== 'turn') return action.kind;
  const { turn } = action;
  if (turn.kind === 'text') return turn.text;
  if (turn.kind === 'keystrokes') return turn.keystrokes.map((one) => one.keystrokes.trimEnd()).join(' ');
  const [first] = Object.values(turn.arguments);
  return `${turn.name} ${typeof first === 'string' ? first : ''}`;
}
