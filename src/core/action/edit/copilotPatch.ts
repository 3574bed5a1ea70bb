import type { RefusalKind } from '../../facts/refusal.ts';
import { type PatchChunk, type PatchSection, readApplyPatch, seekLines } from './applyPatchText.ts';
import { lettersOf } from './copilotTools.ts';
import { memoryOf } from './patchMemory.ts';
import { absolute, type EditTool, type FileState, nodeError, refuse, success, textArgument } from './toolOutcome.ts';

// `apply_patch` of GitHub Copilot's command line 1.0, as its package does it (`node test/bench.mjs agents copilot-patches` compares):
// sections are applied one after the other, and what was applied before one that fails stays. Lines that stay are those of the
// file; all of a file gets the line ends that most of its lines have.

interface PatchFailure {
  kind: RefusalKind;
  /** What follows `Error: `; undefined: not known. */
  problem: string | undefined;
}

const headers = { add: 'Add', update: 'Update', delete: 'Delete' } as const;

/** Applies a patch in the form of Codex. */
export const copilotPatch: EditTool = async (call, place) => {
  const text = textArgument(call, 'input', 'patch', 'diff');
  if (text === undefined) return refuse('arguments', '');
  if (text === '')
    return refuse('arguments', '', { words: 'apply_patch requires a non-empty string input (the patch content).' });
  const sections = readCopilotPatch(text);
  if ('problem' in sections) return refuse('patch', '', { words: `Failed to parse patch: ${sections.problem}` });
  if (sections.length === 0)
    return refuse('patch', '', { words: 'Failed to apply patch: Error: No files were modified.' });
  const doubts = new Set<string>();
  const files = memoryOf(place);
  const told: Record<'Added' | 'Modified' | 'Deleted', string[]> = { Added: [], Modified: [], Deleted: [] };
  const said = () =>
    (['Added', 'Modified', 'Deleted'] as const)
      .filter((kind) => told[kind].length > 0)
      .map((kind) => `${kind} ${told[kind].length} file(s): ${told[kind].join(', ')}`)
      .join('\n');
  const failed = ({ kind, problem }: PatchFailure, section: PatchSection) => {
    const partly = [
      'Patch partially applied before failure.',
      `Applied successfully before the failure:\n${said()}`,
      `Failed while applying ${headers[section.kind]} File: ${section.name}:\nError: ${problem}`,
      'Warning: earlier hunks were applied and not rolled back. Inspect the files before retrying; retry only failed/remaining hunks or revert first.',
    ];
    const whole = said() === '' ? `Failed to apply patch: Error: ${problem}` : partly.join('\n\n');
    const words = problem === undefined || doubts.size > 0 ? undefined : whole;
    return { ...refuse(kind, section.name, { words, doubts: [...doubts] }), writes: files.writes };
  };
  for (const section of sections) {
    const file = absolute(section.name, place.cwd);
    const state = await files.read(file);
    if (section.kind === 'add') {
      if (state.kind === 'file' || state.kind === 'folder')
        return failed({ kind: 'exists', problem: `File already exists: ${file}` }, section);
      if (state.kind === 'unreadable') return failed(unread(state, 'open', file), section);
      await files.write(file, Buffer.from(section.text));
      told.Added.push(file);
    } else if (section.kind === 'delete') {
      if (state.kind !== 'file') return failed(unread(state, 'unlink', file), section);
      await files.write(file, null);
      told.Deleted.push(file);
    } else {
      const result = updated(state, section.chunks, { file, doubts });
      if (!('text' in result)) return failed(result, section);
      const goal = absolute(section.moveTo ?? section.name, place.cwd);
      const before = await files.read(goal);
      if (before.kind === 'folder' || before.kind === 'unreadable')
        return failed(unread(before, 'open', goal), section);
      await files.write(goal, Buffer.from(result.text));
      if (goal !== file) await files.write(file, null);
      told[before.kind === 'missing' ? 'Added' : 'Modified'].push(goal);
    }
  }
  return success(said(), files.writes, () => undefined, [...doubts]);
};

/** The same text as Codex reads it, but for blanks around names and before the last line; problems in Copilot's words. */
function readCopilotPatch(text: string): PatchSection[] | { problem: string } {
  const trimmed = text.trim();
  if (/\n[^\S\n]+\*\*\* End Patch$/.test(trimmed))
    return { problem: "The last line of the patch must be '*** End Patch'" };
  const read = readApplyPatch(trimmed, { mostContexts: 1 });
  if (!('problem' in read))
    return read.map((section) => ({
      ...section,
      name: section.name.trim(),
      ...('moveTo' in section && section.moveTo !== undefined ? { moveTo: section.moveTo.trim() } : {}),
    }));
  const { line, message } = read;
  return { problem: line === undefined ? message : `${message} (line ${line})` };
}

function unread(state: FileState, call: 'open' | 'unlink' | 'read', file: string): PatchFailure {
  switch (state.kind) {
    case 'missing':
      return { kind: 'missing', problem: nodeError('ENOENT', call === 'read' ? 'open' : call, file) };
    case 'folder':
      return { kind: 'folder', problem: folderWords(call, file) };
    case 'unreadable':
      return {
        kind: 'unreadable',
        problem: state.code === undefined ? undefined : nodeError(state.code, call === 'read' ? 'open' : call, file),
      };
    case 'file':
      return { kind: 'exists', problem: undefined };
  }
}

function folderWords(call: 'open' | 'unlink' | 'read', file: string): string {
  if (call === 'read') return 'EISDIR: illegal operation on a directory, read';
  if (call === 'unlink') return `ERR_FS_EISDIR: illegal operation on a directory, unlink '${file}'`;
  return nodeError('EISDIR', call, file);
}

function updated(
  state: FileState,
  chunks: readonly PatchChunk[],
  { file, doubts }: { file: string; doubts: Set<string> },
): { text: string } | PatchFailure {
  if (state.kind !== 'file') {
    const { kind, problem } = unread(state, 'read', file);
    return { kind, problem: problem && `Failed to read file to update ${file}: Error: ${problem}` };
  }
  const whole = Buffer.from(state.bytes)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  const carriage = whole.split('\r\n').length - 1;
  const isCarriage = carriage > whole.split('\n').length - 1 - carriage;
  const text = whole.replaceAll('\r\n', '\n');
  const lines = text.split('\n');
  const isEnded = text.endsWith('\n');
  if (lines.at(-1) === '') lines.pop();
  if (text.includes('\r')) doubts.add(`${file} has CR as line ends; what Copilot makes of them is not known.`);
  const found = placesOf(lines, chunks, { file, doubts });
  if ('problem' in found) return found;
  for (const { at, before, after, kept } of found.reverse()) {
    const here = lines.slice(at, at + before.length);
    const now = after.map((line, index) => here[kept[index] ?? -1] ?? line);
    lines.splice(at, before.length, ...now);
  }
  if (isEnded && lines.at(-1) !== '') lines.push('');
  return { text: lines.join(isCarriage ? '\r\n' : '\n') };
}

interface Place extends Pick<PatchChunk, 'before' | 'after' | 'kept'> {
  at: number;
}

function placesOf(
  lines: readonly string[],
  chunks: readonly PatchChunk[],
  { file, doubts }: { file: string; doubts: Set<string> },
): Place[] | PatchFailure {
  const places: Place[] = [];
  let start = 0;
  for (const chunk of chunks) {
    for (const context of chunk.contexts) {
      const at = seekLines(lines, [context], start, false);
      if (at === undefined) return { kind: 'absent', problem: `Failed to find context '${context}' in ${file}` };
      start = at + 1;
    }
    let { before, after, kept } = chunk;
    if (before.length === 0) {
      places.push({ at: chunk.contexts.length > 0 ? start : lines.length, before, after, kept });
      continue;
    }
    const seek = () =>
      seekLines(lines, before, start, chunk.isEndOfFile) ?? seekLines(lines, before, 0, chunk.isEndOfFile);
    let at = seek();
    if (at === undefined && before.at(-1) === '') {
      before = before.slice(0, -1);
      if (after.at(-1) === '') {
        after = after.slice(0, -1);
        kept = kept.slice(0, -1);
      }
      at = seek();
    }
    if (at === undefined) {
      if (lettersOf(lines.join('\n')).includes(lettersOf(before.join('\n'))))
        doubts.add(
          `Lines of the patch are not in ${file} to the letter; Copilot takes what is alike, and what it would write is not known.`,
        );
      return { kind: 'absent', problem: `Failed to find expected lines in ${file}:\n${chunk.before.join('\n')}` };
    }
    const here = lines.slice(at, at + before.length);
    if (here.some((line, index) => indentOf(line) !== indentOf(before[index] ?? '')))
      doubts.add(
        `Lines of ${file} are indented otherwise than in the patch; Copilot indents what is new, and how is not known.`,
      );
    else if (here.some((line, index) => line !== before[index] && isAddedAgain(before[index] ?? '', { after, kept })))
      doubts.add(`A line of ${file} that differs in blanks is taken away and put back; which form stays is not known.`);
    places.push({ at, before, after, kept });
    start = at + before.length;
  }
  places.sort((a, b) => a.at - b.at);
  if (places.some(({ at, before }, index) => at + before.length > (places[index + 1]?.at ?? Number.POSITIVE_INFINITY)))
    doubts.add(`Two places of the patch overlap in ${file}; what Copilot makes of that is not known.`);
  return places;
}

function indentOf(line: string): string {
  return /^\s*/.exec(line)?.[0] ?? '';
}

function isAddedAgain(line: string, { after, kept }: Pick<PatchChunk, 'after' | 'kept'>): boolean {
  return after.some((one, index) => (kept[index] ?? -1) < 0 && one.trim() === line.trim());
}
