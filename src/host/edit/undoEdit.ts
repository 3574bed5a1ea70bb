import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, readFile, rmdir } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Prediction } from '../../core/prediction/prediction.ts';
import { countOf } from '../../core/view/quantity.ts';
import { baseName } from './baseName.ts';
import { hunksOf, plainTexts } from './textHunks.ts';

/** Contents of more than this together are not kept. */
const mostBytes = 64 * 1024 ** 2;
const undoWord = 'Undo';

/** What stands at a path. */
type There = { kind: 'nothing' } | { kind: 'folder'; mode: number } | { kind: 'file'; bytes: Buffer; mode: number };

/** What stood at the paths of an edit before it was applied. */
export type BeforeEdit = ReadonlyMap<string, There>;

/** Keeps what an edit will change; `undefined` where that is too much, or of a kind that is not taken back. */
export async function keepBefore({ files }: Prediction): Promise<BeforeEdit | undefined> {
  const before = new Map<string, There>();
  let bytes = 0;
  for (const path of new Set(
    files.flatMap((file) => (file.from === undefined ? [file.path] : [file.path, file.from])),
  )) {
    const there = await at(path);
    if (!there) return undefined;
    if (there.kind === 'file') bytes += there.bytes.length;
    if (bytes > mostBytes) return undefined;
    before.set(path, there);
  }
  return before;
}

async function at(path: string): Promise<There | undefined> {
  const status = await lstat(path).catch(() => undefined);
  if (!status) return { kind: 'nothing' };
  const mode = status.mode & 0o7777;
  if (status.isDirectory()) return { kind: 'folder', mode };
  if (!status.isFile() || status.size > mostBytes) return undefined;
  return { kind: 'file', bytes: await readFile(path), mode };
}

const digestOf = (there: There | undefined) =>
  there?.kind === 'file' ? createHash('sha256').update(there.bytes).digest('hex') : there?.kind;

/** Takes the edit back that was applied last; `undefined` where there is none, or where it was taken back. */
let latest: (() => Promise<void>) | undefined;

/**
 * Offers to take an applied edit back as a whole, in a notification that goes by itself; the command does it later, too. VS
 * Code's own Undo does so file by file, from the editor of each, which a file that was deleted no longer has. `paths`: as many as the
 * panel says were changed, a renamed one once. Never rejects.
 */
export async function offerUndo(
  { title, paths }: { title: string; paths: number },
  before: BeforeEdit,
  say: (sentence: string) => void,
): Promise<void> {
  const applied = new Map<string, string | undefined>();
  for (const path of before.keys()) applied.set(path, digestOf(await at(path)));
  const undo = async () => {
    try {
      const done = await takeBack(title, before, applied);
      if (done.isUndone && latest === undo) latest = undefined;
      say(done.sentence);
    } catch (error) {
      say(`It could not be undone to its end: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  latest = undo;
  const sentence = `Applied “${title}” to ${countOf(paths, 'path')}.`;
  if ((await vscode.window.showInformationMessage(sentence, undoWord)) === undoWord) await undo();
}

/** The same for the edit that was applied last in this window. */
export async function undoLatest(): Promise<void> {
  if (latest) await latest();
  else void vscode.window.showInformationMessage('There is no applied edit to be undone in this window.');
}

async function takeBack(
  title: string,
  before: BeforeEdit,
  applied: ReadonlyMap<string, string | undefined>,
): Promise<{ isUndone: boolean; sentence: string }> {
  const refuse = (sentence: string) => ({ isUndone: false, sentence });
  const dirty = vscode.workspace.textDocuments.find((one) => one.isDirty && before.has(one.uri.fsPath));
  if (dirty) {
    return refuse(`${baseName(dirty.fileName)} has unsaved changes, so nothing was undone. Save or revert it first.`);
  }
  const now = new Map<string, There>();
  for (const path of before.keys()) {
    const there = await at(path);
    if (!there || digestOf(there) !== applied.get(path)) {
      return refuse(`${baseName(path)} has changed since the edit was applied, so nothing was undone.`);
    }
    now.set(path, there);
  }
  const edit = new vscode.WorkspaceEdit();
  const texts: string[] = [];
  for (const [path, was] of before) {
    const there = now.get(path);
    if (was.kind === 'file' && there) {
      if (await writeBack(edit, path, was.bytes, there)) texts.push(path);
    } else if (was.kind === 'nothing' && there?.kind === 'file') edit.deleteFile(vscode.Uri.file(path));
  }
  if (!(await vscode.workspace.applyEdit(edit, { isRefactoring: true })))
    return refuse(`“${title}” could not be undone.`);
  for (const document of vscode.workspace.textDocuments) {
    if (document.isDirty && texts.includes(document.uri.fsPath)) await document.save();
  }
  for (const [path, was] of before) {
    if (was.kind === 'folder') await mkdir(path, { recursive: true });
    if (was.kind !== 'nothing' && ((await lstat(path)).mode & 0o7777) !== was.mode) await chmod(path, was.mode);
  }
  // Folders that the edit made, the innermost first; one in which something else stands by now stays.
  for (const [path, was] of [...before].sort(([a], [b]) => b.length - a.length)) {
    if (was.kind === 'nothing' && now.get(path)?.kind === 'folder') await rmdir(path).catch(() => {});
  }
  return { isUndone: true, sentence: `“${title}” was undone: ${countOf(before.size, 'path')} as before.` };
}

/** True where the text of an editor changes, which has to be saved. */
async function writeBack(edit: vscode.WorkspaceEdit, path: string, bytes: Buffer, there: There): Promise<boolean> {
  const uri = vscode.Uri.file(path);
  if (there.kind === 'file' && there.bytes.equals(bytes)) return false;
  const texts = there.kind === 'file' ? plainTexts(there.bytes, bytes) : undefined;
  const isPlain = vscode.workspace.getConfiguration('files', uri).get('encoding') === 'utf8';
  if (!texts || !isPlain) {
    if (there.kind === 'file') edit.deleteFile(uri);
    edit.createFile(uri, { contents: bytes });
    return false;
  }
  for (const { range, text } of await hunksOf(texts.before, texts.after)) {
    const [startLine, startCharacter, endLine, endCharacter] = range;
    edit.replace(uri, new vscode.Range(startLine, startCharacter, endLine, endCharacter), text);
  }
  return true;
}
