import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type * as vscode from 'vscode';
import type { ShellName } from '../../core/action/action.ts';
import { holderOf } from '../terminal/holder.ts';
import { askKeys, lineEditors, redrawKeys } from './askingKeys.ts';
import { besideScreen } from './besideScreen.ts';
import type { LineEditing } from './lineEditing.ts';
import { lineInMemory } from './lineInMemory.ts';
import type { RanInTerminals } from './ranInTerminals.ts';
import { createShellAnswers, type ShellAnswer } from './shellAnswers.ts';
import type { ToldState } from './stateInMemory.ts';

/** How long a shell that knows the key may take. */
const answerMs = 1_500;
/** How long it may take to learn it. */
const firstAnswerMs = 4_000;

/** Reads the line that is typed in a terminal and not run yet. */
export interface TypedLine extends vscode.Disposable {
  /** The line, or one sentence that says why there is none. The line stays in the terminal as it is. */
  read(terminal: vscode.Terminal, shell: ShellName): Promise<{ line: string } | { problem: string }>;
  /** The same, where it can be told without teaching the shell anything. */
  seen(terminal: vscode.Terminal): Promise<string | undefined>;
  /** What the shell of a terminal exported when it was asked by keys the last time; nothing has run there since. */
  told(terminal: vscode.Terminal): ToldState | undefined;
}

export interface TypedLineOptions {
  /** Where shells are told what to do. */
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
  'What is typed holds control characters, which a terminal does not show. Select the command, or type it again.';
const noText = 'What is typed is not UTF-8 text. Select the command, or type it again.';

/**
 * No API tells what is typed. bash and zsh are not asked but looked at: their memory holds the line, and their keys may
 * mean anything by now. Where that is not possible, zsh and fish are taught a key, once for each terminal, that writes the
 * line into a file of ours; but only where nothing that ran can have changed what the keys mean that are needed for it.
 * A screen is never read: there a blank at the end of a row is lost, and a suggestion looks like what was typed.
 */
export function createTypedLine({ folder, ran, lineEditing }: TypedLineOptions): TypedLine {
  const taught = new WeakSet<vscode.Terminal>();
  const told = new WeakMap<vscode.Terminal, ToldState>();
  const answers = createShellAnswers();
  let count = 0;

  /** The answer of the shell to keys, or a sentence. */
  async function ask(terminal: vscode.Terminal, shell: ShellName): Promise<ShellAnswer | { problem: string }> {
    const select = 'Select it there instead.';
    const editor = lineEditors[shell];
    if (!editor) return { problem: `${shell} cannot be asked what is typed in this terminal. ${select}` };
    if (ran.isRunning(terminal)) return { problem: problems.running };
    if (!(await ran.keptKeys(terminal))) {
      const sentence = `What ran in this terminal may have changed the keys of ${shell}, so it is not asked what is typed.`;
      return { problem: `${sentence} ${select}` };
    }
    const processId = await terminal.processId;
    const file = await answers.prepare(processId);
    const askOnce = (limitMs: number) => {
      terminal.sendText(askKeys, false);
      return answers.take(file, limitMs);
    };
    if (taught.has(terminal)) {
      return (await askOnce(answerMs)) ?? { problem: `${shell} did not say what is typed. ${select}` };
    }
    const editing = await lineEditing(terminal, shell);
    count += 1;
    await mkdir(folder.fsPath, { recursive: true, mode: 0o700 });
    const hookFile = path.join(folder.fsPath, `ask-${shell}-${count}`);
    const keys = editing && editor.sourceKeys(hookFile, editing);
    if (keys === undefined) {
      const why = editing ? 'edits in vi mode' : 'has keys of its own';
      return { problem: `${shell} ${why}, so it is not asked what is typed. ${select}` };
    }
    await writeFile(hookFile, editor.hook(file), { mode: 0o600 });
    const answer = await besideScreen(processId, async () => {
      ran.teaches(terminal);
      terminal.sendText(keys, false);
      const first = await askOnce(firstAnswerMs);
      // It reads the second key when all that the first one made it print is printed.
      return first && ((await askOnce(firstAnswerMs)) ?? first);
    });
    if (answer !== undefined) {
      taught.add(terminal);
      terminal.sendText(redrawKeys, false);
    } else ran.teaches(terminal, true);
    await rm(hookFile, { force: true });
    return answer ?? { problem: `${shell} did not say what is typed. ${select}` };
  }

  async function inMemory(terminal: vscode.Terminal, shell: ShellName) {
    const processId = await terminal.processId;
    return processId === undefined ? undefined : lineInMemory(processId, shell);
  }

  // VS Code may tell that the shell was taught only behind its answer: that command changes nothing that was told.
  const listener = ran.onCommand((terminal) => told.delete(terminal));

  return {
    async seen(terminal) {
      const { kind, shell } = await holderOf(terminal);
      if (kind !== 'shell' || !shell) return undefined;
      const found = await inMemory(terminal, shell);
      const answer = found ?? (taught.has(terminal) ? await ask(terminal, shell) : undefined);
      const read = answer && 'line' in answer ? textOf(answer.line) : undefined;
      return read && 'line' in read ? read.line : undefined;
    },
    async read(terminal, shell) {
      const seen = await inMemory(terminal, shell);
      if (seen && 'problem' in seen) return { problem: problems[seen.problem] };
      if (seen) return textOf(seen.line);
      const answer = await ask(terminal, shell);
      if ('problem' in answer) return answer;
      if (answer.state) told.set(terminal, answer.state);
      return textOf(answer.line);
    },
    told: (terminal) => told.get(terminal),
    dispose() {
      listener.dispose();
      void answers.dispose();
    },
  };
}

function textOf(bytes: Buffer): { line: string } | { problem: string } {
  const line = bytes.toString('utf8');
  if (line.includes('\ufffd')) return { problem: noText };
  return /[^\P{Cc}\t\n]/u.test(line) ? { problem: control } : { line };
}
