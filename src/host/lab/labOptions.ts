import type * as vscode from 'vscode';
import type { Foretell } from '../../core/foretell.ts';
import type { Language } from '../model/language.ts';
import type { EditorRequest } from '../predict/run.ts';

/** What the trajectory editor needs of the window. */
export interface LabOptions {
  engine: () => Promise<Foretell>;
  language: Language;
  editorRequest: () => EditorRequest;
  /** Opens a text that can only be read. */
  openText: (name: string, text: string) => Promise<void>;
  /** Shows two texts beside each other. */
  openDiff: (title: string, left: string, right: string) => Promise<void>;
  log: vscode.LogOutputChannel;
}
