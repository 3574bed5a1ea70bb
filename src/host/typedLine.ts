import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type * as vscode from 'vscode';
import type { ShellName } from '../core/action/action.ts';
import type { LineEditing } from './lineEditing.ts';
import { askKeys, lineEditors } from './typedLineHook.ts';

/** How long a shell that knows the key may take. */
const answerMs = 400;
/** How long it may take to learn it. */
const firstAnswerMs = 4_000;

/** Reads the line that is typed in a terminal and not run yet. */
export interface TypedLine {
  /** The line, or one clause that says why there is none. The line stays in the terminal. */
  read(terminal: vscode.Terminal, shell: ShellName): Promise<{ line: string } | { problem: string }>;
}

/**
 * No API tells what is typed. Running it as a comment (readline's `insert-comment`) would, but VS Code reads such a line
 * from the screen, where a blank at the end of a wrapped row is lost: exact is only what the shell's own line editor says.
 * So the shell is taught a key, once for each terminal, that writes the line into a file of ours in `folder`.
 */
export function createTypedLine(
  folder: vscode.Uri,
  lineEditing: (terminal: vscode.Terminal, shell: ShellName) => Promise<LineEditing | undefined>,
): TypedLine {
  const taught = new WeakSet<vscode.Terminal>();
  let count = 0;
  return {
    async read(terminal, shell) {
      const editor = lineEditors[shell];
      if (!editor) return { problem: `${shell} cannot be asked what is typed` };
      await mkdir(folder.fsPath, { recursive: true, mode: 0o700 });
      const answer = path.join(folder.fsPath, `typed-in-${await terminal.processId}`);
      await rm(answer, { force: true });
      if (taught.has(terminal)) {
        terminal.sendText(askKeys, false);
        const line = await waitFor(answer, answerMs);
        if (line !== undefined) return { line };
      }
      // Not taught yet, or another shell has taken its place in this terminal.
      count += 1;
      const hookFile = path.join(folder.fsPath, `ask-${shell}-${count}`);
      const editing = await lineEditing(terminal, shell);
      const keys = editing && editor.sourceKeys(hookFile, editing);
      if (keys === undefined) {
        return { problem: editing ? `${shell} edits in vi mode, and is not asked` : `${shell} has keys of its own` };
      }
      await writeFile(hookFile, editor.hook(answer), { mode: 0o600 });
      terminal.sendText(`${keys}${askKeys}`, false);
      const line = await waitFor(answer, firstAnswerMs);
      if (line !== undefined) taught.add(terminal);
      await rm(hookFile, { force: true });
      await rm(answer, { force: true });
      return line === undefined ? { problem: `${shell} did not say what is typed` } : { line };
    },
  };
}

/** A file is polled, because a FIFO would block the prompt for ever when nobody reads it any more. */
async function waitFor(file: string, limitMs: number): Promise<string | undefined> {
  const end = Date.now() + limitMs;
  while (Date.now() < end) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text.endsWith('\0')) return text.slice(0, -1);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return undefined;
}
