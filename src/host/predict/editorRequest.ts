import * as vscode from 'vscode';
import { memoryFolder } from '../../core/worlds/remembered/memoryStore.ts';
import type { Language } from '../model/language.ts';
import { readSettings } from '../settings.ts';
import { terminalEnvironment } from '../terminal/terminalEnvironment.ts';
import type { EditorRequest } from './run.ts';
import { localFolders, unsavedFiles } from './selection.ts';

function versionOf({ extension }: vscode.ExtensionContext): string {
  return String((extension.packageJSON as { version?: unknown }).version);
}

/** Everything of a request that comes from the window, as it is now. */
export function readEditorRequest(
  context: vscode.ExtensionContext,
  terminal: { columns: number; rows: number },
  model: Language,
): EditorRequest {
  const settings = readSettings();
  const language = model.request();
  const added = vscode.workspace
    .getConfiguration('terminal.integrated')
    .get<Record<string, string | null>>('env.linux');
  return {
    terminal,
    env: terminalEnvironment(process.env, { added: added ?? {}, vscodeVersion: vscode.version }),
    interactive: settings.interactiveShell,
    trusted: vscode.workspace.isTrusted,
    workspaceFolders: localFolders(),
    // Next to our own storage, on this machine and on a remote one alike.
    localHistoryFolders: [vscode.Uri.joinPath(context.globalStorageUri, '../../History').fsPath],
    unsavedPaths: unsavedFiles(),
    limits: settings.limits,
    rehearsalMs: settings.rehearsalMs,
    ...(settings.memory && vscode.workspace.isTrusted
      ? { memory: { folder: memoryFolder(process.env), version: versionOf(context), ...settings.memory } }
      : {}),
    ...(language ? { language } : {}),
  };
}
