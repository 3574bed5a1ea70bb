import { observationMarker } from './turnText.ts';

/**
 * What a reply of a language world model says: the observation without thinking, tags and marker. The rules are those of
 * the parser that the AgentWorld benchmark is scored with, so that our numbers can be compared with published ones. They
 * lose leading blank lines and cut observations that contain such tags themselves, so whoever shows a reply keeps its raw
 * text beside this.
 */
export interface ParsedReply {
  observation: string;
  /**
   * The rule that gave the observation: `tagged` (between the last opening tag and the first closing tag after it),
   * `unclosed` (from the last opening tag to the end), `untagged` (the whole text without thinking), `empty` (there was
   * no text) or `nothing` (nothing but thinking). The last two give `No output`.
   */
  rule: 'tagged' | 'unclosed' | 'untagged' | 'empty' | 'nothing';
  /** Which marker of an observation was dropped. */
  marker: 'none' | 'leading' | 'everywhere';
  /** Length of the thinking that was removed, in UTF-16 code units, tags included. */
  thinkingLength: number;
}

const thinkTag = /<(\/?)think>/gi;
const openingTag = /<predicted_observation>/gi;
const closingTag = /<\/predicted_observation>/gi;
const noOutput = 'No output';

/** White space as Python's `str.strip()` knows it; it is not that of `String.prototype.trim()`. */
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

function strip(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

interface Range {
  start: number;
  end: number;
}

/** What is thinking: pairs, what stands before a closing tag alone, and what follows an opening tag alone. */
function thinkingRanges(text: string): Range[] {
  const opening: Range[] = [];
  const closing: Range[] = [];
  for (const match of text.matchAll(thinkTag)) {
    (match[1] ? closing : opening).push({ start: match.index, end: match.index + match[0].length });
  }
  if (opening.length === 0 && closing.length === 0) return [];
  const observations = [...text.matchAll(openingTag)].map((match) => match.index);
  const ranges: Range[] = [];
  let nextClosing = 0;
  let nextObservation = 0;
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
      while ((observations[nextObservation] ?? Infinity) < tag.end) nextObservation += 1;
      ranges.push({ start: tag.start, end: observations[nextObservation] ?? text.length });
    }
  }
  for (const tag of closing.slice(nextClosing)) ranges.push({ start: 0, end: tag.end });
  return ranges;
}

/** The text without the ranges, which may overlap. */
function without(text: string, ranges: Range[]): string {
  const kept: string[] = [];
  let at = 0;
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    if (start > at) kept.push(text.slice(at, start));
    at = Math.max(at, end);
  }
  kept.push(text.slice(at));
  return kept.join('');
}

/**
 * Reads a whole reply: the text of its `content`, as it came. Reasoning that the server sent apart is no part of it. Takes
 * time linear in the length. Tags are found whatever the case of their letters. Never throws.
 */
export function parseReply(text: string): ParsedReply {
  if (text === '') return { observation: noOutput, rule: 'empty', marker: 'none', thinkingLength: 0 };
  const left = without(text, thinkingRanges(text));
  const thinkingLength = text.length - left.length;
  const cleaned = strip(left);
  let observation = cleaned;
  let rule: ParsedReply['rule'] = 'untagged';
  const opening = [...cleaned.matchAll(openingTag)].at(-1);
  if (opening) {
    const start = opening.index + opening[0].length;
    closingTag.lastIndex = start;
    const closing = closingTag.exec(cleaned);
    observation = strip(cleaned.slice(start, closing?.index));
    rule = closing ? 'tagged' : 'unclosed';
  } else if (cleaned === '') {
    return { observation: noOutput, rule: 'nothing', marker: 'none', thinkingLength };
  }
  if (observation.startsWith(observationMarker)) {
    observation = strip(observation.slice(observationMarker.length));
    return { observation, rule, marker: 'leading', thinkingLength };
  }
  if (!observation.includes(observationMarker)) return { observation, rule, marker: 'none', thinkingLength };
  return {
    observation: strip(observation.replaceAll(observationMarker, '')),
    rule,
    marker: 'everywhere',
    thinkingLength,
  };
}
