import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';

/** Longer than a key is held down (about 100 ms) and than VS Code's own animation of a step (250 ms), in ms. */
const takenBackWithinMs = 500;

/**
 * Resolves when a list or an input may ask for the keyboard. Enter on a button of a walkthrough also chooses the step that
 * the button is in, as soon as the key is let go, and a step that is chosen takes the keyboard; what asked before that would
 * be closed at once.
 */
export async function keyboardIsFree(): Promise<void> {
  if (mayBeWalkthrough(vscode.window.tabGroups.activeTabGroup.activeTab)) await wait(takenBackWithinMs);
}

/** VS Code tells of files, notebooks, terminals and webviews what they are, and nothing of its own pages. */
function mayBeWalkthrough(tab: vscode.Tab | undefined): boolean {
  return tab !== undefined && tab.input === undefined;
}
