/**
 * `node test/bench.mjs safer`: for how many of the commands that two projects call dangerous, and none safe, a safer one is
 * proven, and whether what is offered is right: both are run for real, as an ordinary user and each in a fixture of its own,
 * and an own reading of the files compares them. Only what is offered is run, and only where it names git, files of the
 * fixture and nothing else. Options: `--only TEXT`, `--out FILE`. Exit code 0: at least 60 % have a proven one, none is wrong.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { type Identity, truthEnvironment } from '../truth/fixture.ts';
import { identityFor } from '../truth/identity.ts';
import { makeBase } from '../truth/place.ts';
import { buildVotesFixture } from '../truth/votesFixture.ts';

const { values: flags } = parseArgs({ options: { only: { type: 'string' }, out: { type: 'string' } } });

const Voted = z.object({ command: z.string(), votes: z.record(z.string(), z.array(z.string())) });
const Offered = z.object({
  ending: z.string(),
  loss: z.array(z.object({ path: z.string(), recovery: z.object({ kind: z.string() }) })),
  verdict: z.object({ level: z.optional(z.string()) }),
  safer: z.array(
    z.object({ script: z.string(), keeps: z.array(z.record(z.string(), z.unknown())), level: z.string() }),
  ),
});

/** What may be run for real: git and file programs without a place outside of the fixture. */
const runnable = /^(?:echo \w+ \| )?(?:git (?!push|fetch|clone|pull)|rm |find \. )|^base64 -d \| bash$/;

process.exitCode = main();

function main(): number {
  const identity = identityFor('user');
  if (!identity) return 2;
  const lines = readFileSync('test/fixtures/votes/commands.jsonl', 'utf8').trim().split('\n');
  const rows = lines
    .map((line) => Voted.parse(JSON.parse(line)))
    .filter(({ votes }) => (votes['danger']?.length ?? 0) >= 2 && !votes['safe'])
    .filter(({ command }) => flags.only === undefined || command.includes(flags.only));
  const found = rows.map(({ command }) => {
    const result = measure(command, identity);
    console.log(`${result.offered.length > 0 ? 'proven' : '  –   '}  ${command}  (${result.level}, ${result.ending})`);
    for (const { script, level, wrong } of result.offered)
      console.log(`          ${level}: ${script}${wrong === undefined ? '' : `\n          WRONG: ${wrong}`}`);
    return { command, ...result };
  });
  const proven = found.filter(({ offered }) => offered.length > 0);
  const wrong = found.flatMap(({ offered }) => offered.filter((one) => one.wrong !== undefined));
  const checked = found.flatMap(({ offered }) => offered.filter((one) => one.wasRun));
  const offered = found.flatMap((one) => one.offered);
  const share = proven.length / Math.max(1, found.length);
  console.log(
    `\nDangerous commands: ${found.length}; with a proven safer one: ${proven.length} (${(100 * share).toFixed(1)} %). ` +
      `Offered: ${offered.length}, of which ${checked.length} were run for real beside the given one; wrong: ${wrong.length}.`,
  );
  if (flags.out) writeFileSync(flags.out, `${JSON.stringify(found, undefined, 1)}\n`);
  return wrong.length === 0 && (share >= 0.6 || flags.only !== undefined) ? 0 : 1;
}

interface Row {
  level: string | undefined;
  ending: string;
  offered: { script: string; level: string; wasRun: boolean; wrong: string | undefined }[];
}

function measure(command: string, identity: Identity): Row {
  return inFixture(identity, (place) => {
    const [program, ...words] = [process.execPath, resolve('dist/cli.js'), '--json', '--safer', command];
    const before = treeOf(place.root);
    const { stdout } = spawnSync(program, words, { ...placed(place, command, identity), maxBuffer: 2 ** 30 });
    if (different(treeOf(place.root), before) !== undefined)
      throw new Error(`Predicting changed the fixture: ${command}`);
    const { ending, loss, verdict, safer } = Offered.parse(JSON.parse(stdout));
    const offered = safer.map(({ script, level, keeps }) => {
      const wasRun = runnable.test(command);
      const kept = keeps.map((one) => String(one['path'] ?? '')).find((one) => one !== '');
      // What a tool makes again is not kept.
      const madeAgain = loss.flatMap(({ path, recovery }) =>
        recovery.kind === 'tool' ? [path.slice(place.root.length)] : [],
      );
      // Words of the offered command may name the fixture that it was made in.
      const inRoot = (root: string, text: string) => text.replaceAll(place.root, root);
      const offer = (root: string) => ({ script: inRoot(root, script), kept: kept && inRoot(root, kept) });
      const wrong = wasRun ? check(command, offer, madeAgain, identity) : undefined;
      return { script, level, wasRun, wrong };
    });
    return { level: verdict.level, ending, offered };
  });
}

/** Runs both for real, each in a fixture of its own. A sentence where the offered one does not reach the same, or loses something. */
function check(
  command: string,
  offer: (root: string) => { script: string; kept: string | undefined },
  madeAgain: readonly string[],
  identity: Identity,
): string | undefined {
  return inFixture(identity, (one) =>
    inFixture(identity, (other) => {
      const had = contents(one.root);
      const { kept } = offer(other.root);
      const outside = kept !== undefined && !kept.startsWith(other.root) ? kept : undefined;
      const given = run(command, one, command, identity);
      const safer = run(offer(other.root).script, other, command, identity);
      if (given !== safer) return `it ends with ${safer} instead of ${given}`;
      const isOwn = (path: string) =>
        /\/\.git(\/|$)/.test(path) || (kept !== undefined && `${other.root}${path}`.startsWith(kept));
      const [first, second] = [one, other].map(({ root }) => {
        return new Map([...treeOf(root)].filter(([path]) => !isOwn(path)));
      }) as [Map<string, string>, Map<string, string>];
      const difference = different(second, first);
      if (difference !== undefined) return `${difference} is another one`;
      const left = contents(other.root);
      if (outside !== undefined) {
        for (const [digest, path] of contents(dirname(outside), basename(outside))) left.set(digest, path);
        rmSync(outside, { recursive: true, force: true });
      }
      const isGone = ([digest, path]: [string, string]) => !left.has(digest) && !madeAgain.includes(path);
      const missing = [...had].find(isGone)?.[0];
      return missing === undefined ? undefined : `what was in ${had.get(missing)} is nowhere any more`;
    }),
  );
}

interface Fixture {
  root: string;
  env: Record<string, string>;
}

function inFixture<T>(identity: Identity, during: (place: Fixture) => T): T {
  const base = makeBase('safer', identity);
  const root = join(base, 'run');
  mkdirSync(root);
  try {
    buildVotesFixture(root, identity);
    return during({ root, env: truthEnvironment(root, identity) });
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function placed({ root, env }: Fixture, command: string, { uid, gid }: Identity) {
  const cwd = join(root, /\bmerge\b/.test(command) ? 'merging' : 'project');
  const asUser = process.getuid?.() === 0 ? { uid, gid } : {};
  return { cwd, env, encoding: 'utf8' as const, stdio: 'pipe' as const, ...asUser };
}

function run(script: string, place: Fixture, command: string, identity: Identity): number | null {
  return spawnSync('bash', ['-c', script], placed(place, command, identity)).status;
}

/** What stands at each path below a folder: kind, mode and content. */
function treeOf(root: string, only?: string): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (folder: string) => {
    for (const name of readdirSync(join(root, folder))) {
      if (folder === '' && only !== undefined && name !== only) continue;
      const path = `${folder}/${name}`;
      const stat = lstatSync(join(root, path));
      const mode = (stat.mode & 0o7777).toString(8);
      if (stat.isSymbolicLink()) found.set(path, `link ${readlinkSync(join(root, path))}`);
      else if (stat.isDirectory()) {
        found.set(path, `folder ${mode}`);
        visit(path);
      } else found.set(path, `file ${mode} ${digestOf(readFileSync(join(root, path)))}`);
    }
  };
  visit('');
  return found;
}

function different(here: Map<string, string>, there: Map<string, string>): string | undefined {
  return [...new Set([...here.keys(), ...there.keys()])].find((path) => here.get(path) !== there.get(path));
}

/** Every content that is somewhere: in a file, in an object of git, in an archive. By digest, one of its paths. */
function contents(root: string, only?: string): Map<string, string> {
  const found = new Map<string, string>();
  const tree = treeOf(root, only);
  for (const [path, node] of tree) {
    const digest = /^file \d+ (\w+)$/.exec(node)?.[1];
    if (digest === undefined) continue;
    // Git's own records may change; what they hold is read below.
    if (!/\/\.git\//.test(path)) found.set(digest, path);
    if (path.endsWith('.tgz')) {
      const list = execFileSync('tar', ['-tzf', join(root, path)], { encoding: 'utf8' }).split('\n');
      for (const name of list.filter((one) => one !== '' && !one.endsWith('/')))
        found.set(digestOf(execFileSync('tar', ['-xzOf', join(root, path), '--', name])), `${path}:${name}`);
    }
  }
  const heads = [...tree.keys()].filter((path) => path.endsWith('/.git'));
  for (const git of heads) {
    const call = (...words: string[]) =>
      execFileSync('git', ['-c', 'safe.directory=*', `--git-dir=${join(root, git)}`, ...words], {
        maxBuffer: 2 ** 28,
        env: { PATH: '/usr/bin:/bin', HOME: root },
      });
    // Only what a name reaches counts: anything else goes with the next gc.
    const reached = call('rev-list', '--objects', '--all', '--indexed-objects', '--reflog').toString().split('\n');
    const ids = [...new Set(reached.map((line) => line.split(' ')[0] ?? '').filter((id) => id !== ''))];
    for (const id of ids) {
      const type = call('cat-file', '-t', id).toString().trim();
      if (type === 'blob') found.set(digestOf(call('cat-file', 'blob', id)), `${git} ${id}`);
      if (type === 'commit') found.set(id, `${git} commit ${id}`);
    }
  }
  return found;
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
