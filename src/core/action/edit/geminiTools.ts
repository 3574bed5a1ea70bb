import type { ToolCall } from '../action.ts';
import { countOccurrences, decodeText, encodeText, replaceLiteral, withCarriageReturns } from './textBytes.ts';
import {
  absolute,
  type FileState,
  nodeError,
  refusal,
  success,
  type ToolOutcome,
  type ToolPlace,
  textArgument,
} from './toolOutcome.ts';

// The words and the order of the checks are those of gemini-cli (packages/core/src/tools/edit.ts, write-file.ts: tools
// `replace` and `write_file`) and of qwen-code (the same files: tools `edit` and `write_file`). Both keep CRLF line ends and
// a byte order mark. Newer versions accept old strings that fit only without their blanks; what they then do is not certain
// here, and is said to be so.

/** `edit` of qwen-code and `replace` of gemini-cli: replaces a text that occurs as often as was said. */
export async function geminiEdit(call: ToolCall, place: ToolPlace): Promise<ToolOutcome> {
  const name = textArgument(call, 'file_path');
  const before = textArgument(call, 'old_string');
  const after = textArgument(call, 'new_string');
  if (!name) return refusal("The 'file_path' parameter must be non-empty.");
  if (before === undefined) return refusal("params must have required property 'old_string'");
  if (after === undefined) return refusal("params must have required property 'new_string'");
  if (call.name === 'edit' && !name.startsWith('/')) return refusal(`File path must be absolute: ${name}`);
  const file = absolute(name, place.cwd);
  const state = await place.read(file);
  if (state.kind === 'folder') return refusal(`Error preparing edit: EISDIR: illegal operation on a directory, read`);
  if (state.kind === 'unreadable') return refusal(`Error preparing edit: ${nodeError(state.code, 'open', file)}`);
  const refused = (at: string, code: string) => `Error executing edit: ${nodeError(code, 'open', at)}`;
  if (state.kind === 'missing') {
    if (before !== '') return refusal(`File not found: ${name}`);
    const writes = [{ path: file, bytes: encodeText(after), makesFolders: true }];
    return success(`Created new file: ${name} with provided content.`, writes, refused);
  }
  return editText(call, { name, file, before, after, bytes: state.bytes, refused });
}

interface TextEdit {
  name: string;
  file: string;
  before: string;
  after: string;
  bytes: Uint8Array;
  refused: ToolOutcome['refused'];
}

function editText(call: ToolCall, edit: TextEdit): ToolOutcome {
  const { name, file, after, refused } = edit;
  const decoded = decodeText(edit.bytes);
  if (!decoded) {
    const doubt = `${name} is not UTF-8; what the tool makes of it depends on its version.`;
    return refusal(`File has an encoding that is not known: ${name}`, 1, [doubt]);
  }
  const current = decoded.text.replaceAll('\r\n', '\n');
  if (edit.before === '') return refusal(`File already exists, cannot create: ${name}`);
  const isDeletion = after === '' && !edit.before.endsWith('\n') && current.includes(`${edit.before}\n`);
  const doubts: string[] = [];
  if (isDeletion)
    doubts.push('Whether the line break behind the deleted text goes too depends on the version of the tool.');
  const before = isDeletion && call.name === 'edit' ? `${edit.before}\n` : edit.before;
  const found = countOccurrences(current, before);
  if (found === 0) return notFound(name, current, before);
  const expected = expectedCount(call);
  if (call.name === 'edit' && found > 1 && expected !== 'any') {
    return refusal(
      `Failed to edit. Found ${found} occurrences for old_string in ${name} but replace_all was not enabled.`,
    );
  }
  if (expected !== 'any' && found !== expected) {
    const term = expected === 1 ? 'occurrence' : 'occurrences';
    return refusal(`Failed to edit, Expected ${expected} ${term} but found ${found} for old_string in file: ${name}`);
  }
  if (before === after)
    return refusal(`No changes to apply. The old_string and new_string are identical in file: ${name}`);
  const text = replaceLiteral(current, before, after);
  if (text === current) {
    const reason = `No changes to apply. The new content is identical to the current content in file: ${name}`;
    return refusal(reason);
  }
  const stored = decoded.text.includes('\r\n') ? withCarriageReturns(text) : text;
  const writes = [{ path: file, bytes: encodeText(stored, decoded.encoding), makesFolders: true }];
  return success(`Successfully modified file: ${name} (${found} replacements).`, writes, refused, doubts);
}

function expectedCount(call: ToolCall): number | 'any' {
  const { replace_all: all, allow_multiple: multiple, expected_replacements: count } = call.arguments;
  if (all === true || multiple === true) return 'any';
  return typeof count === 'number' ? count : 1;
}

function notFound(name: string, current: string, before: string): ToolOutcome {
  const fits = withoutBlanks(current).includes(withoutBlanks(before).trim()) && withoutBlanks(before).trim() !== '';
  const doubts = fits
    ? [`The text to replace is in ${name} but for its blanks; newer versions of the tool take it.`]
    : [];
  const words = `Failed to edit, 0 occurrences found for old_string in ${name}. No edits made. The exact text in old_string was not found. Ensure you're not escaping content incorrectly and check whitespace, indentation, and context. Use read_file tool to verify.`;
  return refusal(words, 1, doubts);
}

function withoutBlanks(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .join('\n');
}

/** `write_file`: the whole content of a file, with the line ends that the file had. */
export async function geminiWrite(call: ToolCall, place: ToolPlace): Promise<ToolOutcome> {
  const name = textArgument(call, 'file_path');
  const content = textArgument(call, 'content');
  if (!name) return refusal('Missing or empty "file_path"');
  if (content === undefined) return refusal("params must have required property 'content'");
  const file = absolute(name, place.cwd);
  const state = await place.read(file);
  if (state.kind === 'folder') return refusal(`Path is a directory, not a file: ${file}`);
  if (state.kind === 'unreadable')
    return refusal(`Error checking existing file '${file}': ${nodeError(state.code, 'open', file)} (${state.code})`);
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
