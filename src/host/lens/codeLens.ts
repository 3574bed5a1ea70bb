import os from 'node:os';
import * as vscode from 'vscode';
import { onSettingsChanged, readSettings } from '../settings.ts';
import type { Runnable } from './runnable.ts';

/** Command of a lens; takes the runnable and the file's address. Not in the palette. */
export const lensCommand = 'foretell.predictRunnable';

const selector: vscode.DocumentSelector = [
  { scheme: 'file', language: 'shellscript' },
  { scheme: 'file', language: 'markdown' },
  { scheme: 'file', language: 'makefile' },
  { scheme: 'file', language: 'dockerfile' },
  { scheme: 'file', pattern: '**/package.json' },
  { scheme: 'file', pattern: '**/.vscode/tasks.json' },
  { scheme: 'file', pattern: '**/{workflows/*,action}.{yml,yaml}' },
];

/** Shows “Predict” above commands in files. */
export function registerCodeLens(): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: changed.event,
    async provideCodeLenses(document, token) {
      if (!readSettings().codeLens) return [];
      // The shell parser is loaded with the first file that needs it, not when the extension starts.
      const { findRunnables } = await import('./findRunnables.ts');
      if (token.isCancellationRequested) return [];
      const folder = vscode.workspace.getWorkspaceFolder(document.uri);
      const found = findRunnables({
        path: document.uri.fsPath,
        languageId: document.languageId,
        text: document.getText().replaceAll('\r\n', '\n'),
        home: os.homedir(),
        ...(folder ? { workspaceFolder: folder.uri.fsPath } : {}),
      });
      return found.map((runnable) => lens(runnable, document.uri));
    },
  };
  return vscode.Disposable.from(
    changed,
    vscode.languages.registerCodeLensProvider(selector, provider),
    onSettingsChanged(() => changed.fire()),
  );
}

function lens(runnable: Runnable, file: vscode.Uri): vscode.CodeLens {
  return new vscode.CodeLens(new vscode.Range(runnable.line, 0, runnable.line, 0), {
    title: runnable.title,
    tooltip: runnable.text.length > 500 ? `${runnable.text.slice(0, 500)}…` : runnable.text,
    command: lensCommand,
    arguments: [runnable, file],
  });
}
