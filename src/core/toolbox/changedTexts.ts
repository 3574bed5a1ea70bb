import { isUtf8 } from 'node:buffer';
import path from 'node:path';
import { redactForPrompt } from '../context/secrets/redactForPrompt.ts';
import type { PredictedFile } from '../prediction/parts.ts';
import { patchText } from '../view/patchText.ts';
import type { View } from '../view/view.ts';

/** How the texts of files change: the diff without secrets, and by path how many lines come and go. */
export interface ChangedTexts {
  lineCounts: Map<string, { added: number; removed: number }>;
  diff: string;
  /** Of so many files the diff says nothing: they are not text, too large, or too many. */
  untold: number;
}

/** Nothing of what changes is told. */
export const noTexts: ChangedTexts = { lineCounts: new Map(), diff: '', untold: 0 };

/** Of larger files, in bytes, and of more files nothing is read. */
const mostBytes = 256 * 1024;
const mostFiles = 60;

/** Reads what the files were and would be. `view` holds them as long as it is read. */
export async function changedTexts(files: readonly PredictedFile[], view: View, cwd: string): Promise<ChangedTexts> {
  const lineCounts: ChangedTexts['lineCounts'] = new Map();
  const told = files.filter(isTold);
  const diffs: string[] = [];
  let untold = Math.max(0, told.length - mostFiles);
  const read = told.slice(0, mostFiles).map(async (file) => {
    const [before, after] = await Promise.all([textBefore(file, view), textAfter(file, view)]);
    return { file, before, after };
  });
  for (const { file, before, after } of await Promise.all(read)) {
    if (before === 'unread' || after === 'unread') {
      untold += 1;
      continue;
    }
    const name = nameIn(cwd, file.path);
    const from = file.from === undefined ? name : nameIn(cwd, file.from);
    const { added, removed } = patchText(name, before, after);
    if (added + removed === 0) continue;
    lineCounts.set(file.path, { added, removed });
    // Whole files are read for secrets: of a part it may not show that it is one.
    const [was, becomes] = await Promise.all([before, after].map((text) => withoutSecrets(text, file.path)));
    const { text } = patchText(name, was, becomes, from);
    diffs.push(text === '' ? `--- ${from}\n+++ ${name}\n(only what was redacted differs)\n` : text);
  }
  return { lineCounts, diff: diffs.join(''), untold };
}

/** Git's own storage is told by effects, and content that nobody knows by the list of files. */
function isTold(file: PredictedFile): boolean {
  if (file.basis === 'unknown' || file.change === 'mode' || /\/\.git\//.test(file.path)) return false;
  return file.type === 'file' || file.before?.type === 'file';
}

async function textBefore(file: PredictedFile, view: View): Promise<string | undefined | 'unread'> {
  if (file.change === 'created') return undefined;
  const was = file.before ?? file;
  if (was.type !== 'file') return undefined;
  return textOf(await read(view, file.from ?? file.path, 'before', was.sizeBytes));
}

async function textAfter(file: PredictedFile, view: View): Promise<string | undefined | 'unread'> {
  if (file.change === 'deleted' || file.type !== 'file') return undefined;
  return textOf(await read(view, file.path, 'after', file.sizeBytes));
}

async function read(view: View, file: string, moment: 'before' | 'after', sizeBytes: number) {
  return sizeBytes > mostBytes ? undefined : view.read(file, moment, mostBytes + 1);
}

function textOf(bytes: Uint8Array | undefined): string | 'unread' {
  if (bytes === undefined || bytes.length > mostBytes || bytes.includes(0) || !isUtf8(bytes)) return 'unread';
  return Buffer.from(bytes).toString('utf8');
}

async function withoutSecrets(text: string | undefined, file: string): Promise<string | undefined> {
  return text === undefined ? undefined : (await redactForPrompt(text, { path: file })).text;
}

/** A path as a reader in `cwd` writes it. */
function nameIn(cwd: string, file: string): string {
  return file.startsWith(`${cwd}/`) ? path.posix.relative(cwd, file) : file;
}
