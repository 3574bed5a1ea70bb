import * as vscode from 'vscode';
import type { ContentChange, EditAction, TextEncoding } from '../../core/action/action.ts';
import { countOf } from '../../core/view/quantity.ts';
import { baseName } from './baseName.ts';
import type { EditOrigin } from './editOrigin.ts';

const encodings: readonly TextEncoding[] = ['utf8', 'utf8bom', 'utf16le', 'utf16be', 'iso88591'];

/** What saving would write, or why that cannot be said. */
export function unsavedEdit(
  only?: vscode.Uri,
): { action: EditAction; origin: EditOrigin; notes: string[] } | { problem: string } {
  const dirty = vscode.workspace.textDocuments.filter(
    (document) => document.isDirty && document.uri.scheme === 'file' && (!only || sameFile(document.uri, only)),
  );
  if (dirty.length === 0) {
    const what = only ? `${baseName(only.fsPath)} has` : 'There are';
    return { problem: `${what} no unsaved changes.` };
  }
  const notes: string[] = [];
  const changes = dirty.flatMap((document): ContentChange[] => {
    const encoding = encodings.find((one) => one === document.encoding);
    if (!encoding) {
      notes.push(`${baseName(document.fileName)} is left out: its encoding (${document.encoding}) is not predicted.`);
      return [];
    }
    return [{ path: document.uri.fsPath, after: document.getText(), encoding }];
  });
  const formatted = dirty.filter(isChangedBySaving);
  if (formatted.length > 0) {
    const names = formatted.length > 1 ? countOf(formatted.length, 'file') : baseName(formatted[0]?.fileName ?? '');
    notes.push(`Saving also formats ${names} or trims it; that is not predicted.`);
  }
  if (changes.length === 0) return { problem: notes.join(' ') };
  const [first] = changes;
  const title = changes.length > 1 ? countOf(changes.length, 'unsaved editor') : baseName(first?.path ?? '');
  return {
    action: { kind: 'edit', changes },
    origin: {
      title: `Save ${title}`,
      applies: 'save',
      editors: changes.map((change) => change.path),
    },
    notes,
  };
}

function sameFile(one: vscode.Uri, other: vscode.Uri): boolean {
  return one.toString() === other.toString();
}

/** Settings by which VS Code changes a text while it saves it. */
function isChangedBySaving(document: vscode.TextDocument): boolean {
  const files = vscode.workspace.getConfiguration('files', document);
  const editor = vscode.workspace.getConfiguration('editor', document);
  const actions = Object.values(editor.get<Record<string, unknown>>('codeActionsOnSave') ?? {});
  return (
    ['trimTrailingWhitespace', 'insertFinalNewline', 'trimFinalNewlines'].some((name) => files.get(name) === true) ||
    editor.get('formatOnSave') === true ||
    actions.some((value) => value === true || value === 'always' || value === 'explicit')
  );
}
