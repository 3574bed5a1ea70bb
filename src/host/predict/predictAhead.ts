import * as vscode from 'vscode';
import { editInText } from '../edit/editText.ts';
import type { Panel } from '../panel/panel.ts';
import { readSettings } from '../settings.ts';
import type { Predictions } from './predictions.ts';
import { pointedInEditor } from './selection.ts';

/** A selection that follows another one is meant when it stays so long: it grows while somebody drags. */
const selectedMs = 30;
/** Behind such a pause the next selection is meant at once. */
const pauseMs = 150;
/** A line of a script that the cursor stays on so long is read. */
const readMs = 300;
/** A longer text is hardly one that somebody selects to have it predicted. In characters. */
const longestText = 4_000;

/**
 * While the panel is open, a command that is selected in an editor, or the line of a script that the cursor is on, is predicted before
 * anybody asks, so that the answer is there with the key. In trusted workspaces.
 */
export function predictAhead(predictions: Predictions, panel: Pick<Panel, 'isVisible'>): vscode.Disposable {
  let resting: ReturnType<typeof setTimeout> | undefined;
  let hasBegun = false;
  let lastAt = 0;
  /** Counts selections: what is read of an earlier one is not begun. */
  let turn = 0;

  function forget(): void {
    turn += 1;
    clearTimeout(resting);
    if (hasBegun) predictions.lookAhead(undefined);
    hasBegun = false;
  }

  async function begin(editor: vscode.TextEditor): Promise<void> {
    const own = turn;
    const settings = readSettings();
    const pointed = pointedInEditor(settings, editor);
    const isFit = pointed !== undefined && pointed.text.trim() !== '' && pointed.text.length <= longestText;
    if (!isFit || !settings.predictAhead || (await editInText(pointed.text, pointed.options.cwd))) return;
    const { parseSelection } = await import('../../core/action/parseSelection.ts');
    const parsed = parseSelection(pointed.text, pointed.options);
    if (!parsed.ok || own !== turn) return;
    hasBegun = true;
    predictions.lookAhead(parsed.action);
  }

  function look(editor: vscode.TextEditor | undefined): void {
    forget();
    if (!editor || !panel.isVisible() || !vscode.workspace.isTrusted) return;
    const isSelected = !editor.selection.isEmpty;
    if (!isSelected && editor.document.languageId !== 'shellscript') return;
    const now = performance.now();
    const isFirst = now - lastAt > pauseMs;
    lastAt = now;
    const afterMs = !isSelected ? readMs : isFirst ? 0 : selectedMs;
    resting = setTimeout(() => void begin(editor).catch(() => {}), afterMs);
  }

  const listeners = [
    vscode.window.onDidChangeActiveTextEditor(look),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
      if (textEditor === vscode.window.activeTextEditor) look(textEditor);
    }),
    // What is selected can become another text, and the selection stay.
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      const editor = vscode.window.activeTextEditor;
      if (contentChanges.length > 0 && document === editor?.document) look(editor);
    }),
  ];
  return new vscode.Disposable(() => {
    for (const listener of listeners) listener.dispose();
    forget();
  });
}
