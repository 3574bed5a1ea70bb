import type * as vscode from 'vscode';
import type { AskedQuestion } from '../../core/prediction/question.ts';
import type { Engine } from '../engine/engine.ts';
import type { Language } from '../model/language.ts';
import type { Panel } from '../panel/panel.ts';
import type { CommandInput } from '../predict/commandInput.ts';
import type { Predictions } from '../predict/predictions.ts';
import type { PredictPointed } from '../predict/predictPointed.ts';
import type { EditorRequest } from '../predict/run.ts';

/** The last question of a domain, with those it shares messages with. */
export interface LastAsked {
  question: AskedQuestion;
  questions: readonly AskedQuestion[];
}

/** What the help with prompt files is made of. */
export interface TemplatesOptions {
  context: vscode.ExtensionContext;
  engine: Engine;
  language: Language;
  predictions: Predictions;
  predictPointed: PredictPointed;
  panel: Panel;
  input: CommandInput;
  editorRequest: () => EditorRequest;
  /** By domain; absent: nobody was asked in this window. */
  lastAsked: ReadonlyMap<string, LastAsked>;
  /** A question was asked and answered. */
  onAsked: vscode.Event<void>;
}
