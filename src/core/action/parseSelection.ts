import { readScript } from '../shell/script.ts';
import { shebangProgram, shellOf } from '../shell/shells.ts';
import type { CommandAction, ShellName } from './action.ts';
import { foreignPatch } from './edit/preparePatch.ts';
import { type Fence, readFences, shellLanguages } from './markdown.ts';
import {
  looksLikeRootCommand,
  looksPrompted,
  type PromptedLine,
  readPrompt,
  stripContinuationPrompt,
} from './prompts.ts';
import { repairPasted } from './repair.ts';

/** What is around a selection. */
export interface SelectionOptions {
  /** Shell of the terminal that the command would run in; a shebang, a prompt or a Markdown fence overrules it. */
  shell: ShellName;
  /** Absolute. */
  cwd: string;
  /** Where the text was selected. `terminal`: prompts and output are likely. `markdown`: code spans and fences. */
  source?: 'editor' | 'terminal' | 'markdown' | 'input';
}

/** A selection as a command, or one sentence that says why it is none and what to do. */
export type ParsedSelection =
  | { ok: true; action: CommandAction /** What was left out or repaired, a sentence each. */; notes: string[] }
  | { ok: false; message: string };

/** Longest selection in UTF-16 units; a longer one is a file, not a command. */
export const selectionLimit = 1_048_576;

/**
 * Reads a selection as what its user means to run: without prompts, output, Markdown fences and the damage of pasting.
 * Never throws.
 */
export function parseSelection(text: string, options: SelectionOptions): ParsedSelection {
  if (text.length > selectionLimit) return no('More than 1 MB is selected. Select only the command.');
  if (text.includes('\0')) return no('The selection is not text. Select a command in a text file or in the terminal.');
  const repaired = repairPasted(text);
  const notes = repaired.notes;
  const unfenced = takeFences(repaired.text, options, notes);
  if (!unfenced.ok) return unfenced;
  let shell = unfenced.shell ?? options.shell;
  let script = dedent(unfenced.text);
  if (script.trim() === '') return no('Nothing is selected. Select a command, or type one.');
  const foreign = foreignLanguage(script);
  if (foreign) return no(foreign);

  const shebang = readShebang(script);
  if (shebang?.message !== undefined) return no(shebang.message);
  if (shebang?.shell) shell = shebang.shell;
  else {
    const transcript = readTranscript(script, shell, options.source === 'terminal' || unfenced.transcript, notes);
    script = transcript.script;
    shell = transcript.shell ?? shell;
  }
  script = script.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
  if (endsInContinuation(script)) script = script.slice(0, -1).trimEnd();
  if (script === '') return no('Only a prompt is selected. Select the command behind it.');
  if (isOnlyComments(script, shell)) return no('Only comments are selected. Select a line with a command.');
  // A long script takes too long to be read only for a remark; the shell will say what is wrong.
  if (speaksBash(shell) && script.length < 100_000) {
    const { problem } = readScript(script);
    if (problem) notes.push(problem.message);
  }
  return { ok: true, action: { kind: 'command', script, shell, cwd: options.cwd }, notes };
}

type Unfenced = { ok: true; text: string; shell?: ShellName; transcript: boolean } | { ok: false; message: string };

function takeFences(text: string, options: SelectionOptions, notes: string[]): Unfenced {
  // `<<` with a fence in its body is a script that writes Markdown, not Markdown.
  const fences = options.source === 'markdown' || !text.includes('<<') ? readFences(text) : undefined;
  if (!fences) {
    const span = options.source === 'markdown' ? /^\s*(`+)([^`\n]+)\1\s*$/.exec(text)?.[2] : undefined;
    return { ok: true, text: span?.trim() ?? text, transcript: false };
  }
  const shown = fences.filter((fence) => fence.language in shellLanguages);
  const first = shown[0];
  if (!first) {
    const language = fences[0]?.language ?? '';
    return no(`The code block is ${language}, not a shell command. Select a block of commands.`);
  }
  const left = fences.length - shown.length;
  if (left > 0)
    notes.push(
      left === 1
        ? 'One code block that is not shell was left out.'
        : `${left} code blocks that are not shell were left out.`,
    );
  const shells = new Set(shown.map((fence) => shellLanguages[fence.language]?.shell));
  if (shells.size > 1) notes.push('The code blocks are for different shells; they are read as one script.');
  const kind = shellLanguages[first.language] ?? {};
  const joined = shown.map((fence: Fence) => dedent(fence.text)).join('\n');
  // `sh` in a fence is only the name of the highlighting; bash runs it as well.
  const shell = kind.shell === 'sh' && speaksBash(options.shell) ? undefined : kind.shell;
  return { ok: true, text: joined, ...(shell ? { shell } : {}), transcript: kind.transcript === true };
}

function dedent(text: string): string {
  const lines = text.split('\n');
  const full = lines.filter((line) => line.trim() !== '');
  const indent = full.reduce<string | undefined>((common, line) => {
    const own = /^[ \t]*/.exec(line)?.[0] ?? '';
    if (common === undefined) return own;
    let length = 0;
    while (length < common.length && common[length] === own[length]) length++;
    return common.slice(0, length);
  }, undefined);
  return indent ? lines.map((line) => line.slice(Math.min(indent.length, line.length))).join('\n') : text;
}

function foreignLanguage(script: string): string | undefined {
  const start = script.trimStart();
  if (/^(?:<!DOCTYPE|<\?xml|<html\b)/i.test(start))
    return 'This is markup, not a shell command. Select or type a command.';
  if (/^diff --(?:cc|combined) |^@@@+ -\d/.test(start)) return foreignPatch(start);
  if (/^diff --git |^@@ -\d+|^\*\*\* \S.*\n--- \S.*\n\*{15}/.test(start))
    return 'This is a patch, not a shell command. Select or type a command.';
  if (/^[[{]\s*["[{\]}]/.test(start)) {
    try {
      JSON.parse(start);
      return 'This is JSON, not a shell command. Select or type a command.';
    } catch {
      return undefined;
    }
  }
  return undefined;
}

function readShebang(script: string): { shell?: ShellName; message?: string } | undefined {
  const program = shebangProgram(script);
  if (program === undefined) return undefined;
  const shell = shellOf(program)?.language;
  if (shell) return { shell };
  return {
    message: `This is a script for ${program}, not for a shell. Select a command that runs it, for example the file's name.`,
  };
}

/** Most lines that a command of a transcript may go on for: each is read together with all before it. */
const longestCommand = 500;

interface Transcript {
  script: string;
  shell?: ShellName;
}

function readTranscript(text: string, shell: ShellName, likely: boolean, notes: string[]): Transcript {
  const lines = text.split('\n');
  const sure = lines.map(readPrompt);
  const weak = weakPrompts(
    lines,
    sure.some((prompt) => prompt !== undefined),
    likely,
  );
  const prompts = sure.map((prompt, index) => prompt ?? weak(lines[index] ?? ''));
  // A prompt inside a here-document or a quotation is content: a script that parses without them has none at its start.
  const first = prompts.findIndex((prompt) => prompt !== undefined);
  if (first < 0 || insideOpenText(lines, first, shell)) return { script: text };

  const commands: string[] = [];
  let promptShell: ShellName | undefined;
  let dropped = lines.slice(0, first).filter((line) => line.trim() !== '' && !/^\s*#/.test(line)).length;
  for (let index = first; index < lines.length; index++) {
    const prompt = prompts[index];
    if (!prompt) {
      if ((lines[index] ?? '').trim() !== '') dropped++;
      continue;
    }
    promptShell ??= prompt.shell;
    const speaking = promptShell ?? shell;
    let command = prompt.command;
    for (let more = 0; more < longestCommand && index + 1 < lines.length && isIncomplete(command, speaking); more++) {
      index++;
      command += `\n${stripContinuationPrompt(lines[index] ?? '')}`;
    }
    if (command.trim() !== '') commands.push(command);
  }
  if (dropped > 0)
    notes.push(dropped === 1 ? 'One line of output was left out.' : `${dropped} lines of output were left out.`);
  return { script: commands.join('\n'), ...(promptShell ? { shell: promptShell } : {}) };
}

// `# x` and `> x` are also a comment and a redirection; they are prompts only where all lines agree.
function weakPrompts(
  lines: readonly string[],
  hasSure: boolean,
  likely: boolean,
): (line: string) => PromptedLine | undefined {
  const full = lines.filter((line) => line.trim() !== '');
  const onlyHashes = full.every((line) => /^\s*# /.test(line));
  const onlyAngles = full.length > 1 && full.every((line) => /^\s*>/.test(line));
  return (line) => {
    const [, mark, rest = ''] = /^\s*([#>]) (.+)$/.exec(line) ?? [];
    if (mark === '#') return (onlyHashes || likely) && looksLikeRootCommand(rest) ? { command: rest } : undefined;
    if (mark !== '>' || hasSure) return undefined;
    return onlyAngles || looksPrompted(rest) ? { command: rest } : undefined;
  };
}

function insideOpenText(lines: readonly string[], index: number, shell: ShellName): boolean {
  if (index === 0 || !speaksBash(shell)) return false;
  const before = lines.slice(0, index).join('\n');
  const problem = readScript(before).problem;
  return (
    problem !== undefined &&
    /quote|here-document/.test(problem.message) &&
    readScript(lines.join('\n')).problem === undefined
  );
}

// Only a command with one of these can go on in the next line; parsing costs ten times as much as looking.
const mayGoOn = /["'`({<]|[|&]\s*$|\b(?:if|for|while|until|case|select|function|do|then|coproc)\b/;

function isIncomplete(command: string, shell: ShellName): boolean {
  if (endsInContinuation(command)) return true;
  if (shell === 'pwsh') return /(?:`|\||\{|\()\s*$/.test(command);
  if (shell === 'cmd') return command.endsWith('^');
  if (!speaksBash(shell) || !mayGoOn.test(command)) return false;
  const problem = readScript(command).problem;
  return problem !== undefined && /unterminated|not closed|expected|unclosed/i.test(problem.message);
}

function endsInContinuation(script: string): boolean {
  const backslashes = /\\+$/.exec(script)?.[0].length ?? 0;
  return backslashes % 2 === 1;
}

function isOnlyComments(script: string, shell: ShellName): boolean {
  const mark = shell === 'cmd' ? /^\s*(?:rem\b|::)/i : /^\s*#/;
  return script.split('\n').every((line) => line.trim() === '' || mark.test(line));
}

function speaksBash(shell: ShellName): boolean {
  return shell === 'bash' || shell === 'sh' || shell === 'zsh';
}

function no(message: string): { ok: false; message: string } {
  return { ok: false, message };
}
