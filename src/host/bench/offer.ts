import * as vscode from 'vscode';

/** Says something and offers one way on. */
export async function offer(message: string, label: string, command: string, ...args: unknown[]): Promise<void> {
  if ((await vscode.window.showInformationMessage(message, label)) === label) {
    await vscode.commands.executeCommand(command, ...args);
  }
}
