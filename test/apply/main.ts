/**
 * After *Apply* the tree is what a real run leaves: every command of the truth suite that writes is really run, and applied by
 * the command line, each on the same fixture; what is refused must have touched nothing.
 *
 * Options: `--share N` (a sample of every Nth, another one each minute; default 1: all), `--match TEXT`, `--jobs N` (default 2), `--cli FILE`, `--ci` (last line
 * `N passed, N failed`), `--out FILE` (what came of each, as JSON).
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readCases, type TruthCase } from '../truth/cases.ts';
import { identities, wordsWithin } from '../truth/identity.ts';
import { type Place, restorePlace, withPlace } from '../truth/place.ts';
import { credentialsOf, readChanges, runShell } from '../truth/realRun.ts';
import { type BytePath, pathText, readTree, type Tree, touchedPaths } from '../truth/tree.ts';

const { values: flags } = parseArgs({
  options: {
    share: { type: 'string', default: '1' },
    match: { type: 'string' },
    jobs: { type: 'string', default: '2' },
    out: { type: 'string' },
    cli: { type: 'string', default: 'dist/cli.js' },
    ci: { type: 'boolean', default: false },
  },
});
const cli = resolve(flags.cli);
/** What is older than this was so before the command ran: its time was taken over. */
const fixtureNs = BigInt(Date.UTC(2025, 0, 1)) * 1_000_000n;

type Outcome = 'same' | 'refused' | 'differs' | 'unjudged';
interface Result {
  id: string;
  script: string;
  outcome: Outcome;
  /** Why it was refused, or in what it differs. */
  detail: string;
}

process.umask(0o022);
process.exitCode = await main();

async function main(): Promise<number> {
  const [identity] = identities('user');
  if (!identity) throw new Error('There is no ordinary user here.');
  const share = Number(flags.share);
  const first = Math.floor(Date.now() / 60_000) % share;
  const queue = readCases('test/truth/cases').filter(
    ({ steps, only }, at) =>
      steps.length === 1 &&
      only !== 'root' &&
      at % share === first &&
      (flags.match === undefined || steps[0]?.includes(flags.match)),
  );
  const results: Result[] = [];
  const work = () =>
    withPlace('apply', identity, async (place) => {
      for (let one = queue.shift(); one; one = queue.shift()) {
        const result = await judge(one, place);
        if (result) results.push(result);
      }
    });
  await Promise.all(Array.from({ length: Number(flags.jobs) }, work));
  const count = (outcome: Outcome) => results.filter((one) => one.outcome === outcome).length;
  for (const { id, script, detail } of results.filter(({ outcome }) => outcome === 'differs'))
    console.log(`✖ ${id}: ${script}\n  ${detail}`);
  const why = new Map<string, number>();
  for (const { detail, outcome } of results) if (outcome === 'refused') why.set(detail, (why.get(detail) ?? 0) + 1);
  console.log(
    `${results.length} commands write: ${count('same')} leave the same when applied, ${count('differs')} do not, ${count('refused')} are not applied (${[...why].map(([kind, many]) => `${kind} ${many}`).join(', ')}), ${count('unjudged')} differ from run to run.`,
  );
  if (flags.out !== undefined) writeFileSync(flags.out, `${JSON.stringify(results, null, 1)}\n`);
  const failed = count('differs');
  if (flags.ci) console.log(`\n${results.length - failed} passed, ${failed} failed`);
  return failed === 0 && count('same') > 0 ? 0 : 1;
}

/** What a tree differs in from the fixture, and the times that were taken over. */
function stateOf(place: Place): { states: Map<BytePath, string>; touched: BytePath[] } {
  const { changes, touched } = readChanges(place.pristine);
  const tree: Tree = readTree(place.root);
  const states = new Map<BytePath, string>();
  for (const [path, state] of changes) {
    // What stands in it are the numbers of the files that it names.
    if (/(^|\/)index$/.test(path)) continue;
    const node = tree.get(path);
    const isOld = node && node.type !== 'directory' && node.mtimeNanos < fixtureNs;
    // The size of a folder is what it once was on the disk.
    const said = node?.type === 'directory' ? { ...state, sizeBytes: 0 } : state;
    states.set(path, `${JSON.stringify(said)}${isOld ? ` ${node.mtimeNanos}` : ''}`);
  }
  return { states, touched };
}

async function judge(one: TruthCase, place: Place): Promise<Result | undefined> {
  const [script = ''] = one.steps;
  const real = async () => {
    await runShell(script, { cwd: place.cwd, env: place.env, identity: place.identity, pipes: place.pipes });
    const state = stateOf(place);
    restorePlace(place, state.touched);
    return state;
  };
  const first = await real();
  if (first.states.size === 0) return undefined;
  const second = await real();
  const result = { id: one.id, script };
  if (differenceOf(first.states, second.states) !== '')
    return { ...result, outcome: 'unjudged', detail: differenceOf(first.states, second.states) };
  const json = await applied(script, place);
  const touched = touchedPaths(place.pristine.tree, readTree(place.root));
  const { states } = stateOf(place);
  restorePlace(place, touched);
  const end = json?.applied;
  if (end === undefined) return { ...result, outcome: 'differs', detail: 'no answer' };
  if (end.refused) {
    const isUntouched = touched.length === 0;
    const detail = isUntouched ? end.refused.kind : `refused, and yet touched: ${touched.map(pathText).join(', ')}`;
    return { ...result, outcome: isUntouched ? 'refused' : 'differs', detail };
  }
  const failed = [...(end.failed ?? []), ...(end.conflicts ?? [])];
  const detail = failed.length > 0 ? JSON.stringify(failed) : differenceOf(first.states, states);
  if (detail === '') return { ...result, outcome: 'same', detail };
  // Both runs may have fallen into the same second.
  const isTimed = failed.length === 0 && differenceOf(first.states, (await real()).states) !== '';
  return { ...result, outcome: isTimed ? 'unjudged' : 'differs', detail };
}

function differenceOf(one: ReadonlyMap<BytePath, string>, other: ReadonlyMap<BytePath, string>): string {
  const paths = [...new Set([...one.keys(), ...other.keys()])].filter((path) => one.get(path) !== other.get(path));
  return paths
    .slice(0, 4)
    .map((path) => `${pathText(path)}: ${one.get(path) ?? 'as it was'} ≠ ${other.get(path) ?? 'as it was'}`)
    .join('\n  ');
}

interface ApplyJson {
  applied?: { refused?: { kind: string }; failed?: unknown[]; conflicts?: unknown[] };
}

/** What the command line says, as the user of the fixture. */
function applied(script: string, place: Place): Promise<ApplyJson | undefined> {
  // What Foretell keeps of its own lies outside of the fixture, whose home would be touched else.
  const own = { XDG_STATE_HOME: join(place.base, 'state'), XDG_CACHE_HOME: join(place.base, 'cache') };
  const words = [cli, '--apply', '--yes', '--json', '--cwd', place.cwd, '--', script];
  const [program = '', ...rest] = [...wordsWithin(place.identity), process.execPath, ...words];
  return new Promise((done) => {
    const child = spawn(program, rest, {
      cwd: place.cwd,
      env: { ...place.env, ...own },
      stdio: ['ignore', 'pipe', 'ignore'],
      ...credentialsOf(place.identity),
    });
    let text = '';
    child.stdout.on('data', (piece: Buffer) => {
      text += piece;
    });
    child.on('error', () => done(undefined));
    child.on('close', () => {
      try {
        done(JSON.parse(text) as ApplyJson);
      } catch {
        done(undefined);
      }
    });
  });
}
