import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type Batch, startBatch } from './batch.ts';
import { startCarrying } from './carrying.ts';
import type { TruthCase } from './cases.ts';
import { type Comparison, compare, type NodeState, type RealRun } from './compare.ts';
import type { Identity } from './fixture.ts';
import { wordsWithin } from './identity.ts';
import { type Fixture, type Place, readStep, restorePlace, withPlace } from './place.ts';
import type { PredictionJson } from './prediction.ts';
import { credentialsOf, runShell, statesOf } from './realRun.ts';
import { type BytePath, type Pristine, pathText, readTree, touchedPaths } from './tree.ts';
import { wrongMarks } from './wrongMarks.ts';

/** What came out of one case. */
export interface CaseResult {
  case: TruthCase;
  comparison: Comparison;
  /** Parts that differed between two real runs. */
  unsteady: string[];
  /** What is marked volatile and never varied, and what varied unmarked, where there were more than two real runs. */
  marks: string[];
  /** The case cannot be judged: it ran too long for real, or left processes behind. */
  invalid: string;
  predictMs: number;
  realMs: number;
}

export interface RunOptions {
  cases: readonly TruthCase[];
  identity: Identity;
  /** The built command line; absent: only the real runs are made, which finds cases that are not steady. */
  cli?: string;
  /** Fixtures that work beside each other. */
  jobs: number;
  /** Default: that of the truth suite. */
  fixture?: Fixture;
  /** Where a case runs, below the root; default: the fixture's project. */
  folderOf?: (one: TruthCase) => string;
  /** The user consents to every program of the fixture. */
  consents?: boolean;
  /** What is not volatile in a stream that has volatile parts is compared as well. */
  comparesAround?: boolean;
  /** Real runs of each case; default: 2. */
  runs?: number;
  /** Limit of one real run and of one prediction in milliseconds; default: those of `runShell` and `startBatch`. */
  limitMs?: number;
  /** Called after each case. */
  onResult?: (result: CaseResult, done: number) => void;
}

/** Predicts and really runs every case; the results are in the order of the cases. */
export async function runTruth(options: RunOptions): Promise<CaseResult[]> {
  const { cases, jobs, onResult } = options;
  const queue = [...cases];
  const results: CaseResult[] = [];
  const take = (result: CaseResult) => {
    results.push(result);
    onResult?.(result, results.length);
  };
  const workers = Array.from({ length: jobs }, () => work({ ...options, queue, onResult: take }));
  await Promise.all(workers);
  const order = new Map(cases.map((one, index) => [one, index]));
  return results.sort((a, b) => (order.get(a.case) ?? 0) - (order.get(b.case) ?? 0));
}

interface WorkOptions extends Omit<RunOptions, 'onResult'> {
  queue: TruthCase[];
  onResult: (result: CaseResult) => void;
}

/**
 * Works a queue of cases off, in a fixture of its own below the system's temporary directory.
 *
 * The prediction comes first, on the pristine fixture, which it must leave as it is (times of change included). Then the
 * command really runs twice in the same place, and the fixture is set right after each run.
 * Real runs as root are guarded: nothing but the fixture is writable.
 * Throws when a prediction touched the fixture: nothing that follows could be believed.
 */
async function work(options: WorkOptions): Promise<void> {
  const { identity, cli, limitMs, fixture } = options;
  const during = async (place: Place) => {
    const settings = options.consents && cli ? consentIn(place, cli) : {};
    const env = { ...place.env, ...settings };
    const limit = limitMs === undefined ? {} : { limitMs };
    const batch = cli ? startBatch({ cli, env, cwd: place.cwd, identity, ...limit }) : undefined;
    try {
      for (let next = options.queue.shift(); next; next = options.queue.shift()) {
        options.onResult(await runCase(next, place, batch, options));
      }
    } finally {
      await batch?.close();
    }
  };
  await withPlace('truth', identity, during, fixture);
}

/** Gives consent for everything in the place, as its user would; the environment in which that counts. */
function consentIn({ base, root, env, identity }: Place, cli: string): Record<string, string> {
  // What Foretell keeps of its own lies outside of the fixture, whose home would be touched else.
  const settings = { XDG_CONFIG_HOME: join(base, 'settings'), XDG_STATE_HOME: join(base, 'state') };
  const [program = '', ...words] = [...wordsWithin(identity), process.execPath, cli, 'consent', 'give', '--yes', root];
  execFileSync(program, words, { cwd: root, env: { ...env, ...settings }, stdio: 'pipe', ...credentialsOf(identity) });
  return settings;
}

async function runCase(
  truthCase: TruthCase,
  place: Place,
  batch: Batch | undefined,
  options: WorkOptions,
): Promise<CaseResult> {
  const cwd = options.folderOf ? join(place.root, options.folderOf(truthCase)) : place.cwd;
  const around = options.comparesAround ? { comparesAround: true } : {};
  const predictStart = performance.now();
  const predictions = batch ? await predictSteps(truthCase, place, batch, cwd) : [];
  const predictMs = performance.now() - predictStart;
  if (batch) assertUntouched(place.pristine, truthCase);
  const realStart = performance.now();
  const first = await realSteps(truthCase.steps, place, cwd, options.limitMs);
  const realMs = performance.now() - realStart;
  const others = [await realSteps(truthCase.steps, place, cwd, options.limitMs)];
  while (others.length + 1 < (options.runs ?? 2)) {
    others.push(await realSteps(truthCase.steps, place, cwd, options.limitMs));
  }
  const comparisons = others.flatMap((other) =>
    predictions.map((prediction, index) => {
      const [one, two] = [first.steps[index] as RealStep, other.steps[index] as RealStep];
      return compare(prediction, { root: place.root, before: one.before, runs: [one, two], ...around });
    }),
  );
  const marks = predictions.flatMap((prediction, index) =>
    wrongMarks(
      prediction,
      place.root,
      [first, ...others].map(({ steps }) => steps[index] as RealStep),
    ),
  );
  return {
    case: truthCase,
    comparison: mergeComparisons(comparisons),
    unsteady: [...new Set(others.flatMap(({ steps }) => unsteadyParts(first.steps, steps)))],
    marks: others.length > 1 ? marks : [],
    invalid: first.problem || others.map(({ problem }) => problem).find(Boolean) || '',
    predictMs,
    realMs,
  };
}

/** Only the first step of a session says where it is: the others go on where the one before ended. */
async function predictSteps(truthCase: TruthCase, place: Place, batch: Batch, cwd: string): Promise<PredictionJson[]> {
  const predictions: PredictionJson[] = [];
  const session = truthCase.steps.length > 1 ? { session: truthCase.id } : {};
  for (const [index, script] of truthCase.steps.entries()) {
    const where = index === 0 ? { cwd } : {};
    predictions.push(
      await batch.predict({ id: `${truthCase.id}.${index}`, script, env: place.env, ...where, ...session }),
    );
  }
  return predictions;
}

function assertUntouched(pristine: Pristine, truthCase: TruthCase): void {
  const touched = touchedPaths(pristine.tree, readTree(pristine.root));
  if (touched.length === 0) return;
  const names = touched.slice(0, 10).map(pathText).join(', ');
  throw new Error(`Predicting ${truthCase.id} touched the fixture: ${names}\n${truthCase.steps.join('\n')}`);
}

/** One step that really ran, with the states that it found. */
interface RealStep extends RealRun {
  before: ReadonlyMap<BytePath, NodeState>;
}

/**
 * Runs the steps one after the other and sets the fixture right. As in a terminal, a step goes on in the directory and
 * with the variables, functions and aliases that the one before left.
 */
async function realSteps(
  steps: readonly string[],
  place: Place,
  cwd: string,
  limitMs?: number,
): Promise<{ steps: RealStep[]; problem: string }> {
  const done: RealStep[] = [];
  let problem = '';
  let touched: BytePath[] = [];
  let before = statesOf(place.pristine);
  const carry = steps.length > 1 ? startCarrying(place.base) : undefined;
  for (const step of steps) {
    const result = await runShell(step, {
      cwd: carry?.cwd() ?? cwd,
      env: carry ? { ...place.env, BASH_ENV: carry.startFile } : place.env,
      identity: place.identity,
      pipes: place.pipes,
      ...(limitMs === undefined ? {} : { limitMs }),
      ...(place.guard ? { guard: place.guard } : {}),
    });
    if (result.late) problem = 'took too long, or left something running';
    if (result.stderr.includes('fork: retry')) problem = 'the machine had no process left';
    const { changes, after, ...read } = readStep(place, before);
    touched = read.touched;
    done.push({ stdout: result.stdout, stderr: result.stderr, exitCode: result.exitCode, changes, before });
    before = after;
  }
  try {
    restorePlace(place, touched);
  } catch (error) {
    throw new Error(`After ${steps.join(' === ')}`, { cause: error });
  }
  return { steps: done, problem };
}

/** A session is as good as its worst step. */
function mergeComparisons(comparisons: readonly Comparison[]): Comparison {
  const order = ['wrong', 'abstained', 'volatile', 'exact'] as const;
  const outcome = order.find((name) => comparisons.some((comparison) => comparison.outcome === name)) ?? 'abstained';
  return {
    outcome,
    reason: comparisons.find((comparison) => comparison.reason)?.reason ?? '',
    differences: comparisons.flatMap((comparison) => comparison.differences),
    volatileParts: comparisons.flatMap((comparison) => comparison.volatileParts),
  };
}

/** Names the parts in which two real runs differ. */
function unsteadyParts(first: readonly RealRun[], second: readonly RealRun[]): string[] {
  const parts = new Set<string>();
  for (const [index, one] of first.entries()) {
    const two = second[index] as RealRun;
    if (!one.stdout.equals(two.stdout)) parts.add('stdout');
    if (!one.stderr.equals(two.stderr)) parts.add('stderr');
    if (one.exitCode !== two.exitCode) parts.add('exit');
    for (const path of new Set([...one.changes.keys(), ...two.changes.keys()])) {
      const same = JSON.stringify(one.changes.get(path)) === JSON.stringify(two.changes.get(path));
      if (!same && !/(^|\/)index$/.test(path)) parts.add(pathText(path));
    }
  }
  return [...parts];
}
