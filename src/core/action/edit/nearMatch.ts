// How gemini-cli (packages/core/src/tools/edit.ts) finds a text that is not there as it was written: line by line without the
// blanks around lines, then by its words with any blanks between them.

/** What became of a text, and how many places were found. */
export interface NearReplaced {
  text: string;
  count: number;
}

interface Wanted {
  before: string;
  after: string;
  isAll: boolean;
}

/** Replaces what fits but for blanks; undefined where nothing does. The text has `\n` as line ends. */
export function replaceNear(text: string, wanted: Wanted): NearReplaced | undefined {
  return byLines(text, wanted) ?? byWords(text, wanted);
}

function byLines(text: string, { before, after }: Wanted): NearReplaced | undefined {
  const lines = text.match(/.*(?:\n|$)/g)?.slice(0, -1) ?? [];
  const wanted = before.split('\n').map((line) => line.trim());
  const fresh = after.split('\n');
  let count = 0;
  for (let at = 0; at <= lines.length - wanted.length; at += 1) {
    const window = lines.slice(at, at + wanted.length);
    if (!window.every((line, index) => line.trim() === wanted[index])) continue;
    count += 1;
    let changed = indented(fresh, indentOf(window[0] ?? '')).join('\n');
    if (after !== '' && window.at(-1)?.endsWith('\n') && !changed.endsWith('\n')) changed += '\n';
    lines.splice(at, wanted.length, changed);
  }
  return count === 0 ? undefined : { text: withSameEnd(text, lines.join('')), count };
}

function byWords(text: string, { before, after, isAll }: Wanted): NearReplaced | undefined {
  let spaced = before;
  for (const mark of ['(', ')', ':', '[', ']', '{', '}', '>', '<', '=']) spaced = spaced.split(mark).join(` ${mark} `);
  const words = spaced.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return undefined;
  const source = `^([ \\t]*)${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('\\s*')}`;
  const found = text.match(new RegExp(source, 'gm'));
  if (!found) return undefined;
  const fresh = after.split('\n');
  const changed = text.replace(new RegExp(source, isAll ? 'gm' : 'm'), (_, indent: string) =>
    indented(fresh, indent).join('\n'),
  );
  return { text: withSameEnd(text, changed), count: found.length };
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function indented(lines: readonly string[], indent: string): string[] {
  const own = indentOf(lines[0] ?? '');
  return lines.map((line) => {
    if (line.trim() === '') return '';
    return indent + (line.startsWith(own) ? line.slice(own.length) : line.trimStart());
  });
}

/** A line break at the end of a file is neither added nor taken away. */
export function withSameEnd(before: string, after: string): string {
  if (before.endsWith('\n')) return after.endsWith('\n') ? after : `${after}\n`;
  return after.replace(/\n$/, '');
}

/** Lines with which a model says that it left something out (`// rest of code ...`). */
export function omissions(text: string): string[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const bare = line
      .trim()
      .replace(/^\/\//, '')
      .trim()
      .replace(/^\((.*)\)$/, '$1')
      .trim();
    const [, prefix] = /^((?:rest of(?: methods?| code)?)|unchanged (?:code|methods?))\s*\.{3,}\s*$/i.exec(bare) ?? [];
    return prefix === undefined ? [] : [prefix.toLowerCase().replace(/\s+/g, ' ')];
  });
}
