/*
 * What the evaluation script of AgentWorldBench does with text. It is written in Python, so white space, letter case and
 * numbers are Python's here, that our results equal its results on any input.
 */

/** White space as Python's `str.strip()` and `\s` know it; it is not that of `String.prototype.trim()`. */
const isSpace = (code: number): boolean =>
  (code >= 9 && code <= 13) ||
  (code >= 28 && code <= 32) ||
  code === 0x85 ||
  code === 0xa0 ||
  code === 0x1680 ||
  (code >= 0x2000 && code <= 0x200a) ||
  code === 0x2028 ||
  code === 0x2029 ||
  code === 0x202f ||
  code === 0x205f ||
  code === 0x3000;

/** The same as a class of a regular expression with the flag `u`. */
export const spaceClass = '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';

/** `str.strip()`. */
export function strip(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/**
 * A tag whatever the case of its letters. Python also takes a dotless and a dotted i for an i, a long s for an s and the
 * Kelvin sign for a k.
 */
function tagPattern(tag: string): RegExp {
  const source = tag.replace(/[iks]/g, (letter) => ({ i: '[iıİ]', k: '[kK]', s: '[sſ]' })[letter] ?? letter);
  return new RegExp(source, 'gi');
}

interface Range {
  start: number;
  end: number;
}

const openingThought = tagPattern('<think>');
const closingThought = tagPattern('</think>');

const rangesOf = (text: string, pattern: RegExp): Range[] =>
  [...text.matchAll(pattern)].map((match) => ({ start: match.index, end: match.index + match[0].length }));

/** What is thinking: pairs, what stands before a closing tag alone, and what follows an opening tag alone. */
function thinkingRanges(text: string, answer: RegExp | undefined): Range[] {
  const opening = rangesOf(text, openingThought);
  const closing = rangesOf(text, closingThought);
  if (opening.length === 0 && closing.length === 0) return [];
  const answers = answer ? rangesOf(text, answer) : [];
  const ranges: Range[] = [];
  let nextClosing = 0;
  let nextAnswer = 0;
  for (const tag of opening) {
    // A closing tag that is passed over stands before every later opening tag, so no later one can take it.
    for (; (closing[nextClosing]?.start ?? Infinity) < tag.start; nextClosing += 1) {
      ranges.push({ start: 0, end: closing[nextClosing]?.end ?? 0 });
    }
    const end = closing[nextClosing]?.end;
    if (end !== undefined) {
      ranges.push({ start: tag.start, end });
      nextClosing += 1;
    } else {
      while ((answers[nextAnswer]?.start ?? Infinity) < tag.end) nextAnswer += 1;
      ranges.push({ start: tag.start, end: answers[nextAnswer]?.start ?? text.length });
    }
  }
  for (const tag of closing.slice(nextClosing)) ranges.push({ start: 0, end: tag.end });
  return ranges;
}

/**
 * The text without thinking, stripped if there was any. `tag`: name of the tag that the answer stands in, where thinking
 * that never ends stops; absent: it goes to the end. Takes time linear in the length.
 */
export function withoutThinking(text: string, tag?: string): { text: string; removedLength: number } {
  const ranges = thinkingRanges(text, tag === undefined ? undefined : tagPattern(`<${tag}>`));
  if (ranges.length === 0) return { text, removedLength: 0 };
  const kept: string[] = [];
  let at = 0;
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    if (start > at) kept.push(text.slice(at, start));
    at = Math.max(at, end);
  }
  kept.push(text.slice(at));
  const left = kept.join('');
  return { text: strip(left), removedLength: text.length - left.length };
}

/** What the last opening tag begins, up to the first closing tag after it or to the end; stripped. */
export function lastTagged(text: string, tag: string): { text: string; isClosed: boolean } | undefined {
  const opening = rangesOf(text, tagPattern(`<${tag}>`)).at(-1);
  if (!opening) return undefined;
  const pattern = tagPattern(`</${tag}>`);
  pattern.lastIndex = opening.end;
  const closing = pattern.exec(text);
  return { text: strip(text.slice(opening.end, closing?.index)), isClosed: closing !== null };
}
