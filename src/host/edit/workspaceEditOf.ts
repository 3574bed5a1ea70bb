import * as vscode from 'vscode';
import type { FileOperation } from '../../core/action/action.ts';
import type { Run } from '../predict/run.ts';
import { hunksOf, plainTexts } from './textHunks.ts';

/** The most that is read of one file, in bytes. */
const longestBytes = 64 * 1024 ** 2;

/** An edit as VS Code takes it. */
export interface MadeEdit {
  edit: vscode.WorkspaceEdit;
  /** Files whose text changes in an editor and has to be saved, absolute. */
  texts: string[];
  /** Permission bits that files get, which VS Code cannot set. */
  modes: Map<string, number>;
}

type Change = Run['prediction']['files'][number];

/**
 * Makes the edit of what was predicted: hunk by hunk where a text stays a text, else whole files. `chooses`: VS Code shows
 * it first, and the user picks. What VS Code cannot do is thrown as an error of one sentence.
 */
export async function workspaceEditOf(run: Run, title: string, chooses: boolean): Promise<MadeEdit> {
  const edit = new vscode.WorkspaceEdit();
  const made: MadeEdit = { edit, texts: [], modes: new Map() };
  const metadata = { needsConfirmation: false, label: title };
  if (chooses) askWithAllChosen(edit, title);
  const { action, prediction } = run;
  const operations = action.kind === 'edit' ? (action.operations ?? []) : [];
  const isOnlyOperations =
    operations.length > 0 && action.kind === 'edit' && action.changes.length === 0 && !action.replace && !action.calls;
  if (isOnlyOperations) {
    for (const operation of operations) addOperation(edit, operation, metadata);
    return made;
  }
  const gone = prediction.files.filter((file) => file.change === 'deleted');
  const folders = gone.filter((file) => file.type === 'directory').map((file) => `${file.path}/`);
  for (const file of prediction.files) {
    if (file.path.includes('/.git/')) throw new Error('It changes files of git, which an editor does not.');
    if (file.type === 'symlink' || file.before?.type === 'symlink') {
      throw new Error(`${file.path} is a symbolic link, which an editor cannot change; use git apply in the terminal.`);
    }
    if (file.change === 'renamed' && file.from) {
      edit.renameFile(vscode.Uri.file(file.from), vscode.Uri.file(file.path), { overwrite: true }, metadata);
    }
  }
  for (const file of prediction.files) {
    if (file.type === 'file' && file.change !== 'deleted') await addContent(made, run, file, metadata);
  }
  for (const file of gone) {
    // A folder takes what is in it along.
    if (folders.some((folder) => file.path.startsWith(folder))) continue;
    edit.deleteFile(vscode.Uri.file(file.path), { recursive: true, ignoreIfNotExists: true }, metadata);
  }
  return made;
}

/**
 * VS Code shows its Refactor Preview when any part needs to be confirmed, and what needs that is not chosen there. So one
 * part needs it that the preview neither shows nor applies: a change of a notebook that changes nothing.
 */
function askWithAllChosen(edit: vscode.WorkspaceEdit, label: string): void {
  const nothing = vscode.NotebookEdit.updateNotebookMetadata({});
  edit.set(vscode.Uri.parse('foretell-nothing:/choose.ipynb'), [[nothing, { needsConfirmation: true, label }]]);
}

function addOperation(
  edit: vscode.WorkspaceEdit,
  operation: FileOperation,
  metadata: vscode.WorkspaceEditEntryMetadata,
): void {
  const file = vscode.Uri.file;
  switch (operation.kind) {
    case 'delete':
      edit.deleteFile(file(operation.path), { recursive: true }, metadata);
      return;
    case 'rename': {
      const overwrite = operation.overwrite ?? false;
      edit.renameFile(file(operation.from), file(operation.to), { overwrite }, metadata);
      return;
    }
    case 'create':
      if (operation.isFolder) throw new Error('An empty folder is not created by an editor; use mkdir.');
      edit.createFile(file(operation.path), {}, metadata);
      return;
    case 'copy':
      throw new Error('A copy is not made by an editor; use cp in the terminal.');
  }
}

async function addContent(
  made: MadeEdit,
  { view }: Run,
  file: Change,
  metadata: vscode.WorkspaceEditEntryMetadata,
): Promise<void> {
  const uri = vscode.Uri.file(file.path);
  if (file.mode !== '') made.modes.set(file.path, Number.parseInt(file.mode, 8));
  if (file.change === 'mode') return;
  const after = await view?.read(file.path, 'after', longestBytes);
  if (!after || after.length !== file.sizeBytes || file.content === 'notAsked')
    throw new Error(`What ${file.path} would hold is not known.`);
  const before =
    file.change === 'created' ? undefined : await view?.read(file.from ?? file.path, 'before', longestBytes);
  if (file.change !== 'created' && !before) throw new Error(`What ${file.path} holds now could not be read.`);
  if (before && Buffer.compare(before, after) === 0) return;
  const texts = before && file.change === 'modified' ? plainTexts(before, after) : undefined;
  if (!texts || !writesTheSame(uri, texts)) {
    // Not created over the old one: undoing that would delete it.
    if (before && file.change !== 'renamed') made.edit.deleteFile(uri, {}, metadata);
    made.edit.createFile(uri, { overwrite: file.change === 'renamed', contents: after }, metadata);
    return;
  }
  made.texts.push(file.path);
  for (const { range, text } of await hunksOf(texts.before, texts.after)) {
    const [startLine, startCharacter, endLine, endCharacter] = range;
    made.edit.replace(uri, new vscode.Range(startLine, startCharacter, endLine, endCharacter), text, metadata);
  }
}

/** An editor of this file would read and write it as we do. */
function writesTheSame(uri: vscode.Uri, { before, encoding }: { before: string; encoding: string }): boolean {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open) return open.getText() === before && open.encoding === encoding;
  return vscode.workspace.getConfiguration('files', uri).get('encoding') === 'utf8';
}
