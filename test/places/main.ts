import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import esbuild from 'esbuild';
import { identities } from '../truth/identity.ts';
import { whyNoGvisor, wordsForGvisor } from './gvisor.ts';
import { type Job, runInMachine, whyNoMachine } from './machine.ts';
import { type Place, placePrograms, places, whyNoPlace } from './places.ts';

const project = path.resolve(process.cwd());
const usage =
  'node test/place.mjs NAME [--user] [--bare] -- COMMAND…   (without arguments: which places there are; --bare: on the machine’s own tree)';

/** The exit code of a place that cannot be made. */
const cannotBeMade = 125;

/** `node test/place.mjs`: runs a command in a place; without arguments lists the places. Returns the exit code. */
export async function place(args: readonly string[]): Promise<number> {
  if (args.length === 0) return list();
  const end = args.indexOf('--');
  const { values, positionals } = parseArgs({
    args: args.slice(0, end < 0 ? undefined : end),
    options: { user: { type: 'boolean', default: false }, bare: { type: 'boolean', default: false } },
    allowPositionals: true,
    // A word that is none of them is refused below, in a sentence.
    strict: false,
  });
  const isKnown = Object.entries(values).every(
    ([name, value]) => ['user', 'bare'].includes(name) && typeof value === 'boolean',
  );
  const found = places.find(({ name }) => name === positionals[0]);
  const command = end < 0 ? [] : args.slice(end + 1);
  if (!found || !isKnown || positionals.length !== 1 || command.length === 0) return refuse(usage);
  const why = whyNot(found);
  if (why) return refuse(why);
  const words = await wordsOf(command);
  // Suites set up their fixtures as root, and test the user alone.
  const user = values.user === true && !isSuite(command);
  if (values.user && !user) process.env['FORETELL_IDENTITY'] = 'user';
  if (found.how === 'machine') return runInMachine(found.name, jobOf(found, words, user));
  if (found.how === 'gvisor') return runInGvisor(words, user);
  if (found.rootIsPowerless && isSuite(command) && process.getuid?.() === 0) return runWithin(found, words);
  return runFiltered(found, words, { user, bare: values.bare === true });
}

/** What is not in the project there has the names of that machine. */
function jobOf({ name }: Place, words: readonly string[], user: boolean): Job {
  const command = words[0] === process.execPath ? ['node', ...words.slice(1)] : words;
  Object.assign(process.env, { FORETELL_PLACE: name, FORETELL_PLACE_TREE: '1' });
  // Debian's accounts have the same numbers everywhere.
  const { uid, gid } = user ? { uid: 5, gid: 60 } : { uid: 0, gid: 0 };
  return { command, uid, gid, files: ['dist', 'package.json', 'test/truth/cases', 'test/places/scripts'] };
}

function isSuite([first, second]: readonly string[]): boolean {
  return first === 'truth' || /(^|\/)test\/(run|one|bench)\.mjs$/.test(second ?? '');
}

/** Root without capabilities cannot even make fixtures: the suite stays outside, and each of its commands runs in the place. */
function runWithin({ name }: Place, words: readonly string[]): Promise<number> {
  const [program = '', ...rest] = words;
  return run(program, rest, {
    ...process.env,
    FORETELL_BUILT: '1',
    FORETELL_WITHIN: `${placePrograms().place} ${name}`,
  });
}

/** `foretell` is the command line that was built, `truth` the suite of that name in one file. */
async function wordsOf(command: readonly string[]): Promise<readonly string[]> {
  const [first, ...rest] = command;
  if (first === 'foretell') return [process.execPath, path.join(project, 'dist/cli.js'), ...rest];
  if (first !== 'truth') return command;
  const outfile = path.join(project, 'dist/.truth.mjs');
  await esbuild.build({
    entryPoints: [path.join(project, 'test/truth/main.ts')],
    outfile,
    ...({ bundle: true, platform: 'node', target: 'node20', format: 'esm', logLevel: 'warning' } as const),
    mainFields: ['module', 'main'],
  });
  return [process.execPath, outfile, ...rest];
}

function refuse(sentence: string): number {
  console.error(sentence);
  return cannotBeMade;
}

function whyNot({ name, how }: Place): string | undefined {
  if (how === 'machine') return whyNoMachine(name);
  return how === 'gvisor' ? whyNoGvisor() : whyNoPlace(name);
}

function list(): number {
  for (const one of places) {
    const why = whyNot(one);
    console.log(`${one.name.padEnd(20)}${one.sentence}${why ? `\n${' '.repeat(20)}Not here: ${why}` : ''}`);
  }
  return 0;
}

/** What commands in a place are told: their home, and that nothing is to be built there. */
function environment(name: string, home: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    HOME: home,
    XDG_CACHE_HOME: path.join(home, '.cache'),
    FORETELL_PLACE: name,
    FORETELL_BUILT: '1',
  };
}

/** The identity of `--user`, and of who starts this. */
function whoIs(user: boolean): { uid: number; gid: number; login: string } {
  const [identity] = identities(user ? 'user' : 'both').slice(user ? 0 : -1);
  return identity ?? { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, login: os.userInfo().username };
}

interface Options {
  user: boolean;
  bare: boolean;
}

async function runFiltered(found: Place, command: readonly string[], { user, bare }: Options): Promise<number> {
  const isRoot = process.getuid?.() === 0;
  const hasTree = isRoot && found.hasTree === true && !bare;
  const base = fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-place-'));
  const { uid, gid, login } = whoIs(user);
  fs.chmodSync(base, 0o755);
  try {
    if (!hasTree && isRoot) fs.chownSync(base, uid, gid);
    const words = [found.name, ...(isRoot ? ['--as', `${uid}:${gid}`] : [])];
    if (hasTree) words.push(...treeWords(base));
    const env = environment(found.name, hasTree ? '/tmp/home' : base);
    Object.assign(env, { USER: login, LOGNAME: login }, hasTree ? { FORETELL_PLACE_TREE: '1', TMPDIR: '/tmp' } : {});
    const code = await run(placePrograms().place, [...words, '--', ...command], env);
    if (hasTree) keepReports(path.join(base, 'folder1'));
    return code;
  } finally {
    fs.rmSync(base, { recursive: true, force: true });
  }
}

/** What is made in there lies on the real disk; what the machine has on other disks than `/`, or below /tmp, must be shown. */
function treeWords(base: string): string[] {
  const words = ['--tree', base];
  const device = fs.statSync('/').dev;
  const shown = [project, path.dirname(fs.realpathSync(process.execPath))];
  for (const folder of shown) {
    if (folder.startsWith('/tmp/') || fs.statSync(folder).dev !== device) words.push('--show', folder);
  }
  for (const folder of ['test/.cache', 'test/.out']) words.push('--folder', path.join(project, folder));
  return words;
}

function keepReports(folder: string): void {
  const out = path.join(project, 'test/.out');
  fs.mkdirSync(out, { recursive: true });
  if (fs.existsSync(folder)) fs.cpSync(folder, out, { recursive: true });
}

async function runInGvisor(command: readonly string[], user: boolean): Promise<number> {
  const { uid, gid, login } = whoIs(user);
  const [program = '', ...words] = wordsForGvisor({ command, uid, gid });
  return run(program, words, {
    ...environment('gvisor', '/tmp'),
    ...{ USER: login, LOGNAME: login, FORETELL_PLACE_TREE: '1' },
  });
}

function run(program: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(program, words, { cwd: project, env, stdio: 'inherit' });
    child.on('error', (error) => resolve(refuse(error.message)));
    child.on('close', (code, signal) => resolve(code ?? (signal ? 128 + os.constants.signals[signal] : 1)));
    // The command is in the same terminal: it gets the interruption itself.
    process.on('SIGINT', () => {});
    process.on('SIGTERM', () => child.kill('SIGTERM'));
  });
}
