import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { drive, folder, sleep, until } from './window.ts';

/** A data folder of its own in which fish finds that it was started before: the first time it works in the foreground, for seconds. */
async function dataHome(): Promise<string> {
  const { FORETELL_RESULT: result = '' } = process.env;
  const made = await mkdtemp(path.join(path.dirname(result), 'data-'));
  await mkdir(path.join(made, 'fish/generated_completions'), { recursive: true });
  return made;
}

/** A terminal in the project with shell integration, shown and with the keyboard in it. */
export async function openTerminal(shellPath?: string, env: Record<string, string> = {}): Promise<vscode.Terminal> {
  // Only so are its rows text that can be read and clicked.
  await vscode.workspace
    .getConfiguration('terminal.integrated')
    .update('gpuAcceleration', 'off', vscode.ConfigurationTarget.Global);
  const terminal = vscode.window.createTerminal({
    cwd: folder(),
    env: { XDG_DATA_HOME: await dataHome(), ...env },
    ...(shellPath ? { shellPath } : {}),
  });
  terminal.show(false);
  await until('shell integration', () => terminal.shellIntegration);
  await atPrompt(terminal);
  await sleep(300);
  return terminal;
}

/** Waits until the shell edits its line and nothing that it started is in the foreground, as zsh does between two commands. */
export async function atPrompt(terminal: vscode.Terminal): Promise<void> {
  let times = 0;
  await until('a shell at its prompt', async () => {
    times = (await isForeground(terminal)) && (await editsLine(terminal)) ? times + 1 : 0;
    return times >= 3;
  });
}

/** By proc(5): behind the name in parentheses come state, ppid, pgrp, session, tty_nr, tpgid. */
async function isForeground(terminal: vscode.Terminal): Promise<boolean> {
  const text = await readFile(`/proc/${await terminal.processId}/stat`, 'utf8');
  const [, , group, , , foreground] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return group === foreground;
}

/**
 * The shell takes every key itself. What is typed while it still starts goes through the kernel, to which some keys mean
 * something as well: of `^V ^E` only `^E` is left, which is a key of the shell and no character.
 */
async function editsLine(terminal: vscode.Terminal): Promise<boolean> {
  const device = await readlink(`/proc/${await terminal.processId}/fd/0`);
  const { stdout } = await promisify(execFile)('stty', ['-F', device, '-a']);
  return / -icanon /.test(stdout);
}

/** Puts the keyboard into a terminal. */
export async function inTerminal(terminal: vscode.Terminal): Promise<void> {
  terminal.show(false);
  await until('the keyboard in the terminal', () =>
    drive('evaluate', "document.activeElement?.classList.contains('xterm-helper-textarea')"),
  );
}

/** What the terminal shows, without blank rows. */
export async function terminalRows(): Promise<string[]> {
  return ((await drive('texts', '.xterm-rows > div')) as string[]).filter((row) => row.trim() !== '');
}
