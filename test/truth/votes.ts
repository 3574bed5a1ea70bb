/**
 * `node test/bench.mjs votes`: verdicts beside the votes of other projects, and predicted losses beside labelled ones.
 *
 * No command of the data is ever run, but through the engine. Options: `--identity user|root` (default user),
 * `--only votes|destroyed`, `--judged` (only rows that two projects agree on), `--cli FILE`, `--out FOLDER`, `--jobs N`.
 * Exit code 0 when: of the commands that two projects call danger and none safe, none is rated safe; of those that two
 * call safe, at most 2 % are rated danger; all labelled paths match.
 */
import {
  existsSync,
  lchownSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { startBatch } from './batch.ts';
import { DestroyedRow, destroyedDifference, labelPath, narrowedLabels } from './destroyed.ts';
import { type Identity, truthEnvironment } from './fixture.ts';
import { identityFor } from './identity.ts';
import { makeBase } from './place.ts';
import { makePipes, runShell } from './realRun.ts';
import { pathBytes, pathText, readTree, touchedPaths } from './tree.ts';
import { compareVotes } from './verdictVotes.ts';
import { buildVotesFixture, makeRowFiles } from './votesFixture.ts';

const { values: flags } = parseArgs({
  options: {
    identity: { type: 'string', default: 'user' },
    only: { type: 'string' },
    judged: { type: 'boolean', default: false },
    cli: { type: 'string', default: 'dist/cli.js' },
    out: { type: 'string', default: 'test/.out' },
    jobs: { type: 'string', default: '2' },
  },
});

const VotedRow = z.object({ command: z.string(), votes: z.record(z.string(), z.array(z.string())) });
type VotedRow = z.infer<typeof VotedRow>;
type Level = 'safe' | 'caution' | 'danger';

process.exitCode = await main();

async function main(): Promise<number> {
  const identity = identityFor(flags.identity);
  if (!identity) return 2;
  mkdirSync(flags.out, { recursive: true });
  let good = true;
  if (flags.only !== 'destroyed') good = (await measureVotes(identity)) && good;
  if (flags.only !== 'votes') good = (await measureDestroyed(identity)) && good;
  return good ? 0 : 1;
}

function readRows(file: string): unknown[] {
  const text = readFileSync(join('test/fixtures', file), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

async function measureVotes(identity: Identity): Promise<boolean> {
  const rows = readRows('votes/commands.jsonl').map((row) => VotedRow.parse(row));
  const queue = flags.judged ? rows.filter(isJudged) : [...rows];
  const levels = new Map<string, { level: Level | undefined; ending: string; reason: string }>();
  await Promise.all(Array.from({ length: Number(flags.jobs) }, () => rateAll(queue, identity, levels)));
  const rated = rows.filter((row) => levels.has(row.command));
  writeFileSync(
    join(flags.out, 'votes.json'),
    `${JSON.stringify(
      rated.map((row) => ({ ...row, ...levels.get(row.command) })),
      null,
      1,
    )}\n`,
  );
  console.log(votesTable(rated, (command) => levels.get(command)?.level));
  const unrated = rated.filter((row) => levels.get(row.command)?.level === undefined);
  for (const row of unrated.slice(0, 20))
    console.log(`no verdict: ${row.command} (${levels.get(row.command)?.ending}: ${levels.get(row.command)?.reason})`);
  const report = compareVotes(rated, (command) => levels.get(command)?.level ?? 'safe');
  const { dangerTwice, safeTwice } = report;
  console.log(`\nTwo say danger, none safe: ${dangerTwice.count}, rated safe: ${dangerTwice.ratedSafe.length}`);
  for (const command of dangerTwice.ratedSafe) console.log(`  ${command}`);
  console.log(`Two say safe, none danger: ${safeTwice.count}, rated danger: ${safeTwice.ratedDanger.length}`);
  for (const command of safeTwice.ratedDanger) console.log(`  ${command}`);
  return (
    unrated.length === 0 && dangerTwice.ratedSafe.length === 0 && safeTwice.ratedDanger.length <= 0.02 * safeTwice.count
  );
}

function isJudged({ votes }: VotedRow): boolean {
  return (votes['danger']?.length ?? 0) >= 2 || (votes['safe']?.length ?? 0) >= 2;
}

async function rateAll(
  queue: VotedRow[],
  identity: Identity,
  levels: Map<string, { level: Level | undefined; ending: string; reason: string }>,
): Promise<void> {
  const base = makeBase('votes', identity);
  const root = join(base, 'run');
  mkdirSync(root);
  try {
    buildVotesFixture(root, identity);
    const env = truthEnvironment(root, identity);
    const before = readTree(root);
    const batch = startBatch({ cli: resolve(flags.cli), env, cwd: join(root, 'project'), identity, limitMs: 30_000 });
    for (let row = queue.shift(); row; row = queue.shift()) {
      // What is said about merges is said about one that goes on.
      const cwd = join(root, /\bmerge\b/.test(row.command) ? 'merging' : 'project');
      const { verdict, ending, reason } = await batch.predict({ id: row.command, script: row.command, cwd, env });
      levels.set(row.command, { level: verdict.level as Level | undefined, ending, reason: reason ?? '' });
      const touched = touchedPaths(before, readTree(root));
      if (touched.length > 0) throw new Error(`Predicting touched ${touched.map(pathText).join(', ')}: ${row.command}`);
    }
    await batch.close();
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

/** How the votes fall, by the rated level. */
function votesTable(rows: readonly VotedRow[], levelOf: (command: string) => Level | undefined): string {
  const groups: [string, (row: VotedRow) => boolean][] = [
    ['danger ≥ 2, safe 0', ({ votes }) => (votes['danger']?.length ?? 0) >= 2 && !votes['safe']],
    ['danger 1, safe 0', ({ votes }) => votes['danger']?.length === 1 && !votes['safe']],
    ['danger and safe', ({ votes }) => votes['danger'] !== undefined && votes['safe'] !== undefined],
    ['safe ≥ 2, danger 0', ({ votes }) => (votes['safe']?.length ?? 0) >= 2 && !votes['danger']],
    ['safe 1, danger 0', ({ votes }) => votes['safe']?.length === 1 && !votes['danger']],
    ['neither', ({ votes }) => !votes['danger'] && !votes['safe']],
  ];
  const lines = groups.map(([name, belongs]) => {
    const mine = rows.filter(belongs);
    const of = (level: Level | undefined) => mine.filter((row) => levelOf(row.command) === level).length;
    return `| ${name} | ${mine.length} | ${of('safe')} | ${of('caution')} | ${of('danger')} | ${of(undefined)} |`;
  });
  return [
    '| votes | commands | rated safe | caution | danger | no verdict |',
    '| --- | --: | --: | --: | --: | --: |',
    ...lines,
  ].join('\n');
}

async function measureDestroyed(identity: Identity): Promise<boolean> {
  const rows = readRows('effects/effects.jsonl').flatMap((row) => {
    const parsed = DestroyedRow.safeParse(row);
    return parsed.success && (parsed.data.paths_known || parsed.data.word !== undefined) ? [parsed.data] : [];
  });
  const failures: string[] = [];
  for (const row of rows) {
    const failure = await checkRow(row, identity);
    if (failure) failures.push(`${row.id} ${JSON.stringify(row.command)}: ${failure}`);
  }
  console.log(`\nLabelled paths: ${rows.length - failures.length} of ${rows.length} rows match exactly.`);
  for (const failure of failures) console.log(`  ${failure}`);
  return failures.length === 0;
}

async function checkRow(row: DestroyedRow, identity: Identity): Promise<string> {
  const base = makeBase('votes', identity);
  const root = join(base, 'run');
  const [cwd, home] = [join(root, 'work'), join(root, 'home')];
  for (const folder of [root, cwd, home, join(root, 'tmp')]) mkdirSync(folder);
  const temporary: string[] = [];
  try {
    makeRowFiles(cwd, row.cwd_fixture ?? [], home);
    const expected = await expectedPaths(row, { base, cwd, home, identity });
    // What a row names is there, or there would be nothing to destroy.
    const named = (row.paths ?? []).map((label) => labelPath(label, cwd, home));
    for (const path of [...expected, ...named]) temporary.push(...makeMissing(path, cwd));
    if (process.getuid?.() === 0)
      for (const path of readTree(root).keys()) lchownSync(pathBytes(root, path), identity.uid, identity.gid);
    const env = truthEnvironment(root, identity);
    const batch = startBatch({ cli: resolve(flags.cli), env, cwd, identity });
    const prediction = await batch.predict({ id: row.id, script: row.command, cwd, env });
    await batch.close();
    if (prediction.ending === 'failed') return `failed: ${prediction.reason}`;
    // Git's own bookkeeping is no path of the user.
    const files = prediction.files.filter((file) => !file.path.startsWith(`${cwd}/.git/`));
    // A label that says "the whole directory" is a scope: how much of it is lost depends on the state.
    const isScope = expected.includes(cwd);
    // rm(1) refuses a directory.
    const losable = row.word === undefined ? expected : expected.filter((path) => !statSync(path).isDirectory());
    const difference = destroyedDifference(files, losable, (path) => (existsSync(path) ? realpathSync(path) : path));
    return isScope && difference.startsWith('in the label only') ? '' : difference;
  } finally {
    for (const path of temporary) rmSync(path, { recursive: true, force: true });
    rmSync(base, { recursive: true, force: true });
  }
}

interface RowPlace {
  base: string;
  cwd: string;
  home: string;
  identity: Identity;
}

async function expectedPaths(row: DestroyedRow, place: RowPlace): Promise<string[]> {
  const labels =
    narrowedLabels[row.command]?.paths ?? (row.word === undefined ? (row.paths ?? []) : await expand(row.word, place));
  return labels.map((label) => labelPath(label, place.cwd, place.home));
}

/**
 * What real bash makes of a word, in the row's directory; what does not exist is made. Only braces, tildes, globs and
 * quotes may stand in it: nothing that runs a program.
 */
async function expand(word: string, place: RowPlace): Promise<string[]> {
  if (/[$`<>|;&()]/.test(word)) throw new Error(`not a plain word: ${word}`);
  const env = { PATH: '/usr/bin:/bin', HOME: place.home, LANG: 'C.UTF-8' };
  const pipes = makePipes(place.base, place.identity);
  const { stdout } = await runShell(`printf '%s\\0' ${word}`, { cwd: place.cwd, env, identity: place.identity, pipes });
  const names = stdout.toString().split('\0').slice(0, -1);
  return names.map((name) => (name.startsWith('/') ? name : `./${name}`));
}

/** Makes a file that a row names; gives back what has to be removed outside of the row's own directory. */
function makeMissing(path: string, cwd: string): string[] {
  if (existsSync(path)) return [];
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `alpha in ${path}\n`);
  return path.startsWith(dirname(cwd)) ? [] : [path];
}
