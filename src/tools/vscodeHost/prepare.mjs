// Installs a real VS Code (the server and workbench inside the npm package code-server) for tests and `npm start`.
//   node src/tools/vscodeHost/prepare.mjs
// Needs nothing but npm. Does nothing when it has been done. About 15 s and 800 MB the first time.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { showNotifications } from './notifications.mjs';
import { restoreProposedApiCheck } from './proposedApi.mjs';
import {
  hostFolder,
  isPrepared,
  nodeFolder,
  nodePackage,
  stamp,
  stampFile,
  typescriptScript,
  versions,
  vscodeFolder,
} from './versions.mjs';

const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/** Makes VS Code ready. Throws an error of one sentence where that is not possible. `say` gets a line a step. */
export async function prepare({ say = console.log } = {}) {
  if (await isPrepared()) return complete(say);
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)) {
    throw new Error(
      `The real VS Code for tests is the Linux server; on ${process.platform} ${process.arch} use a desktop VS Code (F5).`,
    );
  }
  say(`  VS Code ${versions.codeServer.replace('4.', '1.')} (once, about 800 MB) …`);
  await rm(stampFile, { force: true });
  await mkdir(hostFolder, { recursive: true });
  await writeFile(path.join(hostFolder, 'package.json'), '{"name":"vscode-host","private":true}\n');
  const packages = [`code-server@${versions.codeServer}`, `${nodePackage}@${versions.node}`];
  await npm(['install', '--save-exact', ...quietly, ...packages], hostFolder);
  // `npm ci` refuses there: the shrinkwrap that is shipped does not match its package.json.
  await npm(['install', '--omit=dev', ...quietly], vscodeFolder);
  await buildLogger(say);
  await restoreProposedApiCheck(vscodeFolder);
  await writeFile(stampFile, stamp);
  await complete(say);
}

/** What installations of before these steps get as well. */
async function complete(say) {
  await showNotifications(vscodeFolder);
  await addTypescript(say);
}

/** The TypeScript that VS Code's own list of packages names. */
async function addTypescript(say) {
  if (existsSync(typescriptScript)) return;
  say('  VS Code’s TypeScript …');
  // What is only needed to build VS Code stays away, and so do the scripts that do so.
  await npm(['ci', '--omit=dev', ...quietly], path.join(vscodeFolder, 'extensions'));
}

/** The logger is native. Without it VS Code runs, but output channels and log files stay empty. */
async function buildLogger(say) {
  try {
    await npm(['rebuild', '--loglevel=error', '@vscode/spdlog'], vscodeFolder, { npm_config_nodedir: nodeFolder });
  } catch {
    say('  VS Code’s logger could not be compiled (that takes python3, make and g++): output channels will be empty.');
  }
}

/** Runs npm under the Node that will run VS Code, because native modules are chosen by it. */
function npm(args, cwd, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', args, {
      cwd,
      env: { ...process.env, PATH: `${nodeFolder}/bin${path.delimiter}${process.env.PATH}`, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    child.stdout.on('data', (text) => (printed += text));
    child.stderr.on('data', (text) => (printed += text));
    child.once('error', (error) => reject(new Error(`npm could not be started: ${error.message}.`)));
    child.once('close', (code) => {
      if (code === 0) return resolve();
      const last = printed.trim().split('\n').slice(-12).join('\n');
      reject(new Error(`npm ${args[0]} failed in ${cwd}; is the npm registry reachable?\n${last}`));
    });
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const startedAt = performance.now();
    await prepare();
    console.log(`VS Code is ready in ${hostFolder} (${((performance.now() - startedAt) / 1000).toFixed(1)} s).`);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
