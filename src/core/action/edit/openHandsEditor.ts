import path from 'node:path';
import type { RefusalKind } from '../../facts/refusal.ts';
import type { ToolCall } from '../action.ts';
import { countOccurrences, isUtf8 } from './textBytes.ts';
import { refuse, success, type ToolOutcome, type ToolPlace, textArgument } from './toolOutcome.ts';
import { pythonStrip } from './whiteSpace.ts';

// After OpenHands (openhands_aci/editor/editor.py): Python's text mode, so line ends become `\n`; tabs stay; a text that is not
// there is looked for again without the blanks around it; binary files are refused by what `binaryornot` finds, and other
// encodings than UTF-8 are taken when a detector is sure of one.

const documents = /\.(pdf|docx|pptx|xlsx|mp3|wav|m4a|flac)$/i;

const said: Readonly<Partial<Record<RefusalKind, (name: string) => string>>> = {
  missing: (name) =>
    `Invalid \`path\` parameter: ${name}. The path ${name} does not exist. Please provide a valid path.`,
  exists: (name) =>
    `Invalid \`path\` parameter: ${name}. File already exists at: ${name}. Cannot overwrite files using command \`create\`.`,
  folder: (name) =>
    `Invalid \`path\` parameter: ${name}. The path ${name} is a directory and only the \`view\` command can be used on directories.`,
  same: () => 'No replacement was performed. `new_str` and `old_str` must be different.',
};

function no(kind: RefusalKind, name: string, doubts: string[] = []): ToolOutcome {
  return refuse(kind, name, { words: said[kind]?.(name), doubts });
}

/** `str_replace_editor` and `file_editor` of OpenHands: create, str_replace and insert. */
export async function openHandsEditor(call: ToolCall, place: ToolPlace): Promise<ToolOutcome> {
  const command = textArgument(call, 'command') ?? '';
  const name = textArgument(call, 'path') ?? '';
  if (!name.startsWith('/')) return no('relative', name);
  const state = await place.read(name);
  if (command === 'create') {
    if (state.kind !== 'missing') return no('exists', name);
    const text = textArgument(call, 'file_text');
    if (text === undefined) return no('arguments', name);
    if (!(await place.isFolder(path.dirname(name)))) {
      const doubt = 'Whether OpenHands makes the folders above a new file depends on its version.';
      return no('missing', path.dirname(name), [doubt]);
    }
    const writes = [{ path: name, bytes: Buffer.from(text), makesFolders: false }];
    return success(`File created successfully at: ${name}`, writes);
  }
  if (state.kind === 'missing' || state.kind === 'folder') return no(state.kind, name);
  if (state.kind !== 'file') return no('unreadable', name);
  if (state.bytes.includes(0) || documents.test(name)) return no('binary', name);
  if (!isUtf8(state.bytes)) {
    const doubt = `${name} is not UTF-8; whether OpenHands takes it depends on what its detector of encodings says.`;
    return no('binary', name, [doubt]);
  }
  const text = Buffer.from(state.bytes).toString('utf8').replace(/\r\n?/g, '\n');
  if (command === 'str_replace') return replace(call, name, text);
  return command === 'insert' ? insert(call, name, text) : no('arguments', name);
}

function replace(call: ToolCall, name: string, text: string): ToolOutcome {
  let before = textArgument(call, 'old_str');
  let after = textArgument(call, 'new_str') ?? '';
  if (before === undefined) return no('arguments', name);
  if (before === call.arguments['new_str']) return no('same', name);
  let found = before === '' ? text.length + 1 : countOccurrences(text, before);
  if (found === 0) {
    before = pythonStrip(before);
    after = pythonStrip(after);
    found = before === '' ? text.length + 1 : countOccurrences(text, before);
  }
  if (found === 0) return no('absent', name);
  if (found > 1) return no('repeated', name);
  const at = text.indexOf(before);
  return written(name, `${text.slice(0, at)}${after}${text.slice(at + before.length)}`);
}

function insert(call: ToolCall, name: string, text: string): ToolOutcome {
  const at = call.arguments['insert_line'];
  const given = textArgument(call, 'new_str');
  if (typeof at !== 'number' || !Number.isInteger(at) || given === undefined) return no('arguments', name);
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  if (at < 0 || at > lines.length) return no('line', name);
  const inserted = given.split('\n').map((line) => `${line}\n`);
  // It writes a temporary file, which only its owner may read, and moves that to the place of the old one.
  const changed = [...lines.slice(0, at), ...inserted, ...lines.slice(at)].join('');
  const write = { path: name, bytes: Buffer.from(changed), makesFolders: false, takesPlace: true, mode: 0o600 };
  return success(undefined, [write]);
}

// The words of a success show a snippet whose form differs from version to version.
function written(name: string, text: string): ToolOutcome {
  return success(undefined, [{ path: name, bytes: Buffer.from(text), makesFolders: false }]);
}
