import type { ReplyFault } from '../../../facts/replyFault.ts';
import { observationMarker } from '../prompt/turns/turnText.ts';
import { faultOfFormless, hasTurn } from './foreignText.ts';

/** The answer that a reply holds between its tags, verbatim, or why there is none. */
export type AnswerText = { ok: true; text: string } | { ok: false; fault: ReplyFault };

const opening = /<predicted_observation>/gi;
const closing = /<\/predicted_observation>/gi;
const thinkOpening = /^\s*<think(?:ing)?>/i;
const thinkClosing = /<\/think(?:ing)?>/gi;
const anyThink = /<(\/?)think(?:ing)?>/gi;

interface Range {
  start: number;
  end: number;
}

const rangesOf = (text: string, pattern: RegExp): Range[] =>
  [...text.matchAll(pattern)].map((match) => ({ start: match.index, end: match.index + match[0].length }));

/**
 * Finds the answer that was asked for between tags. `parseReply()` is the parser of the benchmark: it has an observation for
 * every text, also for a refusal, and cuts answers that contain tags themselves. Here there is an answer only where the reply
 * has exactly one, begun and closed; what stands before it is thinking. `isWhole` says of a text whether it is a whole
 * answer by itself: that decides where an answer contains tags.
 *
 * `isCut`: the budget ended the reply. Takes time linear in the length for the tags, and asks `isWhole` at most twice.
 */
export function answerIn(
  content: string,
  { isWhole, isCut = false }: { isWhole?: (text: string) => boolean; isCut?: boolean } = {},
): AnswerText {
  const { rest, isThinking } = withoutThoughts(content.replace(/^\ufeff+/, ''));
  if (rest.trim() === '') return { ok: false, fault: isThinking ? { kind: 'only-reasoning' } : { kind: 'empty' } };
  const openings = rangesOf(rest, opening);
  // In the middle of a line a tag is mentioned, unless it is the only one.
  const begin =
    openings.find(({ start }) => beginsLine(rest, start)) ?? (openings.length === 1 ? openings[0] : undefined);
  if (!begin) return { ok: false, fault: isThinking ? { kind: 'only-reasoning' } : faultOfUntagged(rest) };
  const ends = rangesOf(rest, closing).filter(({ start }) => start >= begin.end);
  const last = ends.at(-1);
  if (!last) return { ok: false, fault: { kind: 'unclosed' } };
  const first = firstTopClosing(rest, begin, ends);
  const take = (end: Range): AnswerText => {
    const behind = faultBehind(rest.slice(end.end), isCut);
    if (behind) return { ok: false, fault: behind };
    return { ok: true, text: withoutMark(rest.slice(begin.end, end.start)) };
  };
  if (first === last) return take(last);
  // There are tags behind a closing one: those of another answer, or what the answer is about.
  const whole = isWhole?.(withoutMark(rest.slice(begin.end, last.start))) === true;
  const part = first !== undefined && isWhole?.(withoutMark(rest.slice(begin.end, first.start))) === true;
  if (whole && !part) return take(last);
  const between = rest.slice(first?.end ?? begin.end, last.start);
  return { ok: false, fault: hasTurn(between) ? { kind: 'another-turn' } : { kind: 'several-answers' } };
}

/** Nothing but blanks stands before it on its line. */
function beginsLine(text: string, at: number): boolean {
  let before = at - 1;
  while (text[before] === ' ' || text[before] === '\t') before -= 1;
  return before < 0 || text[before] === '\n' || text[before] === '\r';
}

/** The closing tag that closes the first opening one, counting the pairs in between. */
function firstTopClosing(text: string, begin: Range, ends: readonly Range[]): Range | undefined {
  const begins = rangesOf(text, opening).filter(({ start }) => start > begin.start);
  let opened = 0;
  for (const [index, end] of ends.entries()) {
    while ((begins[opened]?.start ?? Infinity) < end.start) opened += 1;
    if (opened === index) return end;
  }
  return undefined;
}

/** What follows an answer is no part of it. A model that runs on into the next turn has answered; one that comments has not. */
function faultBehind(text: string, isCut: boolean): ReplyFault | undefined {
  const plain = text.trim();
  if (plain === '') return undefined;
  if (/<predicted_observation>/i.test(plain)) return { kind: hasTurn(plain) ? 'another-turn' : 'several-answers' };
  const goesOn = hasTurn(plain.slice(0, 40).split('\n')[0] ?? '');
  const invents = plain.includes(observationMarker) || /^(?:Command|Output|Exit Code):/im.test(plain);
  if (goesOn && !invents && !isCut) return undefined;
  return { kind: hasTurn(plain) ? 'another-turn' : 'words-after' };
}

/** An answer without the marker of an observation, which models repeat from earlier turns. */
function withoutMark(text: string): string {
  const start = text.trimStart();
  return start.startsWith(observationMarker) ? start.slice(observationMarker.length) : text;
}

function faultOfUntagged(text: string): ReplyFault {
  const fault = faultOfFormless(text);
  const isAnswer = /^\s*(?:\*\*Environment Observation:\*\*\s*)?(?:Command|Output|Stdout):/i.test(text);
  return isAnswer && (fault.kind === 'prose' || fault.kind === 'other-fields') ? { kind: 'no-tags' } : fault;
}

/**
 * The text without the thinking in front of it. Thinking that is never closed ends where the last answer begins, if that
 * is whole and the last thing that is said; so it is in the reasoning that a server sends apart.
 */
export function withoutThoughts(text: string): { rest: string; isThinking: boolean } {
  let rest = text;
  while (thinkOpening.test(rest)) {
    const end = endOfThought(rest);
    if (end === undefined) return lastAnswer(rest) ?? { rest, isThinking: true };
    rest = rest.slice(end);
  }
  if (rest !== text || /^\s*<predicted_observation>/i.test(rest)) return { rest, isThinking: rest.trim() === '' };
  // Some servers leave out the tag that opens the thinking: then an answer begins behind the one that closes it.
  const answer = rangesOf(rest, opening).findLast(({ start }) => beginsLine(rest, start));
  const closed = rangesOf(rest, thinkClosing).findLast(({ start }) => start < (answer?.start ?? Infinity));
  const left = closed ? rest.slice(closed.end) : rest;
  return { rest: left, isThinking: closed !== undefined && left.trim() === '' };
}

/** Where the thinking that begins a text is closed, counting the pairs in it. */
function endOfThought(text: string): number | undefined {
  let depth = 0;
  for (const match of text.matchAll(anyThink)) {
    depth += match[1] === '' ? 1 : -1;
    if (depth === 0) return match.index + match[0].length;
  }
  // `<think> … <think> … </think>`: a model mentions the tag.
  return rangesOf(text, thinkClosing).at(-1)?.end;
}

/** A whole answer at the end of a text that is thinking, or holds it. */
export function lastAnswer(text: string): { rest: string; isThinking: boolean } | undefined {
  const begin = rangesOf(text, opening).findLast(({ start }) => beginsLine(text, start));
  if (!begin || !/<\/predicted_observation>\s*$/i.test(text)) return undefined;
  return { rest: text.slice(begin.start), isThinking: false };
}
