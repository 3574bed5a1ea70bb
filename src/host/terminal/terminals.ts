import { readdir, readFile, readlink } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { ShellName } from '../../core/action/action.ts';
import { type Pointed, shellNamed, usualFolder, usualShell } from '../predict/selection.ts';
import type { Settings } from '../settings.ts';
import type { TypedLine } from '../typedLine/typedLine.ts';

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

/** Who reads what is typed in a terminal. `name` of a program may be empty; `shell`: the terminal's own, where it is known. */
export type Holder =
  | { kind: 'shell'; shell: ShellName; isShellWithin?: false }
  | { kind: 'program'; name: string; shell?: ShellName; isShellWithin?: boolean }
  | { kind: 'unknown'; shell?: undefined; isShellWithin?: false };

/** Tells whether the shell itself has the terminal, or a program that it started or that stands in its place. */
export async function holderOf(terminal: vscode.Terminal): Promise<Holder> {
  const processId = await terminal.processId;
  const own = processId === undefined ? undefined : await processStatus(processId);
  if (!own) return { kind: 'unknown' };
  const program = await readlink(`/proc/${processId}/exe`).catch(() => undefined);
  const shell = shellNamed(program?.replace(/ \(deleted\)$/, ''));
  if (!shell) return { kind: 'program', name: own.name };
  if (own.group !== own.foregroundGroup) {
    const name = (await processStatus(own.foregroundGroup))?.name ?? '';
    return { kind: 'program', name, shell, isShellWithin: shellNamed(name) !== undefined };
  }
  // Without job control (`bash -c`) what a shell starts is in its own group.
  const beside = await otherInGroup(own);
  return beside ? { kind: 'program', name: beside.name, shell, isShellWithin: true } : { kind: 'shell', shell };
}

/** Whether the shell itself has the terminal, and no program that it started. `undefined`: it cannot be told. */
export async function isAtPrompt(terminal: vscode.Terminal): Promise<boolean | undefined> {
  const { kind } = await holderOf(terminal);
  return kind === 'unknown' ? undefined : kind === 'shell';
}

interface ProcessStatus {
  processId: number;
  name: string;
  isOver: boolean;
  group: number;
  terminal: number;
  foregroundGroup: number;
}

async function processStatus(processId: number): Promise<ProcessStatus | undefined> {
  const text = await readFile(`/proc/${processId}/stat`, 'utf8').catch(() => '');
  // proc(5): behind the name in parentheses come state, ppid, pgrp, session, tty_nr, tpgid.
  const [begin, end] = [text.indexOf('('), text.lastIndexOf(')')];
  const [state = '', , group, , tty, foregroundGroup] = text.slice(end + 2).split(' ');
  if (begin < 0 || foregroundGroup === undefined) return undefined;
  const name = text.slice(begin + 1, end);
  const isOver = state === 'Z' || state === 'X';
  return {
    ...{ processId, name, isOver },
    ...{ group: Number(group), terminal: Number(tty), foregroundGroup: Number(foregroundGroup) },
  };
}

/** A process in the same group, at the same terminal. */
async function otherInGroup(own: ProcessStatus): Promise<ProcessStatus | undefined> {
  const names = await readdir('/proc').catch(() => []);
  const others = names.map(Number).filter((number) => number > 0 && number !== own.processId);
  const all = await Promise.all(others.map(processStatus));
  return all.find((one) => one && one.group === own.group && one.terminal === own.terminal && !one.isOver);
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
