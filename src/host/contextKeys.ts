import * as vscode from 'vscode';

/** What package.json asks for in its `when` and `enablement` clauses, as `foretell.NAME`. */
type ContextKey = 'predicting' | 'hasPrediction' | 'inSession' | 'hasEdit' | 'hasCall';

export function setContext(values: Partial<Record<ContextKey, boolean>>): void {
  for (const [name, value] of Object.entries(values)) {
    void vscode.commands.executeCommand('setContext', `foretell.${name}`, value);
  }
}
