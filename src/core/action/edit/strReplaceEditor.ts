import path from 'node:path';
import type { ToolCall } from '../action.ts';
import { countOccurrences, isUtf8, numbered } from './textBytes.ts';
import { nodeError, refuse, success, type ToolOutcome, type ToolPlace, textArgument } from './toolOutcome.ts';

// After the reference implementation of Anthropic's text editor tool as SWE-agent has it (a Python program,
// tools/edit_anthropic/bin/str_replace_editor): it reads with universal line ends, expands tabs and writes `\n`.

const snippetLines = 4;
const longestResponse = 16_000;
const clipped =
  '<response clipped><NOTE>To save on context only part of this file has been shown to you. You should retry this tool after you have searched inside the file with `grep -n` in order to find the line numbers of what you are looking for.</NOTE>';

/** `str_replace_editor` and `str_replace_based_edit_tool` of SWE-agent: create, str_replace and insert. */
export async function strReplaceEditor(call: ToolCall, place: ToolPlace): Promise<ToolOutcome> {
  const command = textArgument(call, 'command') ?? '';
  const name = textArgument(call, 'path') ?? '';
  if (!name.startsWith('/')) {
    const suggested = path.join(place.cwd, name);
    const words = `The path ${name} is not an absolute path, it should start with \`/\`. Maybe you meant ${suggested}?\n`;
    return refuse('relative', name, { words, exitCode: 6 });
  }
  const state = await place.read(name);
  if (state.kind === 'missing' && command !== 'create') {
    const words = `The path ${name} does not exist. Please provide a valid path.\n`;
    return refuse('missing', name, { words, exitCode: 7 });
  }
  if (state.kind !== 'missing' && command === 'create') {
    const words = `File already exists at: ${name}. Cannot overwrite files using command \`create\`.\n`;
    return refuse('exists', name, { words, exitCode: 8 });
  }
  if (state.kind === 'folder') {
    const words = `The path ${name} is a directory and only the \`view\` command can be used on directories\n`;
    return refuse('folder', name, { words, exitCode: 9 });
  }
  if (command === 'create') return create(call, name, place);
  if (state.kind !== 'file') {
    const words = `Ran into ${nodeError('EACCES', 'open', name)} while trying to read it\n`;
    return refuse('unreadable', name, { words });
  }
  const read = readText(state.bytes);
  if (command === 'str_replace') return replace(call, name, read);
  if (command === 'insert') return insert(call, name, read);
  const words = `Unrecognized command ${command}. The allowed commands for the str_replace_editor tool are: "view", "create", "str_replace", "insert", "undo_edit"\n`;
  return refuse('arguments', name, { words, exitCode: 5 });
}

async function create(call: ToolCall, name: string, place: ToolPlace): Promise<ToolOutcome> {
  const text = textArgument(call, 'file_text');
  if (text === undefined)
    return refuse('arguments', name, { words: 'Parameter `file_text` is required for command: create\n' });
  const folder = path.dirname(name);
  if (!(await place.isFolder(folder))) {
    const words = `The parent directory ${folder} does not exist. Please create it first.\n`;
    return refuse('missing', folder, { words, exitCode: 21 });
  }
  const writes = [{ path: name, bytes: Buffer.from(text), makesFolders: false }];
  return success(`File created successfully at: ${name}\n`, writes, refused);
}

/** A file's text with `\n` line ends and without tabs, and the encoding that Python would write it in again. */
interface ReadText {
  text: string;
  encoding: 'utf8' | 'latin1';
}

function readText(bytes: Uint8Array): ReadText {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
  return { text: expandTabs(buffer.toString(encoding).replace(/\r\n?/g, '\n')), encoding };
}

/** Python's `str.expandtabs()`: stops every eight characters, counted anew in every line. */
function expandTabs(text: string): string {
  if (!text.includes('\t')) return text;
  let result = '';
  let column = 0;
  for (const character of text) {
    if (character === '\t') {
      const blanks = 8 - (column % 8);
      result += ' '.repeat(blanks);
      column += blanks;
      continue;
    }
    result += character;
    column = character === '\n' || character === '\r' ? 0 : column + 1;
  }
  return result;
}

function replace(call: ToolCall, name: string, { text, encoding }: ReadText): ToolOutcome {
  const given = textArgument(call, 'old_str');
  if (given === undefined) {
    const words = 'Parameter `old_str` is required for command: str_replace\n';
    return refuse('arguments', name, { words, exitCode: 2 });
  }
  const before = expandTabs(given);
  const after = expandTabs(textArgument(call, 'new_str') ?? '');
  if (before === '') {
    const doubts = ['What the tool does with an empty `old_str` depends on its version.'];
    const words = 'No replacement was performed. Multiple occurrences of old_str ``. Please ensure it is unique\n';
    return refuse('repeated', name, { words, exitCode: 16, doubts });
  }
  const found = countOccurrences(text, before);
  if (found === 0) {
    const words = `No replacement was performed, old_str \`${before}\` did not appear verbatim in ${name}.\n`;
    return refuse('absent', name, { words, exitCode: 15 });
  }
  if (found > 1) {
    const lines = text.split('\n').flatMap((line, index) => (line.includes(before) ? [index + 1] : []));
    const words = `No replacement was performed. Multiple occurrences of old_str \`${before}\` in lines [${lines.join(', ')}]. Please ensure it is unique\n`;
    return refuse('repeated', name, { words, exitCode: 16 });
  }
  if (before === after) {
    const words = `No replacement was performed, old_str \`${before}\` is the same as new_str \`${after}\`.\n`;
    return refuse('same', name, { words, exitCode: 161 });
  }
  const at = text.indexOf(before);
  const changed = `${text.slice(0, at)}${after}${text.slice(at + before.length)}`;
  const line = text.slice(0, at).split('\n').length - 1;
  const first = Math.max(1, line - snippetLines);
  const last = Math.min(line + snippetLines + after.split('\n').length - 1, pythonLines(changed));
  const snippet = changed
    .split('\n')
    .slice(first - 1, last)
    .join('\n');
  const words = `The file ${name} has been edited. ${shown(snippet, `a snippet of ${name}`, first)}Review the changes and make sure they are as expected. Edit the file again if necessary.\n`;
  return written(name, changed, encoding, words);
}

function insert(call: ToolCall, name: string, { text, encoding }: ReadText): ToolOutcome {
  const at = call.arguments['insert_line'];
  const given = textArgument(call, 'new_str', 'insert_text');
  if (typeof at !== 'number' || !Number.isInteger(at)) {
    const words = 'Parameter `insert_line` is required for command: insert\n';
    return refuse('arguments', name, { words, exitCode: 3 });
  }
  if (given === undefined) {
    const words = 'Parameter `new_str` is required for command: insert\n';
    return refuse('arguments', name, { words, exitCode: 4 });
  }
  const lines = text.split('\n');
  if (at < 0 || at > lines.length) {
    const words = `Invalid \`insert_line\` parameter: ${at}. It should be within the range of lines of the file: [0, ${lines.length}]\n`;
    return refuse('line', name, { words, exitCode: 17 });
  }
  const inserted = expandTabs(given).split('\n');
  const changed = [...lines.slice(0, at), ...inserted, ...lines.slice(at)].join('\n');
  const snippet = [
    ...lines.slice(Math.max(0, at - snippetLines), at),
    ...inserted,
    ...lines.slice(at, at + snippetLines),
  ].join('\n');
  const first = Math.max(1, at - snippetLines + 1);
  const words = `The file ${name} has been edited. ${shown(snippet, 'a snippet of the edited file', first)}Review the changes and make sure they are as expected (correct indentation, no duplicate lines, etc). Edit the file again if necessary.\n`;
  return written(name, changed, encoding, words);
}

function written(name: string, text: string, encoding: ReadText['encoding'], words: string): ToolOutcome {
  if (encoding === 'latin1' && /[^\u0000-\u00ff]/.test(text)) {
    const doubts = [`${name} is not UTF-8 and would get characters that Latin-1 has not.`];
    const said = 'Ran into a UnicodeEncodeError while trying to write\n';
    return refuse('unwritable', name, { words: said, exitCode: 20, doubts });
  }
  const writes = [{ path: name, bytes: Buffer.from(text, encoding), makesFolders: false }];
  return success(words, writes, refused);
}

const errnoNumbers: Readonly<Record<string, string>> = {
  EACCES: "[Errno 13] Permission denied: '",
  EROFS: "[Errno 30] Read-only file system: '",
  EISDIR: "[Errno 21] Is a directory: '",
  ENOTDIR: "[Errno 20] Not a directory: '",
  ENOENT: "[Errno 2] No such file or directory: '",
};

function refused(name: string, code: string): string {
  const words = errnoNumbers[code];
  return `Ran into ${words === undefined ? code : `${words}${name}'`} while trying to write to ${name}\n`;
}

function shown(text: string, what: string, firstLine: number): string {
  const cut = text.length <= longestResponse ? text : `${text.slice(0, longestResponse)}${clipped}`;
  return `Here's the result of running \`cat -n\` on ${what}:\n${numbered(expandTabs(cut), firstLine)}\n`;
}

/** Length of Python's `str.splitlines()`, which knows more line ends than `\n`. */
function pythonLines(text: string): number {
  const lines = text.split(/\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/);
  return lines.at(-1) === '' ? lines.length - 1 : lines.length;
}
