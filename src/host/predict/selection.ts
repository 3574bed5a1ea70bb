import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ShellName } from '../../core/action/action.ts';
import type { NamedAgent } from '../../core/action/edit/agentVersions.ts';
import type { SelectionOptions } from '../../core/action/parseSelection.ts';
import { quoteWord } from '../../core/shell/quoteWord.ts';
import { shebangProgram, shellOf } from '../../core/shell/shells.ts';
import type { Runnable } from '../lens/runnable.ts';
import type { Settings } from '../settings.ts';

/** What the user pointed at: a text that may be a command, and where it would run. */
export interface Pointed {
  text: string;
  options: SelectionOptions;
  /** The terminal that it came from; a real run goes there. */
  terminal?: vscode.Terminal;
  /** The user said that it is a patch or an edit call. */
  isEdit?: boolean;
  /** And whose call it is. */
  maker?: NamedAgent;
  /** It was asked for in the sequence that the panel shows: it starts from what that leaves. */
  continues?: boolean;
}

/** The shell of a program's path; `undefined` for one that we do not know. */
export function shellNamed(program: string | undefined): ShellName | undefined {
  return program === undefined ? undefined : shellOf(program)?.language;
}

/** The shell that a command is predicted with when nothing says otherwise. */
export function usualShell(settings: Settings): ShellName {
  return settings.shell ?? shellNamed(vscode.env.shell) ?? 'bash';
}

/** Folder for a command that belongs to no file: that of the workspace which is meant, else the user's home. */
export function usualFolder(): string {
  return folderMeant() ?? os.homedir();
}

/** Where nothing names a folder of the workspace: of several the one whose file is in front, else the first. */
export function folderMeant(): string | undefined {
  const folders = localFolders();
  const front = folders.length > 1 ? vscode.window.activeTextEditor?.document.uri : undefined;
  // What a file was before and what it would become have its path.
  const around = front && vscode.workspace.getWorkspaceFolder(vscode.Uri.file(front.path));
  return around?.uri.fsPath ?? folders[0];
}

/** Root folders of the workspace that are real folders of this machine. */
export function localFolders(): string[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter((folder) => folder.uri.scheme === 'file')
    .map((folder) => folder.uri.fsPath);
}

/** Folder for a command that was found in a file. */
export function folderFor(file: vscode.Uri, start: 'workspace' | 'file', below?: string): string {
  const own = file.scheme === 'file' ? path.dirname(file.fsPath) : undefined;
  const workspaceFolder = vscode.workspace.getWorkspaceFolder(file)?.uri.fsPath;
  const base = (start === 'file' ? (own ?? workspaceFolder) : (workspaceFolder ?? own)) ?? usualFolder();
  return below ? path.resolve(base, below) : base;
}

/** The selection in an editor, the active one by default, or the line that the cursor is on with those that continue it. */
export function pointedInEditor(settings: Settings, editor = vscode.window.activeTextEditor): Pointed | undefined {
  if (!editor) return undefined;
  const { document } = editor;
  const chosen = editor.selections.filter((selection) => !selection.isEmpty);
  const text =
    chosen.length > 0
      ? chosen.map((selection) => document.getText(selection)).join('\n')
      : lineWithContinuation(document, editor.selection.active.line);
  const start = settings.workingDirectory === 'fileFolder' ? 'file' : 'workspace';
  return {
    text,
    options: {
      shell: usualShell(settings),
      cwd: folderFor(document.uri, start),
      source: document.languageId === 'markdown' ? 'markdown' : 'editor',
    },
  };
}

/** What a lens stands above. */
export function pointedByLens(runnable: Runnable, file: vscode.Uri, settings: Settings): Pointed {
  return {
    text: runnable.text,
    options: {
      shell: runnable.shell ?? usualShell(settings),
      cwd: folderFor(file, runnable.start, runnable.folder),
      source: runnable.source,
    },
  };
}

/** A script file, run as its own `#!` line says or else with the usual shell. */
export async function pointedScript(file: vscode.Uri, settings: Settings): Promise<Pointed> {
  const cwd = folderFor(file, settings.workingDirectory === 'fileFolder' ? 'file' : 'workspace');
  const relative = path.relative(cwd, file.fsPath);
  const first = (await vscode.workspace.openTextDocument(file)).lineAt(0).text;
  const shell = shellNamed(shebangProgram(first)) ?? usualShell(settings);
  return {
    text: `${shell} ${quoteWord(relative.startsWith('-') ? `./${relative}` : relative)}`,
    options: { shell: usualShell(settings), cwd, source: 'input' },
  };
}

/** Files with unsaved changes: what a command does to them is not what the user sees. */
export function unsavedFiles(): string[] {
  return vscode.workspace.textDocuments
    .filter((document) => document.isDirty && document.uri.scheme === 'file')
    .map((document) => document.uri.fsPath);
}

function lineWithContinuation(document: vscode.TextDocument, at: number): string {
  const continues = (line: number) => /(?:^|[^\\])(?:\\\\)*\\$/.test(document.lineAt(line).text);
  let first = at;
  while (first > 0 && continues(first - 1)) first -= 1;
  let last = at;
  while (last + 1 < document.lineCount && continues(last)) last += 1;
  const marker = /(?<!<)<<-?\s*(["']?)([A-Za-z_]\w*)\1/.exec(document.lineAt(last).text)?.[2];
  if (marker) {
    for (let line = last + 1; line < document.lineCount; line++) {
      if (document.lineAt(line).text.trim() !== marker) continue;
      last = line;
      break;
    }
  }
  return document.getText(new vscode.Range(first, 0, last, document.lineAt(last).text.length));
}
