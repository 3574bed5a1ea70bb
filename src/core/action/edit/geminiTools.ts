import type { ToolCall } from '../action.ts';
import { omissions, replaceNear, withSameEnd } from './nearMatch.ts';
import { findSlice } from './qwenSlice.ts';
import { countOccurrences, decodeText, encodeText, replaceLiteral, withCarriageReturns } from './textBytes.ts';
import {
  absolute,
  type FileState,
  nodeError,
  refuse,
  success,
  type ToolOutcome,
  type ToolPlace,
  textArgument,
} from './toolOutcome.ts';

// The words and the order of the checks are those of gemini-cli (packages/core/src/tools/edit.ts, write-file.ts: tools
// `replace` and `write_file`) and of qwen-code (the same files: tools `edit` and `write_file`). Both keep CRLF line ends and
// a byte order mark, and take a text that is there but for its blanks. Where nothing fits, gemini-cli compares letter by letter
// and then asks a model to mend the call: what comes of that is not known.

/** What a call wants of a file that is there. */
interface TextEdit {
  name: string;
  file: string;
  before: string;
  after: string;
  /** With `\n` as line ends. */
  current: string;
  write(text: string): Parameters<typeof success>[1];
  refused: ToolOutcome['refused'];
}

/** `replace` of gemini-cli: replaces a text that is there once, or as often as was said. */
export function geminiEdit(call: ToolCall, place: ToolPlace): Promise<ToolOutcome> {
  return editFile(call, place, { editText: geminiText, seesMark: true });
}

/** `edit` of qwen-code: replaces a text that is there once, or all of them. */
export async function qwenEdit(call: ToolCall, place: ToolPlace): Promise<ToolOutcome> {
  const name = textArgument(call, 'file_path');
  if (name && !name.startsWith('/')) return refuse('relative', name, { words: `File path must be absolute: ${name}` });
  const outcome = await editFile(call, place, { editText: qwenText, seesMark: false });
  if (outcome.writes.length === 0 || !name?.endsWith('.ipynb')) return outcome;
  return { ...outcome, doubts: [...outcome.doubts, 'Newer versions of Qwen Code refuse to edit notebooks.'] };
}

interface FileStyle {
  editText(call: ToolCall, edit: TextEdit): ToolOutcome;
  /** A byte order mark is a character of the text; else it is kept apart. */
  seesMark: boolean;
}

async function editFile(call: ToolCall, place: ToolPlace, { editText, seesMark }: FileStyle): Promise<ToolOutcome> {
  const name = textArgument(call, 'file_path');
  const before = textArgument(call, 'old_string');
  const after = textArgument(call, 'new_string');
  if (!name) return refuse('arguments', '', { words: "The 'file_path' parameter must be non-empty." });
  if (before === undefined)
    return refuse('arguments', name, { words: "params must have required property 'old_string'" });
  if (after === undefined)
    return refuse('arguments', name, { words: "params must have required property 'new_string'" });
  const file = absolute(name, place.cwd);
  const state = await place.read(file);
  if (state.kind === 'folder') {
    const words = 'Error preparing edit: EISDIR: illegal operation on a directory, read';
    return refuse('folder', name, { words });
  }
  if (state.kind === 'unreadable') {
    const words = `Error preparing edit: ${nodeError(state.code, 'open', file)}`;
    return refuse('unreadable', name, { words });
  }
  const refused = (at: string, code: string) => `Error executing edit: ${nodeError(code, 'open', at)}`;
  if (state.kind === 'missing') {
    if (before !== '') return refuse('missing', name, { words: `File not found: ${name}` });
    const writes = [{ path: file, bytes: encodeText(after), makesFolders: true }];
    return success(`Created new file: ${name} with provided content.`, writes, refused);
  }
  const decoded = decodeText(state.bytes);
  if (!decoded || (seesMark && decoded.encoding.startsWith('utf16'))) {
    const doubts = [`${name} is not UTF-8; what the tool makes of it depends on its version.`];
    return refuse('binary', name, { words: `File has an encoding that is not known: ${name}`, doubts });
  }
  if (before === '') return refuse('exists', name, { words: `File already exists, cannot create: ${name}` });
  const hasMark = seesMark && decoded.encoding === 'utf8bom';
  const current = `${hasMark ? '\ufeff' : ''}${decoded.text.replaceAll('\r\n', '\n')}`;
  const write = (text: string) => {
    const stored = decoded.text.includes('\r\n') ? withCarriageReturns(text) : text;
    return [{ path: file, bytes: encodeText(stored, hasMark ? 'utf8' : decoded.encoding), makesFolders: true }];
  };
  return editText(call, { name, file, before, after, current, write, refused });
}

function geminiText(call: ToolCall, edit: TextEdit): ToolOutcome {
  const { name, current, write, refused } = edit;
  const [before, after] = [edit.before.replaceAll('\r\n', '\n'), edit.after.replaceAll('\r\n', '\n')];
  const known = new Set(omissions(before));
  if (omissions(after).some((one) => !known.has(one))) {
    const words =
      "`new_string` contains an omission placeholder (for example 'rest of methods ...'). Provide exact literal replacement text.";
    return refuse('placeholder', name, { words });
  }
  const expected = expectedCount(call);
  const exact = countOccurrences(current, before);
  const isAll = expected !== 1;
  const near = exact > 0 ? undefined : replaceNear(current, { before, after, isAll });
  const found = near?.count ?? exact;
  // Older versions take only what is there to the letter.
  const doubts = found === 0 ? [correctorDoubt(name)] : [];
  if (found === 0) return refuse('absent', name, { words: notFoundWords(name), doubts });
  if (expected !== 'any' && found !== expected) {
    const term = expected === 1 ? 'occurrence' : 'occurrences';
    const words = `Failed to edit, Expected ${expected} ${term} but found ${found} for old_string in file: ${name}`;
    return refuse('repeated', name, { words, doubts: [correctorDoubt(name)] });
  }
  if (before === after) return identical(name);
  const text = near?.text ?? withSameEnd(current, replaceLiteral(current, before, after));
  const words = `Successfully modified file: ${name} (${found} replacements).`;
  return success(words, write(text), refused, doubts);
}

function correctorDoubt(name: string): string {
  return `Where a text does not fit ${name}, Gemini CLI accepts what is alike and asks a model to mend the call.`;
}

function identical(name: string): ToolOutcome {
  const words = `No changes to apply. The old_string and new_string are identical in file: ${name}`;
  return refuse('same', name, { words });
}

function qwenText(call: ToolCall, edit: TextEdit): ToolOutcome {
  const { name, current, write, refused } = edit;
  const doubts: string[] = [];
  const isExact = current.includes(edit.before);
  const slice = isExact ? undefined : findSlice(current, edit.before);
  let before = slice?.text ?? edit.before;
  const after = slice?.lacksLastBreak ? edit.after.replace(/\r?\n$/, '') : edit.after;
  if (after === '' && !before.endsWith('\n') && current.includes(`${before}\n`)) {
    doubts.push('Whether the line break behind the deleted text goes too depends on the version of the tool.');
    before = `${before}\n`;
  }
  if (slice) doubts.push(`The text to replace is in ${name} but for its blanks and quotes; newer versions take it.`);
  const found = countOccurrences(current, before);
  if (found === 0) return refuse('absent', name, { words: notFoundWords(name) });
  const expected = expectedCount(call);
  if (found > 1 && expected !== 'any' && found !== expected) {
    const words = `Failed to edit. Found ${found} occurrences for old_string in ${name} but replace_all was not enabled.`;
    return refuse('repeated', name, { words });
  }
  if (before === after) return identical(name);
  const text = replaceLiteral(current, before, after);
  if (text === current) {
    const words = `No changes to apply. The new content is identical to the current content in file: ${name}`;
    return refuse('same', name, { words });
  }
  return success(`Successfully modified file: ${name} (${found} replacements).`, write(text), refused, doubts);
}

function expectedCount(call: ToolCall): number | 'any' {
  const { replace_all: all, allow_multiple: multiple, expected_replacements: count } = call.arguments;
  if (all === true || multiple === true) return 'any';
  return typeof count === 'number' ? count : 1;
}

function notFoundWords(name: string): string {
  return `Failed to edit, 0 occurrences found for old_string in ${name}. No edits made. The exact text in old_string was not found. Ensure you're not escaping content incorrectly and check whitespace, indentation, and context. Use read_file tool to verify.`;
}

/** `write_file` of gemini-cli: as that of qwen-code, but what is only hinted at is refused. */
export async function geminiWrite(call: ToolCall, place: ToolPlace): Promise<ToolOutcome> {
  const content = textArgument(call, 'content') ?? '';
  if (omissions(content).length === 0) return writeFile(call, place);
  const words =
    "`content` contains an omission placeholder (for example 'rest of methods ...'). Provide complete file content.";
  return refuse('placeholder', textArgument(call, 'file_path') ?? '', { words });
}

/** `write_file` of qwen-code: only absolute paths; what is not UTF-8 keeps the encoding that it guesses. */
export async function qwenWrite(call: ToolCall, place: ToolPlace): Promise<ToolOutcome> {
  const name = textArgument(call, 'file_path');
  if (name && !name.startsWith('/')) return refuse('relative', name, { words: `File path must be absolute: ${name}` });
  const state = name ? await place.read(name) : undefined;
  const outcome = await writeFile(call, place);
  if (state?.kind !== 'file' || decodeText(state.bytes)) return outcome;
  const doubt = `${name} is not UTF-8; newer versions of Qwen Code write it in the encoding that they take it for.`;
  return { ...outcome, doubts: [...outcome.doubts, doubt] };
}

/** The whole content of a file, with the line ends that the file had. */
async function writeFile(call: ToolCall, place: ToolPlace): Promise<ToolOutcome> {
  const name = textArgument(call, 'file_path');
  const content = textArgument(call, 'content');
  if (!name) return refuse('arguments', '', { words: 'Missing or empty "file_path"' });
  if (content === undefined)
    return refuse('arguments', name, { words: "params must have required property 'content'" });
  const file = absolute(name, place.cwd);
  const state = await place.read(file);
  if (state.kind === 'folder') return refuse('folder', name, { words: `Path is a directory, not a file: ${file}` });
  if (state.kind === 'unreadable') {
    const words = `Error checking existing file '${file}': ${nodeError(state.code, 'open', file)} (${state.code})`;
    return refuse('unreadable', name, { words });
  }
  const existed = state.kind === 'file';
  const { bytes, doubts } = keptForm(state, content, name);
  const observation = existed
    ? `Successfully overwrote file: ${file}.`
    : `Successfully created and wrote to new file: ${file}.`;
  return success(observation, [{ path: file, bytes, makesFolders: true }], writeRefused, doubts);
}

function keptForm(state: FileState, content: string, name: string): { bytes: Uint8Array; doubts: string[] } {
  if (state.kind !== 'file') return { bytes: encodeText(content), doubts: [] };
  const decoded = decodeText(state.bytes);
  const text = decoded?.text.includes('\r\n') ? withCarriageReturns(content) : content;
  if (!decoded || decoded.encoding === 'utf8') return { bytes: encodeText(text), doubts: [] };
  const doubts = [`${name} begins with a byte order mark; whether that is kept depends on the version of the tool.`];
  return { bytes: encodeText(text, decoded.encoding), doubts };
}

function writeRefused(file: string, code: string): string {
  if (code === 'EACCES') return `Permission denied writing to file: ${file} (EACCES)`;
  if (code === 'ENOSPC') return `No space left on device: ${file} (ENOSPC)`;
  if (code === 'EISDIR') return `Target is a directory, not a file: ${file} (EISDIR)`;
  return `Error writing to file '${file}': ${nodeError(code, 'open', file)} (${code})`;
}
