import { readFile, readlink } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { ShellName } from '../core/action/action.ts';
import { type Pointed, shellNamed, usualFolder, usualShell } from './selection.ts';
import type { Settings } from './settings.ts';
import type { TypedLine } from './typedLine.ts';

/** A sentence where there is nothing to predict. */
export type PointedOrNot = Pointed | { sentence: string };

/** Text that is selected in a terminal. */
export async function pointedInTerminal(terminal: vscode.Terminal, settings: Settings): Promise<PointedOrNot> {
  const text = await selectedText(terminal);
  if (text === undefined) return { sentence: 'Nothing is selected in the terminal. Select a command there first.' };
  return { text, options: { ...(await placeOf(terminal, settings)), source: 'terminal' }, terminal };
}

/** The line that is typed in the terminal and not run yet. */
export async function pointedTypedLine(
  terminal: vscode.Terminal,
  settings: Settings,
  typedLine: TypedLine,
): Promise<PointedOrNot> {
  const { cwd, shell } = await placeOf(terminal, { ...settings, shell: undefined });
  if ((await isAtPrompt(terminal)) === false) {
    return { sentence: 'A program is running in this terminal. Predict when the prompt is back, or select a command.' };
  }
  const read = await typedLine.read(terminal, shell);
  if ('problem' in read) return { sentence: `${read.problem}. Select the line instead.` };
  const { line } = read;
  if (line.trim() === '') {
    return { sentence: 'Nothing is typed in the terminal. Type a command there, or select one.' };
  }
  return { text: line, options: { cwd, shell, source: 'input' }, terminal };
}

/** Where a command would run if it were typed in this terminal, and in which shell. */
export async function placeOf(
  terminal: vscode.Terminal,
  settings: Settings,
): Promise<{ cwd: string; shell: ShellName }> {
  const processId = await terminal.processId;
  const program = processId === undefined ? undefined : await readlink(`/proc/${processId}/exe`).catch(() => undefined);
  return {
    cwd: (await folderOf(terminal)) ?? usualFolder(),
    shell: settings.shell ?? shellNamed(program) ?? usualShell(settings),
  };
}

/** Whether the shell itself has the terminal, and no program that it started. `undefined`: it cannot be told. */
export async function isAtPrompt(terminal: vscode.Terminal): Promise<boolean | undefined> {
  const processId = await terminal.processId;
  const status = await readFile(`/proc/${processId}/stat`, 'utf8').catch(() => '');
  // proc(5): behind the name in parentheses come state, ppid, pgrp, session, tty_nr, tpgid.
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
  return fields.length > 5 ? fields[2] === fields[5] : undefined;
}

/** Where the shell of a terminal stands now; `undefined`: it cannot be told. */
export async function folderOf(terminal: vscode.Terminal): Promise<string | undefined> {
  const processId = await terminal.processId;
  // The kernel knows it at any time; shell integration only after the first prompt.
  const real = processId === undefined ? undefined : await readlink(`/proc/${processId}/cwd`).catch(() => undefined);
  return terminal.shellIntegration?.cwd?.fsPath ?? real;
}

async function selectedText(terminal: vscode.Terminal): Promise<string | undefined> {
  // There at run time in newer versions, but not in the stable API.
  const direct: unknown = (terminal as { selection?: unknown }).selection;
  if (typeof direct === 'string' && direct !== '') return direct;
  const clipboard = vscode.env.clipboard;
  const kept = await clipboard.readText();
  const probe = `foretell ${Date.now()}`;
  await clipboard.writeText(probe);
  try {
    await vscode.commands.executeCommand('workbench.action.terminal.copySelection');
    const text = await clipboard.readText();
    return text === probe || text === '' ? undefined : text;
  } finally {
    await clipboard.writeText(kept);
  }
}
