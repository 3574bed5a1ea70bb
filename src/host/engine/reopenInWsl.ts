import * as vscode from 'vscode';

/** Microsoft's extension that opens folders in WSL, and its command for the folder that is open. */
const wslExtension = 'ms-vscode-remote.remote-wsl';
const wslCommands = ['remote-wsl.reopenInWSL', 'remote-wsl.connect'];

/** Opens the window again in WSL, where commands are rehearsed; without the extension for that, shows it. */
export async function reopenInWsl(): Promise<void> {
  // Its commands are there before it is active, where it is installed.
  const known = await vscode.commands.getCommands(true);
  const hasFolder = (vscode.workspace.workspaceFolders ?? []).length > 0;
  const command = (hasFolder ? wslCommands : wslCommands.slice(1)).find((one) => known.includes(one));
  if (command !== undefined) return void (await vscode.commands.executeCommand(command));
  await vscode.commands.executeCommand('workbench.extensions.search', `@id:${wslExtension}`);
  void vscode.window.showInformationMessage('Install the extension WSL, and choose Reopen in WSL again.');
}
