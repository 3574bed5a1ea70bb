import path from 'node:path';
import type { RefusalKind } from '../../facts/refusal.ts';
import type { ToolCall } from '../action.ts';
import { type PatchChunk, type PatchReading, type PatchSection, readApplyPatch } from './applyPatchText.ts';
import { currentUpdate, type PatchFailure, recordedUpdate, type UpdateRules } from './applyPatchUpdate.ts';
import { memoryOf } from './patchMemory.ts';
import { isUtf8 } from './textBytes.ts';
import {
  absolute,
  type EditTool,
  type FileState,
  refuse,
  success,
  type ToolOutcome,
  type ToolPlace,
  type ToolWrite,
  textArgument,
} from './toolOutcome.ts';

// After OpenAI's Codex (codex-rs/apply-patch/src/lib.rs): first everything is verified against the files, then the sections
// are applied one after the other. Files get a line break at their end. What was applied before a later section fails stays.

/** In what versions of the tool differ. */
export interface PatchRules {
  reading: PatchReading;
  /** Two sections may mean the same file. */
  takesFilesTwice: boolean;
  /** Files are named in failures as the patch names them; absolute otherwise. */
  namesAsWritten: boolean;
  /** Why a file cannot be read; undefined: not known. */
  unread(file: string, state: FileState): string | undefined;
  /** What is said of a patch without sections. */
  empty: string;
  /** A file that is deleted has to be text. */
  deletesTextOnly: boolean;
  update: UpdateRules;
}

const systemWords: Readonly<Record<string, string>> = {
  missing: 'No such file or directory (os error 2)',
  unreadable: 'Permission denied (os error 13)',
};

/** As transcripts of its users have it. */
export const recordedPatch = createApplyPatch({
  reading: {},
  takesFilesTwice: true,
  namesAsWritten: true,
  unread: (_, { kind }) =>
    kind === 'folder'
      ? 'Is a directory (os error 21)'
      : kind === 'file'
        ? 'stream did not contain valid UTF-8'
        : systemWords[kind],
  empty: 'apply_patch verification failed: No files were modified.',
  deletesTextOnly: false,
  update: recordedUpdate,
});

/** Codex 0.169, as its package does it (`node test/bench.mjs agents codex` compares). */
export const codexPatchNow = createApplyPatch({
  reading: { mostContexts: 1, takesEmptyLines: true },
  takesFilesTwice: false,
  namesAsWritten: false,
  unread: (file, { kind }) => (kind === 'folder' ? `path \`${file}\` is not a file` : systemWords[kind]),
  empty: 'patch rejected: empty patch',
  deletesTextOnly: true,
  update: currentUpdate,
});

/** `apply_patch`: adds, deletes, moves and updates files by a text of its own format. */
function createApplyPatch(rules: PatchRules): EditTool {
  return async (call, around) => {
    const place = { ...around, cwd: path.resolve(around.cwd, ...foldersOf(call)) };
    const text = patchTextOf(call);
    if (text === undefined)
      return refuse('arguments', '', { words: 'failed to parse function arguments: missing field `input`' });
    const sections = readApplyPatch(text, rules.reading);
    if ('problem' in sections)
      return refuse('patch', '', { words: `apply_patch verification failed: ${sections.problem}` });
    if (sections.length === 0) return refuse('patch', '', { words: rules.empty });
    const doubts = new Set<string>();
    const meant = new Set<string>();
    for (const section of sections) {
      const file = absolute(section.name, place.cwd);
      const failure: PatchFailure | undefined =
        meant.has(file) && !rules.takesFilesTwice
          ? { kind: 'patch', problem: `invalid patch: multiple operations target ${file}` }
          : await verify(section, { place, rules, doubts });
      meant.add(file);
      if (!failure) continue;
      const words = failure.problem && `apply_patch verification failed: ${failure.problem}`;
      return refuse(failure.kind, section.name, { words, doubts: [...doubts] });
    }
    return apply(sections, { place, rules, doubts });
  };
}

interface Around {
  place: ToolPlace;
  rules: PatchRules;
  doubts: Set<string>;
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

function kindOf(state: FileState): RefusalKind {
  if (state.kind === 'file') return 'binary';
  return state.kind === 'folder' || state.kind === 'missing' ? state.kind : 'unreadable';
}

async function verify(section: PatchSection, { place, rules, doubts }: Around): Promise<PatchFailure | undefined> {
  if (section.kind === 'add') return undefined;
  const file = absolute(section.name, place.cwd);
  const state = await place.read(file);
  if (section.kind === 'delete') {
    if (state.kind === 'file' && (!rules.deletesTextOnly || isUtf8(state.bytes))) return undefined;
    return unread('Failed to read', file, { state, rules });
  }
  const result = updated(file, section.chunks, { state, rules, doubts });
  return 'text' in result ? undefined : result;
}

function unread(doing: string, name: string, { state, rules }: { state: FileState; rules: PatchRules }): PatchFailure {
  const why = rules.unread(name, state);
  return { kind: kindOf(state), problem: why && `${doing} ${name}: ${why}` };
}

async function apply(sections: readonly PatchSection[], around: Around): Promise<ToolOutcome> {
  const { place, rules, doubts } = around;
  const { read, write, writes } = memoryOf(place);
  const told: Record<'A' | 'M' | 'D', string[]> = { A: [], M: [], D: [] };
  const names = new Map<string, string>();
  const named = (name: string) => (rules.namesAsWritten ? name : absolute(name, place.cwd));
  for (const section of sections) {
    const file = absolute(section.name, place.cwd);
    names.set(file, named(section.name));
    if (section.kind === 'add') {
      await write(file, Buffer.from(section.text));
      told.A.push(section.name);
    } else if (section.kind === 'delete') {
      if ((await read(file)).kind !== 'file') {
        const failure: PatchFailure = { kind: 'missing', problem: `Failed to delete file ${named(section.name)}` };
        return failed(failure, section.name, { writes, doubts });
      }
      await write(file, null);
      told.D.push(section.name);
    } else {
      const result = updated(named(section.name), section.chunks, { state: await read(file), rules, doubts });
      if (!('text' in result)) return failed(result, section.name, { writes, doubts });
      const goal = absolute(section.moveTo ?? section.name, place.cwd);
      names.set(goal, named(section.moveTo ?? section.name));
      await write(goal, Buffer.from(result.text));
      // Moved onto itself: written, then removed.
      if (section.moveTo !== undefined) await write(file, null);
      told.M.push(section.moveTo ?? section.name);
    }
  }
  const lines = (['A', 'M', 'D'] as const).flatMap((kind) => told[kind].map((name) => `${kind} ${name}\n`));
  const words = `Success. Updated the following files:\n${lines.join('')}`;
  const refused = (file: string) => `Failed to write file ${names.get(file) ?? file}\n`;
  return success(words, writes, refused, [...doubts]);
}

function failed(
  { kind, problem }: PatchFailure,
  name: string,
  { writes, doubts }: { writes: ToolWrite[]; doubts: Set<string> },
): ToolOutcome {
  return { ...refuse(kind, name, { words: problem && `${problem}\n`, doubts: [...doubts] }), writes };
}

function updated(
  name: string,
  chunks: readonly PatchChunk[],
  { state, rules, doubts }: { state: FileState; rules: PatchRules; doubts: Set<string> },
): { text: string } | PatchFailure {
  if (state.kind !== 'file' || !isUtf8(state.bytes))
    return unread('Failed to read file to update', name, { state, rules });
  return rules.update(Buffer.from(state.bytes).toString('utf8'), { name, chunks, doubts });
}
