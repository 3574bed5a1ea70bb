/** Finds what differs between two runs in a row. */

/** A piece of text and whether it differed. */
export interface MarkedText {
  bytes: Buffer;
  volatile: boolean;
}

/**
 * Cuts `shown` into pieces at line ends and marks the lines that `other` has differently.
 * Where the number of lines is the same, lines are compared one by one; else all between the common start and end.
 * `marksGaps`: where only `other` has lines, the line before them is marked, or behind them.
 */
export function markVolatile(shown: Buffer, other: Buffer, marksGaps = false): MarkedText[] {
  if (shown.equals(other)) return shown.length > 0 ? [{ bytes: shown, volatile: false }] : [];
  const a = lines(shown);
  const b = lines(other);
  if (a.length === b.length) return joinMarks(markLines(a, b));
  let start = 0;
  while (start < a.length && start < b.length && same(a[start], b[start])) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && same(a.at(-1 - end), b.at(-1 - end))) end += 1;
  const isGap = marksGaps && start + end >= a.length;
  const from = isGap ? Math.max(0, start - 1) : start;
  const to = isGap ? from + 1 : a.length - end;
  return joinMarks(a.map((line, index) => ({ bytes: line, volatile: index >= from && index < to })));
}

function markLines(a: readonly Buffer[], b: readonly Buffer[]): MarkedText[] {
  const marks = a.map((line, index) => ({ bytes: line, volatile: !same(line, b[index]) }));
  const [first, last] = [marks.findIndex(({ volatile }) => volatile), marks.findLastIndex(({ volatile }) => volatile)];
  // The same lines in another order: those between them only happen to stand where they stood.
  if (!isPermutation(a.slice(first, last + 1), b.slice(first, last + 1))) return marks;
  return marks.map(({ bytes }, index) => ({ bytes, volatile: index >= first && index <= last }));
}

/** Of two lists of the same length. */
function isPermutation(a: readonly Buffer[], b: readonly Buffer[]): boolean {
  const left = new Map<string, number>();
  for (const line of b) {
    const text = line.toString('latin1');
    left.set(text, (left.get(text) ?? 0) + 1);
  }
  return a.every((line) => {
    const text = line.toString('latin1');
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count > 0;
  });
}

function same(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a !== undefined && b !== undefined && a.equals(b);
}

function lines(text: Buffer): Buffer[] {
  const result: Buffer[] = [];
  let at = 0;
  while (at < text.length) {
    const end = text.indexOf(10, at);
    const next = end < 0 ? text.length : end + 1;
    result.push(text.subarray(at, next));
    at = next;
  }
  return result;
}

/** Joins neighbours that are marked alike. */
export function joinMarks(pieces: MarkedText[]): MarkedText[] {
  const result: MarkedText[] = [];
  let from = 0;
  for (let index = 1; index <= pieces.length; index += 1) {
    const first = pieces[from];
    if (first === undefined || pieces[index]?.volatile === first.volatile) continue;
    result.push({
      bytes: Buffer.concat(pieces.slice(from, index).map((piece) => piece.bytes)),
      volatile: first.volatile,
    });
    from = index;
  }
  return result;
}
