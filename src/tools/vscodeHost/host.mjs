#!/usr/bin/env node
/**
 * A "VS Code executable" for `runTests` of @vscode/test-electron, for machines where the desktop cannot be downloaded:
 *
 *   runTests({ vscodeExecutablePath: '…/host.mjs', extensionDevelopmentPath, extensionTestsPath, launchArgs: [folder] })
 *
 * It starts the real server, opens the real window in headless Chromium, runs the tests in the real extension host, and
 * exits with their exit code. The tests see two addresses in their environment:
 *
 *   VSCODE_HOST_DRIVER   POST { word, args } drives the window; the words are in window.mjs
 *   VSCODE_HOST_LOG      a file; what is appended to it is printed here
 *
 * VSCODE_HOST_AS=UID:GID makes everything that is started here that user's; only root can.
 *
 * With --host-script=FILE a module drives the window from here instead: VS Code refuses modal dialogs to test runs.
 */
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import { readArguments } from './arguments.mjs';
import { findChromium } from './chromium.mjs';
import { startServer } from './server.mjs';
import { isPrepared } from './versions.mjs';
import { driverWords, openBrowser, windowAddress } from './window.mjs';

becomeUser(process.env.VSCODE_HOST_AS);
const options = readArguments(process.argv.slice(2));
const verbose = Boolean(process.env.VSCODE_HOST_VERBOSE);
const timeLimitMs = 1000 * Number(process.env.VSCODE_HOST_TIMEOUT_S ?? 600);
const say = (...words) => verbose && console.error('[vscode host]', ...words);

/** What has been started, in this order; ended in the reverse one. */
const endings = [];
let ending;

/** Ends everything and the process. The first call counts. */
function end(code, why) {
  ending ??= (async () => {
    say('ends with', code, why);
    for (const finish of endings.reverse()) await Promise.resolve(finish()).catch((error) => say(String(error)));
    process.exit(code);
  })();
  return ending;
}

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => end(130, signal));

try {
  await main();
} catch (error) {
  console.error(error.message);
  await end(2, 'could not start');
}

/** From here on this process, and what it starts, is this user's. */
function becomeUser(ids) {
  if (!ids || process.getuid() !== 0) return;
  const [uid, gid] = ids.split(':').map(Number);
  process.setgroups([gid]);
  process.setgid(gid);
  process.setuid(uid);
}

async function main() {
  const chromium = findChromium();
  if (chromium.problem) throw new Error(chromium.problem);
  if (!(await isPrepared())) throw new Error('VS Code is not prepared; run node src/tools/vscodeHost/prepare.mjs.');
  const work = await mkdtemp(path.join(tmpdir(), 'vscode-host-'));
  endings.push(() => rm(work, { recursive: true, force: true, maxRetries: 3 }));

  const { browser, page } = await openBrowser({ chromiumPath: chromium.path, locale: options.locale });
  endings.push(() => browser.close());
  const words = driverWords(page);
  const driver = await serveDriver(words);
  endings.push(() => driver.close());

  const logFile = path.join(work, 'tests.log');
  endings.push(followLog(logFile));
  const address = `http://127.0.0.1:${driver.address().port}`;
  const server = await startServer({
    dataFolder: options.dataFolder ?? path.join(work, 'data'),
    extensionsFolder: options.extensionsFolder ?? path.join(work, 'extensions'),
    testDriver: !options.plain,
    trusted: options.trusted,
    install: options.install,
    env: { VSCODE_HOST_DRIVER: address, VSCODE_HOST_LOG: logFile },
  });
  endings.push(() => server.stop());
  server.child.once('exit', (code) => end(4, `the server ended with ${code}`));

  const limit = setTimeout(() => {
    console.error(`VS Code did not finish within ${timeLimitMs / 1000} s.`);
    void takePicture(page).finally(() => end(124, 'time limit'));
  }, timeLimitMs);
  endings.push(() => clearTimeout(limit));

  page.on('crash', () => end(5, 'the page crashed'));
  // The workbench calls these two when its server has the test driver on.
  await page.exposeFunction('codeAutomationExit', (code) => void end(code, 'tests ended'));
  await page.exposeFunction('codeAutomationLog', (type, args) => {
    const line = format(...args.map((word) => word?.message ?? word));
    // A runner that writes to the log file needs no console, where the workbench's own noise is mixed in.
    if (!existsSync(logFile) && type === 'error') say('workbench', line.slice(0, 400));
    else if (verbose) say('workbench', type, line.slice(0, 400));
  });
  page.on('console', (message) => process.env.VSCODE_HOST_VERBOSE === '2' && say('console', message.text()));
  const folder = options.noFolder ? undefined : (options.folder ?? (await emptyFolder(work)));
  const { extension, tests, plain } = options;
  await page.goto(windowAddress({ port: server.port, folder, extension, tests, plain }));
  if (!options.script) return;
  const { drive } = await import(pathToFileURL(options.script).href);
  try {
    await drive({ page, words, folder, port: server.port });
    await end(0, 'script ended');
  } catch (error) {
    console.error(error);
    await takePicture(page);
    await end(1, 'script failed');
  }
}

/** VSCODE_HOST_PICTURE: where a picture of the window is put when something went wrong. */
async function takePicture(page) {
  const file = process.env.VSCODE_HOST_PICTURE;
  if (file) await page.screenshot({ path: file }).catch(() => {});
}

async function emptyFolder(work) {
  const folder = path.join(work, 'workspace');
  await mkdir(folder);
  return folder;
}

/** Answers POST { word, args } with { ok, result } or { ok: false, error }. */
async function serveDriver(words) {
  const server = http.createServer(async (request, response) => {
    try {
      let body = '';
      for await (const piece of request) body += piece;
      const { word, args } = JSON.parse(body);
      if (!Object.hasOwn(words, word)) throw new Error(`the driver has no word ${word}`);
      const result = await words[word](...args);
      response.end(JSON.stringify({ ok: true, result }));
    } catch (error) {
      response.end(JSON.stringify({ ok: false, error: error.message }));
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** Prints what is appended to the file, until the returned function is called. */
function followLog(file) {
  let position = 0;
  const print = () => {
    if (!existsSync(file)) return;
    const descriptor = openSync(file, 'r');
    const { size } = fstatSync(descriptor);
    const bytes = Buffer.alloc(size - position);
    readSync(descriptor, bytes, 0, bytes.length, position);
    closeSync(descriptor);
    position = size;
    process.stdout.write(bytes);
  };
  const timer = setInterval(print, 100);
  return () => {
    clearInterval(timer);
    print();
  };
}
