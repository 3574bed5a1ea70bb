import * as vscode from 'vscode';
import { hunksOf } from '../edit/textHunks.ts';
import type { Run } from '../predict/run.ts';
import type { FollowingFile } from './typescriptAnswer.ts';

/** As long is waited for imports that VS Code changes after a rename, in milliseconds. */
const patienceMs = 3_000;

type Follow = 'prompt' | 'always' | 'never';

/** What the imports of a prediction become by themselves when it is applied. */
const following = new WeakMap<Run, readonly FollowingFile[]>();

/** The rename that an edit is, where it is nothing but one. */
export function renamedBy({ action }: Run): { from: string; to: string } | undefined {
  if (action.kind !== 'edit' || action.changes.length > 0 || action.operations?.length !== 1) return undefined;
  const [operation] = action.operations;
  return operation?.kind === 'rename' ? { from: operation.from, to: operation.to } : undefined;
}

/** The edit gives files other names, through VS Code. */
export function renames({ action }: Run): boolean {
  return action.kind === 'edit' && (action.operations ?? []).some((one) => one.kind === 'rename');
}

/** What the user has set for files that are called `name` afterwards; read as VS Code's own extension reads it. */
export function importsFollow(name: string): Follow {
  const key = 'updateImportsOnFileMove.enabled';
  const common = vscode.workspace.getConfiguration('js/ts');
  const found = common.inspect(key);
  const isSet = found && [found.globalValue, found.workspaceValue, found.workspaceFolderValue].some((one) => one);
  const own = vscode.workspace.getConfiguration(/\.[cm]?tsx?$/.test(name) ? 'typescript' : 'javascript');
  return (isSet ? common : own).get<Follow>(key, 'prompt');
}

/** Keeps what is to follow when this is applied. */
export function noteFollowing(run: Run, files: readonly FollowingFile[]): void {
  following.set(run, files);
}

/**
 * Waits until VS Code has changed the imports that were to follow, and saves them. Its TypeScript overlooks some when it has just
 * been told of the new name: those are changed here. Tells of each file whether it holds what was predicted; empty where none
 * were to follow.
 */
export async function followImports(run: Run): Promise<{ path: string; agrees: boolean; detail: string }[]> {
  const files = following.get(run) ?? [];
  if (files.length === 0) return [];
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      changes.dispose();
      resolve();
    };
    const look = () => {
      if (files.every((file) => textOf(openNow(file.path)) === file.after)) end();
    };
    const changes = vscode.workspace.onDidChangeTextDocument(look);
    const timer = setTimeout(end, patienceMs);
    look();
  });
  return Promise.all(
    files.map(async (file) => {
      const document = openNow(file.path) ?? (await vscode.workspace.openTextDocument(file.path));
      if (textOf(document) === file.before) await change(document, file);
      const agrees = textOf(document) === file.after;
      if (agrees) await document.save();
      return { path: file.path, agrees, detail: agrees ? 'its imports follow' : 'has other content' };
    }),
  );
}

function openNow(name: string): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'file' && uri.fsPath === name);
}

function textOf(document: vscode.TextDocument | undefined): string | undefined {
  return document?.getText();
}

async function change({ uri }: vscode.TextDocument, { before, after }: FollowingFile): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  for (const { range, text } of await hunksOf(before, after)) edit.replace(uri, new vscode.Range(...range), text);
  await vscode.workspace.applyEdit(edit);
}
