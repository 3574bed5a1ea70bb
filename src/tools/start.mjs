// npm start: shows what Foretell is for, on a sample project. First a prediction here in the terminal, so that it is seen
// even where no window can be opened; then a VS Code with the extension: the desktop one if there is one, else the
// server of VS Code, in a browser of your choice.
//   node src/tools/start.mjs [--browser] [--terminal] [--port N] [FOLDER]
//     --browser    the server even if a desktop VS Code is there
//     --terminal   only the prediction in the terminal
//     FOLDER       a project of your own instead of the sample
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensurePackages, ensurePrograms, root } from './ensure.mjs';
import { freePort } from './freePort.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    browser: { type: 'boolean' },
    terminal: { type: 'boolean' },
    port: { type: 'string', default: '8123' },
  },
});

/** What is opened in the sample project, with its prediction beside it; its comments say what to press. */
const firstScript = 'clean-start.sh';
const firstScriptText = `#!/bin/bash
# Nothing of this has been run.
# The panel below shows what it would do.
#
#   Alt+P     predicts the line or the selection
#             (Ctrl+Alt+P on macOS)
#   Predict   predicts the paragraph below it
#   a file    in the panel opens its difference
#
# "I only wanted a clean start":
git reset --hard
git clean -fdx

# Try this too, and then a command of your own:
find . -name '*.csv' -newer README.md -delete
`;

/** What is undone when this ends, last first. */
const endings = [];
let ending;

function end(code) {
  ending ??= (async () => {
    for (const finish of endings.reverse()) await Promise.resolve(finish()).catch(() => {});
    process.exit(code);
  })();
  return ending;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(0));

try {
  await start();
} catch (error) {
  console.error(`\n${error.message}`);
  await end(1);
}

async function start() {
  ensurePackages();
  ensurePrograms({ git: ['git'] });
  console.log('Building …');
  const { build } = await import('./build.mjs');
  await build({ quick: true });

  const work = await mkdtemp(path.join(tmpdir(), 'foretell-start-'));
  endings.push(() => rm(work, { recursive: true, force: true, maxRetries: 3 }));
  const folder = positionals[0] ? path.resolve(positionals[0]) : await makeSample(work);
  const first = positionals[0] ? undefined : path.join(folder, firstScript);
  if (!positionals[0]) showFirstPrediction(folder);
  if (values.terminal) return end(0);
  if (!values.browser && openDesktop(folder, first)) return;
  await openServer(work, folder, first);
}

async function makeSample(work) {
  const { makeSampleProject } = await import('./sampleProject.mjs');
  return makeSampleProject(path.join(work, 'harbour'), { [firstScript]: firstScriptText });
}

/** The main job, in the terminal. */
function showFirstPrediction(folder) {
  const script = 'git reset --hard && git clean -fd';
  console.log(`\nWhat would this do in the sample project?\n\n  $ ${script}\n`);
  const options = process.stdout.isTTY ? ['--color', 'always'] : [];
  const { status, error } = spawnSync(process.execPath, ['dist/cli.js', ...options, '--cwd', folder, script], {
    cwd: root,
    stdio: 'inherit',
  });
  if (error || status === null)
    throw new Error(`The command line could not be started: ${error?.message ?? 'killed'}.`);
  console.log("\nNothing of it has happened. Ask for more: node dist/cli.js --cwd FOLDER 'COMMAND'");
}

/** True when a desktop VS Code has taken over. */
function openDesktop(folder, first) {
  // Inside a terminal of VS Code `code` may be that of a server, which can open no development window.
  if (!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY && process.platform === 'linux') return false;
  const opened = first === undefined ? [folder] : [folder, first];
  const { status } = spawnSync('code', ['--new-window', `--extensionDevelopmentPath=${root}`, ...opened], {
    stdio: 'ignore',
    shell: process.platform === 'win32',
    env: { ...process.env, ...toShow(first) },
  });
  if (status !== 0) return false;
  console.log('\nA VS Code window with Foretell is opening.');
  showWhatToTry(first);
  console.log('Ctrl+C removes the sample project.');
  // Keeps the sample project until then.
  const waiting = setInterval(() => {}, 1 << 30);
  endings.push(() => clearInterval(waiting));
  return true;
}

/** The extension predicts this script as soon as it is started. */
function toShow(first) {
  return first === undefined ? {} : { FORETELL_FIRST_SCRIPT: first };
}

async function openServer(work, folder, first) {
  const { prepare } = await import('./vscodeHost/prepare.mjs');
  const { startServer } = await import('./vscodeHost/server.mjs');
  console.log('\nPreparing VS Code …');
  await prepare();
  // The extension as it lies here: after a build, `Developer: Reload Window` shows the change.
  const extensionsFolder = path.join(work, 'extensions');
  await mkdir(extensionsFolder);
  await symlink(root, path.join(extensionsFolder, 'foretell.foretell-0.1.0'));
  const dataFolder = path.join(work, 'vscode');
  const port = await choosePort();
  const server = await startServer({ dataFolder, extensionsFolder, port, trusted: true, env: toShow(first) });
  endings.push(() => server.stop());
  server.child.once('exit', () => end(1));
  const address = addressOf(server.port, folder, first);
  console.log(`\nVS Code with Foretell is running. Open this in a browser on this machine:\n\n  ${address}`);
  showWhatToTry(first);
  console.log('Ctrl+C ends it and removes the sample project.');
}

/** Where the window is. `first` is opened in it. */
function addressOf(port, folder, first) {
  const authority = `127.0.0.1:${port}`;
  const query = new URLSearchParams({ folder });
  if (first !== undefined) query.set('payload', JSON.stringify([['openFile', `vscode-remote://${authority}${first}`]]));
  return `http://${authority}/?${query}`;
}

/** The usual port, so that the address stays the same from one start to the next; any other where it is taken. */
async function choosePort() {
  const port = await freePort(values.port);
  if (port !== Number(values.port) && values.port !== '0') {
    console.log(`\nPort ${values.port} cannot be had, something else may listen there; ${port} is used instead.`);
  }
  return port;
}

function showWhatToTry(first) {
  const steps = [
    ...(first === undefined
      ? ['Open a script or a README and click “Predict” above a block of commands.']
      : [
          'A script is open, and what it would do stands below it.',
          'Open README.md and click “Predict” above a block of commands.',
          'Put the cursor on `git clean -fd` there and press Alt+P (Ctrl+Alt+P on macOS).',
          'Type `rm -rf docs` in the terminal, do not run it, and press Alt+P.',
        ]),
    'In the Foretell panel: click a file for its diff, then run it for real and compare.',
  ];
  console.log(`\nWhat to try\n${steps.map((step, index) => `  ${index + 1}. ${step}`).join('\n')}\n`);
}
