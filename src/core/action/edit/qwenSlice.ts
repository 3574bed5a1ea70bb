// How qwen-code (packages/core/src/utils/editHelper.ts) finds a text that is not there to the letter: typographic dashes, quotes
// and blanks count as plain ones; then line by line without the blanks at the ends of lines.

/** The part of a text that is meant. */
export interface Slice {
  text: string;
  /** The line break at the end of what was looked for is not in it. */
  lacksLastBreak: boolean;
}

/** Finds what fits but for typography and for blanks at the ends of lines. */
export function findSlice(text: string, wanted: string): Slice | undefined {
  const at = plain(text).indexOf(plain(wanted));
  if (at >= 0) return { text: text.slice(at, at + wanted.length), lacksLastBreak: false };
  const lines = text.split('\n');
  const parts = wanted.split('\n');
  const first = seek(lines, parts);
  if (first !== undefined) return { text: cut(lines, first, parts.length), lacksLastBreak: false };
  if (parts.length < 2 || parts.at(-1) !== '') return undefined;
  const shorter = seek(lines, parts.slice(0, -1));
  if (shorter === undefined) return undefined;
  return { text: cut(lines, shorter, parts.length - 1), lacksLastBreak: true };
}

function cut(lines: readonly string[], first: number, count: number): string {
  return lines.slice(first, first + count).join('\n');
}

function seek(lines: readonly string[], wanted: readonly string[]): number | undefined {
  for (const form of [(line: string) => line.trimEnd(), (line: string) => plain(line).trimEnd()]) {
    const parts = wanted.map(form);
    for (let at = 0; at <= lines.length - parts.length; at += 1) {
      if (parts.every((part, index) => form(lines[at + index] ?? '') === part)) return at;
    }
  }
  return undefined;
}

// Each of these characters is one code unit, so that places stay the same.
function plain(text: string): string {
  return text
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u2018-\u201b]/g, "'")
    .replace(/[\u201c-\u201f]/g, '"')
    .replace(/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g, ' ');
}
