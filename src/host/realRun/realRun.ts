import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { CommandAction } from '../../core/action/action.ts';
import { quoteWord } from '../../core/shell/quoteWord.ts';
import { shellOf } from '../../core/shell/shells.ts';
import { shellNamed } from '../predict/selection.ts';
import type { Settings } from '../settings.ts';
import { isAtPrompt } from '../terminal/holder.ts';
import { placeOf } from '../terminal/terminals.ts';
import { isOutputTold, keptOutput, withoutMarks } from '../terminal/terminalText.ts';

/** How long a new shell may take until VS Code has found its way into it. */
const integrationMs = 6_000;

/** How a real run ended. */
export type RealEnding =
  /** `output` is absent where VS Code did not tell it. */
  | { watched: true; exitCode: number | undefined; output: string | undefined; durationMs: number }
  | { watched: false; sentence: string };

/** Runs commands in a terminal that the user sees. */
export interface Runner {
  run(action: CommandAction, preferred: vscode.Terminal | undefined, settings: Settings): Promise<RealEnding>;
}

export interface RunnerOptions {
  /** Where scripts of several lines are put, so that the shell can read them. */
  folder: vscode.Uri;
  /** What is typed at the prompt of a terminal and not run yet, where it can be told. */
  typedIn(terminal: vscode.Terminal): Promise<string | undefined>;
}

export function createRunner({ folder, typedIn }: RunnerOptions): Runner {
  let own: vscode.Terminal | undefined;

  async function terminalFor(
    action: CommandAction,
    preferred: vscode.Terminal | undefined,
    settings: Settings,
  ): Promise<vscode.Terminal> {
    for (const terminal of [preferred, own]) {
      if (terminal && terminal.exitStatus === undefined && (await fits(terminal, action, settings))) return terminal;
    }
    own = vscode.window.createTerminal({
      name: 'Foretell',
      cwd: action.cwd,
      iconPath: new vscode.ThemeIcon('telescope'),
      ...(shellNamed(vscode.env.shell) === action.shell || action.shell === 'sh' ? {} : { shellPath: action.shell }),
    });
    return own;
  }

  return {
    async run(action, preferred, settings) {
      const terminal = await terminalFor(action, preferred, settings);
      terminal.show(true);
      const integration = await shellIntegration(terminal);
      const { shell } = await placeOf(terminal, settings);
      const line = await lineFor(action, shell, folder);
      if (!integration) {
        terminal.sendText(line);
        const sentence = 'The terminal has no shell integration, so its output and exit code could not be read.';
        return { watched: false, sentence };
      }
      // What stands there already is run as the user would, by Enter: typed anew, it would stand there twice.
      const isTyped = terminal === preferred && (await typedIn(terminal)) === action.script;
      return watch(terminal, isTyped ? () => pressEnter(terminal) : () => integration.executeCommand(line));
    },
  };
}

async function fits(terminal: vscode.Terminal, action: CommandAction, settings: Settings): Promise<boolean> {
  const place = await placeOf(terminal, settings);
  const shellFits = place.shell === action.shell || action.shell === 'sh';
  return place.cwd === action.cwd && shellFits && (await isAtPrompt(terminal)) !== false;
}

async function shellIntegration(terminal: vscode.Terminal): Promise<vscode.TerminalShellIntegration | undefined> {
  if (terminal.shellIntegration) return terminal.shellIntegration;
  return new Promise((resolve) => {
    const finish = (found: vscode.TerminalShellIntegration | undefined) => {
      listener.dispose();
      clearTimeout(timer);
      resolve(found);
    };
    const listener = vscode.window.onDidChangeTerminalShellIntegration((event) => {
      if (event.terminal === terminal) finish(event.shellIntegration);
    });
    const timer = setTimeout(() => finish(terminal.shellIntegration), integrationMs);
  });
}

/** `executeCommand` loses track of scripts of several lines (their start and end never match): those go into a file. */
async function lineFor(action: CommandAction, shell: string, folder: vscode.Uri): Promise<string> {
  const isOneLine = !action.script.includes('\n');
  if (isOneLine && (action.shell === shell || (action.shell === 'sh' && shell === 'bash'))) return action.script;
  const { dialect } = shellOf(shell) ?? {};
  const option = shellOf(action.shell)?.script ?? '-c';
  if (isOneLine && action.shell !== shell) return `${action.shell} ${option} ${quoteWord(action.script, dialect)}`;
  await mkdir(folder.fsPath, { recursive: true });
  const file = path.join(folder.fsPath, `run-${Date.now()}.sh`);
  await writeFile(file, `${action.script}\n`, { mode: 0o600 });
  if (action.shell !== shell) return `${action.shell} ${quoteWord(file, dialect)}`;
  return `${dialect === 'fish' ? 'source' : '.'} ${quoteWord(file, dialect)}`;
}

function watch(terminal: vscode.Terminal, begin: () => vscode.TerminalShellExecution | undefined): Promise<RealEnding> {
  const startedAt = Date.now();
  return new Promise((resolve) => {
    const listeners: vscode.Disposable[] = [];
    const finish = (ending: RealEnding) => {
      for (const listener of listeners) listener.dispose();
      resolve(ending);
    };
    let output = '';
    let reading = Promise.resolve();
    let execution: vscode.TerminalShellExecution | undefined;
    const follow = (begun: vscode.TerminalShellExecution) => {
      execution = begun;
      reading = (async () => {
        for await (const piece of begun.read()) if (output.length < keptOutput) output += piece;
      })();
    };
    // Both events are listened to before the command starts: a short one is over at once.
    listeners.push(
      vscode.window.onDidEndTerminalShellExecution((event) => {
        if (event.execution !== execution) return;
        const durationMs = Date.now() - startedAt;
        // The last of the output may come after the end; it never takes long.
        const drained = Promise.race([reading, new Promise((wait) => setTimeout(wait, 1_000))]);
        void drained.then(() =>
          finish({
            watched: true,
            exitCode: event.exitCode,
            output: isOutputTold(output) ? withoutMarks(output) : undefined,
            durationMs,
          }),
        );
      }),
      vscode.window.onDidCloseTerminal((closed) => {
        if (closed === terminal)
          finish({ watched: false, sentence: 'The terminal was closed before the command ended.' });
      }),
    );
    listeners.push(
      vscode.window.onDidStartTerminalShellExecution((event) => {
        if (event.terminal === terminal && !execution) follow(event.execution);
      }),
    );
    const begun = begin();
    if (begun) follow(begun);
  });
}

/** The shell's own start of the command tells then which execution it is. */
function pressEnter(terminal: vscode.Terminal): undefined {
  terminal.sendText('\r', false);
}
