import { rustTrim, rustTrimEnd } from './whiteSpace.ts';

/** One place of an update: the lines that are there and the lines that come in their place. */
export interface PatchChunk {
  /** Lines that are looked for one after the other before it (`@@ class A`). */
  contexts: string[];
  before: string[];
  after: string[];
  /** For each line of `after` which one of `before` it is; -1: a new one. */
  kept: number[];
  isEndOfFile: boolean;
}

/** One section of an `apply_patch` text; names are as written. */
export type PatchSection =
  | { kind: 'add'; name: string; text: string }
  | { kind: 'delete'; name: string }
  | { kind: 'update'; name: string; moveTo?: string; chunks: PatchChunk[] };

/** Why a text is no patch, in the words of Codex, and what of it others say too. */
export interface PatchProblem {
  problem: string;
  message: string;
  /** From 1; absent where it is about the whole. */
  line?: number;
}

// After the parser of OpenAI's Codex (codex-rs/apply-patch/src/parser.rs), which is lenient about heredocs and blanks.

/** How a version reads what is between the lines of a place. */
export interface PatchReading {
  /** Before a place so many lines may be looked for; one more is taken for a line of it. Default: any number. */
  mostContexts?: number;
  /** Empty lines before the first place of a file are lines of it, and are not skipped. */
  takesEmptyLines?: boolean;
}

/** Reads the text between `*** Begin Patch` and `*** End Patch`. */
export function readApplyPatch(text: string, reading: PatchReading = {}): PatchSection[] | PatchProblem {
  const all = rustTrim(text).split(/\r?\n/);
  const lines = /^<<['"]?EOF['"]?$/.test(all[0] ?? '') && all.length >= 4 ? all.slice(1, -1) : all;
  if (rustTrim(text) !== '' && rustTrim(lines[0] ?? '') !== '*** Begin Patch')
    return noPatch("The first line of the patch must be '*** Begin Patch'");
  if (lines.length < 2 || rustTrim(lines.at(-1) ?? '') !== '*** End Patch')
    return noPatch("The last line of the patch must be '*** End Patch'");
  const sections: PatchSection[] = [];
  const last = lines.length - 1;
  let at = 1;
  while (at < last) {
    const read = readSection(lines.slice(0, last), at, reading);
    if ('problem' in read) return read;
    sections.push(read.section);
    at = read.next;
  }
  return sections;
}

type ReadSection = { section: PatchSection; next: number } | PatchProblem;

function readSection(lines: readonly string[], start: number, reading: PatchReading): ReadSection {
  const head = rustTrim(lines[start] ?? '');
  const [, kind, name = ''] = /^\*\*\* (Add|Delete|Update) File: (.*)$/.exec(head) ?? [];
  let at = start + 1;
  switch (kind) {
    case 'Add': {
      let text = '';
      for (; lines[at]?.startsWith('+'); at += 1) text += `${lines[at]?.slice(1)}\n`;
      return { section: { kind: 'add', name, text }, next: at };
    }
    case 'Delete':
      return { section: { kind: 'delete', name }, next: at };
    case 'Update':
      return readUpdate(lines, name, start, reading);
  }
  const headers = "'*** Add File: {path}', '*** Delete File: {path}', '*** Update File: {path}'";
  return invalid(start, `'${head}' is not a valid hunk header. Valid hunk headers: ${headers}`);
}

function readUpdate(
  lines: readonly string[],
  name: string,
  start: number,
  { mostContexts = Number.POSITIVE_INFINITY, takesEmptyLines = false }: PatchReading,
): ReadSection {
  let at = start + 1;
  const moveTo = /^\*\*\* Move to: (.*)$/.exec(lines[at] ?? '')?.[1];
  if (moveTo !== undefined) at += 1;
  const chunks: PatchChunk[] = [];
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const isTaken = takesEmptyLines && chunks.length === 0 && /^ *$/.test(line);
    if (rustTrim(line) === '' && !isTaken) {
      at += 1;
      continue;
    }
    if (line.startsWith('***')) break;
    const read = readChunk(lines, at, { mayLackContext: chunks.length === 0, mostContexts });
    if ('problem' in read) return read;
    chunks.push(read.chunk);
    at = read.next;
  }
  if (chunks.length === 0) return invalid(start, `Update file hunk for path '${name}' is empty`);
  const section: PatchSection = { kind: 'update', name, chunks, ...(moveTo === undefined ? {} : { moveTo }) };
  return { section, next: at };
}

function readChunk(
  lines: readonly string[],
  start: number,
  { mayLackContext, mostContexts }: { mayLackContext: boolean; mostContexts: number },
): { chunk: PatchChunk; next: number } | PatchProblem {
  const chunk: PatchChunk = { contexts: [], before: [], after: [], kept: [], isEndOfFile: false };
  let at = start;
  for (; at < start + mostContexts && (lines[at] === '@@' || lines[at]?.startsWith('@@ ')); at += 1) {
    const context = lines[at]?.slice(3) ?? '';
    if (lines[at] !== '@@') chunk.contexts.push(context);
  }
  if (at === start && !mayLackContext)
    return invalid(start, `Expected update hunk to start with a @@ context marker, got: '${lines[start]}'`);
  const first = at;
  if (first >= lines.length) return invalid(first, 'Update hunk does not contain any lines');
  for (; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line === '*** End of File') {
      if (at === first) return invalid(first, 'Update hunk does not contain any lines');
      chunk.isEndOfFile = true;
      at += 1;
      break;
    }
    const rest = line.slice(1);
    if (line === '' || line.startsWith(' ')) {
      chunk.kept.push(chunk.before.push(rest) - 1);
      chunk.after.push(rest);
    } else if (line.startsWith('+')) {
      chunk.kept.push(-1);
      chunk.after.push(rest);
    } else if (line.startsWith('-')) chunk.before.push(rest);
    else if (at > first) break;
    else {
      const rule = "Every line should start with ' ' (context line), '+' (added line), or '-' (removed line)";
      return invalid(first, `Unexpected line found in update hunk: '${line}'. ${rule}`);
    }
  }
  return { chunk, next: at };
}

function invalid(index: number, message: string): PatchProblem {
  return { problem: `invalid hunk at line ${index + 1}, ${message}`, message, line: index + 1 };
}

function noPatch(message: string): PatchProblem {
  return { problem: `invalid patch: ${message}`, message };
}

/** Where a run of lines stands, at `start` or later; with less and less regard to blanks and typography. */
export function seekLines(
  lines: readonly string[],
  pattern: readonly string[],
  start: number,
  isEndOfFile: boolean,
): number | undefined {
  if (pattern.length === 0) return start;
  if (pattern.length > lines.length) return undefined;
  const last = lines.length - pattern.length;
  const forms: ((line: string) => string)[] = [(line) => line, rustTrimEnd, rustTrim, plainTypography];
  for (const form of forms) {
    const wanted = pattern.map(form);
    for (let at = isEndOfFile ? last : start; at <= last; at += 1) {
      if (wanted.every((line, index) => form(lines[at + index] ?? '') === line)) return at;
    }
  }
  return undefined;
}

function plainTypography(line: string): string {
  return rustTrim(line)
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u2018-\u201b]/g, "'")
    .replace(/[\u201c-\u201f]/g, '"')
    .replace(/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g, ' ');
}
