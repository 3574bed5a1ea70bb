import path from 'node:path';
import * as vscode from 'vscode';
import { readSettings } from '../settings.ts';
import type { PredictPointed } from './predictPointed.ts';
import { localFolders, pointedScript } from './selection.ts';

/** Names a script whose prediction is shown when the window opens; `npm start` sets it for the sample project. */
const variable = 'FORETELL_FIRST_SCRIPT';

/** Shows that script and its prediction, where it belongs to a folder of this window; once in the life of a window. */
export function showFirstScript(state: vscode.Memento, predictPointed: PredictPointed): vscode.Disposable {
  const file = process.env[variable];
  let isOver = false;
  async function show(script: vscode.Uri): Promise<void> {
    await state.update(variable, script.fsPath);
    await vscode.window.showTextDocument(script, { preview: false });
    if (!isOver) await predictPointed(await pointedScript(script, readSettings()));
  }
  const belongsHere = localFolders().some((folder) => file?.startsWith(folder + path.sep));
  // A window that is reloaded shows what the user made of it.
  if (file !== undefined && belongsHere && state.get(variable) !== file) void show(vscode.Uri.file(file));
  return { dispose: () => (isOver = true) };
}
