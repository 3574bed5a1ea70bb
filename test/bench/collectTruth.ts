import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { CollectCounts } from '../../src/core/bench/collect/collect.ts';
import { readTrajectory } from '../../src/core/trajectory/file/trajectoryFile.ts';
import type { TrajectoryStep } from '../../src/core/trajectory/step/step.ts';
import { commandOf } from '../../src/core/worlds/language/prompt/turns/turnText.ts';
import { renderShellReply } from '../../src/core/worlds/language/prompt/turns/turnTextShell.ts';
import type { TruthCase } from '../truth/cases.ts';
import { compare, type NodeState, type RealRun } from '../truth/compare.ts';
import type { Identity } from '../truth/fixture.ts';
import { type Place, readStep, restorePlace, withPlace } from '../truth/place.ts';
import { emptyLists } from '../truth/prediction.ts';
import { credentialsOf, readChanges, runShell } from '../truth/realRun.ts';
import { type BytePath, pathText, readTree, touchedPaths } from '../truth/tree.ts';
import { openTerminal } from './realTerminal.ts';

/** What was collected, and which steps are not what really happens. */
export interface CollectedTruth {
  counts: CollectCounts;
  /** Time of processors that collecting took, with everything that it started. */
  cpuMs: number;
  /** Steps that were compared with real runs. */
  compared: number;
  /** One text a difference. */
  wrong: string[];
  /** Steps with the same lines in another order: the real runs before have changed the order of a folder's entries. */
  reordered: number;
}

/**
 * Collects true observations of cases in a throw-away fixture through the built command line, then really runs the same
 * commands there and compares: the files, output and exit code of each step, and the text that an agent is shown. Steps of
 * the terminal form are typed into a real interactive bash.
 */
export async function collectTruth(options: {
  cases: readonly TruthCase[];
  identity: Identity;
  cli: string;
  form: 'terminal' | 'swe' | 'both';
  jobs: number;
  /** False: only the speed is measured. */
  verifies: boolean;
}): Promise<CollectedTruth> {
  const { identity, cases } = options;
  return withPlace('collect', identity, async (place) => {
    const { base, root, pristine } = place;
    const commands = cases.flatMap(({ id, steps }) =>
      steps.map((script) => ({ script, ...(steps.length > 1 ? { session: id } : {}) })),
    );
    writeFileSync(join(base, 'commands.jsonl'), `${commands.map((one) => JSON.stringify(one)).join('\n')}\n`);
    const { counts, cpuMs } = await runCollect(place, options);
    const touched = touchedPaths(pristine.tree, readTree(root));
    if (touched.length > 0) throw new Error(`Collecting touched the fixture: ${touched.map(pathText).join(', ')}`);
    const steps = readTrajectory(readFileSync(join(base, 'out.trajectory.jsonl'), 'utf8')).lines.flatMap((line) =>
      line.kind === 'step' ? [line.step] : [],
    );
    const wrong: string[] = [];
    let reordered = 0;
    if (options.verifies) {
      for (const trajectory of trajectoriesOf(steps)) {
        const [first] = trajectory;
        const differences =
          first?.domain === 'terminal'
            ? await typedDifferences(trajectory, place)
            : (await runDifferences(trajectory, place)).flat();
        reordered += differences.filter((text) => text === sameLines).length;
        const name = `${first?.trajectory}: ${trajectory.map(scriptOf).join(' ⏎ ')}`;
        wrong.push(...differences.filter((text) => text !== sameLines).map((text) => `${name}: ${text}`));
      }
    }
    return { counts, cpuMs, compared: options.verifies ? steps.length : 0, wrong, reordered };
  });
}

/** Stands for a difference of order alone. */
const sameLines = 'the same lines in another order';

const sorted = (text: string) => text.split('\n').sort().join('\n');

function runCollect(
  { base, cwd, env, identity }: Place,
  { cli, form, jobs }: { cli: string; form: string; jobs: number },
): Promise<{ counts: CollectCounts; cpuMs: number }> {
  const words = ['bench', 'collect', join(base, 'commands.jsonl'), '-o', join(base, 'out.trajectory.jsonl'), '--json'];
  const args = [resolve(cli), ...words, '--form', form, '--jobs', String(jobs), '--cwd', cwd];
  return new Promise((done, reject) => {
    // bash's `times` tells what its children took.
    const timed = ['-c', '"$@"; code=$?; times >&2; exit $code', 'bash', process.execPath, ...args];
    const child = spawn('bash', timed, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...credentialsOf(identity),
    });
    const [out, err]: Buffer[][] = [[], []];
    child.stdout.on('data', (piece: Buffer) => out?.push(piece));
    child.stderr.on('data', (piece: Buffer) => err?.push(piece));
    child.on('error', reject);
    child.on('close', (code) => {
      const told = Buffer.concat(err ?? []).toString();
      const counts = () => JSON.parse(Buffer.concat(out ?? []).toString()) as CollectCounts;
      if (code === 0) done({ counts: counts(), cpuMs: cpuOf(told) });
      else reject(new Error(`collect ended with ${code}: ${told}`));
    });
  });
}

/** The last line of bash's `times`: `1m2.345s 0m0.678s`. */
export function cpuOf(told: string): number {
  const last = told.trimEnd().split('\n').at(-1) ?? '';
  return [...last.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000,
    0,
  );
}

function trajectoriesOf(steps: readonly TrajectoryStep[]): TrajectoryStep[][] {
  const groups = new Map<string, TrajectoryStep[]>();
  for (const step of steps) {
    const group = groups.get(step.trajectory) ?? [];
    group.push(step);
    groups.set(step.trajectory, group);
  }
  return [...groups.values()];
}

export function scriptOf({ action }: TrajectoryStep): string {
  return action.kind === 'turn' ? (commandOf(action.turn) ?? '') : '';
}

/** Runs the steps of a shell tool twice, from the same state; the differences of each. */
export async function runDifferences(trajectory: readonly TrajectoryStep[], place: Place): Promise<string[][]> {
  const runs = [await realRuns(trajectory, place), await realRuns(trajectory, place)] as const;
  return trajectory.map((step, index) => {
    const [one, two] = [runs[0][index], runs[1][index]];
    const facts = step.observation?.facts;
    if (!one || !two || !facts) return [`${step.id} has no facts`];
    const json = { ...facts, version: 1 as const, engine: 'collect', ending: 'done' as const, exitBasis: 'rehearsed' };
    const comparison = compare(
      { ...emptyLists(), ...json, files: facts.files },
      { root: place.root, before: one.before, runs: [one, two] },
    );
    const texts = [one, two].map((run) =>
      renderShellReply('qwen', {
        command: scriptOf(step),
        stdout: run.stdout.toString(),
        stderr: run.stderr.toString(),
        exitCode: run.exitCode,
      }),
    );
    const shown = texts.includes(step.observation?.text ?? '')
      ? []
      : [`shown ${JSON.stringify(step.observation?.text)}`];
    // zip(1) writes down when a file was last read, which the real runs before this one have changed.
    const differences = comparison.differences.filter(({ text }) => !/\.zip: \w+: predicted other bytes/.test(text));
    const volatile = comparison.outcome === 'volatile' ? ['it is volatile'] : [];
    const isShown = texts.some((text) => sorted(text) === sorted(step.observation?.text ?? ''));
    if (isShown && shown.length > 0) return [sameLines];
    const told = differences.map(({ part, text }) => `${part}: ${text}`);
    return [...told, ...volatile, ...shown];
  });
}

async function realRuns(
  trajectory: readonly TrajectoryStep[],
  place: Place,
): Promise<(RealRun & { before: ReadonlyMap<BytePath, NodeState> })[]> {
  const done: (RealRun & { before: ReadonlyMap<BytePath, NodeState> })[] = [];
  let before = place.states;
  let touched: BytePath[] = [];
  for (const step of trajectory) {
    const { cwd, env, identity, pipes, guard } = place;
    const result = await runShell(scriptOf(step), { cwd, env, identity, pipes, ...(guard ? { guard } : {}) });
    const { changes, after, ...read } = readStep(place, before);
    touched = read.touched;
    done.push({ ...result, changes, before });
    before = after;
  }
  restorePlace(place, touched);
  return done;
}

/** Types the steps into a real terminal and compares its screen with the one that was collected. */
async function typedDifferences(trajectory: readonly TrajectoryStep[], place: Place): Promise<string[]> {
  const terminal = await openTerminal(place);
  const differences: string[] = [];
  try {
    for (const step of trajectory) {
      const screen = await terminal.type(scriptOf(step)).catch((error: unknown) => String(error));
      if (screen === step.observation?.text) continue;
      if (sorted(screen) === sorted(step.observation?.text ?? '')) {
        differences.push(sameLines);
        continue;
      }
      differences.push(`screen ${JSON.stringify(screen)}, collected ${JSON.stringify(step.observation?.text)}`);
      break;
    }
  } finally {
    await terminal.close();
  }
  restorePlace(place, readChanges(place.pristine).touched);
  return differences;
}
