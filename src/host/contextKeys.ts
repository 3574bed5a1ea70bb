import * as vscode from 'vscode';

/** What package.json asks for in its `when` and `enablement` clauses, as `foretell.NAME`. */
type ContextKey = 'predicting' | 'hasPrediction' | 'inSession' | 'hasEdit' | 'hasCall';

/** What VS Code was told last. Each telling makes it look at all menus again, while a prediction waits to be painted. */
const told = new Map<string, boolean>();

export function setContext(values: Partial<Record<ContextKey, boolean>>): void {
  for (const [name, value] of Object.entries(values)) {
    if (told.get(name) === value) continue;
    told.set(name, value);
    void vscode.commands.executeCommand('setContext', `foretell.${name}`, value);
  }
}
