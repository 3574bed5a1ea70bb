import { createHash } from 'node:crypto';
import { quoteWord } from '../../../../shell/quoteWord.ts';

/** A marker that stands in none of the texts; the same for the same ones. */
export function markerFor(question: string, texts: readonly string[]): string {
  for (let round = 0; ; round += 1) {
    const digest = createHash('sha256').update(`${round} ${question}`).digest('hex');
    const marker = `=== ${digest.slice(0, 6)}`;
    if (!texts.some((text) => text.includes(marker))) return marker;
  }
}

/** The lines of a program with a look behind it. */
export function marksOf(marker: string): { exit: string; end: string } {
  return { exit: `${marker} exit`, end: `${marker} end` };
}

/** A program, its exit code and a look at what it changed; the whole ends as the program does. */
export function withLookBehind(program: string, look: string, marker: string): string {
  const { exit, end } = marksOf(marker);
  return `${program}\ncode=$?; echo '${exit}' $code; ${look}; echo '${end}'; exit $code`;
}

/** The contents of several files at once. */
export function contentsCommand(names: readonly string[], marker: string): string {
  const files = names.map((name) => quoteWord(name)).join(' ');
  return `for file in ${files}; do echo "${marker} $file"; cat -- "$file"; done; echo '${marker} end'`;
}

/** What was printed, apart: what stood before the first marker line, and the texts behind each, by what the line says. */
export function partsBehind(text: string, marker: string): { before: string; parts: { says: string; text: string }[] } {
  const [before = '', ...rest] = text.split(`${marker} `);
  const parts = rest.map((part) => {
    const end = part.indexOf('\n');
    return end < 0 ? { says: part.trim(), text: '' } : { says: part.slice(0, end).trim(), text: part.slice(end + 1) };
  });
  return { before, parts };
}
