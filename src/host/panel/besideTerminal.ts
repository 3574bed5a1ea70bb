import * as vscode from 'vscode';
import type { Panel } from './panel.ts';
import { panelView } from './panelPage.ts';

/** Remembered for the user, as VS Code remembers where views are. */
const placedKey = 'panelWasPutBesideTerminal';

/** Moves the panel into the place of the terminal, where both are seen at once. */
export async function putBesideTerminal(): Promise<void> {
  await vscode.commands.executeCommand('vscode.moveViews', { viewIds: [panelView], destinationId: 'terminal' });
}

/**
 * Panel and terminal are tabs of one place, and one would hide the other. So the first prediction from a terminal puts them
 * side by side, once: wherever the user moves the panel after that, it stays. A terminal in the editor area hides nothing, and
 * a panel that is seen while somebody types in a terminal stands elsewhere already.
 */
export async function besideTerminal(
  { globalState }: vscode.ExtensionContext,
  terminal: vscode.Terminal | undefined,
  panel: Pick<Panel, 'isVisible'>,
): Promise<void> {
  const isWanted = vscode.workspace.getConfiguration('foretell').get('besideTerminal', true);
  if (!terminal || !isWanted || isInEditor(terminal) || globalState.get(placedKey) === true) return;
  await globalState.update(placedKey, true);
  if (panel.isVisible()) return;
  await putBesideTerminal();
  terminal.show(false);
}

function isInEditor({ creationOptions }: vscode.Terminal): boolean {
  const { location } = creationOptions;
  return location === vscode.TerminalLocation.Editor || (typeof location === 'object' && 'viewColumn' in location);
}
