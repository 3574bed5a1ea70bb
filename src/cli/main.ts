import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { isatty } from 'node:tty';
import { version } from '../../package.json';
import { clientFolder } from '../core/hooks/staticClient.ts';
import { foundOnPath } from '../core/shell/foundOnPath.ts';
import { runBatch } from './batch.ts';
import type { CliProcess } from './cliProcess.ts';
import { consentIn } from './consent.ts';
import { currentFolder } from './currentFolder.ts';
import { readOptions } from './options.ts';
import { type Asked, complain, exits, memoryOf, predictAsked, prepareAsked } from './predicting.ts';
import { wordOf } from './words.ts';

/** The command line of this process. Gives the exit status. `predicted` is called behind a prediction of somebody who has installed us: most of what starts need is loaded then. */
export async function main(predicted: () => void): Promise<number> {
  // Whoever reads our output may stop reading; that is no error of the prediction.
  process.stdout.on('error', () => process.exit(exits.failed));
  try {
    return await run(process.argv.slice(2), predicted);
  } catch (error) {
    process.stderr.write(`foretell: ${error instanceof Error ? error.message : String(error)}\n`);
    return exits.failed;
  }
}

async function run(args: string[], predicted: () => void): Promise<number> {
  const abort = new AbortController();
  const around = ownProcess(abort.signal);
  const word = wordOf(args);
  const code = await word?.(args, around);
  if (code !== undefined) return code;
  if (word && foundOnPath(args[0] ?? '', around.env) === undefined) around.warn(notOurs(args[0] ?? ''));
  const options = readOptions(args, around.cwd ?? '');
  if ('problem' in options) return complain(options.problem, around);
  // Whoever resolves a path in this process must find some folder.
  if (around.cwd === undefined) process.chdir('/');
  const asked = await prepareAsked(options, around);
  if (typeof asked === 'number') return asked;
  process.once('SIGINT', () => abort.abort());
  process.once('SIGTERM', () => abort.abort());
  if (options.command === 'batch') return answerRequests(asked, around);
  if (options.command === 'mcp') return serveTools(asked, around);
  const exitCode = await predictAsked(asked, around);
  // A home in which nothing of ours was installed stays as it is.
  if (fs.existsSync(clientFolder(around.env))) predicted();
  return exitCode;
}

/** A word of ours whose arguments are none of ours: a slip more often than a program that is not there. */
function notOurs(word: string): string {
  return `foretell: This is no call of foretell ${word}, whose forms foretell ${word} --help lists; it is predicted as a command.\n`;
}

function ownProcess(signal: AbortSignal): CliProcess {
  const { env } = process;
  // An editor that starts us with its own Node says so in the environment; no command should see that.
  if (process.versions['electron'] !== undefined) delete env['ELECTRON_RUN_AS_NODE'];
  return {
    distFolder: __dirname,
    cwd: currentFolder(),
    env,
    terminals: { input: isatty(0), output: isatty(1), error: isatty(2) },
    input: () => process.stdin,
    say,
    warn: (text) => process.stderr.write(text),
    ask: askYesOrNo,
    signal,
  };
}

async function answerRequests(
  { foretell, options, language }: Asked,
  { env, signal, warn }: CliProcess,
): Promise<number> {
  await runBatch(foretell, {
    ...{ ...options, language, input: process.stdin, write: writeLine, signal },
    consentIn: (cwd) => consentIn(cwd, { env, tell: (line) => warn(`${line}\n`) }),
    memory: memoryOf(options, env),
  });
  return exits.safe;
}

/** Answers an agent's calls of tools until it closes our standard input. */
async function serveTools(
  { foretell, options, language }: Asked,
  { env, terminals, signal, warn }: CliProcess,
): Promise<number> {
  const tell = (line: string) => warn(`${line}\n`);
  if (terminals.input)
    tell('foretell mcp answers agents, not people; connect one, for example: claude mcp add foretell -- foretell mcp');
  const { runMcp } = await import('./mcp/runMcp.ts');
  const memory = memoryOf(options, env);
  await runMcp({
    ...{ foretell, version, signal, shell: options.shell, concurrency: options.concurrency },
    cwd: options.cwd === '' ? undefined : path.resolve(options.cwd),
    requestIn: (cwd, rehearse) => ({
      hash: true,
      openGate: options.openGate && rehearse,
      trusted: options.trusted && rehearse,
      // An agent's call makes no request.
      ...(rehearse ? { consent: consentIn(cwd, { env, tell }).consent } : {}),
      ...(rehearse && memory ? { memory } : {}),
      ...(language ? { language } : {}),
      ...(options.timeLimitMs === undefined ? {} : { limits: { wallMs: options.timeLimitMs } }),
    }),
    input: process.stdin,
    write: writeLine,
  });
  await foretell.dispose();
  return exits.safe;
}

async function askYesOrNo(question: string): Promise<boolean> {
  process.stdout.write(question);
  for await (const line of createInterface({ input: process.stdin })) return /^y(es)?$/i.test(line.trim());
  return false;
}

function say(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(text, () => resolve());
  });
}

function writeLine(line: string): Promise<void> {
  return say(`${line}\n`);
}
