import * as vscode from 'vscode';
import type { EditorAccess } from './editorModel.ts';

/** The chat models of this editor. */
export const editorAccess: EditorAccess = {
  async models() {
    // Forks of VS Code can lack the interface.
    if (typeof vscode.lm?.selectChatModels !== 'function') return [];
    return vscode.lm.selectChatModels();
  },
  userMessage: (text) => vscode.LanguageModelChatMessage.User(text),
  assistantMessage: (text) => vscode.LanguageModelChatMessage.Assistant(text),
  cancellation: () => new vscode.CancellationTokenSource(),
};
