import type * as vscode from 'vscode';
import type { AskedQuestion } from '../../core/prediction/question.ts';
import type { EditorParts } from '../editorParts.ts';
import type { EditorRequest } from '../predict/run.ts';

/** The last question of a domain, with those it shares messages with. */
export interface LastAsked {
  question: AskedQuestion;
  questions: readonly AskedQuestion[];
}

/** What the help with prompt files is made of. */
export interface TemplatesOptions extends EditorParts {
  editorRequest: () => EditorRequest;
  /** By domain; absent: nobody was asked in this window. */
  lastAsked: ReadonlyMap<string, LastAsked>;
  /** A question was asked and answered. */
  onAsked: vscode.Event<void>;
}
