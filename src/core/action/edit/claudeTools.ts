import type { RefusalKind } from '../../facts/refusal.ts';
import type { ToolCall } from '../action.ts';
import { findQuoted, hasQuotes, inQuoteStyle } from './quoteStyle.ts';
import {
  countOccurrences,
  type DecodedText,
  decodeText,
  encodeText,
  numbered,
  replaceFirst,
  replaceLiteral,
  withCarriageReturns,
} from './textBytes.ts';
import {
  absolute,
  nodeError,
  refuse,
  success,
  type ToolOutcome,
  type ToolPlace,
  type ToolWrite,
  textArgument,
} from './toolOutcome.ts';

// Words as Claude Code's users see them in its transcripts (tool_result blocks of `Edit`, `Write` and `MultiEdit`). What it does
// with files is that of its versions since June 2026: a temporary file takes the place of the old one, so that a read-only file
// is written and a hard link ends; a path that is a symbolic link is refused.

const snippetLines = 4;

function no(kind: RefusalKind, name: string, words: string, doubts: string[] = []): ToolOutcome {
  return refuse(kind, name, { words: `<tool_use_error>${words}</tool_use_error>`, doubts });
}

function refused(at: string, code: string): string {
  return `<tool_use_error>${nodeError(code, 'open', at)}</tool_use_error>`;
}

function writeOf(file: string, bytes: Uint8Array): ToolWrite[] {
  return [{ path: file, bytes, makesFolders: true, takesPlace: true }];
}

/** One replacement of `Edit` or `MultiEdit`. */
interface Replacement {
  before: string;
  after: string;
  isAll: boolean;
}

function replacementOf(fields: Readonly<Record<string, unknown>>): Replacement | undefined {
  const { old_string: before, new_string: after, replace_all: all } = fields;
  if (typeof before !== 'string' || typeof after !== 'string') return undefined;
  return { before, after, isAll: all === true };
}

/** `Edit`: replaces a text that occurs once, or all occurrences. */
export async function claudeEdit(call: ToolCall, place: ToolPlace): Promise<ToolOutcome> {
  const name = textArgument(call, 'file_path');
  const one = replacementOf(call.arguments);
  if (!name || !one) {
    const words = 'InputValidationError: Edit failed: file_path, old_string and new_string are required';
    return no('arguments', name ?? '', words);
  }
  const opened = await open(name, [one], place);
  if ('observation' in opened) return opened;
  const { file, decoded, current } = opened;
  if (decoded === undefined)
    return success(`File created successfully at: ${name}`, writeOf(file, encodeText(one.after)), refused);
  const { found, doubts } = fitted(name, current, one);
  const problem = problemOf(name, current, found);
  if (problem) return problem;
  const text = replaced(current, found);
  const shown = one.isAll
    ? `The file ${name} has been updated. All occurrences of '${one.before}' were successfully replaced with '${one.after}'.`
    : `The file ${name} has been updated. Here's the result of running \`cat -n\` on a snippet of the edited file:\n${snippetOf(current, text, found)}`;
  return success(shown, writeOf(file, stored(text, decoded)), refused, doubts);
}

/** `MultiEdit`: several replacements in one file, all or none. */
export async function claudeMultiEdit(call: ToolCall, place: ToolPlace): Promise<ToolOutcome> {
  const name = textArgument(call, 'file_path');
  const { edits } = call.arguments;
  const all = Array.isArray(edits)
    ? edits.map((edit: unknown) => replacementOf((edit ?? {}) as Readonly<Record<string, unknown>>))
    : [];
  if (!name || all.length === 0 || all.includes(undefined))
    return no('arguments', name ?? '', 'InputValidationError: MultiEdit failed: file_path and edits are required');
  const replacements = all.filter((one) => one !== undefined);
  const opened = await open(name, replacements, place);
  if ('observation' in opened) return opened;
  const { file, decoded } = opened;
  const doubts: string[] = [];
  let text = opened.current;
  for (const [index, one] of replacements.entries()) {
    if (index === 0 && decoded === undefined) {
      text = one.after;
      continue;
    }
    const fit = fitted(name, text, one);
    doubts.push(...fit.doubts);
    const problem = problemOf(name, text, fit.found);
    if (problem) return problem;
    text = replaced(text, fit.found);
  }
  const list = replacements.map(({ before, after }, index) => `${index + 1}. Replaced "${before}" with "${after}"`);
  const bytes = decoded === undefined ? encodeText(text) : stored(text, decoded);
  const count = `${replacements.length} edit${replacements.length === 1 ? '' : 's'}`;
  const words = `Applied ${count} to ${name}:\n${list.join('\n')}`;
  return success(words, writeOf(file, bytes), refused, doubts);
}

interface Opened {
  file: string;
  /** Absent: a new file. */
  decoded: DecodedText | undefined;
  /** With `\n` as line ends. */
  current: string;
}

async function open(name: string, edits: readonly Replacement[], place: ToolPlace): Promise<Opened | ToolOutcome> {
  const file = absolute(name, place.cwd);
  for (const { before, after } of edits) {
    if (before === after)
      return no('same', name, 'No changes to make: old_string and new_string are exactly the same.');
  }
  if (await place.isLink(file)) return throughLink(name, file);
  const state = await place.read(file);
  const isCreation = edits[0]?.before === '';
  if (state.kind === 'missing') {
    return isCreation ? { file, decoded: undefined, current: '' } : no('missing', name, 'File does not exist.');
  }
  if (state.kind === 'folder') return no('folder', name, 'EISDIR: illegal operation on a directory, read');
  if (state.kind === 'unreadable') return no('unreadable', name, nodeError(state.code, 'open', file));
  if (file.endsWith('.ipynb'))
    return no('binary', name, 'File is a Jupyter Notebook. Use the NotebookEdit to edit this file.');
  const decoded = decodeText(state.bytes);
  if (!decoded) {
    // Bytes that are no text at all are refused when the file is read, which the tool demands before.
    const doubts = state.bytes.includes(0) ? [] : [`${name} is not UTF-8; what the tool makes of it is not known.`];
    return no('binary', name, 'File is not text.', doubts);
  }
  const current = decoded.text.replaceAll('\r\n', '\n');
  if (isCreation) {
    // An empty file may be filled in this way.
    if (current.trim() !== '') return no('exists', name, 'Cannot create new file - file already exists.');
    return { file, decoded: undefined, current: '' };
  }
  return { file, decoded, current };
}

function throughLink(name: string, file: string): ToolOutcome {
  const words = `Refusing to write through symlink: ${file}. Resolve the symlink and pass the real target path explicitly.`;
  return no('link', name, words);
}

/**
 * The replacement as it is made: straight quotes find typographic ones, and the new text then gets theirs; blanks at the ends
 * of new lines are left out, but not in Markdown.
 */
function fitted(name: string, text: string, one: Replacement): { found: Replacement; doubts: string[] } {
  const doubts: string[] = [];
  const bare = /\.mdx?$/i.test(name) ? one.after : one.after.replace(/[^\S\r\n]+(?=\r?\n|$)/g, '');
  const after = bare === one.before ? one.after : bare;
  if (after !== one.after)
    doubts.push('Whether blanks at the ends of new lines stay depends on the version of Claude Code.');
  if (text.includes(one.before)) return { found: { ...one, after }, doubts };
  const before = findQuoted(text, one.before);
  if (before === undefined) return { found: { ...one, after }, doubts };
  if (hasQuotes(after))
    doubts.push('Whether new quotes become typographic as those around them depends on the version of Claude Code.');
  return { found: { ...one, before, after: inQuoteStyle(before, after) }, doubts };
}

function problemOf(name: string, text: string, { before, isAll }: Replacement): ToolOutcome | undefined {
  const found = countOccurrences(text, before);
  if (found === 0) return no('absent', name, `String to replace not found in file.\nString: ${before}`);
  if (found > 1 && !isAll) {
    const words = `Found ${found} matches of the string to replace, but replace_all is false. To replace all occurrences, set replace_all to true. To replace only one occurrence, please provide more context to uniquely identify the instance.\nString: ${before}`;
    return no('repeated', name, words);
  }
  return undefined;
}

function replaced(text: string, { before, after, isAll }: Replacement): string {
  const replace = isAll ? replaceLiteral : replaceFirst;
  // A deleted line takes its line break with it.
  if (after === '' && !before.endsWith('\n') && text.includes(`${before}\n`)) return replace(text, `${before}\n`, '');
  return replace(text, before, after);
}

function snippetOf(current: string, text: string, { before, after }: Replacement): string {
  const at = current.slice(0, current.indexOf(before)).split('\n').length - 1;
  const first = Math.max(0, at - snippetLines);
  const last = at + snippetLines + after.split('\n').length;
  return numbered(
    text
      .split('\n')
      .slice(first, last + 1)
      .join('\n'),
    first + 1,
  );
}

function stored(text: string, { text: before, encoding }: DecodedText): Uint8Array {
  const carriage = before.split('\r\n').length - 1;
  const plain = before.split('\n').length - 1 - carriage;
  return encodeText(carriage > plain ? withCarriageReturns(text) : text, encoding);
}

/** `Write`: the whole content of a file. */
export async function claudeWrite(call: ToolCall, place: ToolPlace): Promise<ToolOutcome> {
  const name = textArgument(call, 'file_path');
  const content = textArgument(call, 'content');
  if (!name || content === undefined)
    return no('arguments', name ?? '', 'InputValidationError: Write failed: file_path and content are required');
  const file = absolute(name, place.cwd);
  if (await place.isLink(file)) return throughLink(name, file);
  const state = await place.read(file);
  if (state.kind === 'folder') return no('folder', name, nodeError('EISDIR', 'open', file));
  if (state.kind === 'unreadable') return no('unreadable', name, nodeError(state.code, 'open', file));
  const writes = writeOf(file, encodeText(content));
  if (state.kind === 'missing') return success(`File created successfully at: ${name}`, writes, refused);
  const decoded = decodeText(state.bytes);
  const doubts: string[] = [];
  if (decoded?.text.includes('\r\n') && !content.includes('\r\n'))
    doubts.push(`${name} has CRLF line ends; whether they stay depends on the version of the tool.`);
  if (decoded && decoded.encoding !== 'utf8')
    doubts.push(`${name} begins with a byte order mark; whether it stays depends on the version of the tool.`);
  return success(`The file ${name} has been updated.`, writes, refused, doubts);
}
