import * as vscode from 'vscode';
import type { Panel } from './panel.ts';
import { panelView } from './panelPage.ts';

/** Remembered for the user, as VS Code remembers where views are. */
const placedKey = 'panelWasPutBesideTerminal';

/** By then VS Code has told that a view is hidden. */
const hiddenMs = 200;

/** Moves the panel into the place of the terminal, where both are seen at once. */
export async function putBesideTerminal(): Promise<void> {
  await vscode.commands.executeCommand('vscode.moveViews', { viewIds: [panelView], destinationId: 'terminal' });
}

/**
 * Panel and terminal are tabs of one place, and one would hide the other. So the first prediction from a terminal puts them
 * side by side, once: wherever the user moves the panel after that, it stays, and where it was moved before that. A terminal in the
 * editor area hides nothing.
 */
export async function besideTerminal(
  { globalState }: vscode.ExtensionContext,
  terminal: vscode.Terminal | undefined,
  panel: Pick<Panel, 'reveal' | 'isVisible'>,
): Promise<void> {
  const isWanted = vscode.workspace.getConfiguration('foretell').get('besideTerminal', true);
  if (!terminal || !isWanted || isInEditor(terminal) || globalState.get(placedKey) === true) return;
  await globalState.update(placedKey, true);
  if (await areSeenAtOnce(panel)) return;
  await putBesideTerminal();
  terminal.show(false);
}

/** Nothing tells where a view is. But of two tabs of one place the first is hidden when the second is shown. */
async function areSeenAtOnce(panel: Pick<Panel, 'reveal' | 'isVisible'>): Promise<boolean> {
  if (!panel.isVisible()) await panel.reveal();
  await vscode.commands.executeCommand('workbench.action.terminal.focus');
  for (const end = Date.now() + hiddenMs; Date.now() < end; ) {
    if (!panel.isVisible()) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}

function isInEditor({ creationOptions }: vscode.Terminal): boolean {
  const { location } = creationOptions;
  return location === vscode.TerminalLocation.Editor || (typeof location === 'object' && 'viewColumn' in location);
}
