/** Finds what differs between two runs in a row. */

/** A piece of text and whether it differed. */
export interface MarkedText {
  bytes: Buffer;
  volatile: boolean;
}

/**
 * Cuts `shown` into pieces at line ends and marks the lines that `other` has differently.
 * Where the number of lines is the same, lines are compared one by one; else all between the common start and end.
 */
export function markVolatile(shown: Buffer, other: Buffer): MarkedText[] {
  if (shown.equals(other)) return shown.length > 0 ? [{ bytes: shown, volatile: false }] : [];
  const a = lines(shown);
  const b = lines(other);
  if (a.length === b.length)
    return joinMarks(a.map((line, index) => ({ bytes: line, volatile: !same(line, b[index]) })));
  let start = 0;
  while (start < a.length && start < b.length && same(a[start], b[start])) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && same(a.at(-1 - end), b.at(-1 - end))) end += 1;
  return joinMarks(a.map((line, index) => ({ bytes: line, volatile: index >= start && index < a.length - end })));
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
