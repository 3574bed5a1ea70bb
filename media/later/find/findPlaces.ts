import type { OutputName } from '../../predict/state.ts';

/** Where a text was found: from `start` to `end` in a line of an output, counted from 0, or in the path of a change. */
export type Place =
  | { kind: 'output'; name: OutputName; line: number; start: number; end: number }
  | { kind: 'file'; path: string };

/** Lines that follow each other as one text in small letters, and where each begins in it. */
interface Part {
  text: string;
  starts: number[];
}

/** Texts that can be searched: lines of an output, or paths. They are put into small letters when they are searched first. */
export interface Sought {
  count: number;
  textAt(index: number): string;
  /** A text counts once, however often it has what is looked for. */
  once: boolean;
  placeAt(index: number, start: number, end: number): Place;
  parts: Part[];
}

/** A search that goes on in slices. What it has found until now is only counted: `placeAt` makes a place of one. */
export interface Search {
  query: string;
  sought: readonly Sought[];
  /** Where it goes on. */
  next: { sought: number; part: number };
  /** By part in which something was found: where in its text, and how many were found before it. */
  found: { of: Sought; part: number; at: number[]; before: number }[];
  count: number;
  isWhole: boolean;
}

const linesInPart = 5_000;
/** To put a text into small letters takes as long as to search about eight of its length. */
const costOfLowering = 8;

/** What is looked for in these texts, in their order, without regard to case; nothing is searched yet. */
export function createSearch(query: string, sought: readonly Sought[]): Search {
  const wanted = query.toLowerCase();
  return {
    ...{ query: wanted, sought, next: { sought: 0, part: 0 }, found: [], count: 0 },
    isWhole: wanted === '' || sought.length === 0,
  };
}

/** Searches on: about `most` characters, or what is left. */
export function searchOn(search: Search, most = Number.POSITIVE_INFINITY): void {
  for (let rest = most; rest > 0 && !search.isWhole; ) {
    const of = search.sought[search.next.sought];
    if (!of) search.isWhole = true;
    else if (search.next.part * linesInPart >= of.count) search.next = { sought: search.next.sought + 1, part: 0 };
    else {
      const known = of.parts[search.next.part];
      const part = known ?? lowered(of, search.next.part);
      searchPart(search, of, part);
      search.next.part += 1;
      rest -= part.text.length * (known ? 1 : costOfLowering) + 1;
    }
  }
}

/** The place with this number, from 0, of those that were found. */
export function placeAt({ found, query }: Search, index: number): Place | undefined {
  const among = found[lastAtMost(found, index, ({ before }) => before)];
  const at = among?.at[index - among.before];
  const starts = among?.of.parts[among.part]?.starts;
  if (!among || at === undefined || !starts) return undefined;
  const line = lastAtMost(starts, at, (start) => start);
  const start = at - (starts[line] ?? 0);
  return among.of.placeAt(among.part * linesInPart + line, start, start + query.length);
}

function lowered(of: Sought, number: number): Part {
  const first = number * linesInPart;
  const starts: number[] = [];
  const all: string[] = [];
  let at = 0;
  for (let index = first; index < Math.min(of.count, first + linesInPart); index++) {
    const lower = of.textAt(index).toLowerCase();
    starts.push(at);
    all.push(lower);
    at += lower.length + 1;
  }
  const part = { text: all.join('\n'), starts };
  of.parts[number] = part;
  return part;
}

function searchPart(search: Search, of: Sought, { text, starts }: Part): void {
  const { query } = search;
  const at: number[] = [];
  for (let found = text.indexOf(query); found >= 0; ) {
    at.push(found);
    const next = of.once ? starts[lastAtMost(starts, found, (start) => start) + 1] : found + query.length;
    found = next === undefined ? -1 : text.indexOf(query, next);
  }
  if (at.length === 0) return;
  search.found.push({ of, part: search.next.part, at, before: search.count });
  search.count += at.length;
}

/** The index of the last element that is not above `value`; elements are in order, and the first is not above it. */
function lastAtMost<T>(sorted: readonly T[], value: number, of: (element: T) => number): number {
  let low = 0;
  let high = sorted.length;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (of(sorted[middle] as T) <= value) low = middle;
    else high = middle;
  }
  return low;
}
