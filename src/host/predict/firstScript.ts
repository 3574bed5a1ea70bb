import path from 'node:path';
import * as vscode from 'vscode';
import { readSettings } from '../settings.ts';
import type { PredictPointed } from './predictPointed.ts';
import { localFolders, pointedScript } from './selection.ts';

/** Names a script whose prediction is shown when the window opens; `npm start` sets it for the sample project. */
const variable = 'FORETELL_FIRST_SCRIPT';

/** Shows that script and its prediction, where it belongs to a folder of this window; once in the life of a window. */
export async function showFirstScript(state: vscode.Memento, predictPointed: PredictPointed): Promise<void> {
  const file = process.env[variable];
  if (file === undefined || !localFolders().some((folder) => file.startsWith(folder + path.sep))) return;
  // A window that is reloaded shows what the user made of it.
  if (state.get(variable) === file) return;
  await state.update(variable, file);
  const script = vscode.Uri.file(file);
  await vscode.window.showTextDocument(script, { preview: false });
  await predictPointed(await pointedScript(script, readSettings()));
}
