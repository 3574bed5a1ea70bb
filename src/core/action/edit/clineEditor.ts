import path from 'node:path';
import type { RefusalKind } from '../../facts/refusal.ts';
import { countOccurrences, replaceFirst } from './textBytes.ts';
import {
  absolute,
  type EditTool,
  nodeError,
  refuse,
  success,
  type ToolOutcome,
  type ToolPlace,
  textArgument,
} from './toolOutcome.ts';

// `editor` of Cline's command line 3.0, as its package does it (`node test/bench.mjs agents cline` compares). Every file is read as
// UTF-8, whatever it is; the call gets CRLF where the file has any.

/** Replaces a text that is there once, inserts before a line, or makes a file. */
export const clineEditor: EditTool = async (call, place) => {
  const name = textArgument(call, 'path');
  const fresh = textArgument(call, 'new_text');
  if (!name || fresh === undefined) return refuse('arguments', name ?? '');
  const { insert_line: line, old_text: old } = call.arguments;
  const edit: Edit = { name, file: absolute(name, place.cwd), fresh, place };
  if (line !== undefined && line !== null)
    return typeof line === 'number' && Number.isInteger(line) ? insert(edit, line) : refuse('arguments', name);
  if (typeof old !== 'string' && old !== undefined && old !== null) return refuse('arguments', name);
  return replace(edit, old);
};

interface Edit {
  name: string;
  /** Absolute. */
  file: string;
  fresh: string;
  place: ToolPlace;
}

async function replace({ name, file, fresh, place }: Edit, old: string | null | undefined): Promise<ToolOutcome> {
  const query = `edit:${name}`;
  const state = await place.read(file);
  if (state.kind === 'missing' || (state.kind === 'unreadable' && state.code === 'ENOTDIR')) {
    if (state.kind === 'unreadable') {
      const folder = path.dirname(file);
      const isFile = (await place.read(folder)).kind === 'file';
      return failed('unreadable', { name, query }, isFile ? nodeError('EEXIST', 'mkdir', folder) : undefined);
    }
    return done(query, `File created successfully at: ${file}`, file, fresh);
  }
  if (typeof old !== 'string') {
    const how = old === null ? 'null' : 'omitted';
    const words = `${file} already exists, but \`old_text\` was ${how}. To edit an existing file, set \`old_text\` to the exact text in the file that \`new_text\` should replace (read the file first if needed). To insert instead, provide \`insert_line\`. Do not re-send this call unchanged.`;
    return failed('exists', { name, query }, words);
  }
  if (state.kind === 'folder')
    return failed('folder', { name, query }, 'EISDIR: illegal operation on a directory, read');
  if (state.kind === 'unreadable') return failed('unreadable', { name, query }, nodeError(state.code, 'open', file));
  const { text, inFile } = read(state.bytes);
  const before = inFile(old);
  const count = before === '' ? 0 : countOccurrences(text, before);
  if (count === 0) return failed('absent', { name, query }, `No replacement performed: text not found in ${file}.`);
  if (count > 1)
    return failed(
      'repeated',
      { name, query },
      `No replacement performed: multiple occurrences of text found in ${file}.`,
    );
  const now = replaceFirst(text, before, inFile(fresh));
  const diff = diffOf(text, now);
  return done(query, diff && `Edited ${file}\n\`\`\`diff\n${diff.join('')}\`\`\``, file, now);
}

async function insert({ name, file, fresh, place }: Edit, line: number): Promise<ToolOutcome> {
  const query = `insert:${name}`;
  const state = await place.read(file);
  if (state.kind === 'missing') return failed('missing', { name, query }, nodeError('ENOENT', 'open', file));
  if (state.kind === 'folder')
    return failed('folder', { name, query }, 'EISDIR: illegal operation on a directory, read');
  if (state.kind === 'unreadable') return failed('unreadable', { name, query }, nodeError(state.code, 'open', file));
  const { text, inFile } = read(state.bytes);
  const lines = text.split(/\r?\n/);
  const last = lines.length + 1;
  if (line < 1 || line > last) {
    const words = `Invalid insert_line: ${line}. insert_line must be a positive one-based boundary line in the range 1-${last}. Use ${last} to append at EOF.`;
    return failed('line', { name, query }, words);
  }
  lines.splice(line - 1, 0, fresh);
  return done(query, `Inserted content at line ${line} in ${file}.`, file, inFile(lines.join('\n')));
}

/** A file's text, and a text of the call with the line ends of the file. */
function read(bytes: Uint8Array): { text: string; inFile(part: string): string } {
  const text = Buffer.from(bytes).toString('utf8');
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  return { text, inFile: (part) => part.replace(/\r?\n/g, lineBreak) };
}

/** `result`: undefined where its words are not known. */
function done(query: string, result: string | undefined, file: string, text: string): ToolOutcome {
  const words = result === undefined ? undefined : JSON.stringify({ query, result, success: true });
  return success(words, [{ path: file, bytes: Buffer.from(text), makesFolders: true }]);
}

function failed(
  kind: RefusalKind,
  { name, query }: { name: string; query: string },
  problem: string | undefined,
): ToolOutcome {
  const error = `Editor operation failed: ${problem}`;
  const words = problem === undefined ? undefined : JSON.stringify({ query, result: '', error, success: false });
  return refuse(kind, name, { words });
}

/** Of more lines than these only a part is shown. */
const mostLines = 200;

/** All lines between the first and the last that differ, old ones first; undefined where only a part of them is shown. */
function diffOf(before: string, after: string): string[] | undefined {
  const [old, now] = [before.split(/\r?\n/), after.split(/\r?\n/)];
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start += 1;
  let same = 0;
  while (same < shorter - start && old.at(-1 - same) === now.at(-1 - same)) same += 1;
  const numbered = (lines: string[], sign: string) =>
    lines.slice(start, lines.length - same).map((line, index) => `${sign}${start + index + 1}: ${line}\n`);
  const diff = [...numbered(old, '-'), ...numbered(now, '+')];
  return diff.length > mostLines ? undefined : diff;
}
