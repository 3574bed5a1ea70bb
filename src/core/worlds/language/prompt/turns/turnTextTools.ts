import type { TurnAction } from '../../../../action/turnAction.ts';
import type { Gap } from '../../../../context/cutText.ts';
import { quoteWord } from '../../../../shell/quoteWord.ts';
import type { Dialect } from './turn.ts';

type ToolAction = TurnAction & { kind: 'tool' };

/** Runs a command in a folder (absolute). Claude's `Bash` takes no folder, so the command goes there itself. */
export function shellAction(dialect: Dialect, command: string, cwd?: string): ToolAction {
  if (dialect === 'claude') {
    const placed = cwd === undefined ? command : `cd ${quoteWord(cwd)} && ${command}`;
    return { kind: 'tool', name: 'Bash', arguments: { command: placed } };
  }
  const directory = cwd === undefined ? {} : { directory: cwd };
  return { kind: 'tool', name: 'run_shell_command', arguments: { command, ...directory } };
}

/** Reads a file, or lines of it counted from 1. The path is absolute. */
export function readAction(
  dialect: Dialect,
  path: string,
  { firstLine, lastLine }: { firstLine?: number; lastLine?: number } = {},
): ToolAction {
  const first = firstLine ?? 1;
  const limit = lastLine === undefined ? {} : { limit: lastLine - first + 1 };
  if (dialect === 'claude') {
    const offset = firstLine === undefined ? {} : { offset: first };
    return { kind: 'tool', name: 'Read', arguments: { file_path: path, ...offset, ...limit } };
  }
  // read_file counts from 0.
  const offset = firstLine === undefined ? {} : { offset: first - 1 };
  return { kind: 'tool', name: 'read_file', arguments: { absolute_path: path, ...offset, ...limit } };
}

/** Lists a folder (absolute path). */
export function listAction(dialect: Dialect, path: string): ToolAction {
  return { kind: 'tool', name: dialect === 'claude' ? 'LS' : 'list_directory', arguments: { path } };
}

/** Writes a whole file (absolute path). */
export function writeAction(dialect: Dialect, path: string, content: string): ToolAction {
  return { kind: 'tool', name: dialect === 'claude' ? 'Write' : 'write_file', arguments: { file_path: path, content } };
}

/** Replaces a stretch of a file (absolute path) that occurs once. */
export function editAction(dialect: Dialect, path: string, before: string, after: string): ToolAction {
  const name = dialect === 'claude' ? 'Edit' : 'edit';
  return { kind: 'tool', name, arguments: { file_path: path, old_string: before, new_string: after } };
}

/** Which part of a file is shown. */
interface Shown {
  firstLine?: number;
  lastLine?: number;
  totalLines?: number;
  gaps?: readonly Gap[];
}

/**
 * What a tool replies when a file is read. `text` holds the lines from `firstLine` (counted from 1; default 1) to
 * `lastLine` (default: as many as there are); where the file has more (`totalLines`), the Qwen dialect says so before
 * the text. Claude numbers the lines as `cat -n` does; a line that stands for others (`gaps`) has no number and is counted
 * as those.
 */
export function renderReadReply(
  dialect: Dialect,
  text: string,
  { firstLine = 1, lastLine, totalLines, gaps = [] }: Shown = {},
): string {
  const lines = linesOf(text);
  if (dialect === 'claude') {
    if (lines.length === 0) return '(the file is empty)';
    let number = firstLine;
    let passed = 0;
    const numbered = lines.map((line) => {
      const gap = gaps[passed];
      if (line !== gap?.mark) return `${String(number++).padStart(6)}\t${line}`;
      passed += 1;
      number += gap.lines;
      return line;
    });
    return numbered.join('\n');
  }
  const last = lastLine ?? firstLine + lines.length - 1;
  if (firstLine === 1 && (totalLines === undefined || totalLines <= last)) return text;
  const of = totalLines === undefined || totalLines < last ? '' : ` of ${totalLines} total lines`;
  return `[File content truncated: showing lines ${firstLine}-${last}${of}. Use offset/limit parameters to view more.]\n${text}`;
}

/**
 * Reads the content of a file back from a reply in either dialect: line numbers (`1→` and `1⇥`) and the remark on a cut
 * file are taken away. `isCut` says that the reply shows only a part. Undefined: the reply says that the file could not
 * be read. The content ends with a line break unless it is empty.
 */
export function parseReadReply(reply: string): { text: string; isCut: boolean; firstLine: number } | undefined {
  const plain = reply.replaceAll('\r\n', '\n');
  if (/^\s*(?:<tool_use_error>|Error:? |File (?:not found|does not exist)|ENOENT)/i.test(plain)) return undefined;
  const remarkOnly = /^(?:\(the file is empty\)|<system-reminder>[^<]*empty[^<]*<\/system-reminder>)$/i;
  if (plain.length < 1000 && remarkOnly.test(plain.trim())) return { text: '', isCut: false, firstLine: 1 };
  const remark = /^\[File content truncated: showing lines (\d+)-\d+[^\]\n]*\]\n/.exec(plain);
  if (remark) return { text: ended(plain.slice(remark[0].length)), isCut: true, firstLine: Number(remark[1]) };
  const lines = linesOf(plain);
  const numbered = lines.map((line) => /^\s*(\d+)(?:\t|→)(.*)$/.exec(line));
  const first = Number(numbered[0]?.[1] ?? Number.NaN);
  if (!numbered.every((match, index) => Number(match?.[1]) === first + index) || lines.length === 0)
    return { text: ended(plain), isCut: false, firstLine: 1 };
  return { text: numbered.map((match) => `${match?.[2] ?? ''}\n`).join(''), isCut: first > 1, firstLine: first };
}

/** An entry of a folder. */
export interface ListedEntry {
  name: string;
  isFolder: boolean;
}

/** Entries of a listing as `ls -1Ap` prints it: a name a line, folders with `/` at their end. */
export function parseListing(text: string): ListedEntry[] {
  return linesOf(text).flatMap((line) => {
    const name = line.trimEnd();
    if (name === '') return [];
    return [name.endsWith('/') ? { name: name.slice(0, -1), isFolder: true } : { name, isFolder: false }];
  });
}

/**
 * What a tool replies when a folder is listed: Qwen folders first with `[DIR]`, then files, each by name
 * (packages/core/src/tools/ls.ts of gemini-cli); Claude a tree with one level.
 */
export function renderListReply(dialect: Dialect, path: string, entries: readonly ListedEntry[]): string {
  if (dialect === 'claude')
    return [`- ${path}/`, ...entries.map((one) => `  - ${one.name}${one.isFolder ? '/' : ''}`)].join('\n');
  if (entries.length === 0) return `Directory ${path} is empty.`;
  const folders = entries.filter((one) => one.isFolder).map((one) => `[DIR] ${one.name}`);
  const files = entries.filter((one) => !one.isFolder).map((one) => one.name);
  return [`Directory listing for ${path}:`, ...folders, ...files].join('\n');
}

/** What a tool replies when a file was written. */
export function renderWriteReply(dialect: Dialect, path: string, existed: boolean): string {
  if (dialect === 'claude')
    return existed ? `The file ${path} has been updated.` : `File created successfully at: ${path}`;
  return existed ? `Successfully overwrote file: ${path}.` : `Successfully created and wrote to new file: ${path}.`;
}

/** What a tool replies when stretches of a file were replaced; `after` is the whole new file, of which Claude shows a part. */
export function renderEditReply(
  dialect: Dialect,
  path: string,
  { replacements, after, firstChangedLine }: { replacements: number; after: string; firstChangedLine: number },
): string {
  if (dialect === 'qwen') return `Successfully modified file: ${path} (${replacements} replacements).`;
  const lines = linesOf(after);
  const from = Math.max(1, firstChangedLine - 3);
  const shown = lines.slice(from - 1, firstChangedLine + 4).join('\n');
  return `The file ${path} has been updated. Here's the result of running \`cat -n\` on a snippet of the edited file:\n${renderReadReply('claude', shown, { firstLine: from })}`;
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
