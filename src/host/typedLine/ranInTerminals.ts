import { readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { foundOnPath } from '../../core/shell/foundOnPath.ts';
import { fileKeepsKeys, keepsKeys } from './keepsKeys.ts';

/** A shell that is older than this when it is first seen may have run anything before. */
const newShellMs = 15_000;
/** How long it may take until VS Code tells that the shell runs what it is taught by. */
const teachingMs = 10_000;
/** The kernel counts the start of processes in hundredths of a second, wherever Linux runs today. */
const tickMs = 10;

/** What is known of the commands that ran in the terminals. */
export interface RanInTerminals extends vscode.Disposable {
  /** A command of the user's has begun in a terminal: none by which we teach the shell. */
  readonly onCommand: vscode.Event<vscode.Terminal>;
  /** A command has begun and not ended. */
  isRunning(terminal: vscode.Terminal): boolean;
  /**
   * The next command that begins is the one by which we teach the shell to tell what is typed: what VS Code says its words
   * are was read from the screen, and that shows another one meanwhile. `isOver`: it was not run.
   */
  teaches(terminal: vscode.Terminal, isOver?: boolean): void;
  /** Every command since its shell started is known, and none of them can have changed what its keys mean. */
  keptKeys(terminal: vscode.Terminal): Promise<boolean>;
}

export function createRanInTerminals(): RanInTerminals {
  const started = new WeakMap<vscode.Terminal, Promise<boolean>>();
  /** The executions that may have changed the keys, and whether each has printed nothing. */
  const doubtful = new WeakMap<vscode.Terminal, Map<vscode.TerminalShellExecution, Promise<boolean>>>();
  const teachingUntil = new WeakMap<vscode.Terminal, number>();
  const running = new WeakMap<vscode.Terminal, vscode.TerminalShellExecution>();
  /** In these a virtual environment was put in place, which `deactivate` takes back. */
  const activated = new WeakSet<vscode.Terminal>();
  const commands = new vscode.EventEmitter<vscode.Terminal>();
  const see = (terminal: vscode.Terminal) => {
    if (!started.has(terminal)) started.set(terminal, isNew(terminal));
  };
  for (const terminal of vscode.window.terminals) see(terminal);
  const listeners = [
    commands,
    vscode.window.onDidOpenTerminal(see),
    vscode.window.onDidStartTerminalShellExecution(({ terminal, execution }) => {
      running.set(terminal, execution);
      const { value, confidence } = execution.commandLine;
      const isSure = confidence === vscode.TerminalShellExecutionCommandLineConfidence.High;
      const isTeaching = Date.now() < (teachingUntil.get(terminal) ?? 0);
      teachingUntil.delete(terminal);
      if (!isTeaching) commands.fire(terminal);
      const isHarmless = (name: string) => isOnPath(name) || (name === 'deactivate' && activated.has(terminal));
      const isKept = (file: string) => {
        const keeps = fileKeepsKeys(textOf(path.resolve(execution.cwd?.fsPath ?? '/', file)) ?? 'not read');
        if (keeps) activated.add(terminal);
        return keeps;
      };
      if (isTeaching || (isSure && keepsKeys(value, isHarmless, isKept))) return;
      const doubts = doubtful.get(terminal) ?? new Map<vscode.TerminalShellExecution, Promise<boolean>>();
      doubtful.set(terminal, doubts.set(execution, printsNothing(execution)));
    }),
    vscode.window.onDidEndTerminalShellExecution(({ terminal, execution, exitCode }) => {
      if (running.get(terminal) === execution) running.delete(terminal);
      // What ran has an exit code. A line that was given up in fish is told as an execution as well, with the words that
      // the screen shows; it ends in the moment in which it began.
      const doubts = doubtful.get(terminal);
      if (exitCode === undefined) void doubts?.get(execution)?.then((silent) => silent && doubts.delete(execution));
    }),
  ];
  return {
    onCommand: commands.event,
    teaches(terminal, isOver) {
      if (isOver) teachingUntil.delete(terminal);
      else teachingUntil.set(terminal, Date.now() + teachingMs);
    },
    isRunning: (terminal) => running.has(terminal),
    async keptKeys(terminal) {
      const isSeen = (await started.get(terminal)) === true;
      return isSeen && (doubtful.get(terminal)?.size ?? 0) === 0;
    },
    dispose: () => vscode.Disposable.from(...listeners).dispose(),
  };
}

/** A short file's text, as it was when the shell read it a moment ago. */
function textOf(file: string): string | undefined {
  try {
    const status = statSync(file);
    return status.isFile() && status.size < 64 * 1024 ? readFileSync(file, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

async function printsNothing(execution: vscode.TerminalShellExecution): Promise<boolean> {
  for await (const data of execution.read()) {
    // VS Code hands its own marks of begin and end over with what is printed.
    if (data.replaceAll(/\u001b\]633;[^\u0007\u001b]*(?:\u0007|\u001b\\)/g, '') !== '') return false;
  }
  return true;
}

async function isNew(terminal: vscode.Terminal): Promise<boolean> {
  const status = await readFile(`/proc/${await terminal.processId}/stat`, 'utf8').catch(() => '');
  // proc(5): the 22nd field, of which 20 are behind the name in parentheses.
  const startedTicks = Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[19]);
  return os.uptime() * 1_000 - startedTicks * tickMs < newShellMs;
}

const isOnPath = (name: string) => foundOnPath(name, process.env) !== undefined;
