/**
 * `node test/bench.mjs hybrid`: recorded sessions of agents, acted in the hybrid environment and then really run in the same
 * throw-away fixture. Each step's text, output, exit code and files are compared, and what a step costs is told.
 *
 * Options: `--identity user|root` (default: user), `--calls FILE` (recorded shell calls, one JSON object with `source` and
 * `command` a line; default: the steps of the truth suite's sessions), `--sequences FOLDER`, `--steps N` (default 600),
 * `--cli FILE`.
 *
 * Only sessions are really run that the environment rehearsed to their end without any effect beside files of the fixture.
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readTrajectory } from '../../src/core/trajectory/file/trajectoryFile.ts';
import type { TrajectoryStep } from '../../src/core/trajectory/step/step.ts';
import { readCases } from '../truth/cases.ts';
import { identityFor } from '../truth/identity.ts';
import { type Place, withPlace } from '../truth/place.ts';
import { credentialsOf } from '../truth/realRun.ts';
import { readTree, touchedPaths } from '../truth/tree.ts';
import { ask } from '../unit/loop/serviceClient.ts';
import { cpuOf, runDifferences, scriptOf } from './collectTruth.ts';

const { values: flags } = parseArgs({
  options: {
    identity: { type: 'string', default: 'user' },
    calls: { type: 'string' },
    sequences: { type: 'string', default: 'test/fixtures/mkrww/seqs' },
    steps: { type: 'string', default: '600' },
    cli: { type: 'string', default: 'dist/cli.js' },
  },
});

const sessionSteps = 10;
const token = 'bench';

process.umask(0o022);
process.exitCode = await main();

async function main(): Promise<number> {
  const identity = identityFor(flags.identity);
  if (!identity) return 2;
  console.log(
    `${cpus().length} × ${cpus()[0]?.model ?? 'processor'}, load ${loadavg()[0]?.toFixed(1)} at the beginning\n`,
  );
  return withPlace('hybrid', identity, async (place) => {
    const service = await serve(place);
    const taken = await actAll(service.url, place, recordedSessions(), Number(flags.steps));
    const cpuMs = await service.end();
    const touched = touchedPaths(place.pristine.tree, readTree(place.root));
    if (touched.length > 0) throw new Error(`The environment touched the fixture: ${touched.length} paths`);
    const steps = readTrajectory(readFileSync(join(place.base, 'steps.trajectory.jsonl'), 'utf8')).lines.flatMap(
      (line) => (line.kind === 'step' ? [line.step] : []),
    );
    return report(await compareAll(steps, place), taken, cpuMs);
  });
}

/** Commands as agents ran them one after the other. */
function recordedSessions(): string[][] {
  const folder = flags.sequences;
  const sequences = readdirSync(folder)
    .sort()
    .map((file) => JSON.parse(readFileSync(join(folder, basename(file)), 'utf8')) as string[]);
  if (flags.calls === undefined) {
    const cases = readCases('test/truth/cases').filter(({ steps }) => steps.length > 1);
    return [...sequences, ...cases.map(({ steps }) => [...steps])];
  }
  const sources = new Map<string, string[]>();
  for (const line of readFileSync(flags.calls, 'utf8').trim().split('\n')) {
    const { source, command } = JSON.parse(line) as { source: string; command: string };
    sources.set(source, [...(sources.get(source) ?? []), command]);
  }
  const chunks = [...sources.values()].flatMap((commands) =>
    Array.from({ length: Math.ceil(commands.length / sessionSteps) }, (_, index) =>
      commands.slice(index * sessionSteps, (index + 1) * sessionSteps),
    ),
  );
  return [...sequences, ...chunks];
}

interface Running {
  url: string;
  /** Ends it and tells the time of processors that it took, with everything that it started. */
  end(): Promise<number>;
}

function serve({ base, root, env, identity }: Place): Promise<Running> {
  const record = join(base, 'steps.trajectory.jsonl');
  const words = ['serve', '--environment', '--hybrid', '--cwd', root, '--record', record];
  // bash's `times` tells what its children took.
  const timed = [
    '-c',
    '"$@" & echo "pid $!" >&2; wait; times >&2',
    'bash',
    process.execPath,
    resolve(flags.cli),
    ...words,
  ];
  const child = spawn('bash', timed, {
    cwd: root,
    env: { ...env, FORETELL_SERVICE_TOKEN: token },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...credentialsOf(identity),
  });
  let told = '';
  child.stderr.on('data', (piece: Buffer) => {
    told += piece.toString();
  });
  const ended = new Promise<number>((done) => {
    child.on('close', () => done(cpuOf(told)));
  });
  return new Promise((done, reject) => {
    child.on('error', reject);
    child.on('close', () => reject(new Error(`the service ended: ${told}`)));
    child.stdout.once('data', (piece: Buffer) => {
      const url = piece.toString().trim();
      const end = () => {
        // bash waits for the service and tells its times.
        process.kill(Number(/^pid (\d+)$/m.exec(told)?.[1]), 'SIGTERM');
        return ended;
      };
      done({ url, end });
    });
  });
}

interface Taken {
  steps: number;
  sessions: number;
  bases: Map<string, number>;
  seconds: number;
}

/** Acts every session until there are enough steps; one that meets what is not rehearsed ends there. */
async function actAll(url: string, { cwd }: Place, sessions: readonly string[][], most: number): Promise<Taken> {
  const service = { url, token, close: async () => {} };
  const taken: Taken = { steps: 0, sessions: 0, bases: new Map(), seconds: 0 };
  const waiting = [...sessions];
  const startedAt = performance.now();
  const worker = async () => {
    for (let session = waiting.shift(); session && taken.steps < most; session = waiting.shift()) {
      const { id } = (await ask(service, '/start', { domain: 'swe', cwd })).json;
      taken.sessions += 1;
      for (const command of session) {
        const action = { name: 'run_shell_command', arguments: { command } };
        const { status, json } = await ask(service, '/step', { id, action });
        const basis = status === 200 ? String(json['basis']) : `${status}`;
        taken.bases.set(basis, (taken.bases.get(basis) ?? 0) + 1);
        if (basis !== 'rehearsed') break;
        taken.steps += 1;
      }
      await ask(service, '/close', { id });
    }
  };
  await Promise.all([worker(), worker()]);
  taken.seconds = (performance.now() - startedAt) / 1000;
  return taken;
}

interface Compared {
  same: number;
  /** Two real runs differ from each other. */
  varying: string[];
  wrong: string[];
  /** Not really run. */
  left: number;
}

async function compareAll(steps: readonly TrajectoryStep[], place: Place): Promise<Compared> {
  const result: Compared = { same: 0, varying: [], wrong: [], left: 0 };
  const sessions = new Map<string, TrajectoryStep[]>();
  for (const step of steps) sessions.set(step.trajectory, [...(sessions.get(step.trajectory) ?? []), step]);
  for (const session of sessions.values()) {
    const end = session.findIndex((step) => !isHarmless(step, place.root));
    const known = session.slice(0, end < 0 ? session.length : end);
    // The one that ended the session was not rehearsed, and counted so already.
    result.left += session.slice(known.length).filter(({ observation }) => observation?.basis === 'rehearsed').length;
    if (known.length === 0) continue;
    const differences = await runDifferences(known, place);
    for (const [index, step] of known.entries()) {
      const own = differences[index] ?? [];
      const told = `${scriptOf(step)}: ${own.join('; ')}`;
      if (own.length === 0) result.same += 1;
      else if (own.some((text) => text === 'it is volatile')) result.varying.push(told);
      else result.wrong.push(told);
    }
  }
  return result;
}

/** Whether a step may really be run: it changes files of the fixture, and nothing else. */
function isHarmless({ observation }: TrajectoryStep, root: string): boolean {
  const { basis, facts } = observation ?? {};
  if (basis !== 'rehearsed' || !facts) return false;
  return (
    facts.effects.every(({ effect }) => effect === 'git') &&
    facts.files.every(({ path }) => path.startsWith(`${root}/`))
  );
}

function report({ same, varying, wrong, left }: Compared, taken: Taken, cpuMs: number): number {
  const all = [...taken.bases.values()].reduce((sum, count) => sum + count, 0);
  const bases = [...taken.bases].map(([basis, count]) => `${basis} ${count}`).join(', ');
  const each = cpuMs / all;
  console.log(`${all} steps in ${taken.sessions} sessions: ${bases}`);
  console.log(
    `${(all / taken.seconds).toFixed(1)} steps a second; ${each.toFixed(0)} ms of processor a step: ${(1000 / each).toFixed(1)} steps a second and core`,
  );
  console.log(
    `${same + wrong.length + varying.length} really run: ${same} the same in text, output, exit code and files, ${wrong.length} differ, ${varying.length} vary from one real run to the next; ${left} not run, because they do more than change files of the fixture`,
  );
  for (const text of wrong) console.log(`- ${text.slice(0, 400)}`);
  for (const text of varying) console.log(`~ ${text.slice(0, 120)}`);
  return wrong.length > 0 || 1000 / each < 20 ? 1 : 0;
}
