import * as vscode from 'vscode';
import type { Foretell } from '../../core/foretell.ts';
import type { Language } from '../model/language.ts';

/** What the commands of the closed loop, of failures and of true observations need. */
export interface LoopOptions {
  engine(): Promise<Foretell>;
  language: Language;
  log: vscode.LogOutputChannel;
}

/** Registers the commands. What they do is loaded when it is asked for. */
export function registerLoop(context: vscode.ExtensionContext, options: LoopOptions): vscode.Disposable {
  const folder = vscode.Uri.joinPath(context.storageUri ?? context.globalStorageUri, 'trajectories');
  return vscode.Disposable.from(
    vscode.commands.registerCommand('foretell.runAgent', async (given?: unknown) => {
      const { runAgentCommand } = await import('./runAgentCommand.ts');
      return runAgentCommand({ ...options, folder }, given);
    }),
    vscode.commands.registerCommand('foretell.collectObservations', async (given?: unknown) => {
      const { collectCommand } = await import('./collectCommand.ts');
      return collectCommand({ ...options, folder }, given);
    }),
    vscode.commands.registerCommand('foretell.findFailingSteps', async (given?: unknown) => {
      const { failingStepsCommand } = await import('./failingStepsCommand.ts');
      return failingStepsCommand({ ...options, folder }, given);
    }),
  );
}
