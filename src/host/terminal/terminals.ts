import { readlink } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { ShellName } from '../../core/action/action.ts';
import { type Pointed, shellNamed, usualFolder, usualShell } from '../predict/selection.ts';
import type { Settings } from '../settings.ts';
import type { TypedLine } from '../typedLine/typedLine.ts';
import { holderOf } from './holder.ts';

/** How long VS Code may take to tell what is selected. */
const selectionMs = 600;

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
  const { cwd } = await placeOf(terminal, settings);
  const holder = await holderOf(terminal);
  if (holder.kind === 'unknown')
    return { sentence: 'What runs in this terminal cannot be told. Select a command there.' };
  if (holder.kind === 'program') {
    const named = holder.name === '' ? '' : ` (${holder.name})`;
    const sentence = `A program is running in this terminal${named}. Predict when the prompt is back, or select a command.`;
    return { sentence };
  }
  const read = await typedLine.read(terminal, holder.shell);
  if ('problem' in read) return { sentence: read.problem };
  const { line } = read;
  if (line.trim() === '') {
    return { sentence: 'Nothing is typed in the terminal. Type a command there, or select one.' };
  }
  return { text: line, options: { cwd, shell: holder.shell, source: 'input' }, terminal };
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

/** Where the shell of a terminal stands now; `undefined`: it cannot be told. */
export async function folderOf(terminal: vscode.Terminal): Promise<string | undefined> {
  const processId = await terminal.processId;
  // The kernel knows it at any time; shell integration only after the first prompt.
  const real = processId === undefined ? undefined : await readlink(`/proc/${processId}/cwd`).catch(() => undefined);
  return terminal.shellIntegration?.cwd?.fsPath ?? real;
}

/** Whether text is selected in a terminal; `undefined`: this version of VS Code does not tell. */
export function hasSelection(terminal: vscode.Terminal): boolean | undefined {
  if (!('selection' in terminal)) return undefined;
  const { selection } = terminal as { selection?: unknown };
  return typeof selection === 'string' && selection !== '';
}

async function selectedText(terminal: vscode.Terminal): Promise<string | undefined> {
  if (!('selection' in terminal)) return copiedSelection();
  // There at run time in newer versions, but not in the stable API. It is told a moment after the user has selected it.
  const told = terminal as { selection?: unknown };
  for (const end = Date.now() + selectionMs; Date.now() < end; ) {
    const { selection } = told;
    if (typeof selection === 'string' && selection !== '') return selection;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return undefined;
}

/** Where nothing is selected, VS Code warns the user. */
async function copiedSelection(): Promise<string | undefined> {
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
