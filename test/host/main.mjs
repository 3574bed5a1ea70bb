// Drives the extension in a real VS Code: every way in, the panel, diffs, real runs, dialogs, trust.
//   node test/host/main.mjs [--only TEXT] [--window FOLDER] [--share PART] [--pictures] [--root]
// `inside` tests run in the extension host and drive the window through an address; `outside` scripts drive the window
// alone, for what VS Code refuses to test runs: dialogs and trust. --pictures makes those of the README instead.
// The windows are an ordinary user's, also where root starts this, but for --root.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { runTests } from '@vscode/test-electron';
import esbuild from 'esbuild';
import { nodeBundle } from '../../src/tools/nodeBundle.mjs';
import { makeSampleProject } from '../../src/tools/sampleProject.mjs';
import { findChromium } from '../../src/tools/vscodeHost/chromium.mjs';
import { prepare } from '../../src/tools/vscodeHost/prepare.mjs';
import { nodeBinary, projectRoot } from '../../src/tools/vscodeHost/versions.mjs';
import { driverWords, openBrowser } from '../../src/tools/vscodeHost/window.mjs';
import { drawn } from '../pace.mjs';
import { makeHome, ordinaryUser } from './support/ordinaryUser.mjs';
import { until } from './support/outside.mjs';

/**
 * What every window begins with. It tells of no server that somebody else starts on this machine meanwhile. Where an extension
 * (VS Code's own for git does) gives terminals another variable, VS Code starts those anew in which it knows of no key yet, and
 * seconds later puts the new shell in the place of the old one, with what was typed since.
 */
const windowSettings = { 'remote.autoForwardPorts': false, 'terminal.integrated.environmentChangesRelaunch': false };

const args = process.argv.slice(2);
const only = args.includes('--only') ? args[args.indexOf('--only') + 1] : undefined;
const onlyWindow = args.includes('--window') ? args[args.indexOf('--window') + 1] : undefined;
/** Where the machine is slow a whole run draws windows (pace.mjs). */
const share = args.includes('--share') ? Number(args[args.indexOf('--share') + 1]) : 1;
const endsAt = Number(process.env.FORETELL_ENDS_AT ?? Number.POSITIVE_INFINITY);
const pictures = args.includes('--pictures');
const host = path.join(projectRoot, 'src/tools/vscodeHost/host.mjs');
const bundles = path.join(projectRoot, 'test/.cache/host');
const pictureFolder = pictures ? path.join(projectRoot, 'media/readme') : path.join(projectRoot, 'test/.out/host');

const chromium = findChromium();
if (chromium.problem) {
  console.error(chromium.problem);
  process.exit(1);
}
await prepare();
if (!existsSync(path.join(projectRoot, 'dist/extension.js'))) {
  const { build } = await import('../../src/tools/build.mjs');
  await build({ quick: true });
}
await mkdir(pictureFolder, { recursive: true });

const work = await mkdtemp(path.join(tmpdir(), 'foretell-host-'));
const { user, problem } = args.includes('--root') ? {} : await ordinaryUser([host, nodeBinary, chromium.path]);
if (problem) console.log(`The windows are root's: ${problem}.`);
/** What every window and its driver have in their environment. */
const surroundings = {
  ...makeHome(work, user?.login),
  // Consents are kept with the settings of the user, who is none of ours.
  XDG_CONFIG_HOME: path.join(work, 'config'),
  // Sockets of the editor, profiles of the browser and what shells keep go away with it, also when this is interrupted.
  TMPDIR: path.join(work, 'tmp'),
  // They are made by the driver, who may not write into the project.
  FORETELL_PICTURES: path.join(work, 'pictures'),
  ...(user ? { VSCODE_HOST_AS: `${user.uid}:${user.gid}` } : {}),
};
await mkdir(surroundings.TMPDIR);
await mkdir(surroundings.FORETELL_PICTURES);
give(work);
process.once('exit', () => spawnSync('rm', ['-rf', work]));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
const total = { passed: 0, failed: 0 };
/** What failed beside other windows is tried once more when they have ended. */
const failed = [];
/** The windows that take minutes, the longest last. */
const longest = ['edits', 'window', 'typedLine'];
/** The window in which latencies are measured. */
const measured = 'measure';
if (pictures) {
  await inside('pictures', { folder: await sample() });
  for (const again of failed) await again();
} else {
  const scripts = (await readdir(path.join(projectRoot, 'test/host/outside'))).sort();
  // The name of a script that drives a window alone, or of the start: the other windows have nothing for it.
  const isScript = only !== undefined && (only === 'npm start' || scripts.includes(`${only}.mjs`));
  const kinds = isScript ? [] : await windows();
  const all = [
    ...kinds.filter((kind) => kind !== measured).map((kind) => () => window(kind)),
    ...(onlyWindow ? [] : scripts.map((file) => () => outside(file))),
  ];
  const waiting = drawn(all, share, Math.floor(Date.now() / 60_000));
  // Three at once: a window waits most of its time, and more would wait for each other. The one whose times are told is alone.
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await next();
  };
  await Promise.all(Array.from({ length: 3 }, worker));
  if (kinds.includes(measured)) await window(measured);
  for (const again of failed) await again();
  if (!onlyWindow) {
    if (!isScript || only === 'npm start') await npmStart();
  }
}
await cp(surroundings.FORETELL_PICTURES, pictureFolder, { recursive: true });
if (pictures) {
  await animate('at-enter', [600, 300, 300, 900, 4_000, 1_500], 4);
  // Those of the walkthrough are shipped, the others are only for the README.
  for (const name of ['panel-dark', 'lens-dark', 'observed-dark']) {
    const made = path.join(pictureFolder, `${name}.png`);
    // With --only not all are made.
    if (existsSync(made)) await rename(made, path.join(projectRoot, 'media/walkthrough', `${name}.png`));
  }
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);

/** One moving picture of its frames, `NAME-1.png` and so on, each shown so many milliseconds; the still one is shown where it does not move. */
async function animate(name, times, stillIndex) {
  const frames = times.map((ms, index) => ({ ms, file: path.join(pictureFolder, `${name}-${index + 1}.png`) }));
  if (!frames.every(({ file }) => existsSync(file))) return;
  const { animated } = await import('../../src/tools/animatedPicture.mjs');
  const read = await Promise.all(frames.map(async ({ ms, file }) => ({ ms, png: await readFile(file) })));
  await writeFile(path.join(pictureFolder, `${name}.png`), animated(read, read[stillIndex].png));
  for (const { file } of frames) await rm(file);
}

async function window(kind) {
  const startedAt = performance.now();
  await inside(kind, kind === 'noFolder' ? { launchArgs: ['--host-no-folder'] } : { folder: await sample() });
  console.log(`  window ${kind}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
}

async function sample() {
  const folder = await mkdtemp(path.join(work, 'project-'));
  const made = await makeSampleProject(path.join(folder, 'harbour'));
  give(folder);
  return made;
}

/** Makes a folder with all that is in it that of whoever sits at the windows. */
function give(folder) {
  if (user) spawnSync('chown', ['-Rh', `${user.uid}:${user.gid}`, folder]);
}

/** The environment of one window: what agents asked, what is remembered and what is kept are its own. */
function surroundingsOf(ownFolder) {
  return {
    ...surroundings,
    // Consents are kept there; the window beside it has others.
    XDG_CONFIG_HOME: path.join(ownFolder, 'config'),
    XDG_STATE_HOME: path.join(ownFolder, 'state'),
    // For a window that hangs; on a slow machine the longest takes half an hour.
    VSCODE_HOST_TIMEOUT_S: String(Math.max(60, Math.round(Math.min(2_400, (endsAt - Date.now()) / 1000)))),
  };
}

/** What one VS Code keeps. */
async function windowFolder(added = {}) {
  const folder = await mkdtemp(path.join(work, 'vscode-'));
  const settings = path.join(folder, 'data/data/Machine/settings.json');
  await mkdir(path.dirname(settings), { recursive: true });
  await writeFile(settings, JSON.stringify({ ...windowSettings, ...added }));
  give(folder);
  return folder;
}

/** The folders of tests, each for a window of its own; pictures are made apart. */
async function windows() {
  const entries = await readdir(path.join(projectRoot, 'test/host/inside'), { withFileTypes: true });
  const names = entries.filter((one) => one.isDirectory() && one.name !== 'pictures').map(({ name }) => name);
  const chosen = names.filter((name) => !onlyWindow || name === onlyWindow);
  // Those that take longest begin first, so that no worker is left alone with one.
  return chosen.sort((one, other) => longest.indexOf(other) - longest.indexOf(one) || (one < other ? -1 : 1));
}

/** Runs the tests of one kind of window, and counts them. */
async function inside(kind, { folder, launchArgs = [] }) {
  const { passed, unsteady, failures } = await insideOnce(kind, { folder, launchArgs });
  total.passed += passed;
  await name('unsteady', unsteady);
  if (failures.length === 0) return;
  failed.push(async () => {
    const ownFolder = folder && (await sample());
    const names = failures.map((one) => one.name);
    const still = await insideOnce(kind, {
      folder: ownFolder,
      launchArgs,
      names: names.every(Boolean) ? names : undefined,
    });
    total.passed += still.passed;
    total.failed += still.failures.length;
    const texts = still.failures.map(({ text }) => text);
    await name('failed', texts);
    // A window that ended too early has no name of a test.
    const called = (one) => one.name || `window ${kind}`;
    const left = new Set(still.failures.map(called));
    const steadied = failures.filter((one) => !left.has(called(one))).map(({ text }) => text);
    await name('unsteady', [...still.unsteady, ...steadied]);
  });
}

/**
 * Bundles the tests of one kind of window, found by glob, and runs them, or those of these names, in its extension host.
 * Where it ended before it had counted them, that is one failure without a name.
 */
async function insideOnce(kind, { folder, launchArgs, names }) {
  const folderOfTests = path.join(projectRoot, 'test/host/inside', kind);
  const files = (await readdir(folderOfTests)).filter((file) => file.endsWith('.test.ts')).sort();
  const bundle = path.join(bundles, `${kind}.cjs`);
  const imports = files.map((file) => `import './inside/${kind}/${file}';`);
  await esbuild.build({
    stdin: {
      contents: [...imports, "export { run } from './inside/runner.ts';"].join('\n'),
      resolveDir: path.join(projectRoot, 'test/host'),
    },
    outfile: bundle,
    ...nodeBundle,
    format: 'cjs',
    external: ['vscode'],
    sourcemap: 'inline',
  });
  const result = path.join(work, `${kind}.json`);
  await rm(result, { force: true });
  const ownFolder = await windowFolder();
  await runTests({
    vscodeExecutablePath: host,
    extensionDevelopmentPath: await developed(ownFolder),
    extensionTestsPath: bundle,
    launchArgs: [
      ...(folder ? [folder] : []),
      ...launchArgs,
      ...['--user-data-dir', path.join(ownFolder, 'data'), '--extensions-dir', path.join(ownFolder, 'extensions')],
    ],
    extensionTestsEnv: {
      FORETELL_RESULT: result,
      ...surroundingsOf(ownFolder),
      FORETELL_AXE: path.join(projectRoot, 'node_modules/axe-core/axe.min.js'),
      ...(only ? { FORETELL_ONLY: only } : {}),
      ...(names ? { FORETELL_TESTS: JSON.stringify(names) } : {}),
    },
  }).catch(() => undefined);
  const text = await readFile(result, 'utf8').catch(() => undefined);
  const ended = `window ${kind}: it ended before its last test; its bundle is ${bundle}`;
  if (!text) console.log(`✖ ${ended}`);
  return text ? JSON.parse(text) : { passed: 0, unsteady: [], failures: [{ name: '', text: ended }] };
}

/** Names tests for whoever runs this: what failed, or passed only when it was repeated: a defect, of the test or of what it tests. */
async function name(what, texts) {
  const { FORETELL_NAMED: file } = process.env;
  if (file) for (const text of texts) await appendFile(file, `${JSON.stringify({ [what]: text })}\n`);
}

/** One script, one window, one test. */
async function outside(file) {
  if (only && !file.includes(only)) return;
  const before = await outsideOnce(file);
  if (!before) {
    total.passed += 1;
    return;
  }
  failed.push(async () => {
    const text = await outsideOnce(file);
    total[text ? 'failed' : 'passed'] += 1;
    await name(text ? 'failed' : 'unsteady', [`outside: ${file}\n${text || before}`]);
  });
}

/** `npm start` while something listens on its port: it says so, and is to be had on another. */
async function npmStart() {
  if (only && !'npm start'.includes(only)) return;
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address();
  const args = [path.join(projectRoot, 'src/tools/start.mjs'), '--browser', '--port', String(port)];
  // It builds the project, so it is whoever starts the tests; their settings and what they keep are left alone.
  const own = await mkdtemp(path.join(work, 'start-'));
  const env = { ...process.env, XDG_CONFIG_HOME: path.join(own, 'config'), XDG_STATE_HOME: own, TMPDIR: own };
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env });
  let printed = '';
  try {
    const address = await new Promise((resolve, reject) => {
      const limit = setTimeout(() => reject(new Error('it said no address')), 240_000);
      child.once('close', (code) => reject(new Error(`it ended with ${code}`)));
      child.stdout.on('data', (text) => {
        printed += text;
        const found = /http:\/\/127\.0\.0\.1:\d+\/\S+/.exec(printed)?.[0];
        if (found) resolve(found);
        if (found) clearTimeout(limit);
      });
    });
    assert.ok(!address.includes(`:${port}/`));
    assert.match(printed, new RegExp(`Port ${port} cannot be had`));
    assert.equal((await fetch(address)).status, 200);
    console.log('✔ npm start: where its port is taken');
    total.passed += 1;
    await firstMinute(address);
    console.log('✔ npm start: a dangerous script and its prediction are there without a key');
    total.passed += 1;
  } catch (error) {
    const text = `npm start: ${error.message}\n${printed}`;
    console.log(`✖ ${text}`);
    await name('failed', [text]);
    total.failed += 1;
  } finally {
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
    taken.close();
  }
}

/** What stands in the window that `npm start` names, before anything is pressed in it. */
async function firstMinute(address) {
  const { browser, page } = await openBrowser({ chromiumPath: chromium.path });
  try {
    const words = driverWords(page);
    await page.goto(address);
    const says = () => words.evaluateInFrame('main.panel', 'document.body.innerText').catch(() => '');
    await until('the verdict', async () => /DANGER/.test(await says()), 60_000);
    await words.screenshot(path.join(pictureFolder, 'npm-start.png'));
    const [text = ''] = await words.texts('.editor-instance .view-lines');
    assert.match(text.replaceAll('\u00a0', ' '), /Alt\+P +predicts the line or the selection/);
  } catch (error) {
    await page.screenshot({ path: path.join(pictureFolder, 'npm-start-failed.png') });
    throw error;
  } finally {
    await browser.close();
  }
}

/** Runs a script in a new window; returns the end of what it printed where it failed. */
async function outsideOnce(file) {
  const script = path.join(projectRoot, 'test/host/outside', file);
  // What is not as usual around it: variables of the environment, settings, built files that are missing.
  // `opens` makes what is opened of the sample project: another folder, or a file of a workspace with several.
  const module = await import(pathToFileURL(script).href);
  const { environment = {}, settings, missing = [], launchArgs = [], opens = (folder) => folder } = module;
  const ownFolder = await windowFolder(settings);
  const opened = async () => {
    const folder = await sample();
    const what = await opens(folder);
    give(path.dirname(folder));
    return what;
  };
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    [
      ...[host, ...(launchArgs.includes('--host-no-folder') ? [] : [await opened()]), `--host-script=${script}`],
      `--extensionDevelopmentPath=${await developed(ownFolder, missing)}`,
      ...launchArgs,
      ...(file.startsWith('untrusted') ? [] : ['--disable-workspace-trust']),
      ...['--user-data-dir', path.join(ownFolder, 'data'), '--extensions-dir', path.join(ownFolder, 'extensions')],
    ],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ...surroundingsOf(ownFolder),
        ...environment,
      },
    },
  );
  let tail = '';
  for (const [stream, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ]) {
    stream.on('data', (chunk) => {
      to.write(chunk);
      tail = `${tail}${chunk}`.slice(-2_000);
    });
  }
  const code = await new Promise((resolve) => child.once('close', resolve));
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${code === 0 ? '✔' : '✖'} outside: ${path.parse(file).name} (${seconds} s)`);
  return code === 0 ? undefined : `exit ${code}\n${tail}`;
}

/** The extension as it is shipped: only what it needs is there, so that a forgotten file shows. */
async function developed(folder, missing = []) {
  const extension = path.join(folder, 'extension');
  await mkdir(extension);
  const link = (part) => symlink(path.join(projectRoot, part), path.join(extension, part));
  for (const part of ['package.json', 'media', 'prompts']) await link(part);
  if (missing.length === 0) await link('dist');
  else {
    await mkdir(path.join(extension, 'dist'));
    const built = await readdir(path.join(projectRoot, 'dist'));
    for (const part of built) if (!missing.includes(part)) await link(`dist/${part}`);
  }
  give(extension);
  return extension;
}
