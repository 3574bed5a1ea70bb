import type { ToolCall } from '../action.ts';
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
  refusal,
  success,
  type ToolOutcome,
  type ToolPlace,
  textArgument,
} from './toolOutcome.ts';

// Words as Claude Code's users see them in its transcripts (tool_result blocks of `Edit`, `Write` and `MultiEdit`).

const snippetLines = 4;

function toolError(words: string, doubts: string[] = []): ToolOutcome {
  return refusal(`<tool_use_error>${words}</tool_use_error>`, 1, doubts);
}

function refused(at: string, code: string): string {
  return `<tool_use_error>${nodeError(code, 'open', at)}</tool_use_error>`;
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
  if (!name || !one)
    return toolError('InputValidationError: Edit failed: file_path, old_string and new_string are required');
  const opened = await open(name, [one], place);
  if ('observation' in opened) return opened;
  const { file, decoded, current } = opened;
  if (decoded === undefined) {
    const writes = [{ path: file, bytes: encodeText(one.after), makesFolders: true }];
    return success(`File created successfully at: ${name}`, writes, refused);
  }
  const problem = problemOf(current, one);
  if (problem !== undefined) return toolError(problem);
  const text = replaced(current, one);
  const shown = one.isAll
    ? `The file ${name} has been updated. All occurrences of '${one.before}' were successfully replaced with '${one.after}'.`
    : `The file ${name} has been updated. Here's the result of running \`cat -n\` on a snippet of the edited file:\n${snippetOf(current, text, one)}`;
  return success(shown, [{ path: file, bytes: stored(text, decoded), makesFolders: true }], refused);
}

/** `MultiEdit`: several replacements in one file, all or none. */
export async function claudeMultiEdit(call: ToolCall, place: ToolPlace): Promise<ToolOutcome> {
  const name = textArgument(call, 'file_path');
  const { edits } = call.arguments;
  const all = Array.isArray(edits)
    ? edits.map((edit: unknown) => replacementOf((edit ?? {}) as Readonly<Record<string, unknown>>))
    : [];
  if (!name || all.length === 0 || all.includes(undefined))
    return toolError('InputValidationError: MultiEdit failed: file_path and edits are required');
  const replacements = all.filter((one) => one !== undefined);
  const opened = await open(name, replacements, place);
  if ('observation' in opened) return opened;
  const { file, decoded } = opened;
  let text = opened.current;
  for (const [index, one] of replacements.entries()) {
    if (index === 0 && decoded === undefined) {
      text = one.after;
      continue;
    }
    const problem = problemOf(text, one);
    if (problem !== undefined) return toolError(problem);
    text = replaced(text, one);
  }
  const list = replacements.map(({ before, after }, index) => `${index + 1}. Replaced "${before}" with "${after}"`);
  const bytes = decoded === undefined ? encodeText(text) : stored(text, decoded);
  const count = `${replacements.length} edit${replacements.length === 1 ? '' : 's'}`;
  const words = `Applied ${count} to ${name}:\n${list.join('\n')}`;
  return success(words, [{ path: file, bytes, makesFolders: true }], refused);
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
    if (before === after) return toolError('No changes to make: old_string and new_string are exactly the same.');
  }
  const state = await place.read(file);
  const isCreation = edits[0]?.before === '';
  if (state.kind === 'missing') {
    return isCreation ? { file, decoded: undefined, current: '' } : toolError('File does not exist.');
  }
  if (state.kind === 'folder') return toolError('EISDIR: illegal operation on a directory, read');
  if (state.kind === 'unreadable') return toolError(nodeError(state.code, 'open', file));
  if (file.endsWith('.ipynb')) return toolError('File is a Jupyter Notebook. Use the NotebookEdit to edit this file.');
  const decoded = decodeText(state.bytes);
  if (!decoded)
    return toolError('File is not text.', [`${name} is not UTF-8; what the tool makes of it is not known.`]);
  const current = decoded.text.replaceAll('\r\n', '\n');
  if (isCreation) {
    // An empty file may be filled in this way.
    if (current.trim() !== '') return toolError('Cannot create new file - file already exists.');
    return { file, decoded: undefined, current: '' };
  }
  return { file, decoded, current };
}

function problemOf(text: string, { before, isAll }: Replacement): string | undefined {
  const found = countOccurrences(text, before);
  if (found === 0) return `String to replace not found in file.\nString: ${before}`;
  if (found > 1 && !isAll) {
    return `Found ${found} matches of the string to replace, but replace_all is false. To replace all occurrences, set replace_all to true. To replace only one occurrence, please provide more context to uniquely identify the instance.\nString: ${before}`;
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
    return toolError('InputValidationError: Write failed: file_path and content are required');
  const file = absolute(name, place.cwd);
  const state = await place.read(file);
  if (state.kind === 'folder') return refusal(refused(file, 'EISDIR'));
  if (state.kind === 'unreadable') return toolError(nodeError(state.code, 'open', file));
  if (state.kind === 'missing') {
    const writes = [{ path: file, bytes: encodeText(content), makesFolders: true }];
    return success(`File created successfully at: ${name}`, writes, refused);
  }
  const decoded = decodeText(state.bytes);
  const doubts: string[] = [];
  if (decoded?.text.includes('\r\n') && !content.includes('\r\n'))
    doubts.push(`${name} has CRLF line ends; whether they stay depends on the version of the tool.`);
  if (decoded && decoded.encoding !== 'utf8')
    doubts.push(`${name} begins with a byte order mark; whether it stays depends on the version of the tool.`);
  const writes = [{ path: file, bytes: encodeText(content), makesFolders: true }];
  return success(`The file ${name} has been updated.`, writes, refused, doubts);
}
