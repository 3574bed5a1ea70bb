import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { version } from '../package.json';
import { type ApplyEnd, applyExit, applyIt, applyProblem, applyText } from './cli/apply.ts';
import { runBatch } from './cli/batch.ts';
import { asksForBench, runBench } from './cli/bench/bench.ts';
import { benchProcess } from './cli/bench/benchProcess.ts';
import { alternativesFor, runCompare, saferJson, saferLines, saferOnes } from './cli/compare.ts';
import { asksForConsent, type ConsentProcess, consentIn, runConsent } from './cli/consent.ts';
import { currentFolder, lostFolder, relativeOf } from './cli/currentFolder.ts';
import { editFor, predictEdit } from './cli/edit.ts';
import { asksForEnter, runEnter } from './cli/enter/enter.ts';
import { type AgentsProcess, asksForAgents, runAgents } from './cli/hooks/agents.ts';
import { asksForAllow, runAllow } from './cli/hooks/allow.ts';
import { asksForHook, type HookProcess, runHook } from './cli/hooks/hook.ts';
import { hookProgram, provideProgram } from './cli/hooks/hookProgram.ts';
import { asksForHooks, type HooksProcess, runHooks } from './cli/hooks/hooks.ts';
import { conditionsText, languageFor } from './cli/language.ts';
import { asksForLoop, runLoop } from './cli/loop/loop.ts';
import { asksForMemory, runMemory } from './cli/memory.ts';
import { type CliOptions, readOptions, usage } from './cli/options.ts';
import { textOf } from './cli/optionValues.ts';
import { asksForPolicy, type PolicyProcess, runPolicy } from './cli/policy.ts';
import { asksForRestore, runRestore } from './cli/restore.ts';
import { asksForService, runService } from './cli/service/service.ts';
import { callFor, predictCall } from './cli/toolResult.ts';
import { asksForTrajectory, runTrajectory } from './cli/trajectory.ts';
import type { CommandAction } from './core/action/action.ts';
import { homeFolder } from './core/context/user.ts';
import { createForetell, type Foretell, type ForetellRequest, foldAll } from './core/foretell.ts';
import { launcherPath } from './core/launcherPath.ts';
import { toJson } from './core/prediction/json.ts';
import type { Prediction } from './core/prediction/prediction.ts';
import { createPainter } from './core/prediction/text/painter.ts';
import { renderPrediction } from './core/prediction/text/renderPrediction.ts';
import type { LanguageRequest } from './core/worlds/language/imagine/languageRequest.ts';
import { type MemoryUse, memoryFolder, usualLimits } from './core/worlds/remembered/memoryStore.ts';

/** Exit statuses that a script can use. */
const exits = { safe: 0, caution: 1, danger: 2, failed: 3, usage: 64 } as const;

async function main(): Promise<number> {
  const args = process.argv.slice(2);
  const here = currentFolder();
  if (here === undefined && [asksForLoop, asksForBench, asksForTrajectory].some((asks) => asks(args)))
    return complain(lostFolder());
  if (asksForLoop(args)) return runLoop(args, benchProcess(__dirname));
  if (asksForBench(args)) return runBench(args.slice(1), benchProcess(__dirname));
  if (asksForTrajectory(args)) return runTrajectory(args.slice(1), benchProcess(__dirname));
  if (asksForHook(args)) return runHook(args.slice(1), hookProcess(here ?? '/'));
  if (asksForHooks(args)) return runHooks(args.slice(1), hooksProcess(here ?? ''));
  if (asksForAgents(args)) return runAgents(args.slice(1), agentsProcess(here ?? ''));
  if (asksForService(args)) return runService(args.slice(1), { distFolder: __dirname, env: process.env, say, tell });
  if (asksForEnter(args))
    return runEnter(args.slice(1), {
      ...{ distFolder: __dirname, env: process.env, say, tell },
      provide: () => provideProgram(__dirname, process.env),
    });
  if (asksForAllow(args)) return runAllow(args.slice(1), { env: process.env, isAtTerminal: isAtTerminal(), say, tell });
  if (asksForMemory(args)) return runMemory(args.slice(1), { cwd: here ?? '', env: process.env, say, tell });
  if (asksForRestore(args))
    return runRestore(args.slice(1), { ...consentProcess(here ?? ''), launcher: launcherPath(__dirname) });
  if (asksForPolicy(args)) return runPolicy(args.slice(1), policyProcess(here ?? ''));
  if (asksForConsent(args)) return runConsent(args.slice(1), consentProcess(here ?? ''));
  const options = readOptions(args, here ?? '');
  if ('problem' in options) return complain(options.problem);
  if (options.command === 'help') return say(usage);
  if (options.command === 'version') return say(`foretell ${version}\n`);
  if (options.conditions.includes('list')) return say(conditionsText());
  const problem =
    (here === undefined ? problemWithoutFolder(options) : undefined) ?? applyProblem(options, isAtTerminal());
  if (problem !== undefined) return complain(problem);
  const language = languageFor(options, path.dirname(__dirname));
  if (language && 'problem' in language) return complain(language.problem);
  const foretell = createForetell({
    launcher: launcherPath(__dirname),
    storageFolder: storageFolder(),
    ownHost: true,
    spareLaunchers: options.command === 'batch' || options.command === 'mcp' ? 4 * options.concurrency : 0,
  });
  const abort = new AbortController();
  process.once('SIGINT', () => abort.abort());
  process.once('SIGTERM', () => abort.abort());
  switch (options.command) {
    case 'status':
      return showStatus(foretell, options);
    case 'batch':
      await runBatch(foretell, {
        ...{ ...options, language, input: process.stdin, write: writeLine, signal: abort.signal },
        consentIn: (cwd) => consentIn(cwd, { env: process.env, tell }),
        memory: memoryOf(options),
      });
      return exits.safe;
    case 'mcp':
      return serveTools(foretell, options, language, abort.signal);
    case 'edit':
      return predictTheEdit(foretell, options, language, abort.signal);
    case 'compare':
      return compareThem(foretell, options, language, abort.signal);
    case 'tool-result':
      return predictTheCall(foretell, options, language, abort.signal);
    default:
      return predictOne(foretell, options, language, abort.signal);
  }
}

/** Without a working directory every path has to be absolute; nothing may be taken as relative to another folder. */
function problemWithoutFolder(options: CliOptions): string | undefined {
  // Whoever resolves a path in this process must find some folder.
  process.chdir('/');
  if (options.command === 'status') return undefined;
  const patch = options.command === 'edit' ? options.words[0] : undefined;
  const relative = relativeOf([
    options.cwd === '' ? undefined : options.cwd,
    options.file,
    patch,
    textOf(options.prompting, 'prompts'),
  ]);
  if (relative !== undefined) return lostFolder(relative);
  // Each request of a batch, and each call of a tool, names its own folder.
  return options.cwd === '' && options.command !== 'batch' && options.command !== 'mcp' ? lostFolder() : undefined;
}

/** What is rehearsed with consent is remembered; a gate that is opened for once leaves nothing behind. */
function memoryOf({ fresh, openGate }: CliOptions): MemoryUse | undefined {
  return openGate ? undefined : { folder: memoryFolder(process.env), version, ...usualLimits, isFresh: fresh };
}

/** Where the state of the interactive shell is kept (XDG Base Directory Specification). */
function storageFolder(): string {
  return path.join(process.env['XDG_CACHE_HOME'] ?? path.join(homeFolder(process.env), '.cache'), 'foretell');
}

async function showStatus(foretell: Foretell, options: CliOptions): Promise<number> {
  const status = await foretell.status();
  await say(options.json ? `${JSON.stringify(status)}\n` : `${status.sentence}\n`);
  return status.available ? exits.safe : exits.failed;
}

async function predictOne(
  foretell: Foretell,
  options: CliOptions,
  language: LanguageRequest | undefined,
  signal: AbortSignal,
): Promise<number> {
  const script = await readScript(options);
  if ('problem' in script) return complain(script.problem);
  const action: CommandAction = {
    kind: 'command',
    script: script.text,
    shell: options.shell,
    cwd: path.resolve(options.cwd),
  };
  const isTerminal = process.stdout.isTTY === true;
  const typed = options.terminal && process.stdin.isTTY && !options.json ? typedAnswers() : undefined;
  const shared = sharedRequest(options, action.cwd, language, signal);
  const request: ForetellRequest = {
    ...shared,
    action,
    hash: options.json || options.apply,
    ...(typed ? { answers: typed } : {}),
    // What is applied was rehearsed now.
    memory: options.apply ? undefined : memoryOf(options),
  };
  const beganAt = Date.now();
  const { events, view } = foretell.predict(request);
  const showProgress = isTerminal && process.stderr.isTTY === true && !options.json;
  const prediction = await foldAll(action, events, (event) => {
    if (event.type === 'asks') process.stderr.write(`${event.prompt}\n(it asks; type the answer) `);
    if (event.type === 'progress' && showProgress) process.stderr.write(`\r\x1b[K${event.text}`);
    if (event.type === 'question' && showProgress) process.stderr.write(`\r\x1b[Kimagining ${event.title}`);
  });
  if (showProgress) process.stderr.write('\r\x1b[K');
  const looksForSafer = options.safer || (isTerminal && !options.json);
  const safer = () => (looksForSafer ? saferOnes(foretell, prediction, shared) : Promise.resolve([]));
  const apply = (isAsked: boolean): Promise<ApplyEnd> =>
    applyIt(prediction, view, {
      ...{ foretell, request, options, beganAt, env: process.env, launcher: launcherPath(__dirname) },
      ...(isAsked ? { ask: askYesOrNo } : {}),
    });
  let applied: ApplyEnd | undefined;
  if (options.json) {
    const found = saferJson(await safer());
    applied = options.apply ? await apply(false) : undefined;
    const more = { ...(options.safer ? { safer: found } : {}), ...(applied ? { applied } : {}) };
    await say(`${JSON.stringify({ ...toJson(prediction, ''), ...more })}\n`);
  } else {
    const painter = painterFor(options);
    await say(renderPrediction(prediction, painter, { all: options.all, cwd: action.cwd }));
    await say(saferLines(await safer(), painter));
    if (options.apply) {
      applied = await apply(!options.yes);
      await say(applyText(applied));
    }
  }
  // Behind the answer: what is remembered of it is kept before the copy is freed.
  await view.close();
  return applied ? applyExit(applied) : exitFor([prediction]);
}

/** What every prediction of a command is asked with, but for the command itself. */
function sharedRequest(
  options: CliOptions,
  cwd: string,
  language: LanguageRequest | undefined,
  signal: AbortSignal,
): Omit<ForetellRequest, 'action' | 'answers' | 'memory'> {
  return {
    openGate: options.openGate,
    trusted: options.trusted,
    ...consentIn(cwd, { env: process.env, tell }),
    interactive: options.interactive,
    signal,
    ...(options.terminal ? { terminal: options.terminal } : {}),
    ...(language ? { language } : {}),
    ...(options.timeLimitMs === undefined ? {} : { limits: { wallMs: options.timeLimitMs } }),
  };
}

function painterFor({ color }: CliOptions): ReturnType<typeof createPainter> {
  const isColored = process.stdout.isTTY === true && !process.env['NO_COLOR'];
  return createPainter(color === 'always' || (color === 'auto' && isColored));
}

/** Several commands side by side. The exit status is that of the best one. */
async function compareThem(
  foretell: Foretell,
  options: CliOptions,
  language: LanguageRequest | undefined,
  signal: AbortSignal,
): Promise<number> {
  const actions = alternativesFor(options);
  if ('problem' in actions) return complain(actions.problem);
  const request = sharedRequest(options, actions[0]?.cwd ?? options.cwd, language, signal);
  const { alternatives } = await runCompare(actions, options.json, {
    ...{ foretell, request, say },
    painter: painterFor(options),
  });
  return exitFor(alternatives.slice(0, 1).map(({ prediction }) => prediction));
}

/** What a tool call would return. */
async function predictTheCall(
  foretell: Foretell,
  options: CliOptions,
  language: LanguageRequest | undefined,
  signal: AbortSignal,
): Promise<number> {
  if (!language) return complain('tool-result needs a model; give its server with --model-url URL.');
  const asked = callFor(options);
  if ('problem' in asked) return complain(asked.problem);
  const painter = painterFor(options);
  const run = { foretell, isJson: options.json, painter, cwd: path.resolve(options.cwd), signal, say };
  const { ending } = await predictCall(asked, language, run);
  return ending === 'done' ? exits.safe : exits.failed;
}

/** Answers an agent's calls of tools until it closes our standard input. */
async function serveTools(
  foretell: Foretell,
  options: CliOptions,
  language: LanguageRequest | undefined,
  signal: AbortSignal,
): Promise<number> {
  if (process.stdin.isTTY)
    tell('foretell mcp answers agents, not people; connect one, for example: claude mcp add foretell -- foretell mcp');
  // An editor that starts us with its own Node says so in the environment; no command should see that.
  delete process.env['ELECTRON_RUN_AS_NODE'];
  const { runMcp } = await import('./cli/mcp/runMcp.ts');
  const memory = memoryOf(options);
  await runMcp({
    ...{ foretell, version, signal, shell: options.shell, concurrency: options.concurrency },
    cwd: options.cwd === '' ? undefined : path.resolve(options.cwd),
    requestIn: (cwd, rehearse) => ({
      hash: true,
      openGate: options.openGate && rehearse,
      trusted: options.trusted && rehearse,
      ...(rehearse ? consentIn(cwd, { env: process.env, tell }) : {}),
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

async function predictTheEdit(
  foretell: Foretell,
  options: CliOptions,
  language: LanguageRequest | undefined,
  signal: AbortSignal,
): Promise<number> {
  const read = editFor(options);
  if ('problem' in read) return complain(read.problem);
  const isTerminal = process.stdout.isTTY === true;
  return exitFor(await predictEdit(read, { foretell, options, language, isTerminal, say, tell, signal }));
}

/** The worst of what was predicted. */
function exitFor(predictions: readonly Prediction[]): number {
  const codes = predictions.map(({ ending, verdict }) =>
    ending === 'failed' || ending === 'cancelled' ? exits.failed : exits[verdict.level ?? 'caution'],
  );
  return Math.max(...codes);
}

async function readScript(options: CliOptions): Promise<{ text: string } | { problem: string }> {
  if (options.file === undefined) {
    const text = options.words.join(' ');
    return text.trim() === '' ? { problem: "There is no command. Try: foretell 'rm -rf build'" } : { text };
  }
  if (options.words.length > 0) return { problem: 'Give either a command or --file, not both.' };
  try {
    const text = fs.readFileSync(options.file === '-' ? 0 : options.file, 'utf8');
    if (text.includes('\0')) return { problem: `${options.file} is not a script: it has bytes that are no text.` };
    return text.trim() === '' ? { problem: `${options.file} is empty.` } : { text };
  } catch (error) {
    return { problem: `${options.file} cannot be read (${(error as NodeJS.ErrnoException).code}).` };
  }
}

/** What `foretell hook` needs of this process. */
function hookProcess(cwd: string): HookProcess {
  return {
    distFolder: __dirname,
    cwd,
    env: process.env,
    isAtTerminal: process.stdin.isTTY === true,
    input: process.stdin,
    say,
    tell,
    sinceStart: () => performance.now(),
  };
}

/** What `foretell hooks` needs of this process. */
function hooksProcess(cwd: string): HooksProcess {
  return {
    cwd,
    env: process.env,
    foretell: () => createForetell({ launcher: launcherPath(__dirname), ownHost: true, spareLaunchers: 0 }),
    program: hookProgram(__dirname, process.env),
    provide: () => provideProgram(__dirname, process.env),
    say,
    tell,
    ...(isAtTerminal() ? { ask: askYesOrNo } : {}),
  };
}

/** What `foretell agents` needs of this process. */
function agentsProcess(cwd: string): AgentsProcess {
  const abort = new AbortController();
  process.once('SIGINT', () => abort.abort());
  process.once('SIGTERM', () => abort.abort());
  return { cwd, env: process.env, say, tell, signal: abort.signal };
}

/** What `foretell policy` needs of this process. */
function policyProcess(cwd: string): PolicyProcess {
  return {
    ...{ cwd, env: process.env, isAtTerminal: isAtTerminal(), say, tell },
    shell: path.basename(process.env['SHELL'] ?? '') === 'zsh' ? 'zsh' : 'bash',
    foretell: () =>
      createForetell({
        launcher: launcherPath(__dirname),
        storageFolder: storageFolder(),
        ownHost: true,
        spareLaunchers: 0,
      }),
  };
}

/** What `foretell consent` and `foretell restore` need of this process. */
function consentProcess(cwd: string): ConsentProcess {
  return { cwd, env: process.env, say, tell, ...(isAtTerminal() ? { ask: askYesOrNo } : {}) };
}

/** A person reads and types here. */
function isAtTerminal(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

async function askYesOrNo(question: string): Promise<boolean> {
  process.stdout.write(question);
  for await (const line of createInterface({ input: process.stdin })) return /^y(es)?$/i.test(line.trim());
  return false;
}

async function* typedAnswers(): AsyncGenerator<string> {
  for await (const line of createInterface({ input: process.stdin })) yield `${line}\n`;
}

async function complain(problem: string): Promise<number> {
  tell(`foretell: ${problem}`);
  return exits.usage;
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

async function say(text: string): Promise<number> {
  await new Promise<void>((resolve) => {
    process.stdout.write(text, () => resolve());
  });
  return exits.safe;
}

async function writeLine(line: string): Promise<void> {
  await say(`${line}\n`);
}

// Whoever reads our output may stop reading; that is no error of the prediction.
process.stdout.on('error', () => process.exit(exits.failed));
main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`foretell: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(exits.failed);
  },
);
