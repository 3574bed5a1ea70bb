import type * as vscode from 'vscode';
import type { Engine } from '../engine/engine.ts';
import type { Language } from '../model/language.ts';

/** What the bench needs of the window. */
export interface BenchParts {
  context: vscode.ExtensionContext;
  engine: Engine;
  language: Language;
}
