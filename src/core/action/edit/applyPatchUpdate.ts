import type { RefusalKind } from '../../facts/refusal.ts';
import { type PatchChunk, seekLines } from './applyPatchText.ts';

/** Why a section cannot be applied: as a fact, and in the words of the tool; undefined where these are not known. */
export interface PatchFailure {
  kind: RefusalKind;
  problem: string | undefined;
}

/** How a version of the tool makes the new text of a file that is updated. */
export type UpdateRules = (
  text: string,
  update: { name: string; chunks: readonly PatchChunk[]; doubts: Set<string> },
) => { text: string } | PatchFailure;

/** All lines of a place are written as the patch has them, and end in `\n`. */
export const recordedUpdate: UpdateRules = (text, { name, chunks, doubts }) => {
  if (text.includes('\r\n'))
    doubts.add(`${name} has CRLF line ends; whether new lines get them depends on the version of the tool.`);
  if (chunks.some((chunk) => chunk.contexts.length > 1))
    doubts.add('Several `@@` lines in a row are read differently by versions of the tool.');
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const end = lines.at(-1) === '' ? lines.length - 1 : lines.length;
  const found = replacementsFor(lines, { name, chunks, end });
  if ('problem' in found) return found;
  for (const { at, count, after } of found.reverse()) lines.splice(at, count, ...after);
  if (lines.at(-1) !== '') lines.push('');
  return { text: lines.join('\n') };
};

/** Lines that stay are those of the file, blanks, signs and ends included; new ones end as its first line does. */
export const currentUpdate: UpdateRules = (text, { name, chunks }) => {
  const whole = text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];
  const lines = whole.map((line) => line.replace(/[\r\n]+$/, ''));
  const lineBreak = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
  const found = replacementsFor(lines, { name, chunks, end: lines.length, isInOrder: true });
  if ('problem' in found) return found;
  const ended = whole.map((line) => (/[\r\n]$/.test(line) ? line : `${line}${lineBreak}`));
  for (const { at, count, after, kept } of found.reverse()) {
    const now = after.map((line, index) => {
      const stays = kept[index] ?? -1;
      return stays < 0 ? `${line}${lineBreak}` : (ended[at + stays] ?? '');
    });
    ended.splice(at, count, ...now);
  }
  return { text: ended.join('') };
};

interface Replacement {
  at: number;
  count: number;
  after: readonly string[];
  kept: readonly number[];
}

function replacementsFor(
  lines: readonly string[],
  {
    name,
    chunks,
    end,
    isInOrder = false,
  }: { name: string; chunks: readonly PatchChunk[]; end: number; isInOrder?: boolean },
): Replacement[] | PatchFailure {
  const replacements: Replacement[] = [];
  let start = 0;
  for (const chunk of chunks) {
    for (const context of chunk.contexts) {
      const at = seekLines(lines, [context], start, false);
      if (at === undefined) return { kind: 'absent', problem: `Failed to find context '${context}' in ${name}` };
      start = at + 1;
    }
    let { before, after, kept } = chunk;
    if (before.length === 0) {
      // Only added lines go to the end of the file, wherever the context stands.
      replacements.push({ at: end, count: 0, after, kept });
      continue;
    }
    // The end of the file may lie before what was found last.
    const from = start;
    const seek = (wanted: readonly string[]) => {
      const found = seekLines(lines, wanted, from, chunk.isEndOfFile);
      return isInOrder && found !== undefined && found < from ? undefined : found;
    };
    let at = seek(before);
    if (at === undefined && before.at(-1) === '') {
      before = before.slice(0, -1);
      if (after.at(-1) === '') {
        after = after.slice(0, -1);
        kept = kept.slice(0, -1);
      }
      // What is not looked for any more is no line of the file.
      const count = before.length;
      kept = kept.map((index) => (index < count ? index : -1));
      at = seek(before);
    }
    if (at === undefined)
      return { kind: 'absent', problem: `Failed to find expected lines in ${name}:\n${chunk.before.join('\n')}` };
    replacements.push({ at, count: before.length, after, kept });
    start = at + before.length;
  }
  return replacements.sort((a, b) => a.at - b.at);
}
