import { setMaxListeners } from 'node:events';
import path from 'node:path';
import type { CommandAction } from '../../action/action.ts';
import { ownEnvironment, userOf } from '../../context/user.ts';
import { type Foretell, foldAll, type Session } from '../../foretell.ts';
import type { TrajectoryStep } from '../../trajectory/step/step.ts';
import { stepContext } from '../../trajectory/step/stepContext.ts';
import { placeOf } from '../../worlds/language/prompt/turns/trajectory.ts';
import { blockOf, type Shard } from '../run/shard.ts';
import type { CollectCommand } from './commandList.ts';
import type { Inexact } from './exactness.ts';
import { type Rehearsed, type StepForm, stepParts, trueStep } from './trueStep.ts';
import { folderAfter, terminalEnvironment } from './typedCommand.ts';

/** What is collected, and how. */
export interface CollectOptions {
  foretell: Pick<Foretell, 'predict' | 'openSession' | 'looker'>;
  commands: readonly CollectCommand[];
  /** The workspace, absolute. */
  cwd: string;
  /** Each command is rehearsed once for each of these. */
  forms: readonly StepForm[];
  /** How many are rehearsed at once. */
  concurrency: number;
  /** The environment of the commands; default: that of this process, without secrets. */
  env?: Readonly<Record<string, string>>;
  /** Size of the terminal in the terminal form; default 120 × 40. */
  terminal?: { columns: number; rows: number };
  /** Steps whose observation is not true are kept too: with the prediction and a note that says why, and no observation. */
  keepsInexact?: boolean;
  /** Longest observation; default 100,000 characters. */
  mostCharacters?: number;
  /** Limit of one command. */
  timeLimitMs?: number;
  /** By the user's explicit choice every program really runs, still confined; default: only those that are known. */
  openGate?: boolean;
  /** Only this part of the trajectories; the parts follow each other. */
  shard?: Shard;
  /** Takes the steps of one trajectory, in the order of the commands; the next waits for it. */
  write(steps: readonly TrajectoryStep[]): Promise<void>;
  /** Told after each command that was rehearsed. */
  onProgress?(counts: CollectCounts): void;
  onInexact?(command: CollectCommand, form: StepForm, inexact: Inexact): void;
  signal: AbortSignal;
}

/** How it went. */
export interface CollectCounts {
  /** Commands × forms that were asked for. */
  asked: number;
  done: number;
  /** Steps with a true observation. */
  trueSteps: number;
  trajectories: number;
  /** How many have none, by the reason. */
  inexact: Partial<Record<Inexact['kind'], number>>;
  durationMs: number;
}

/** One trajectory to be made: its commands, in order. */
interface Job {
  form: StepForm;
  name: string;
  commands: CollectCommand[];
  isSession: boolean;
}

/**
 * Rehearses commands in a workspace and makes trajectories of them, with what really happens as the observation. Nothing
 * in the workspace changes. Commands of one session see what the ones before did; a command whose outcome is not certain
 * ends its trajectory, and those after it go on in a new one, from the workspace as it is. Never rejects for a command;
 * rejects where `write` does.
 */
export async function collect(options: CollectOptions): Promise<CollectCounts> {
  const { commands, forms, signal } = options;
  const startedAt = performance.now();
  const all = forms.flatMap((form) => jobsOf(commands, form));
  const { from, to } = blockOf(options.shard ?? { index: 1, of: 1 }, all.length);
  const jobs = all.slice(from, to);
  const counts: CollectCounts = {
    asked: jobs.reduce((sum, job) => sum + job.commands.length, 0),
    done: 0,
    trueSteps: 0,
    trajectories: 0,
    inexact: {},
    durationMs: 0,
  };
  setMaxListeners(0, signal);
  const contexts = createContexts(options);
  const ready = new Map<number, readonly (readonly TrajectoryStep[])[]>();
  let next = 0;
  let written = 0;
  let writing: Promise<void> = Promise.resolve();
  const writeReady = async () => {
    for (let found = ready.get(written); found; found = ready.get(written)) {
      ready.delete(written);
      written += 1;
      for (const steps of found) {
        if (steps.length === 0) continue;
        counts.trajectories += 1;
        counts.trueSteps += steps.filter(({ observation }) => observation).length;
        await options.write(steps);
      }
    }
  };
  async function work(): Promise<void> {
    for (let index = next++; index < jobs.length && !signal.aborted; index = next++) {
      const job = jobs[index];
      if (!job) return;
      ready.set(index, await runJob(options, job, contexts, counts));
      writing = writing.then(writeReady);
      await writing;
      counts.durationMs = performance.now() - startedAt;
      options.onProgress?.(counts);
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, options.concurrency) }, work));
  counts.durationMs = performance.now() - startedAt;
  return counts;
}

function jobsOf(commands: readonly CollectCommand[], form: StepForm): Job[] {
  const jobs: Job[] = [];
  const sessions = new Map<string, Job>();
  const prefix = form.domain === 'swe' ? `swe-${form.dialect}` : form.domain;
  for (const [index, command] of commands.entries()) {
    const known = command.session === undefined ? undefined : sessions.get(command.session);
    if (known) {
      known.commands.push(command);
      continue;
    }
    const isSession = command.session !== undefined;
    const name = isSession ? `${prefix}-${command.session}` : `${prefix}-${index + 1}`;
    const job: Job = { form, name, commands: [command], isSession };
    jobs.push(job);
    if (command.session !== undefined) sessions.set(command.session, job);
  }
  return jobs;
}

/** Makes the trajectories of a job: one, and one more after each command that is not certain. */
async function runJob(
  options: CollectOptions,
  job: Job,
  contexts: Contexts,
  counts: CollectCounts,
): Promise<TrajectoryStep[][]> {
  const made: TrajectoryStep[][] = [];
  let part = 0;
  for (let from = 0; from < job.commands.length && !options.signal.aborted; ) {
    part += 1;
    const name = part === 1 ? job.name : `${job.name}-${part}`;
    const commands = job.commands.slice(from);
    const { steps, used } = await runPart(options, { ...job, name, commands }, contexts, counts);
    made.push(steps);
    from += used;
  }
  return made;
}

async function runPart(
  options: CollectOptions,
  { form, name, commands, isSession }: Job,
  contexts: Contexts,
  counts: CollectCounts,
): Promise<{ steps: TrajectoryStep[]; used: number }> {
  const { foretell, signal } = options;
  const steps: TrajectoryStep[] = [];
  // An agent's shell tool starts a new shell each time; a terminal keeps its own.
  const session = isSession ? foretell.openSession({ newShells: form.domain === 'swe' }) : undefined;
  let cwd: string | undefined;
  let used = 0;
  try {
    for (const command of commands) {
      used += 1;
      const rehearsed = await rehearse(options, form, command, { session, cwd });
      if (signal.aborted) break;
      const parts = await stepParts(form, rehearsed, options.mostCharacters ?? 100_000);
      counts.done += 1;
      const { inexact } = parts;
      if (inexact) {
        counts.inexact[inexact.kind] = (counts.inexact[inexact.kind] ?? 0) + 1;
        options.onInexact?.(command, form, inexact);
      }
      const after = steps.at(-1)?.id;
      if (!inexact || (options.keepsInexact === true && inexact.kind !== 'secret')) {
        const of = { trajectory: name, number: steps.length + 1, ...(after === undefined ? {} : { after }) };
        steps.push(trueStep(form, rehearsed, parts, { ...of, context: await contexts(rehearsed.cwd) }));
      }
      // What follows would rest on something that no reader of the trajectory was shown.
      if (inexact) break;
      if (form.domain === 'terminal') {
        cwd = folderAfter(command.script, rehearsed.cwd, rehearsed.prediction.cwd);
      }
    }
  } finally {
    await session?.close();
  }
  return { steps, used };
}

async function rehearse(
  options: CollectOptions,
  form: StepForm,
  command: CollectCommand,
  { session, cwd }: { session: Session | undefined; cwd: string | undefined },
): Promise<Rehearsed> {
  const { foretell, signal } = options;
  const { script } = command;
  const named = command.cwd === undefined ? undefined : path.resolve(options.cwd, command.cwd);
  const action: CommandAction = { kind: 'command', script, shell: 'bash', cwd: named ?? cwd ?? options.cwd };
  const own = options.env ?? ownEnvironment(script);
  const env = form.domain === 'terminal' ? { ...own, ...terminalEnvironment } : own;
  const { events, view } = (session ?? foretell).predict({
    action,
    env,
    hash: true,
    openGate: options.openGate ?? false,
    signal,
    ...(form.domain === 'terminal'
      ? { terminal: options.terminal ?? { columns: 120, rows: 40 }, answers: nobodyTypes() }
      : {}),
    ...(options.timeLimitMs === undefined ? {} : { limits: { wallMs: options.timeLimitMs } }),
  });
  try {
    let asks = false;
    const prediction = await foldAll(action, events, ({ type }) => {
      asks ||= type === 'asks';
    });
    return {
      asks,
      script,
      cwd: action.cwd,
      root: options.cwd,
      place: placeOf(userOf(env), action.cwd),
      prediction,
    };
  } finally {
    if (!session) await view.close();
  }
}

/** Who could answer is asked, so that it is known; nobody does. */
async function* nobodyTypes(): AsyncGenerator<string> {}

type Contexts = (cwd: string) => Promise<TrajectoryStep['context']>;

/** What was true of a folder when the collection began; asked once for each. */
function createContexts({ foretell, cwd: workspace, signal }: CollectOptions): Contexts {
  const known = new Map<string, Promise<TrajectoryStep['context']>>();
  return (cwd) => {
    const found =
      known.get(cwd) ?? stepContext({ looker: foretell.looker, workspace, cwd, signal }).catch(() => undefined);
    known.set(cwd, found);
    return found;
  };
}
