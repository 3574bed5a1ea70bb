import { readlink } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { acceptedLine } from '../typedLine/acceptedLine.ts';
import { variableOfBash } from '../typedLine/stateInMemory.ts';

/** Whether VS Code is told whole lines by the shells of terminals, as far as it was seen. */
const tellsWhole = new WeakMap<vscode.Terminal, boolean>();

/**
 * The whole line of a command that has just begun. Where HISTCONTROL leaves lines out of its history, as on Debian, bash tells VS Code the
 * first command of a line alone, without its leading blank. `undefined`: what is told may be such a part, and the line is not known.
 */
export async function wholeLine(
  { commandLine }: vscode.TerminalShellExecution,
  terminal: vscode.Terminal,
): Promise<string | undefined> {
  const { value, confidence } = commandLine;
  // Low: read from the screen, where it can have been anything.
  if (confidence === vscode.TerminalShellExecutionCommandLineConfidence.Low) return undefined;
  const processId = await terminal.processId;
  if (processId === undefined || tellsWhole.get(terminal)) return value;
  const program = await readlink(`/proc/${processId}/exe`).catch(() => '');
  if (path.basename(program) !== 'bash') return value;
  // The next line takes the place of this one.
  const accepted = await acceptedLine(processId, value);
  if (!tellsWhole.has(terminal)) {
    const verifies = await variableOfBash(processId, '__vsc_history_verify');
    if (verifies !== undefined) tellsWhole.set(terminal, verifies === '1');
    else if (await hasSeveral(value)) tellsWhole.set(terminal, true);
  }
  return tellsWhole.get(terminal) ? value : accepted;
}

/** The first command alone is never a list or a pipeline. */
async function hasSeveral(line: string): Promise<boolean> {
  const { readScript } = await import('../../core/shell/script.ts');
  const { body, problem } = readScript(line);
  return !problem && ['list', 'choice', 'pipeline'].includes(body.kind) && 'items' in body && body.items.length > 1;
}
