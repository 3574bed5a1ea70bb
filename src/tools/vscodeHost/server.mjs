// Starts the VS Code server. Its window is opened in a browser: headless Chromium for tests, anybody's for `npm start`.
import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { nodeBinary, vscodeFolder } from './versions.mjs';

/**
 * Starts a server on a free port of 127.0.0.1 and waits until it listens.
 *
 * `testDriver`: VS Code then takes a development extension from the window's address, and reports the end of tests; it
 * also refuses modal dialogs to test runs.
 * `stop()` ends the server and everything that it started.
 */
export async function startServer({
  dataFolder,
  extensionsFolder,
  port = 0,
  testDriver = false,
  trusted = false,
  install = [],
  env = {},
  signal,
}) {
  await mkdir(dataFolder, { recursive: true });
  await mkdir(extensionsFolder, { recursive: true });
  const args = [
    path.join(vscodeFolder, 'out/server-main.js'),
    ...['--host', '127.0.0.1', '--port', String(port), '--without-connection-token', '--accept-server-license-terms'],
    ...['--server-data-dir', dataFolder, '--extensions-dir', extensionsFolder],
    ...['--disable-telemetry', '--disable-experiments'],
    ...(testDriver ? ['--enable-smoke-test-driver'] : []),
    ...(trusted ? ['--disable-workspace-trust'] : []),
  ];
  const options = { env: serverEnvironment(env), stdio: ['ignore', 'pipe', 'pipe'], detached: true };
  for (const file of install) await installExtension(args, file, options);
  const child = spawn(nodeBinary, args, options);
  const stop = stopper(child);
  signal?.addEventListener('abort', stop, { once: true });
  return { port: await listening(child), stop, child };
}

/** What a terminal in VS Code inherits must not be that of the VS Code in which this was started. */
function serverEnvironment(added) {
  const env = { ...process.env };
  for (const name of Object.keys(env)) if (/^(VSCODE_(?!TEST_)|ELECTRON_)/.test(name)) delete env[name];
  return { ...env, PATH: `${path.dirname(nodeBinary)}${path.delimiter}${env.PATH}`, ...added };
}

async function installExtension(args, file, options) {
  const child = spawn(nodeBinary, [...args, '--install-extension', file], options);
  let printed = '';
  child.stdout.on('data', (text) => (printed += text));
  child.stderr.on('data', (text) => (printed += text));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`VS Code could not install ${file}.\n${printed.trim()}`);
}

function listening(child) {
  return new Promise((resolve, reject) => {
    let printed = '';
    const read = (text) => {
      printed += text;
      const port = /Extension host agent listening on (\d+)/.exec(printed)?.[1];
      if (port) resolve(Number(port));
      // It says so and goes on without listening.
      if (/EADDRINUSE|EACCES/.test(printed)) reject(new Error('The VS Code server could not listen on its port.'));
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', (error) => reject(new Error(`The VS Code server could not be started: ${error.message}.`)));
    child.once('exit', (code) => reject(new Error(`The VS Code server ended with ${code}.\n${printed.trim()}`)));
  });
}

/** The server leads a process group of its own, in which are the extension host and all terminals. */
function stopper(child) {
  let stopping;
  return () => {
    stopping ??= (async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      kill(child.pid, 'SIGTERM');
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 3000))]);
      kill(child.pid, 'SIGKILL');
    })();
    return stopping;
  };
}

function kill(group, signal) {
  try {
    process.kill(-group, signal);
  } catch {
    // It is gone already.
  }
}
