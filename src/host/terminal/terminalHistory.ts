import * as vscode from 'vscode';
import type { TerminalCommand } from '../../core/worlds/language/imagine/languageRequest.ts';
import { usualFolder } from '../predict/selection.ts';
import { createCommandRing, isTold, type Recorded } from './commandRing.ts';
import { folderOf } from './terminals.ts';
import { isOutputTold } from './terminalText.ts';
import { wholeLine } from './wholeLine.ts';

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
  const running = new Map<
    vscode.TerminalShellExecution,
    { recorded: Recorded; line: Promise<string | undefined>; cwd: Promise<string>; beginning: string }
  >();
  const listeners = vscode.Disposable.from(
    vscode.window.onDidStartTerminalShellExecution(({ execution, terminal }) => {
      if (!isWanted() || !isTold(execution.commandLine.value, ownFolder)) return;
      const recorded = ring.begin();
      const held = {
        ...{ recorded, line: wholeLine(execution, terminal), cwd: startedIn(execution, terminal), beginning: '' },
      };
      running.set(execution, held);
      void (async () => {
        // All of it must be read, or it would be kept for whoever comes.
        for await (const piece of execution.read()) {
          if (held.beginning.length < 1_000) held.beginning += piece;
          recorded.output(piece);
        }
      })();
    }),
    vscode.window.onDidEndTerminalShellExecution(({ execution, exitCode }) => {
      const ended = running.get(execution);
      running.delete(execution);
      // The last of the output may come after the end; it never takes long.
      setTimeout(() => {
        // A command of which VS Code told nothing would stand in a prompt as one that printed nothing.
        if (!ended || !isOutputTold(ended.beginning)) return;
        void Promise.all([ended.line, ended.cwd]).then(([line, cwd]) => {
          // A part of a line would stand there as the whole.
          if (line !== undefined && isTold(line, ownFolder)) ended.recorded.end(line, cwd, exitCode);
        });
      }, 200);
    }),
  );
  return {
    read: () => (isWanted() ? ring.read() : []),
    dispose: () => listeners.dispose(),
  };
}

/** The first command of a terminal does not say where; the kernel knows. */
async function startedIn(execution: vscode.TerminalShellExecution, terminal: vscode.Terminal): Promise<string> {
  return execution.cwd?.fsPath ?? (await folderOf(terminal)) ?? usualFolder();
}
