import path from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { version } from '../../package.json';
import type { CommandAction } from '../core/action/action.ts';
import { cacheFolder } from '../core/context/cacheFolder.ts';
import { createForetell, type Foretell, type ForetellRequest, foldAll } from '../core/foretell.ts';
import { launcherPath } from '../core/launcherPath.ts';
import { toJson } from '../core/prediction/json.ts';
import type { Prediction } from '../core/prediction/prediction.ts';
import { createPainter } from '../core/prediction/text/painter.ts';
import { renderPrediction } from '../core/prediction/text/renderPrediction.ts';
import type { LanguageRequest } from '../core/worlds/language/imagine/languageRequest.ts';
import { type MemoryUse, memoryFolder, usualLimits } from '../core/worlds/remembered/memoryStore.ts';
import { type ApplyEnd, applyExit, applyIt, applyProblem, applyText } from './apply.ts';
import { type CliProcess, isColored, readNamed } from './cliProcess.ts';
import { alternativesFor, runCompare, saferJson, saferLines, saferOnes } from './compare.ts';
import { consentIn } from './consent.ts';
import { lostFolder, relativeOf } from './currentFolder.ts';
import { editFor, predictEdit } from './edit.ts';
import { conditionsText, languageFor } from './language.ts';
import { type CliOptions, usage } from './options.ts';
import { textOf } from './optionValues.ts';
import { callFor, predictCall } from './toolResult.ts';

/** Exit statuses that a script can use. */
export const exits = { safe: 0, caution: 1, danger: 2, failed: 3, usage: 64 } as const;

/** What is asked for, once nothing is wrong with it. */
export interface Asked {
  options: CliOptions;
  foretell: Foretell;
  language: LanguageRequest | undefined;
}

/** Says what needs no prediction, and what is wrong; a number is the exit status. */
export async function prepareAsked(options: CliOptions, around: CliProcess): Promise<Asked | number> {
  const { distFolder, env, say, served } = around;
  if (options.command === 'help') return said(say(usage));
  if (options.command === 'version') return said(say(`foretell ${version}\n`));
  if (options.conditions.includes('list')) return said(say(conditionsText()));
  const problem =
    (around.cwd === undefined ? problemWithoutFolder(options) : undefined) ??
    applyProblem(options, around.terminals.input && around.terminals.output);
  if (problem !== undefined) return complain(problem, around);
  const language = languageFor(options, { extensionFolder: path.dirname(distFolder), cwd: around.cwd ?? '/', env });
  if (language && 'problem' in language) return complain(language.problem, around);
  const goesOn = options.command === 'batch' || options.command === 'mcp';
  const foretell = createForetell({
    launcher: launcherPath(distFolder),
    storageFolder: cacheFolder(env),
    ownHost: true,
    spareLaunchers: goesOn ? 4 * options.concurrency : 0,
    ...(served ? { caller: { env, processId: served.callerId }, launchers: served.launchers } : {}),
  });
  return { options, foretell, language };
}

/** Without a working directory every path has to be absolute; nothing may be taken as relative to another folder. */
function problemWithoutFolder(options: CliOptions): string | undefined {
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
export function memoryOf({ fresh, openGate }: CliOptions, env: CliProcess['env']): MemoryUse | undefined {
  return openGate ? undefined : { folder: memoryFolder(env), version, ...usualLimits, isFresh: fresh };
}

/** Predicts once, and says it. Gives the exit status. */
export async function predictAsked(asked: Asked, around: CliProcess): Promise<number> {
  switch (asked.options.command) {
    case 'status':
      return showStatus(asked, around);
    case 'edit':
      return predictTheEdit(asked, around);
    case 'compare':
      return compareThem(asked, around);
    case 'tool-result':
      return predictTheCall(asked, around);
    default:
      return predictOne(asked, around);
  }
}

async function showStatus({ foretell, options }: Asked, { say }: CliProcess): Promise<number> {
  const status = await foretell.status();
  await say(options.json ? `${JSON.stringify(status)}\n` : `${status.sentence}\n`);
  return status.available ? exits.safe : exits.failed;
}

async function predictOne(asked: Asked, around: CliProcess): Promise<number> {
  const { options, foretell } = asked;
  const { terminals, env, say, warn } = around;
  const script = await readScript(options, around);
  if ('problem' in script) return complain(script.problem, around);
  const action: CommandAction = {
    kind: 'command',
    script: script.text,
    shell: options.shell,
    cwd: path.resolve(options.cwd),
  };
  const typed = options.terminal && terminals.input && !options.json ? typedAnswers(around) : undefined;
  const shared = sharedRequest(asked, action.cwd, around);
  const request: ForetellRequest = {
    ...shared,
    action,
    hash: options.json || options.apply,
    ...(typed ? { answers: typed } : {}),
    // What is applied was rehearsed now.
    memory: options.apply ? undefined : memoryOf(options, env),
  };
  const beganAt = Date.now();
  const { events, view } = foretell.predict(request);
  const showProgress = terminals.output && terminals.error && !options.json;
  const prediction = await foldAll(action, events, (event) => {
    if (event.type === 'asks') warn(`${event.prompt}\n(it asks; type the answer) `);
    if (event.type === 'progress' && showProgress) warn(`\r\x1b[K${event.text}`);
    if (event.type === 'question' && showProgress) warn(`\r\x1b[Kimagining ${event.title}`);
  });
  if (showProgress) warn('\r\x1b[K');
  const looksForSafer = options.safer || (terminals.output && !options.json);
  const safer = () => (looksForSafer ? saferOnes(foretell, prediction, { request: shared, env }) : Promise.resolve([]));
  const apply = (ask: CliProcess['ask']): Promise<ApplyEnd> =>
    applyIt(prediction, view, {
      ...{ foretell, request, options, beganAt, env, launcher: launcherPath(around.distFolder) },
      ...(ask ? { ask } : {}),
    });
  let applied: ApplyEnd | undefined;
  if (options.json) {
    const found = saferJson(await safer());
    applied = options.apply ? await apply(undefined) : undefined;
    const more = { ...(options.safer ? { safer: found } : {}), ...(applied ? { applied } : {}) };
    await say(`${JSON.stringify({ ...toJson(prediction, ''), ...more })}\n`);
  } else {
    const painter = createPainter(isColored(options.color, around));
    await say(renderPrediction(prediction, painter, { all: options.all, cwd: action.cwd }));
    await say(saferLines(await safer(), painter));
    if (options.apply) {
      applied = await apply(options.yes ? undefined : around.ask);
      await say(applyText(applied));
    }
  }
  // Behind the answer: what is remembered of it is kept before the copy is freed.
  await view.close();
  return applied ? applyExit(applied) : exitFor([prediction]);
}

/** What every prediction of a command is asked with, but for the command itself. */
function sharedRequest(
  { options, language }: Asked,
  cwd: string,
  around: CliProcess,
): Omit<ForetellRequest, 'action' | 'answers' | 'memory'> {
  return {
    openGate: options.openGate,
    trusted: options.trusted,
    ...consentIn(cwd, { env: around.env, tell: (line) => around.warn(`${line}\n`) }),
    interactive: options.interactive,
    signal: around.signal,
    ...(options.terminal ? { terminal: options.terminal } : {}),
    ...(language ? { language } : {}),
    ...(options.timeLimitMs === undefined ? {} : { limits: { wallMs: options.timeLimitMs } }),
  };
}

/** Several commands side by side. The exit status is that of the best one. */
async function compareThem(asked: Asked, around: CliProcess): Promise<number> {
  const { options, foretell } = asked;
  const actions = await alternativesFor(options, around);
  if ('problem' in actions) return complain(actions.problem, around);
  const request = sharedRequest(asked, actions[0]?.cwd ?? options.cwd, around);
  const { alternatives } = await runCompare(actions, options.json, {
    ...{ foretell, request, say: around.say },
    painter: createPainter(isColored(options.color, around)),
  });
  return exitFor(alternatives.slice(0, 1).map(({ prediction }) => prediction));
}

/** What a tool call would return. */
async function predictTheCall({ foretell, options, language }: Asked, around: CliProcess): Promise<number> {
  if (!language) return complain('tool-result needs a model; give its server with --model-url URL.', around);
  const asked = await callFor(options, around);
  if ('problem' in asked) return complain(asked.problem, around);
  const { signal, say } = around;
  const painter = createPainter(isColored(options.color, around));
  const run = { foretell, isJson: options.json, painter, cwd: path.resolve(options.cwd), signal, say };
  const { ending } = await predictCall(asked, language, run);
  return ending === 'done' ? exits.safe : exits.failed;
}

async function predictTheEdit({ foretell, options, language }: Asked, around: CliProcess): Promise<number> {
  const read = await editFor(options, around);
  if ('problem' in read) return complain(read.problem, around);
  return exitFor(await predictEdit(read, { foretell, options, language, around }));
}

/** The worst of what was predicted. */
function exitFor(predictions: readonly Prediction[]): number {
  const codes = predictions.map(({ ending, verdict }) =>
    ending === 'failed' || ending === 'cancelled' ? exits.failed : exits[verdict.level ?? 'caution'],
  );
  return Math.max(...codes);
}

async function readScript(options: CliOptions, around: CliProcess): Promise<{ text: string } | { problem: string }> {
  if (options.file === undefined) {
    const text = options.words.join(' ');
    return text.trim() === '' ? { problem: "There is no command. Try: foretell 'rm -rf build'" } : { text };
  }
  if (options.words.length > 0) return { problem: 'Give either a command or --file, not both.' };
  try {
    const text = (await readNamed(options.file, around)).toString('utf8');
    if (text.includes('\0')) return { problem: `${options.file} is not a script: it has bytes that are no text.` };
    return text.trim() === '' ? { problem: `${options.file} is empty.` } : { text };
  } catch (error) {
    return { problem: `${options.file} cannot be read (${(error as NodeJS.ErrnoException).code}).` };
  }
}

async function* typedAnswers({ input }: CliProcess): AsyncGenerator<string> {
  for await (const line of createInterface({ input: Readable.from(input()) })) yield `${line}\n`;
}

async function said(saying: Promise<unknown>): Promise<number> {
  await saying;
  return exits.safe;
}

/** Says what is wrong with what is asked. */
export function complain(problem: string, { warn }: Pick<CliProcess, 'warn'>): number {
  warn(`foretell: ${problem}\n`);
  return exits.usage;
}
