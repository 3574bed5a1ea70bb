// The test command: installs what the tests need, builds, runs the rings that are asked for (all of them by default)
// and closes with one line, `N passed, N failed`. Before it stand what failed, with its error, and the names of tests that
// passed only when repeated.
//   node test/run.mjs [unit|engine|panel|truth|supervision|consented|edits|apply|language|hostile|faults|places|package|host …] [--only TEXT]
// A single test file, at once and without building: one.mjs.
// Of the hostile ring's 3,000 commands a run takes a sixteenth, each run another one, and says which:
//   FORETELL_FIRST=n FORETELL_SHARE=16 node test/run.mjs hostile    the same sixteenth again
//   FORETELL_SHARE=1 node test/run.mjs hostile                      all of them, in hours
// Where the machine is slow, a whole run takes a part of each ring: pace.mjs.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ensurePackages, ensurePrograms, root } from '../src/tools/ensure.mjs';
import { bundleTests, findFiles } from './bundleTests.mjs';
import { drawn, hardLimitS, Pace } from './pace.mjs';

const args = process.argv.slice(2);
const onlyAt = args.indexOf('--only');
const only = onlyAt >= 0 ? args.splice(onlyAt, 2)[1] : undefined;
const everything = [
  'checks',
  'unit',
  'engine',
  'panel',
  'truth',
  'supervision',
  'consented',
  'edits',
  'apply',
  'language',
  'hostile',
  'faults',
  'places',
  'package',
  'host',
];
const rings = args.length > 0 ? args : everything;
const unknown = rings.find((ring) => !everything.includes(ring));
if (unknown) {
  console.error(`There is no test ring called ${unknown}; choose from ${everything.join(', ')}.`);
  process.exit(2);
}

ensurePackages();
const needs = {
  git: ['git'],
  zsh: ['zsh'],
  fish: ['fish'],
  jq: ['jq'],
  sqlite3: ['sqlite3'],
  zip: ['zip'],
  unzip: ['unzip'],
  make: ['make'],
  xxd: ['xxd'],
  bc: ['bc'],
  rsync: ['rsync'],
  cpio: ['cpio'],
  file: ['file'],
  'util-linux': ['setpriv'],
  procps: ['ps'],
  patch: ['patch'],
  tree: ['tree'],
};
const browsers = { chromium: ['chromium', 'chromium-browser', 'google-chrome'] };
const wantsBrowser = rings.includes('panel') || rings.includes('host');
// Tests in places that cannot be made are skipped with the reason.
if (rings.includes('places')) ensurePrograms({ runsc: ['runsc'] }, { optional: true });
ensurePrograms({ ...(rings.some((ring) => ring !== 'checks') ? needs : {}), ...(wantsBrowser ? browsers : {}) });

const { build } = await import('../src/tools/build.mjs');
const total = { passed: 0, failed: 0, unsteady: [], failures: [] };
const startedAt = performance.now();
const pace = new Pace(rings.length === everything.length ? [...rings, 'building'] : rings);
/** Another minute, another part of what is drawn. */
const minute = Math.floor(Date.now() / 60_000);

/** Says what a ring is, runs it, and adds up what it counted. */
async function ring(name, run) {
  if (!rings.includes(name)) return;
  console.log(`\n── ${name}`);
  const at = performance.now();
  const cpuBefore = childrenCpuS();
  const { passed, failed, unsteady = [], failures = [], tookMs } = await run();
  total.passed += passed;
  total.failed += failed;
  total.unsteady.push(...unsteady);
  // The whole output may be long gone from where somebody reads the end of it.
  total.failures.push(...failures.map((text) => `${name}: ${text}`));
  pace.ended(name, (performance.now() - at) / 1000);
  console.log(`── ${name}: ${passed} passed, ${failed} failed in ${((performance.now() - at) / 1000).toFixed(1)} s`);
  const cpu = `${(childrenCpuS() - cpuBefore).toFixed(0)} s of processor time`;
  console.log(`── ${name}: ${cpu}${tookMs?.size ? `; longest ${longest(tookMs)}` : ''}`);
}

/** Words that make a ring smaller where the machine is slow; says so, so that nobody compares two counts that cannot be. */
function shareHere(option, usual, here) {
  if (here !== usual) sayLess(`${option} ${here}, not ${usual}`);
  return [option, String(here)];
}

const sayLess = (what) => console.log(`This machine takes ${pace.times.toFixed(1)} × as long as usual: ${what}.`);

/** The files of a ring that are run here; says so where they are not all. */
function filesHere(name, files) {
  const some = drawn(files, pace.share(name), minute);
  if (some.length < files.length) sayLess(`${some.length} of ${files.length} files`);
  return some;
}

/** Processor time in seconds of what this process started and that ended, with all that it started (proc_pid_stat(5)). */
function childrenCpuS() {
  const text = readFileSync('/proc/self/stat', 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

/** The files whose tests take longest, added up; several run at once. */
function longest(tookMs) {
  const sorted = [...tookMs].sort(([, one], [, other]) => other - one).slice(0, 8);
  return sorted.map(([file, ms]) => `${file} ${(ms / 1000).toFixed(0)} s`).join(', ');
}

/** How many programs were started. */
let programs = 0;

/**
 * Runs a program; counts it as one test, or by the last line `N passed, N failed` that it prints. What passed only when
 * repeated, and what failed, it names in the file FORETELL_NAMED, a line of JSON each: `{ unsteady }` or `{ failed }`, with
 * the error behind the name; where it names no failure, the end of its output stands for it. `held`: prints only when it
 * has ended.
 */
function runProgram(command, commandArgs, { counts = false, env = {}, held = false } = {}) {
  const namedFile = path.join(root, `test/.cache/named-${programs}.txt`);
  programs += 1;
  rmSync(namedFile, { force: true });
  return new Promise((resolve) => {
    const child = spawn(command, commandArgs, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...env, FORETELL_NAMED: namedFile },
    });
    let tail = '';
    const pieces = [];
    child.stdout.on('data', (chunk) => {
      if (held) pieces.push(chunk);
      else process.stdout.write(chunk);
      tail = `${tail}${chunk}`.slice(-4000);
    });
    const called = [command, ...commandArgs].join(' ');
    child.on('error', (error) => resolve({ passed: 0, failed: 1, failures: [`${called}: ${error.message}`] }));
    child.on('close', (code) => {
      for (const piece of pieces) process.stdout.write(piece);
      const last = counts ? [...tail.matchAll(/(\d+) passed, (\d+) failed/g)].at(-1) : undefined;
      const passed = last ? Number(last[1]) : code === 0 ? 1 : 0;
      const counted = last ? Number(last[2]) : code === 0 ? 0 : 1;
      // A program that ends badly has failed, whatever it counted.
      const failed = code !== 0 && counted === 0 ? 1 : counted;
      const lines = existsSync(namedFile) ? readFileSync(namedFile, 'utf8').trim().split('\n') : [];
      const named = lines.map((line) => JSON.parse(line));
      const unsteady = named.flatMap((one) => one.unsteady ?? []);
      const failures = named.flatMap((one) => one.failed ?? []);
      if (failed > 0 && failures.length === 0)
        failures.push(`${called} (exit ${code})\n${tail.trimEnd().split('\n').slice(-20).join('\n')}`);
      resolve({ passed, failed, unsteady, failures });
    });
  });
}

const find = (folder, ending) => findFiles(folder, ending).filter((file) => !only || file.includes(only));

/** Runs files of node:test and counts their tests (not their suites). */
async function runTests(files, { concurrency = 2, timeoutMs = 600_000 } = {}) {
  const { run } = await import('node:test');
  const counted = { passed: 0, failed: 0, failedFiles: new Set(), failedNames: [], failures: [], tookMs: new Map() };
  if (files.length === 0) return { ...counted, failed: 1, failures: ['no test file was found'] };
  const env = process.env;
  // node:test refuses to run inside a test; this is none.
  delete env.NODE_TEST_CONTEXT;
  await new Promise((resolve) => {
    const stream = run({ files, concurrency, timeout: timeoutMs });
    const addTime = ({ nesting, file = '', details }) => {
      const name = path.basename(file).replace(/\.test\.m?js$/, '');
      if (nesting === 0) counted.tookMs.set(name, (counted.tookMs.get(name) ?? 0) + (details?.duration_ms ?? 0));
    };
    stream.on('test:pass', addTime).on('test:fail', addTime);
    stream.on('test:pass', (event) => {
      if (event.details?.type !== 'suite' && !event.skip) counted.passed += 1;
    });
    stream.on('test:fail', (event) => {
      if (event.details?.type === 'suite') return;
      counted.failed += 1;
      counted.failedFiles.add(event.file ?? files[0]);
      counted.failedNames.push(nameOf(event));
      const error = event.details?.error;
      const why = String(error?.cause?.stack ?? error?.cause ?? error?.message ?? error).split('\n');
      const text = `${nameOf(event)}\n${why.slice(0, 12).join('\n')}`;
      counted.failures.push(text);
      console.log(`✖ ${indented(text)}`);
    });
    stream.on('test:stderr', (event) => {
      if (process.env.FORETELL_VERBOSE) process.stderr.write(event.message);
    });
    stream.on('end', resolve);
    stream.resume();
  });
  return counted;
}

const indented = (text) => text.replaceAll('\n', '\n  ');

/** A test's own name, and its file's where it has one. */
function nameOf(event) {
  const file = event.file ? path.basename(event.file).replace(/\.test\.m?js$/, '') : '';
  return file && !event.name.includes(file) ? `${event.name} (${file})` : event.name;
}

/**
 * Machines that run tests are noisy: what failed is run once more, alone, and only what fails twice has failed. What passed
 * the second time is a defect all the same, of the test or of what it tests: it is counted and named at the end.
 */
async function twice(run, again, whole) {
  const first = await run();
  if (first.failed === 0) return first;
  console.log(`── ${first.failed} failed; once more …`);
  const second = await again(first);
  const still = new Set(second.failedNames ?? []);
  // A program that only counts cannot say which.
  const steadied = Math.max(0, first.failed - second.failed);
  const unsteady = first.failedNames
    ? first.failures.filter((_, at) => !still.has(first.failedNames[at]))
    : steadied
      ? [[`${steadied} of ${whole}`, ...(first.failures ?? [])].join('\n')]
      : [];
  const { tookMs } = first;
  const { failed, failures } = second;
  return { passed: first.passed + (first.failed - failed), failed, unsteady, failures, tookMs };
}

/** Runs files of node:test, and those in which something failed once more. */
function runSteadily(files, options) {
  return twice(
    () => runTests(files, options),
    ({ failedFiles }) =>
      runTests(
        files.filter((file) => failedFiles.has(file)),
        { ...options, concurrency: 1 },
      ),
  );
}

const add = (a, b) => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  unsteady: [...(a.unsteady ?? []), ...(b.unsteady ?? [])],
  failures: [...(a.failures ?? []), ...(b.failures ?? [])],
  tookMs: new Map([...(a.tookMs ?? []), ...(b.tookMs ?? [])]),
});
const node = process.execPath;

await ring('checks', async () => {
  const check = (...words) => runProgram('npx', ['--no-install', ...words], { held: true });
  const results = await Promise.all([
    check('tsc', '-p', 'tsconfig.json'),
    check('tsc', '-p', 'media/tsconfig.json'),
    check('biome', 'check', '.'),
  ]);
  return results.reduce(add);
});

if (process.env.FORETELL_PLACE) console.log(`\nIn the place ${process.env.FORETELL_PLACE}.`);
// In a place nothing is built: it is tested what was built outside.
if (rings.some((name) => name !== 'checks') && !process.env.FORETELL_BUILT) {
  console.log('\nBuilding …');
  const at = performance.now();
  await build({ quick: !rings.includes('package') });
  pace.ended('building', (performance.now() - at) / 1000);
}

await ring('unit', async () => runSteadily(await bundleTests(find('test/unit', '.test.ts'), 'unit')));
// What rehearses, or runs git, takes its time and is kept apart from what is run after every change.
await ring('engine', async () => {
  const all = await bundleTests(filesHere('engine', find('test/engine', '.test.ts')), 'engine');
  // What types into terminals waits most of its time, so it stands beside the others.
  const types = (file) => /^enter(Hint)?\b/.test(path.basename(file));
  const parts = [all.filter(types), all.filter((file) => !types(file))].filter(({ length }) => length > 0);
  const results = await Promise.all(
    parts.map((files) => runSteadily(files, types(files[0]) ? { concurrency: 1 } : {})),
  );
  return results.length > 0 ? results.reduce(add) : runTests([]);
});
// Each file has a browser of its own, which waits much.
await ring('panel', async () => runSteadily(filesHere('panel', find('test/panel', '.test.mjs')), { concurrency: 3 }));
const truth = (name, env) =>
  ring(name, async () => {
    const [main] = await bundleTests([path.join(root, 'test/truth/main.ts')], 'truth');
    const match = only ? ['--match', only] : [];
    const words = ['--ci', ...shareHere('--sample', 300, pace.fewer(name, 300, 100)), ...match];
    const run = () => runProgram(node, [main, ...words], { counts: true, env });
    return twice(run, run, name);
  });
await truth('truth', {});
// The same commands by the engine that needs no namespaces.
await truth('supervision', { FORETELL_ENGINE: 'supervision' });
// Commands of many ecosystems after the user's consent, by both engines; FORETELL_SHARE=1: all, otherwise a sixth.
await ring('consented', async () => {
  const [main] = await bundleTests([path.join(root, 'test/consented/main.ts')], 'consented');
  const words = [
    '--ci',
    ...(process.env.FORETELL_SHARE === '1'
      ? ['--share', '1']
      : shareHere('--share', 6, pace.rarer('consented', 6, 24))),
    ...(only ? ['--match', only] : []),
  ];
  const by = (env) => {
    const run = () => runProgram(node, [main, ...words], { counts: true, env });
    return twice(run, run, 'consented');
  };
  return add(await by({}), await by({ FORETELL_ENGINE: 'supervision' }));
});
// These two wait much, for servers and for tools; each alone leaves most of the machine idle.
await Promise.all([
  ring('language', async () => {
    process.env.FORETELL_SCRIPTS_SHARE ??= shareHere('scripts, one of', 1, pace.rarer('language', 1, 4))[1];
    return runSteadily(await bundleTests(filesHere('language', find('test/language', '.test.ts')), 'language'));
  }),
  // Of 2,300 edits all calls and file operations are made, and every eighth patch.
  ring('edits', async () => {
    const [main] = await bundleTests([path.join(root, 'test/truth-edits/main.ts')], 'edits');
    const words = shareHere('--share', 8, pace.rarer('edits', 8, 64));
    const run = () => runProgram(node, [main, ...words], { counts: true, held: true });
    return twice(run, run, 'edits');
  }),
]);
// Every fiftieth command of the truth ring that writes, each minute others; FORETELL_SHARE=1: all of them.
await ring('apply', async () => {
  const [main] = await bundleTests([path.join(root, 'test/apply/main.ts')], 'apply');
  const words = [
    '--ci',
    '--share',
    process.env.FORETELL_SHARE === '1' ? '1' : '50',
    ...(only ? ['--match', only] : []),
  ];
  const run = () => runProgram(node, [main, ...words], { counts: true });
  return twice(run, run, 'apply');
});
await ring('hostile', async () => {
  process.env.FORETELL_SHARE ??= shareHere('one of', 16, pace.rarer('hostile', 16, 128))[1];
  const share = Number(process.env.FORETELL_SHARE);
  // Another minute, another share; also of those parts of which a run takes still less.
  process.env.FORETELL_FIRST ??= String(share === 1 ? 0 : minute % (20 * share));
  if (!Number.isInteger(share) || share < 1 || !/^\d+$/.test(process.env.FORETELL_FIRST)) {
    console.error('FORETELL_SHARE is 1 (all commands) or more, and FORETELL_FIRST a number from 0 on.');
    return { passed: 0, failed: 1 };
  }
  const repeat = `FORETELL_FIRST=${process.env.FORETELL_FIRST} FORETELL_SHARE=${share}`;
  console.log(share === 1 ? 'All commands.' : `This share again: ${repeat} node test/run.mjs hostile`);
  // The attempts take some minutes whatever the share is, the 3,000 commands some hours.
  const timeoutMs = 1_800_000 + (6 * 3_600_000) / share;
  const run = async (files, concurrency) =>
    files.length === 0
      ? { passed: 0, failed: 0 }
      : runSteadily(await bundleTests(files, 'hostile'), { concurrency, timeoutMs });
  // Three files prove that their attempts work where nothing stops them: by them whoever watches meanwhile would see changes.
  const proves = (file) => /(?:escape|runtimes|network)\.test\.ts$/.test(file);
  const files = filesHere('hostile', find('test/hostile', '.test.ts'));
  const proved = await run(files.filter(proves), 1);
  // The others wait most of their time, for limits to pass: two at a time, and what takes longest first.
  const longest = (file) => file.endsWith('nothingChanges.test.ts');
  const others = files.filter((file) => !proves(file)).sort((one, other) => longest(other) - longest(one));
  return add(proved, await run(others, 2));
});
await ring('faults', async () =>
  runSteadily(await bundleTests(find('test/faults', '.test.ts'), 'faults'), { concurrency: 1 }),
);
// Machines on which something is refused; those that are emulated only where FORETELL_PLACES=all asks for them.
await ring('places', async () =>
  runSteadily(await bundleTests(find('test/places', '.test.ts'), 'places'), { concurrency: 1 }),
);
await ring('package', async () => runProgram(node, ['src/tools/package.mjs', '--check'], { counts: true }));
await ring('host', async () => {
  const share = pace.share('host');
  if (share < 1) sayLess(`of the windows a part of ${share.toFixed(2)}`);
  // A window that hangs ends before this run has to.
  const env = { FORETELL_ENDS_AT: String(performance.timeOrigin + hardLimitS * 1000) };
  return runProgram(node, ['test/host/main.mjs', '--share', String(share)], { counts: true, env });
});

console.log(`\nIn ${((performance.now() - startedAt) / 1000).toFixed(0)} s:`);
for (const text of total.failures) console.log(`✖ ${indented(text)}`);
for (const text of total.unsteady) console.log(`unsteady: ${indented(text)}`);
if (total.unsteady.length > 0) console.log(`${total.unsteady.length} unsteady`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);
