import * as vscode from 'vscode';
import type { TrajectoryStep } from '../../core/trajectory/step/step.ts';

/** Writes steps into a new file of our own and opens it; the user saves it elsewhere if it is to be kept. */
export async function openTrajectory(
  folder: vscode.Uri,
  name: string,
  steps: readonly TrajectoryStep[],
): Promise<vscode.Uri> {
  const { stepLine } = await import('../../core/trajectory/file/trajectoryFile.ts');
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  const file = vscode.Uri.joinPath(folder, `${name}-${stamp}.trajectory.jsonl`);
  await vscode.workspace.fs.createDirectory(folder);
  await vscode.workspace.fs.writeFile(file, Buffer.from(steps.map((step) => `${stepLine(step)}\n`).join('')));
  await vscode.commands.executeCommand('vscode.open', file);
  return file;
}

/** Says a sentence; nothing came of it. */
export function tell(sentence: string): undefined {
  void vscode.window.showInformationMessage(sentence);
  return undefined;
}

/** Says why a model is needed, and offers to connect one. */
export async function offerConnection(sentence: string): Promise<undefined> {
  const connect = 'Connect a Model';
  if ((await vscode.window.showInformationMessage(sentence, connect)) === connect)
    await vscode.commands.executeCommand('foretell.connectModel');
  return undefined;
}

/** Follows a token of VS Code. */
export function signalOf(token: vscode.CancellationToken): AbortSignal {
  const abort = new AbortController();
  if (token.isCancellationRequested) abort.abort();
  token.onCancellationRequested(() => abort.abort());
  return abort.signal;
}
