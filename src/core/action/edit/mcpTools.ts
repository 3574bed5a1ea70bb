import type { ToolCall } from '../action.ts';
import {
  absolute,
  refuse,
  success,
  type ToolOutcome,
  type ToolPlace,
  type ToolWrite,
  textArgument,
} from './toolOutcome.ts';

// After the filesystem server of the Model Context Protocol (modelcontextprotocol/servers, src/filesystem/lib.ts): a temporary
// file takes the place of the old one at the end of all links, and so gets the permissions of a new file.

const relativeDoubt =
  'A relative path begins in one of the folders that the server was given, which are not known here.';

/** `write_file {path, content}`. */
export async function mcpWrite(call: ToolCall, place: ToolPlace): Promise<ToolOutcome> {
  const name = textArgument(call, 'path');
  const content = textArgument(call, 'content');
  if (!name || content === undefined) return refuse('arguments', name ?? '');
  const file = absolute(name, place.cwd);
  const state = await place.read(file);
  if (state.kind === 'folder') return refuse('folder', name, { words: nodeError('EISDIR', file) });
  const writes = await writesOf(file, content, place);
  if (state.kind === 'missing' && writes === undefined)
    return refuse('missing', name, { words: `Parent directory does not exist: ${parentOf(file)}` });
  return success(`Successfully wrote to ${name}`, writes ?? [], undefined, doubtsOf(name));
}

/** `edit_file {path, edits: [{oldText, newText}], dryRun}`: the first place of each, also one with other blanks. */
export async function mcpEdit(call: ToolCall, place: ToolPlace): Promise<ToolOutcome> {
  const name = textArgument(call, 'path');
  const edits = pairsOf(call.arguments['edits']);
  if (!name || !edits) return refuse('arguments', name ?? '');
  const file = absolute(name, place.cwd);
  const state = await place.read(file);
  if (state.kind === 'missing' || state.kind === 'folder') return refuse(state.kind, name);
  if (state.kind === 'unreadable') return refuse('unreadable', name);
  const plain = (text: string) => text.replace(/\r\n/g, '\n');
  let text = plain(Buffer.from(state.bytes).toString('utf8'));
  for (const { before, after } of edits) {
    const changed = replaceFirstFit(text, plain(before), plain(after));
    if (changed === undefined)
      return refuse('absent', name, { words: `Could not find exact match for edit:\n${before}` });
    text = changed;
  }
  if (call.arguments['dryRun'] === true) return success(undefined, [], undefined, doubtsOf(name));
  return success(undefined, (await writesOf(file, text, place)) ?? [], undefined, doubtsOf(name));
}

/** `move_file` is no edit of a text; `create_directory` neither: both are given as operations. */
export function pairsOf(edits: unknown): { before: string; after: string }[] | undefined {
  if (!Array.isArray(edits) || edits.length === 0) return undefined;
  const pairs = edits.map((edit: unknown) => {
    const { oldText: before, newText: after } = (edit ?? {}) as Readonly<Record<string, unknown>>;
    return typeof before === 'string' && typeof after === 'string' ? { before, after } : undefined;
  });
  return pairs.includes(undefined) ? undefined : pairs.filter((pair) => pair !== undefined);
}

function doubtsOf(name: string): string[] {
  return name.startsWith('/') ? [] : [relativeDoubt];
}

function nodeError(code: string, file: string): string {
  return `${code}: illegal operation on a directory, open '${file}'`;
}

function parentOf(file: string): string {
  return file.replace(/\/[^/]*$/, '') || '/';
}

async function writesOf(file: string, text: string, place: ToolPlace): Promise<ToolWrite[] | undefined> {
  if (!(await place.isFolder(parentOf(file)))) return undefined;
  const write = { path: file, bytes: Buffer.from(text), makesFolders: false };
  const old = await place.mode(file);
  const fresh = 0o666 & ~process.umask();
  // Over a file that has the permissions of a new one it is as if it were written in place.
  return [old === undefined || old === fresh ? write : { ...write, takesPlace: true, mode: fresh }];
}

function replaceFirstFit(text: string, before: string, after: string): string | undefined {
  const at = text.indexOf(before);
  if (at >= 0) return `${text.slice(0, at)}${after}${text.slice(at + before.length)}`;
  const wanted = before.split('\n');
  const lines = text.split('\n');
  for (let index = 0; index <= lines.length - wanted.length; index += 1) {
    if (!wanted.every((line, offset) => line.trim() === (lines[index + offset] ?? '').trim())) continue;
    lines.splice(index, wanted.length, ...fitted(lines[index] ?? '', wanted, after));
    return lines.join('\n');
  }
  return undefined;
}

/** The new lines, indented as the first line that they replace. */
function fitted(first: string, wanted: readonly string[], after: string): string[] {
  const indentOf = (line: string) => /^\s*/.exec(line)?.[0] ?? '';
  const indent = indentOf(first);
  return after.split('\n').map((line, index) => {
    if (index === 0) return indent + line.trimStart();
    const [old, fresh] = [indentOf(wanted[index] ?? ''), indentOf(line)];
    if (old === '' || fresh === '') return line;
    return indent + ' '.repeat(Math.max(0, fresh.length - old.length)) + line.trimStart();
  });
}
