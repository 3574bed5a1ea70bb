import path from 'node:path';
import type { RefusalKind } from '../../facts/refusal.ts';
import type { ToolCall } from '../action.ts';
import { findQuoted, inQuoteStyle } from './quoteStyle.ts';
import {
  countOccurrences,
  type DecodedText,
  decodeText,
  encodeText,
  isUtf8,
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

// Claude Code 2.1.330, as its package does and says it (`node test/bench.mjs agents claude` compares). Its words take for granted
// that the session has read the file as a whole before; the agent makes sure of that itself.

/** What stands behind the words where the session knows the whole file. */
const current = ' (file state is current in your context — no need to Read it back)';
/** What it says where a file was not read, or where reading it failed. */
export const unreadWords = 'File has not been read yet. Read it first before writing to it.';

/** A refusal in its words. `isBare`: without the tags that most of them stand in. */
export function refusedByClaude(kind: RefusalKind, name: string, words: string | undefined): ToolOutcome {
  return refuse(kind, name, { words: words === undefined ? undefined : `<tool_use_error>${words}</tool_use_error>` });
}

/** New lines lose the blanks at their ends, but not in Markdown. */
function trimmed(name: string, text: string): string {
  if (/\.mdx?$/i.test(name)) return text;
  return text
    .split(/(\r\n|\n|\r)/)
    .map((part, index) => (index % 2 === 0 ? part.replace(/\s+$/, '') : part))
    .join('');
}

/** The bytes of a text with the line ends and the encoding that a file has; which line ends, its first 4,096 characters say. */
export function asStored(text: string, { text: before, encoding }: DecodedText): Uint8Array {
  const start = before.slice(0, 4096);
  const carriage = start.split('\r\n').length - 1;
  const plain = start.split('\n').length - 1 - carriage;
  return encodeText(carriage > plain ? withCarriageReturns(text) : text, encoding);
}

/** Why it takes a file for no text; in its words. */
export function notText(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return undefined;
  const why =
    bytes[0] === 0xfe && bytes[1] === 0xff
      ? 'is UTF-16 big-endian (it starts FE FF), which these tools cannot write'
      : bytes.subarray(0, 8192).includes(0)
        ? 'has NUL bytes in its first 8 KB: binary data, UTF-16/UTF-32 without a byte-order mark, or text with embedded NULs'
        : isUtf8(bytes)
          ? undefined
          : 'is not valid UTF-8: it uses a legacy encoding such as Windows-1252, Shift-JIS or GBK, or it is binary';
  if (why === undefined) return undefined;
  return `File ${why}. These tools write UTF-8 (or UTF-16LE behind its byte-order mark) and never convert a file's encoding on their own, so nothing was written. If the file is text, make the change with a shell command that reads and writes it in its own encoding (iconv, or PowerShell Get-Content/Set-Content -Encoding), or ask the user whether to convert it to UTF-8 first. To replace the whole file with new UTF-8 text anyway, delete it first, then Write it.`;
}

/** A text that `notText` takes. Bytes of zero behind the first 8 KB are characters. */
function textOf(bytes: Uint8Array): DecodedText {
  return decodeText(bytes) ?? { text: Buffer.from(bytes).toString('utf8'), encoding: 'utf8' };
}

/** A file that is named by a symbolic link is refused. */
export async function throughLink(name: string, file: string, place: ToolPlace): Promise<ToolOutcome | undefined> {
  if (!(await place.isLink(file))) return undefined;
  const target = (await place.linkTarget(file)) ?? 'a target that could not be determined';
  return refuse('link', name, {
    words: `Refusing to write ${file}: it is a symbolic link. Write to the link's target path instead: ${target}.`,
  });
}

/** Undefined where several files would be named, of which it names the first that it is told. */
async function missingWords(file: string, place: ToolPlace): Promise<string | undefined> {
  const words = `File does not exist. Note: your current working directory is ${place.cwd}.`;
  const above = path.dirname(place.cwd);
  if (file.startsWith(`${above}/`) && !file.startsWith(`${place.cwd}/`)) {
    const meant = path.join(place.cwd, path.relative(above, file));
    if ((await place.read(meant)).kind !== 'missing') return `${words} Did you mean ${meant}?`;
  }
  const { name: stem, base } = path.parse(file);
  const names = await place.names(path.dirname(file));
  const [alike, another] = names.filter((one) => one !== base && path.parse(one).name === stem);
  if (another !== undefined) return undefined;
  return alike === undefined ? words : `${words} Did you mean ${alike}?`;
}

function failedIn(tool: string, error: string): string {
  return `Error calling tool (${tool}): ${error}`;
}

function writeOf(file: string, bytes: Uint8Array): ToolWrite[] {
  return [{ path: file, bytes, makesFolders: true, takesPlace: true }];
}

/** `Edit`: replaces a text that occurs once, or all occurrences. */
export async function claudeEditNow(call: ToolCall, place: ToolPlace): Promise<ToolOutcome> {
  const name = textArgument(call, 'file_path', 'path');
  const before = textArgument(call, 'old_string', 'old_str');
  const given = textArgument(call, 'new_string', 'new_str');
  const isAll = [true, 'true'].includes(call.arguments['replace_all'] as boolean | string);
  if (!name || before === undefined || given === undefined) return refuse('arguments', name ?? '');
  const file = absolute(name, place.cwd);
  const state = await place.read(file);
  // What new lines lose is taken from them where the file can be read, before anything is checked.
  const after = state.kind === 'file' ? trimmed(name, given) : given;
  if (before === after)
    return refusedByClaude('same', name, 'No changes to make: old_string and new_string are exactly the same.');
  const link = await throughLink(name, file, place);
  if (link) return link;
  if (state.kind === 'folder')
    return refusedByClaude('folder', name, failedIn('Edit', 'EISDIR: illegal operation on a directory, read'));
  if (state.kind === 'unreadable') return refuse('unreadable', name);
  const done = `The file ${name} has been updated${isAll ? '. All occurrences were successfully replaced.' : ' successfully.'}${current}`;
  if (state.kind === 'missing') {
    if (before !== '') return refusedByClaude('missing', name, await missingWords(file, place));
    return success(done, writeOf(file, encodeText(after)));
  }
  const { encoding, text: stored } = textOf(state.bytes);
  const text = stored.replaceAll('\r\n', '\n');
  if (before === '') {
    if (text.trim() !== '') return refusedByClaude('exists', name, 'Cannot create new file - file already exists.');
  } else if (file.endsWith('.ipynb'))
    return refusedByClaude('binary', name, 'File is a Jupyter Notebook. Use the NotebookEdit to edit this file.');
  const why = notText(state.bytes);
  if (why !== undefined) return refusedByClaude('binary', name, why);
  if (before === '') return success(done, writeOf(file, asStored(after, { text: stored, encoding })));
  const found = findFor(text, before, after);
  if (found === 'unknown') {
    const doubts = [
      'Which text it takes where the file has escapes (\\u00e9) and the call has the characters is not known.',
    ];
    return refuse('absent', name, { doubts });
  }
  if (found === undefined) {
    const note =
      '\n(note: Edit also tried swapping \\uXXXX escapes and their characters; neither form matched, so the mismatch is likely elsewhere in old_string. Re-read the file and copy the exact surrounding text.)';
    const words = `String to replace not found in file.\nString: ${before}${hasEscapes(before) ? note : ''}`;
    return refusedByClaude('absent', name, words);
  }
  const count = countOccurrences(text, found.before);
  if (count > 1 && !isAll) {
    const words = `Found ${count} matches of the string to replace, but replace_all is false. To replace all occurrences, set replace_all to true. To replace only one occurrence, please provide more context to uniquely identify the instance.\nString: ${before}`;
    return refusedByClaude('repeated', name, words);
  }
  const changed = replaced(text, found, isAll);
  if (changed === text) return refuse('same', name);
  return success(done, writeOf(file, asStored(changed, { text: stored, encoding })));
}

interface Found {
  before: string;
  after: string;
}

function hasEscapes(text: string): boolean {
  return /\\u[0-9a-fA-F]{4}|[\u0080-\uffff]/.test(text);
}

/** The text that is meant, in the form that the file has, and the new one in the same form. */
function findFor(text: string, before: string, after: string): Found | 'unknown' | undefined {
  if (text.includes(before)) return { before, after };
  const quoted = findQuoted(text, before);
  if (quoted !== undefined) return { before: quoted, after: inQuoteStyle(quoted, after) };
  const plain = unescaped(before);
  if (plain !== before && text.includes(plain)) return { before: plain, after: unescaped(after) };
  return /[\u0080-\uffff]/.test(before) && text.includes('\\u') ? 'unknown' : undefined;
}

function unescaped(text: string): string {
  return text.replace(/(\\\\)|\\u([0-9a-fA-F]{4})/g, (all, slashes: string | undefined, code: string) =>
    slashes === undefined ? String.fromCharCode(Number.parseInt(code, 16)) : all,
  );
}

function replaced(text: string, { before, after }: Found, isAll: boolean): string {
  const replace = isAll ? replaceLiteral : replaceFirst;
  // A deleted line takes its line break with it.
  const whole = after === '' && !before.endsWith('\n') && text.includes(`${before}\n`) ? `${before}\n` : before;
  return replace(text, whole, after);
}

/** `Write`: the whole content of a file, in the encoding that it has. */
export async function claudeWriteNow(call: ToolCall, place: ToolPlace): Promise<ToolOutcome> {
  const name = textArgument(call, 'file_path');
  const given = textArgument(call, 'content');
  if (!name || given === undefined) return refuse('arguments', name ?? '');
  const content = trimmed(name, given);
  const file = absolute(name, place.cwd);
  const link = await throughLink(name, file, place);
  if (link) return link;
  const state = await place.read(file);
  if (state.kind === 'folder') {
    const words = `${name} is a directory, not a file. To create a file inside it, include the file name in file_path.`;
    return refusedByClaude('folder', name, words);
  }
  if (state.kind === 'unreadable') {
    const words = state.code === 'ENOTDIR' ? failedIn('Write', nodeError('ENOTDIR', 'stat', file)) : undefined;
    return refusedByClaude('unreadable', name, words);
  }
  const created = `File created successfully at: ${name}${current}`;
  if (state.kind === 'missing') return success(created, writeOf(file, encodeText(content)));
  const why = notText(state.bytes);
  if (why !== undefined) return refuse('binary', name, { words: why });
  const { encoding } = textOf(state.bytes);
  const isMarked = content.startsWith('\uFEFF');
  // A mark that the file has stays, and there is never a second one; an empty file has none.
  const bytes =
    content === '' && encoding === 'utf8bom'
      ? encodeText('')
      : encodeText(isMarked && encoding !== 'utf8' ? content.slice(1) : content, encoding);
  const words = state.bytes.length === 0 ? created : `The file ${name} has been updated successfully.${current}`;
  return success(words, writeOf(file, bytes));
}
