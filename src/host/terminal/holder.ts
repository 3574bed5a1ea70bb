import { readdir, readFile, readlink } from 'node:fs/promises';
import type * as vscode from 'vscode';
import type { ShellName } from '../../core/action/action.ts';
import { shellNamed } from '../predict/selection.ts';

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
