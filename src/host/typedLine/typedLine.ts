import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type * as vscode from 'vscode';
import type { ShellName } from '../../core/action/action.ts';
import { askKeys, lineEditors } from './askingKeys.ts';
import type { LineEditing } from './lineEditing.ts';
import { lineInMemory } from './lineInMemory.ts';
import type { RanInTerminals } from './ranInTerminals.ts';

/** How long a shell that knows the key may take. */
const answerMs = 400;
/** How long it may take to learn it. */
const firstAnswerMs = 4_000;

/** Reads the line that is typed in a terminal and not run yet. */
export interface TypedLine {
  /** The line, or one sentence that says why there is none. The line stays in the terminal as it is. */
  read(terminal: vscode.Terminal, shell: ShellName): Promise<{ line: string } | { problem: string }>;
}

export interface TypedLineOptions {
  /** Where shells are told what to do, and answer. */
  folder: vscode.Uri;
  ran: RanInTerminals;
  /** How keys edit a line in a shell that has just been started as this one was. */
  lineEditing(terminal: vscode.Terminal, shell: ShellName): Promise<LineEditing | undefined>;
}

const problems = {
  running: 'A program is running in this terminal. Predict when the prompt is back, or select a command.',
  continued: 'What is typed continues a command from the lines above it. Select the whole command instead.',
  searching: 'The shell is searching its history. Accept a line there first, or select one.',
};
const control =
  'What is typed holds control characters, which a terminal does not show. Select the command, or type it anew.';
const noText = 'What is typed is no text in UTF-8. Select the command, or type it anew.';

/**
 * No API tells what is typed. bash and zsh are not asked but looked at: their memory holds the line, and their keys may
 * mean anything by now. Where that is not possible, zsh and fish are taught a key, once for each terminal, that writes the
 * line into a file of ours; but only where nothing that ran can have changed what the keys mean that are needed for it.
 * A screen is never read: there a blank at the end of a row is lost, and a suggestion looks like what was typed.
 */
export function createTypedLine({ folder, ran, lineEditing }: TypedLineOptions): TypedLine {
  const taught = new WeakSet<vscode.Terminal>();
  let count = 0;

  /** The answer of the shell to keys, or a sentence. */
  async function ask(terminal: vscode.Terminal, shell: ShellName): Promise<Buffer | { problem: string }> {
    const select = 'Select it there instead.';
    const editor = lineEditors[shell];
    if (!editor) return { problem: `${shell} cannot be asked what is typed in this terminal. ${select}` };
    if (ran.isRunning(terminal)) return { problem: problems.running };
    if (!(await ran.keptKeys(terminal))) {
      const sentence = `What ran in this terminal may have changed the keys of ${shell}, so it is not asked what is typed.`;
      return { problem: `${sentence} ${select}` };
    }
    await mkdir(folder.fsPath, { recursive: true, mode: 0o700 });
    const answer = path.join(folder.fsPath, `typed-in-${await terminal.processId}`);
    await rm(answer, { force: true });
    if (taught.has(terminal)) {
      terminal.sendText(askKeys, false);
      const line = await waitFor(answer, answerMs);
      await rm(answer, { force: true });
      return line ?? { problem: `${shell} did not say what is typed. ${select}` };
    }
    const editing = await lineEditing(terminal, shell);
    count += 1;
    const hookFile = path.join(folder.fsPath, `ask-${shell}-${count}`);
    const keys = editing && editor.sourceKeys(hookFile, editing);
    if (keys === undefined) {
      const why = editing ? 'edits in vi mode' : 'has keys of its own';
      return { problem: `${shell} ${why}, so it is not asked what is typed. ${select}` };
    }
    await writeFile(hookFile, editor.hook(answer), { mode: 0o600 });
    terminal.sendText(`${keys}${askKeys}`, false);
    const line = await waitFor(answer, firstAnswerMs);
    if (line !== undefined) taught.add(terminal);
    await rm(hookFile, { force: true });
    await rm(answer, { force: true });
    return line ?? { problem: `${shell} did not say what is typed. ${select}` };
  }

  return {
    async read(terminal, shell) {
      const processId = await terminal.processId;
      const seen = processId === undefined ? undefined : await lineInMemory(processId, shell);
      if (seen && 'problem' in seen) return { problem: problems[seen.problem] };
      const answer = seen?.line ?? (await ask(terminal, shell));
      return 'problem' in answer ? answer : textOf(answer);
    },
  };
}

function textOf(bytes: Buffer): { line: string } | { problem: string } {
  const line = bytes.toString('utf8');
  if (line.includes('\ufffd')) return { problem: noText };
  return /[^\P{Cc}\t\n]/u.test(line) ? { problem: control } : { line };
}

/** A file is polled, because a FIFO would block the prompt for ever when nobody reads it any more. */
async function waitFor(file: string, limitMs: number): Promise<Buffer | undefined> {
  const end = Date.now() + limitMs;
  while (Date.now() < end) {
    const text = await readFile(file).catch(() => Buffer.alloc(0));
    if (text.at(-1) === 0) return text.subarray(0, -1);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return undefined;
}
