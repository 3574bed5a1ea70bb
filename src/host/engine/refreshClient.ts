import * as vscode from 'vscode';
import { refreshClient } from '../../core/hooks/staticClient.ts';

/** After so long the window is there, and nobody waits for what is done then. In milliseconds. */
const laterMs = 20_000;

/**
 * Agents call Foretell by a program in the user's own folders. Where it is there, it leads to this version from now on, because
 * the folder of the one before will be deleted.
 */
export function refreshClientLater(context: vscode.ExtensionContext, distFolder: string): vscode.Disposable {
  const timer = setTimeout(() => {
    const version = String((context.extension.packageJSON as { version?: unknown }).version);
    const isElectron = process.versions['electron'] !== undefined;
    refreshClient({ distFolder, version, node: process.execPath, isElectron }, process.env);
  }, laterMs);
  return new vscode.Disposable(() => clearTimeout(timer));
}
