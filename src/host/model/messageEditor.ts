import * as vscode from 'vscode';
import type { Panel } from '../panel/panel.ts';
import { askAgain } from '../predict/askAgain.ts';
import type { Predictions } from '../predict/predictions.ts';

/** Which message of which question. */
export interface EditedMessage {
  run: number;
  question: number;
  message: number;
}

/** Messages of prompts in editors of their own, to be changed and sent. */
export interface MessageEditor extends vscode.Disposable {
  open(which: EditedMessage, content: string): Promise<void>;
}

const askCommand = 'foretell.askWithMessage';

export function createMessageEditor(predictions: Predictions, panel: () => Panel): MessageEditor {
  const opened = new WeakMap<vscode.TextDocument, EditedMessage>();
  const changed = new vscode.EventEmitter<void>();
  async function ask({ run: number, ...which }: EditedMessage, content: string): Promise<void> {
    const run = predictions.current();
    if (run?.number === number) {
      await askAgain(predictions, run, { ...which, content });
      return;
    }
    const sentence = 'The prediction of this message is not shown any more. Open the message from the one that is.';
    panel().banner({ kind: 'information', sentence });
  }

  const lens: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: changed.event,
    provideCodeLenses(document) {
      if (!opened.has(document)) return [];
      const title = '$(refresh) Predict again with this message';
      const command = { title, command: askCommand, arguments: [document.uri.toString()] };
      return [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), command)];
    },
  };
  const registrations = vscode.Disposable.from(
    changed,
    vscode.languages.registerCodeLensProvider({ scheme: 'untitled', language: 'markdown' }, lens),
    vscode.commands.registerCommand(askCommand, async (address?: unknown) => {
      const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === address);
      const which = document && opened.get(document);
      if (document && which) await ask(which, document.getText());
    }),
  );
  return {
    async open(which, content) {
      const document = await vscode.workspace.openTextDocument({ content, language: 'markdown' });
      opened.set(document, which);
      await vscode.window.showTextDocument(document, { preview: false });
      changed.fire();
    },
    dispose: () => registrations.dispose(),
  };
}
