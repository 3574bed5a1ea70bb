import { estimateTokens } from './estimateTokens.ts';
import type { Focus } from './gather/focus.ts';

/** The part of a text that is kept. Lines are counted from 1. */
export interface CutText {
  text: string;
  firstLine: number;
  lastLine: number;
  totalLines: number;
  /** 0: nothing was cut. */
  leftOutLines: number;
  /** What stands in the text for lines that were left out between several stretches, in order. */
  gaps: readonly Gap[];
}

/** A line of the text that stands for others. */
export interface Gap {
  mark: string;
  lines: number;
}

const longestLine = 4_000;
const mostLines = 200_000;

/**
 * Cuts a text to a number of tokens: lines that the focus asks for first, with one line around each match, then the head
 * and the tail, three to one. One stretch is kept exactly; between several stands `… 312 lines left out …`.
 */
export function cutText(text: string, tokens: number, focus: Focus): CutText {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const totalLines = lines.length;
  if (text.length < tokens * 12 && estimateTokens(text) <= tokens) {
    return { text, firstLine: 1, lastLine: totalLines, totalLines, leftOutLines: 0, gaps: [] };
  }
  const kept = new Set<number>();
  let left = tokens - 24;
  const keep = (index: number): boolean => {
    const line = lines[index];
    if (line === undefined || kept.has(index)) return true;
    const cost = estimateTokens(shortened(line)) + 1;
    if (cost > left) return false;
    left -= cost;
    kept.add(index);
    return true;
  };
  const searched = Math.min(totalLines, mostLines);
  for (const range of focus.ranges) {
    const first = range.first < 0 ? totalLines + range.first : range.first - 1;
    const last = range.last < 0 ? totalLines + range.last : range.last - 1;
    // What is asked for up to the end is mostly wanted at its end.
    const backwards = range.first < 0;
    for (let step = 0; step <= Math.min(last, totalLines) - first; step++) {
      if (!keep(Math.max(0, backwards ? last - step : first + step))) break;
    }
  }
  const matches: number[] = [];
  for (const pattern of focus.patterns) {
    for (let index = 0; index < searched && matches.length < 2_000; index++) {
      if (pattern.test((lines[index] ?? '').slice(0, longestLine))) matches.push(index);
    }
  }
  for (const index of matches) if (!keep(index)) break;
  for (const index of matches) if (left < tokens / 4 || !(keep(index + 1) && keep(Math.max(0, index - 1)))) break;
  const headTokens = left / 4;
  for (let index = 0; left > headTokens && index < totalLines; index++) if (!keep(index)) break;
  for (let index = totalLines - 1; index >= 0; index--) if (!keep(index)) break;
  return assembled(
    lines,
    [...kept].sort((a, b) => a - b),
  );
}

function shortened(line: string): string {
  if (line.length <= longestLine) return line;
  return `${line.slice(0, longestLine)}… ${line.length - longestLine} characters left out …`;
}

function assembled(lines: readonly string[], kept: readonly number[]): CutText {
  const totalLines = lines.length;
  const [first = 0, last = -1] = [kept[0], kept.at(-1)];
  const contiguous = last - first + 1 === kept.length;
  const gaps: Gap[] = [];
  let text = '';
  const leaveOut = (count: number) => {
    const mark = leftOutMark(count);
    gaps.push({ mark, lines: count });
    text += `${mark}\n`;
  };
  let before = contiguous ? first - 1 : -1;
  for (const index of kept) {
    if (index > before + 1) leaveOut(index - before - 1);
    text += `${shortened(lines[index] ?? '')}\n`;
    before = index;
  }
  if (!contiguous && before < totalLines - 1) leaveOut(totalLines - 1 - before);
  const stretch = contiguous ? { firstLine: first + 1, lastLine: last + 1 } : { firstLine: 1, lastLine: totalLines };
  return { text, ...stretch, totalLines, leftOutLines: totalLines - kept.length, gaps };
}

/** What stands in the place of lines that are not shown. */
export function leftOutMark(lines: number): string {
  return `… ${lines.toLocaleString('en-US')} ${lines === 1 ? 'line' : 'lines'} left out …`;
}
