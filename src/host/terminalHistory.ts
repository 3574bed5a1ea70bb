import * as vscode from 'vscode';
import type { TerminalCommand } from '../core/worlds/language/languageRequest.ts';
import { createCommandRing, isTold, type Recorded } from './commandRing.ts';

/** The last commands that the user ran in terminals with shell integration. In memory only. */
export interface TerminalHistory extends vscode.Disposable {
  /** Oldest first. */
  read(): TerminalCommand[];
}

/**
 * `isWanted` is asked when a command starts: without a model nothing is read. `ownFolder`: commands that name it are ours
 * (the key that tells what is typed), and are not the user's.
 */
export function createTerminalHistory(isWanted: () => boolean, ownFolder: string): TerminalHistory {
  const ring = createCommandRing();
  const running = new Map<vscode.TerminalShellExecution, Recorded>();
  const listeners = vscode.Disposable.from(
    vscode.window.onDidStartTerminalShellExecution(({ execution }) => {
      const { value, confidence } = execution.commandLine;
      // Low: read from the screen, where it can have been anything.
      const isSure = confidence !== vscode.TerminalShellExecutionCommandLineConfidence.Low;
      if (!isSure || !isWanted() || !isTold(value, ownFolder)) return;
      const recorded = ring.begin(value, execution.cwd?.fsPath ?? '');
      running.set(execution, recorded);
      void (async () => {
        // All of it must be read, or it would be kept for whoever comes.
        for await (const piece of execution.read()) recorded.output(piece);
      })();
    }),
    vscode.window.onDidEndTerminalShellExecution(({ execution, exitCode }) => {
      const recorded = running.get(execution);
      running.delete(execution);
      // The last of the output may come after the end; it never takes long.
      setTimeout(() => recorded?.end(exitCode), 200);
    }),
  );
  return {
    read: () => (isWanted() ? ring.read() : []),
    dispose: () => listeners.dispose(),
  };
}
