/** Finds what differs between two runs in a row. */

/** A piece of text and whether it differed. */
export interface MarkedText {
  bytes: Buffer;
  volatile: boolean;
}

const newline = 10;

/**
 * Cuts `shown` into pieces at line ends and marks the lines that `other` has differently.
 * Where the number of lines is the same, lines are compared one by one; else all between the common start and end.
 * `marksGaps`: where only `other` has lines, the line before them is marked, or behind them.
 */
export function markVolatile(shown: Buffer, other: Buffer, marksGaps = false): MarkedText[] {
  if (shown.equals(other)) return shown.length > 0 ? [{ bytes: shown, volatile: false }] : [];
  // Millions of lines that are alike need not be looked at one by one.
  const start = alikeAtStart(shown, other);
  const end = shown.length - alikeAtEnd(shown, other, start);
  const a = lines(shown.subarray(start, end));
  const b = lines(other.subarray(start, other.length - (shown.length - end)));
  const before = { bytes: shown.subarray(0, start), volatile: false };
  const behind = { bytes: shown.subarray(end), volatile: false };
  if (a.length === b.length) return joinMarks([before, ...markLines(a, b), behind]);
  const isGap = marksGaps && a.length === 0;
  const from = isGap ? lineBefore(shown, start) : start;
  const to = isGap ? lineEnd(shown, from) : end;
  return joinMarks([
    { bytes: shown.subarray(0, from), volatile: false },
    { bytes: shown.subarray(from, to), volatile: true },
    { bytes: shown.subarray(to), volatile: false },
  ]);
}

/** How many bytes of whole lines two texts that differ begin with alike. */
function alikeAtStart(a: Buffer, b: Buffer): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a[at] === b[at]) at += 1;
  return lineStart(a, at);
}

/** How many bytes of whole lines they end with alike, behind the first `start` bytes. */
function alikeAtEnd(a: Buffer, b: Buffer, start: number): number {
  const most = Math.min(a.length, b.length) - start;
  let count = 0;
  while (count < most && a[a.length - 1 - count] === b[b.length - 1 - count]) count += 1;
  if (count === 0) return 0;
  const isWhole = isLineStart(a, a.length - count) && isLineStart(b, b.length - count);
  return isWhole ? count : a.length - lineEnd(a, a.length - count);
}

function isLineStart(text: Buffer, at: number): boolean {
  return at === 0 || text[at - 1] === newline;
}

/** Where the line begins that has the byte before `at`; `at` itself where a line begins there. */
function lineStart(text: Buffer, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf(newline, at - 1) + 1;
}

function lineBefore(text: Buffer, at: number): number {
  return at === 0 ? 0 : lineStart(text, at - 1);
}

function lineEnd(text: Buffer, at: number): number {
  const end = text.indexOf(newline, at);
  return end < 0 ? text.length : end + 1;
}

function markLines(a: readonly Buffer[], b: readonly Buffer[]): MarkedText[] {
  const marks = a.map((line, index) => ({ bytes: line, volatile: !same(line, b[index]) }));
  const [first, last] = [marks.findIndex(({ volatile }) => volatile), marks.findLastIndex(({ volatile }) => volatile)];
  // The same lines in another order: those between them only happen to stand where they stood.
  if (!isPermutation(a.slice(first, last + 1), b.slice(first, last + 1))) return marks;
  return marks.map(({ bytes }, index) => ({ bytes, volatile: index >= first && index <= last }));
}

/** Whether lines that both texts have come in another order. What only one of them has moves nothing. */
export function isReordered(shown: Buffer, other: Buffer): boolean {
  if (shown.equals(other)) return false;
  const [a, b] = [wordedLines(shown), wordedLines(other)];
  const theirs = sharedWith(a, b);
  return sharedWith(b, a).some((line, index) => line !== theirs[index]);
}

function wordedLines(text: Buffer): string[] {
  const all = text.toString('latin1').split('\n');
  return all.filter((line) => line.trim() !== '');
}

/** The lines of `list` that `other` has too, each as often as it has them. */
function sharedWith(other: readonly string[], list: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const line of other) left.set(line, (left.get(line) ?? 0) + 1);
  return list.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count > 0;
  });
}

/** Of two lists of the same length. */
function isPermutation(a: readonly Buffer[], b: readonly Buffer[]): boolean {
  const texts = (list: readonly Buffer[]) => list.map((line) => line.toString('latin1'));
  return sharedWith(texts(b), texts(a)).length === a.length;
}

function same(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a !== undefined && b !== undefined && a.equals(b);
}

function lines(text: Buffer): Buffer[] {
  const result: Buffer[] = [];
  let at = 0;
  while (at < text.length) {
    const next = lineEnd(text, at);
    result.push(text.subarray(at, next));
    at = next;
  }
  return result;
}

/** Joins neighbours that are marked alike, without empty ones. */
export function joinMarks(marked: readonly MarkedText[]): MarkedText[] {
  const pieces = marked.filter(({ bytes }) => bytes.length > 0);
  const result: MarkedText[] = [];
  let from = 0;
  for (let index = 1; index <= pieces.length; index += 1) {
    const first = pieces[from];
    if (first === undefined || pieces[index]?.volatile === first.volatile) continue;
    const parts = pieces.slice(from, index).map((piece) => piece.bytes);
    result.push({ bytes: parts.length === 1 ? first.bytes : Buffer.concat(parts), volatile: first.volatile });
    from = index;
  }
  return result;
}

/** Marks lines as `isVolatile` says, each on its own; neighbours that are marked alike are one piece. */
export function* markedByLine(bytes: Buffer, isVolatile: (line: string) => boolean): Generator<MarkedText> {
  const text = bytes.toString('latin1');
  let from = 0;
  let was: { line: string; volatile: boolean } | undefined;
  for (let at = 0; at < text.length; ) {
    const newlineAt = text.indexOf('\n', at);
    const next = newlineAt < 0 ? text.length : newlineAt + 1;
    const line = text.slice(at, next);
    const volatile = was?.line === line ? was.volatile : isVolatile(line);
    if (was && was.volatile !== volatile) {
      yield { bytes: bytes.subarray(from, at), volatile: was.volatile };
      from = at;
    }
    was = { line, volatile };
    at = next;
  }
  if (was) yield { bytes: bytes.subarray(from), volatile: was.volatile };
}
