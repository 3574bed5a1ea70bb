import * as vscode from 'vscode';
import type { AskedCall, readAskedCall } from '../../core/trajectory/askedCall.ts';
import type { EditorParts } from '../editorParts.ts';
import { canImagine } from '../model/languageMessages.ts';
import type { PredictedDocuments } from '../panel/predictedDocuments.ts';
import { pointedInEditor } from '../predict/selection.ts';
import { readSettings } from '../settings.ts';

export interface ToolResultOptions extends EditorParts {
  documents: PredictedDocuments;
}

/** Registers *Predict Tool Result*: the tool call that is selected in a log or a trajectory, else the line of the cursor. */
export function registerToolResult(options: ToolResultOptions): vscode.Disposable {
  return vscode.commands.registerCommand('foretell.predictToolResult', (given: unknown) => predict(options, given));
}

async function predict(
  { engine, language, panel, documents }: ToolResultOptions,
  given: unknown,
): Promise<string | undefined> {
  const { promptOfCall } = await import('../../core/trajectory/askedCall.ts');
  const asked = await askedFor(given);
  if (!asked) return undefined;
  if ('problem' in asked) {
    void vscode.window.showWarningMessage(asked.problem);
    return undefined;
  }
  if (!canImagine(language, panel)) {
    await panel.reveal();
    return undefined;
  }
  const request = language.request();
  if (!request) return undefined;
  const title = `Imagining what ${asked.name} returns`;
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress({ location, title, cancellable: true }, async (_, token) => {
    const abort = new AbortController();
    token.onCancellationRequested(() => abort.abort());
    const { foldAll } = await import('../../core/foretell.ts');
    const action = { kind: 'turn', domain: asked.domain, turn: asked.turn } as const;
    const turn = { ...request, whole: false, turn: await promptOfCall(asked) };
    const foretell = await engine.load();
    const { events } = foretell.predict({ action, language: turn, signal: abort.signal });
    const prediction = await foldAll(action, events);
    if (prediction.ending === 'cancelled') return undefined;
    if (prediction.ending === 'failed') {
      void vscode.window.showWarningMessage(prediction.endingReason ?? 'The model gave no result.');
      return undefined;
    }
    const reply = prediction.questions.at(-1)?.reply;
    const result = reply?.observation ?? prediction.output.map(({ text = '' }) => text).join('');
    const text = shownText(asked, result, prediction.endingReason);
    await documents.openText(`Result of ${asked.name.replaceAll('/', '_')}.txt`, text);
    return text;
  });
}

/** The call that is meant: of those that are selected and have no result the one that is chosen, else the one around the cursor. */
async function askedFor(given: unknown): Promise<ReturnType<typeof readAskedCall> | undefined> {
  const { readAskedCall } = await import('../../core/trajectory/askedCall.ts');
  const { callAround } = await import('../../core/trajectory/callAround.ts');
  const editor = vscode.window.activeTextEditor;
  let text = typeof given === 'string' ? given : (pointedInEditor(readSettings())?.text ?? '');
  let asked = readAskedCall(text);
  if ('problem' in asked && typeof given !== 'string' && editor?.selection.isEmpty) {
    const { document, selection } = editor;
    text = callAround(document.getText(), document.offsetAt(selection.active)) ?? text;
    asked = readAskedCall(text);
  }
  if ('problem' in asked || asked.open.length < 2) return asked;
  const items = asked.open.map(({ at, name, arguments: told }) => ({ at, label: name, description: told }));
  const chosen = await vscode.window.showQuickPick(items, {
    placeHolder: 'Several calls have no result. Which one is meant?',
  });
  return chosen && readAskedCall(text, { at: chosen.at });
}

function shownText({ name, turn, domain, observed, steps }: AskedCall, result: string, reason?: string): string {
  const call =
    turn.kind === 'tool'
      ? JSON.stringify(turn.arguments, undefined, 2)
      : turn.kind === 'text'
        ? turn.text
        : JSON.stringify(turn.keystrokes);
  const before = steps.length > 1 ? `, after ${steps.length - 1} earlier` : '';
  return [
    `${name} (${domain}${before})`,
    call,
    '',
    '── Imagined by a language model: one possible result ──',
    ...(reason === undefined ? [] : [reason]),
    result,
    ...(observed === undefined ? [] : ['', '── Really came ──', observed]),
    '',
  ].join('\n');
}
