import path from 'node:path';
import type { RefusalKind } from '../../facts/refusal.ts';
import type { ToolCall } from '../action.ts';
import { type PatchChunk, type PatchSection, readApplyPatch, seekLines } from './applyPatchText.ts';
import {
  absolute,
  type FileState,
  refuse,
  success,
  type ToolOutcome,
  type ToolPlace,
  type ToolWrite,
  textArgument,
} from './toolOutcome.ts';

// After OpenAI's Codex (codex-rs/apply-patch/src/lib.rs): first everything is verified against the files, then the sections
// are applied one after the other, names as written. Files get `\n` at their end. What was applied before a later section
// fails stays.

const systemWords: Readonly<Record<string, string>> = {
  missing: 'No such file or directory (os error 2)',
  folder: 'Is a directory (os error 21)',
  unreadable: 'Permission denied (os error 13)',
};

/** `apply_patch`: adds, deletes, moves and updates files by a text of its own format. */
export async function applyPatch(call: ToolCall, around: ToolPlace): Promise<ToolOutcome> {
  const place = { ...around, cwd: path.resolve(around.cwd, ...foldersOf(call)) };
  const text = patchTextOf(call);
  if (text === undefined)
    return refuse('arguments', '', { words: 'failed to parse function arguments: missing field `input`' });
  const sections = readApplyPatch(text);
  if ('problem' in sections)
    return refuse('patch', '', { words: `apply_patch verification failed: ${sections.problem}` });
  if (sections.length === 0)
    return refuse('patch', '', { words: 'apply_patch verification failed: No files were modified.' });
  const doubts = new Set<string>();
  for (const section of sections) {
    const failure = await verify(section, place, doubts);
    if (!failure) continue;
    const words = `apply_patch verification failed: ${failure.problem}`;
    return refuse(failure.kind, section.name, { words, doubts: [...doubts] });
  }
  return apply(sections, place, doubts);
}

/** Folders that a call changes to, one after the other. */
function foldersOf(call: ToolCall): string[] {
  const { folder } = call.arguments;
  return Array.isArray(folder) ? folder.filter((one) => typeof one === 'string') : [];
}

function patchTextOf(call: ToolCall): string | undefined {
  const direct = textArgument(call, 'input', 'patch', 'patchText', 'diff');
  if (direct !== undefined) return direct;
  const { command } = call.arguments;
  const last: unknown = Array.isArray(command) ? command.at(-1) : command;
  return typeof last === 'string' ? last : undefined;
}

/** Why a section cannot be applied: as a fact, and in the words of the tool. */
interface Failure {
  kind: RefusalKind;
  problem: string;
}

function kindOf(state: FileState): RefusalKind {
  return state.kind === 'folder' || state.kind === 'missing' ? state.kind : 'unreadable';
}

async function verify(section: PatchSection, place: ToolPlace, doubts: Set<string>): Promise<Failure | undefined> {
  if (section.kind === 'add') return undefined;
  const file = absolute(section.name, place.cwd);
  const state = await place.read(file);
  if (section.kind === 'delete') {
    if (state.kind === 'file') return undefined;
    return { kind: kindOf(state), problem: `Failed to read ${file}: ${systemWords[state.kind] ?? state.kind}` };
  }
  const result = updated(state, file, section.chunks, doubts);
  return 'problem' in result ? result : undefined;
}

async function apply(sections: readonly PatchSection[], place: ToolPlace, doubts: Set<string>): Promise<ToolOutcome> {
  const known = new Map<string, FileState>();
  const read = async (file: string) => known.get(file) ?? (await place.read(file));
  const writes: ToolWrite[] = [];
  const write = (file: string, bytes: Uint8Array | null) => {
    known.set(file, bytes === null ? { kind: 'missing' } : { kind: 'file', bytes });
    writes.push({ path: file, bytes, makesFolders: true });
  };
  const told: Record<'A' | 'M' | 'D', string[]> = { A: [], M: [], D: [] };
  const names = new Map<string, string>();
  for (const section of sections) {
    const file = absolute(section.name, place.cwd);
    names.set(file, section.name);
    if (section.kind === 'add') {
      write(file, Buffer.from(section.text));
      told.A.push(section.name);
    } else if (section.kind === 'delete') {
      if ((await read(file)).kind !== 'file') {
        const failure: Failure = { kind: 'missing', problem: `Failed to delete file ${section.name}` };
        return failed(failure, section.name, { writes, doubts });
      }
      write(file, null);
      told.D.push(section.name);
    } else {
      const result = updated(await read(file), section.name, section.chunks, doubts);
      if ('problem' in result) return failed(result, section.name, { writes, doubts });
      const goal = absolute(section.moveTo ?? section.name, place.cwd);
      names.set(goal, section.moveTo ?? section.name);
      write(goal, Buffer.from(result.text));
      // Moved onto itself: written, then removed.
      if (section.moveTo !== undefined) write(file, null);
      told.M.push(section.moveTo ?? section.name);
    }
  }
  const lines = (['A', 'M', 'D'] as const).flatMap((kind) => told[kind].map((name) => `${kind} ${name}\n`));
  const words = `Success. Updated the following files:\n${lines.join('')}`;
  const refused = (file: string) => `Failed to write file ${names.get(file) ?? file}\n`;
  return success(words, writes, refused, [...doubts]);
}

function failed(
  { kind, problem }: Failure,
  name: string,
  { writes, doubts }: { writes: ToolWrite[]; doubts: Set<string> },
): ToolOutcome {
  return { ...refuse(kind, name, { words: `${problem}\n`, doubts: [...doubts] }), writes };
}

function updated(
  state: FileState,
  name: string,
  chunks: readonly PatchChunk[],
  doubts: Set<string>,
): { text: string } | Failure {
  if (state.kind !== 'file')
    return {
      kind: kindOf(state),
      problem: `Failed to read file to update ${name}: ${systemWords[state.kind] ?? state.kind}`,
    };
  const text = Buffer.from(state.bytes).toString('utf8');
  if (text.includes('\uFFFD') && !Buffer.from(text).equals(state.bytes))
    return { kind: 'binary', problem: `Failed to read file to update ${name}: stream did not contain valid UTF-8` };
  if (text.includes('\r\n'))
    doubts.add(`${name} has CRLF line ends; whether new lines get them depends on the version of the tool.`);
  if (chunks.some((chunk) => chunk.contexts.length > 1))
    doubts.add('Several `@@` lines in a row are read differently by versions of the tool.');
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const found = replacementsFor(lines, name, chunks);
  if ('problem' in found) return found;
  for (const { at, count, after } of found.reverse()) lines.splice(at, count, ...after);
  if (lines.at(-1) !== '') lines.push('');
  return { text: lines.join('\n') };
}

interface Replacement {
  at: number;
  count: number;
  after: readonly string[];
}

function replacementsFor(
  lines: readonly string[],
  name: string,
  chunks: readonly PatchChunk[],
): Replacement[] | Failure {
  const replacements: Replacement[] = [];
  let start = 0;
  for (const chunk of chunks) {
    for (const context of chunk.contexts) {
      const at = seekLines(lines, [context], start, false);
      if (at === undefined) return { kind: 'absent', problem: `Failed to find context '${context}' in ${name}` };
      start = at + 1;
    }
    if (chunk.before.length === 0) {
      // Only added lines go to the end of the file, wherever the context stands.
      const at = lines.at(-1) === '' ? lines.length - 1 : lines.length;
      replacements.push({ at, count: 0, after: chunk.after });
      continue;
    }
    let { before, after } = chunk;
    let at = seekLines(lines, before, start, chunk.isEndOfFile);
    if (at === undefined && before.at(-1) === '') {
      before = before.slice(0, -1);
      if (after.at(-1) === '') after = after.slice(0, -1);
      at = seekLines(lines, before, start, chunk.isEndOfFile);
    }
    if (at === undefined)
      return { kind: 'absent', problem: `Failed to find expected lines in ${name}:\n${chunk.before.join('\n')}` };
    replacements.push({ at, count: before.length, after });
    start = at + before.length;
  }
  return replacements.sort((a, b) => a.at - b.at);
}
