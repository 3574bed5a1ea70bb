import type * as vscode from 'vscode';
import type { Engine } from './engine/engine.ts';
import type { Language } from './model/language.ts';
import type { Panel } from './panel/panel.ts';
import type { CommandInput } from './predict/commandInput.ts';
import type { Predictions } from './predict/predictions.ts';
import type { PredictPointed } from './predict/predictPointed.ts';

/** What commands of every subject need. */
export interface EditorParts {
  context: vscode.ExtensionContext;
  engine: Engine;
  language: Language;
  predictions: Predictions;
  predictPointed: PredictPointed;
  panel: Panel;
  input: CommandInput;
}
