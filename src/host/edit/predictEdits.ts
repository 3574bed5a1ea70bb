import path from 'node:path';
import * as vscode from 'vscode';
import type { EditAction, FileOperation } from '../../core/action/action.ts';
import { readNamedAgent } from '../../core/action/edit/agentVersions.ts';
import { countOf } from '../../core/view/quantity.ts';
import type { Engine } from '../engine/engine.ts';
import type { Panel } from '../panel/panel.ts';
import type { Refuse } from '../panel/refuse.ts';
import type { Predictions } from '../predict/predictions.ts';
import type { PredictPointed } from '../predict/predictPointed.ts';
import type { Run, Step } from '../predict/run.ts';
import { folderFor, type Pointed, usualFolder, usualShell } from '../predict/selection.ts';
import { readSettings } from '../settings.ts';
import { baseName } from './baseName.ts';
import type { EditOrigin } from './editOrigin.ts';
import { editInText } from './editText.ts';
import { pickAgent } from './pickAgent.ts';
import { stagedEdit } from './stagedEdit.ts';
import { unsavedEdit } from './unsavedEdit.ts';

export interface PredictEditsOptions {
  engine: Engine;
  predictions: Predictions;
  predictPointed: PredictPointed;
  panel: Panel;
  refuse: Refuse;
}

/** Every way in for edits; each shows its prediction in the panel, or says there why there is none. */
export interface PredictEdits {
  unsaved(file?: unknown): Promise<Run | undefined>;
  /** `given`: a file of the Explorer, or a text from a keybinding or another extension. */
  patch(given?: unknown): Promise<Run | undefined>;
  /** The same for a call of an agent, which is asked for. `given`: the agent, as in `claude@2.1`. */
  callOf(given?: unknown): Promise<Run | undefined>;
  staged(given?: unknown): Promise<Run | undefined>;
  remove(file?: vscode.Uri, all?: vscode.Uri[]): Promise<Run | undefined>;
  /** `to`: the new path, absolute; asked for when it is missing. */
  rename(file?: vscode.Uri, to?: unknown): Promise<Run | undefined>;
  move(file?: vscode.Uri, all?: unknown, to?: unknown): Promise<Run | undefined>;
  replace(given?: unknown): Promise<Run | undefined>;
}

export function createPredictEdits(options: PredictEditsOptions): PredictEdits {
  const { engine, predictions, predictPointed, panel, refuse } = options;

  async function predict(
    action: EditAction,
    origin: EditOrigin,
    notes: readonly string[] = [],
    from?: readonly Step[],
  ) {
    await panel.reveal();
    const run = predictions.predict(action, {}, origin, from);
    if (notes.length > 0) panel.banner({ kind: 'information', sentence: notes.join(' ') });
    return run;
  }

  const operate = (operations: FileOperation[], title: string) =>
    predict({ kind: 'edit', changes: [], cwd: usualFolder(), operations }, { title, applies: 'edit' });

  async function patch(given: unknown): Promise<Run | undefined> {
    for (const pointed of await patchPlaces(given)) {
      const read = await editInText(pointed.text, pointed.options.cwd);
      if (read && 'edit' in read) return predictPointed({ ...pointed, isEdit: true, continues: true });
    }
    return refuse('There is no patch and no edit call in the selection, the active file or the clipboard.');
  }

  async function callOf(given: unknown): Promise<Run | undefined> {
    const named = typeof given === 'string' ? readNamedAgent(given) : await pickAgent();
    if (!named) return undefined;
    if ('problem' in named) return refuse(named.problem);
    for (const pointed of await patchPlaces(undefined)) {
      const read = await editInText(pointed.text, pointed.options.cwd, true, named);
      if (read && 'edit' in read) return predictPointed({ ...pointed, isEdit: true, maker: named, continues: true });
    }
    return refuse('There is no patch and no edit call in the selection, the active file or the clipboard.');
  }

  async function staged(given: unknown): Promise<Run | undefined> {
    const foretell = await engine.load();
    const found = await stagedEdit(foretell.looker, repositoryOf(given));
    if ('problem' in found) return refuse(found.problem);
    // What is staged is compared with the last commit, not with the files as they are now, nor with a sequence.
    const lastCommit: Step = {
      ...{ action: found.back, openGate: false, whole: false, changedMessages: [], answers: [] },
      origin: { title: 'the last commit', applies: 'nothing' },
      leavesIn: found.folder,
      changes: found.back.changes.map((one) => one.path),
    };
    return predict(found.staged, { title: found.title, applies: 'nothing' }, [], [lastCommit]);
  }

  return {
    async unsaved(file) {
      const found = unsavedEdit(file instanceof vscode.Uri ? file : undefined);
      return 'problem' in found ? refuse(found.problem) : predict(found.action, found.origin, found.notes);
    },
    patch,
    callOf,
    staged,
    async remove(file, all) {
      const files = chosen(file, all);
      if (files.length === 0) return refuse('Choose a file or a folder in the Explorer first.');
      const [first = ''] = files;
      const title = files.length > 1 ? `Delete ${countOf(files.length, 'path')}` : `Delete ${baseName(first)}`;
      return operate(
        files.map((one) => ({ kind: 'delete', path: one })),
        title,
      );
    },
    async rename(file, to) {
      const [from] = chosen(file);
      if (from === undefined) return refuse('Choose a file or a folder in the Explorer first.');
      const target = typeof to === 'string' ? to : await askName(from);
      if (target === undefined) return undefined;
      return operate([{ kind: 'rename', from, to: target }], `Rename ${baseName(from)} to ${newName(from, target)}`);
    },
    async move(file, all, to) {
      const files = chosen(file, all);
      if (files.length === 0) return refuse('Choose a file or a folder in the Explorer first.');
      const folder = typeof to === 'string' ? to : await askFolder(files);
      if (folder === undefined) return undefined;
      const [first = ''] = files;
      const what = files.length > 1 ? countOf(files.length, 'path') : baseName(first);
      return operate(
        files.map((from) => ({ kind: 'rename', from, to: path.join(folder, baseName(from)) })),
        `Move ${what} to ${placeName(folder)}`,
      );
    },
    async replace(given) {
      const replace = await askReplace(given);
      if (!replace) return undefined;
      const title = `Replace “${replace.search}” with “${replace.replacement}”`;
      return predict({ kind: 'edit', changes: [], cwd: replace.folder, replace }, { title, applies: 'edit' });
    },
  };
}

/** The files of the Explorer that a menu command is about, else that of the active editor; absolute. */
function chosen(file?: unknown, all?: unknown): string[] {
  const uris: unknown[] = Array.isArray(all) && all.length > 0 ? all : file ? [file] : [];
  const known = uris.filter((one): one is vscode.Uri => one instanceof vscode.Uri && one.scheme === 'file');
  const active = vscode.window.activeTextEditor?.document.uri;
  if (uris.length === 0 && active?.scheme === 'file') return [active.fsPath];
  const paths = known.map((one) => one.fsPath);
  // What is below another chosen folder goes with it.
  return paths.filter((one) => !paths.some((other) => one.startsWith(`${other}/`)));
}

/** Where a patch may be, best first. */
async function patchPlaces(given: unknown): Promise<Pointed[]> {
  const shell = usualShell(readSettings());
  const at = (text: string, cwd: string): Pointed => ({ text, options: { shell, cwd, source: 'editor' } });
  if (typeof given === 'string') return [at(given, usualFolder())];
  if (given instanceof vscode.Uri) {
    const document = await vscode.workspace.openTextDocument(given);
    return [at(document.getText(), folderFor(given, 'workspace'))];
  }
  const editor = vscode.window.activeTextEditor;
  const places: Pointed[] = [];
  if (editor) {
    const cwd = folderFor(editor.document.uri, 'workspace');
    const selected = editor.selections.filter((one) => !one.isEmpty).map((one) => editor.document.getText(one));
    if (selected.length > 0) places.push(at(selected.join('\n'), cwd));
    else places.push(at(editor.document.getText(), cwd));
  }
  places.push(at(await vscode.env.clipboard.readText(), usualFolder()));
  return places;
}

/** The folder of what a menu of the Source Control view belongs to. */
function repositoryOf(given: unknown): string {
  const { rootUri } = (given ?? {}) as { rootUri?: unknown };
  if (rootUri instanceof vscode.Uri) return rootUri.fsPath;
  const active = vscode.window.activeTextEditor?.document.uri;
  const folder = active && vscode.workspace.getWorkspaceFolder(active);
  return folder?.uri.fsPath ?? usualFolder();
}

/** What a path is called beside another one: its name in the same folder, else where it is. */
function newName(from: string, target: string): string {
  return path.dirname(from) === path.dirname(target) ? baseName(target) : placeName(target);
}

/** A path as it is told apart from others of the same name: from its workspace folder on, which has its own name. */
function placeName(place: string): string {
  const root = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(place));
  return root?.uri.fsPath === place ? root.name : vscode.workspace.asRelativePath(place);
}

async function askName(from: string): Promise<string | undefined> {
  const name = baseName(from);
  const dot = name.lastIndexOf('.');
  const typed = await vscode.window.showInputBox({
    title: `Predict renaming ${name}`,
    prompt: 'The new name; with / it is a path in the same folder.',
    value: name,
    valueSelection: [0, dot > 0 ? dot : name.length],
    validateInput: (value) => (value.trim() === '' ? 'Type a name.' : undefined),
  });
  return typed === undefined ? undefined : path.resolve(path.dirname(from), typed.trim());
}

async function askFolder(files: readonly string[]): Promise<string | undefined> {
  const folder = path.dirname(files[0] ?? usualFolder());
  const typed = await vscode.window.showInputBox({
    title: `Predict moving ${files.length > 1 ? countOf(files.length, 'path') : baseName(files[0] ?? '')}`,
    prompt: 'The folder that they would be moved to; it is created when it is not there.',
    value: folder,
    valueSelection: [folder.length, folder.length],
    validateInput: (value) => (value.trim() === '' ? 'Type a folder.' : undefined),
  });
  return typed === undefined ? undefined : path.resolve(folder, typed.trim());
}

async function askReplace(given: unknown): Promise<EditAction['replace'] | undefined> {
  const folder = usualFolder();
  const fields = typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {};
  const { search, replacement } = fields;
  if (typeof search === 'string' && typeof replacement === 'string') {
    const include = Array.isArray(fields['include']) ? { include: fields['include'].map(String) } : {};
    const flags = Object.fromEntries(
      (['isRegex', 'matchCase', 'wholeWord'] as const).map((name) => [name, fields[name] === true]),
    );
    return { folder, search, replacement, ...include, ...flags };
  }
  const editor = vscode.window.activeTextEditor;
  const title = 'Predict replacing in files';
  const typed = await vscode.window.showInputBox({
    title: `${title} (1 of 3)`,
    prompt: 'What to search for. Between slashes it is a regular expression: /colou?r/',
    value: editor && !editor.selection.isEmpty ? editor.document.getText(editor.selection) : '',
  });
  if (!typed) return undefined;
  const pattern = /^\/(.+)\/([iw]*)$/s.exec(typed);
  const asked = await vscode.window.showInputBox({
    title: `${title} (2 of 3)`,
    prompt: pattern ? 'The replacement; $1 is the first group.' : 'The replacement.',
  });
  if (asked === undefined) return undefined;
  const where = await vscode.window.showInputBox({
    title: `${title} (3 of 3)`,
    prompt: `Files, as globs relative to ${folder}, with commas between them. Empty: all that are not ignored.`,
    placeHolder: 'src/**/*.ts',
  });
  if (where === undefined) return undefined;
  const include = where.split(',').flatMap((glob) => (glob.trim() === '' ? [] : [glob.trim()]));
  return {
    folder,
    search: pattern?.[1] ?? typed,
    replacement: asked,
    matchCase: pattern ? !pattern[2]?.includes('i') : true,
    ...(pattern ? { isRegex: true } : {}),
    ...(include.length > 0 ? { include } : {}),
  };
}
