import path from 'node:path';
import type { CommandAction } from '../core/action/action.ts';
import { editTitle } from '../core/action/edit/patchCommand.ts';
import { type ReadEdit, readEdit } from '../core/action/edit/readEdit.ts';
import { decodeText, isUtf8 } from '../core/action/edit/textBytes.ts';
import { type Foretell, foldAll } from '../core/foretell.ts';
import { toJson } from '../core/prediction/json.ts';
import type { Prediction } from '../core/prediction/prediction.ts';
import { folderProblem } from '../core/prediction/request.ts';
import { createPainter } from '../core/prediction/text/painter.ts';
import { renderPrediction } from '../core/prediction/text/renderPrediction.ts';
import type { LanguageRequest } from '../core/worlds/language/imagine/languageRequest.ts';
import { type CliProcess, isColored, readNamed } from './cliProcess.ts';
import { consentIn } from './consent.ts';
import type { CliOptions } from './options.ts';

/** The edit that the command line names; a problem is one sentence. */
export async function editFor(options: CliOptions, around: CliProcess): Promise<ReadEdit | { problem: string }> {
  const [word] = options.words;
  if (word !== undefined && options.file !== undefined)
    return { problem: 'Give the edit either as FILE or with --file, not both.' };
  // `foretell edit --json < call.json`: without a name the edit is on standard input.
  const name = options.file ?? word ?? (around.terminals.input ? undefined : '-');
  if (name === undefined)
    return { problem: 'There is no edit. Try: foretell edit change.patch, or foretell edit - < call.json' };
  const cwd = path.resolve(options.cwd);
  const problem = folderProblem(cwd);
  if (problem !== undefined) return { problem };
  let bytes: Buffer;
  try {
    bytes = await readNamed(name, around);
  } catch (error) {
    return { problem: unreadable(name, (error as NodeJS.ErrnoException).code) };
  }
  const { text, isText, notice } = textOf(bytes);
  const read = readEdit(text, {
    cwd,
    // A file is given to its tool byte for byte.
    isExact: true,
    ...(options.tool ? { tool: options.tool } : {}),
    ...(options.strip === undefined ? {} : { strip: options.strip }),
    ...(options.fuzz === undefined ? {} : { fuzz: options.fuzz }),
    ...(options.reverse ? { reverse: true } : {}),
    ...options.agent,
  });
  if ('problem' in read) return read;
  // A patch of files that are not UTF-8 is bytes.
  if (!isText && read.action.patch) read.action.patch.encoding = 'iso88591';
  if (notice !== undefined) read.notices.unshift(notice);
  return read;
}

function unreadable(name: string, code = ''): string {
  if (code === 'EISDIR') return `${name} is a folder; give a file with a patch or a tool call.`;
  if (code === 'ENOENT')
    return `There is no file ${name}; give one with a patch or a tool call, or - for standard input.`;
  if (code === 'EACCES')
    return `${name} cannot be read, because its permissions forbid it; give a file that you may read.`;
  return `${name} cannot be read (${code}); give a file with a patch or a tool call.`;
}

/** The text of a file, also of one in UTF-16; of other bytes that are not UTF-8 each as one character. */
function textOf(bytes: Buffer): { text: string; isText: boolean; notice?: string } {
  const wide = decodeText(bytes);
  if (wide?.encoding.startsWith('utf16')) {
    const notice = 'The file is UTF-16 and was read as text; git apply and patch would find no patch in it as it is.';
    return { text: wide.text, isText: true, notice };
  }
  const text = bytes.toString('utf8');
  const isText = isUtf8(bytes);
  return { text: isText ? text : bytes.toString('latin1'), isText };
}

/** What the prediction of an edit is given besides its text. */
export interface EditRun {
  foretell: Foretell;
  options: CliOptions;
  language: LanguageRequest | undefined;
  around: CliProcess;
}

/** Predicts an edit, and the command behind it, in one session; says both. Returns what was predicted. */
export async function predictEdit({ action, notices }: ReadEdit, run: EditRun): Promise<Prediction[]> {
  const { foretell, options, language, around } = run;
  const cwd = path.resolve(options.cwd);
  const shared = {
    hash: options.json,
    trusted: options.trusted,
    signal: around.signal,
    ...(options.timeLimitMs === undefined ? {} : { limits: { wallMs: options.timeLimitMs } }),
  };
  const session = foretell.openSession();
  const painter = createPainter(isColored(options.color, around));
  const predictions: Prediction[] = [];
  try {
    const edited = await foldAll(action, session.predict({ action, ...shared }).events);
    edited.notices.unshift(...notices);
    predictions.push(edited);
    if (options.then !== undefined && edited.ending !== 'failed' && edited.ending !== 'cancelled') {
      const next: CommandAction = { kind: 'command', script: options.then, shell: options.shell, cwd };
      const request = {
        action: next,
        ...shared,
        openGate: options.openGate,
        ...consentIn(cwd, { env: around.env, tell: (line) => around.warn(`${line}\n`) }),
        ...(options.terminal ? { terminal: options.terminal } : {}),
        ...(language ? { language } : {}),
      };
      predictions.push(await foldAll(next, session.predict(request).events));
    }
  } finally {
    await session.close();
  }
  for (const [index, prediction] of predictions.entries()) {
    const title = index === 0 ? editTitle(action) : `then ${options.then}`;
    if (options.json) await around.say(`${JSON.stringify(toJson(prediction, index === 0 ? 'edit' : 'then'))}\n`);
    else {
      const head = predictions.length > 1 ? `${index > 0 ? '\n' : ''}${painter.dim(`── ${title}`)}\n` : '';
      await around.say(`${head}${renderPrediction(prediction, painter, { all: options.all, cwd })}`);
    }
  }
  return predictions;
}
