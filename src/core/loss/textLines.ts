/** Files above this size are not read to count lines: 2 MiB. */
export const maxTextBytes = 2 * 1024 * 1024;
/** So much of what a file became is read to compare it with what it was. */
export const maxAfterBytes = 2 * maxTextBytes;

/** Git's own rule: a NUL among the first 8,000 bytes makes a file binary. */
export function isBinary(bytes: Uint8Array): boolean {
  const end = bytes.indexOf(0);
  return end >= 0 && end < 8000;
}

/** Lines without their ends; a last line without a newline counts, an empty file has none. One character per byte. */
function linesOf(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

/**
 * How many lines of a text exist in none of the `survivors`. A line that stands there three times and survives twice counts
 * once. `undefined` for binary content.
 */
export function linesLost(before: Uint8Array, survivors: readonly Uint8Array[]): number | undefined {
  if (isBinary(before)) return undefined;
  if (survivors.length === 0) return countLines(before);
  const left = mostOfEach(survivors);
  let lost = 0;
  for (const line of linesOf(before)) {
    const count = left.get(line) ?? 0;
    if (count === 0) lost++;
    else left.set(line, count - 1);
  }
  return lost;
}

/** How often each line stands in the one of these texts that has it most often. */
function mostOfEach(texts: readonly Uint8Array[]): Map<string, number> {
  const most = new Map<string, number>();
  for (const text of texts) {
    const here = new Map<string, number>();
    for (const line of linesOf(text)) here.set(line, (here.get(line) ?? 0) + 1);
    for (const [line, count] of here) most.set(line, Math.max(count, most.get(line) ?? 0));
  }
  return most;
}

function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines++;
  return bytes.length > 0 && bytes.at(-1) !== 10 ? lines + 1 : lines;
}

/** How many bytes of `before` stand unchanged at the beginning and at the end of `after`, none counted twice. */
export function sharedEnds(before: Uint8Array, after: Uint8Array): number {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return start + end;
}

/** The content was only added to: all of it is there around one addition, or every old line of a text, in order. */
export function onlyAdds(before: Uint8Array, after: Uint8Array): boolean {
  if (sharedEnds(before, after) === before.length) return true;
  if (isBinary(before) || isBinary(after)) return false;
  const old = linesOf(before);
  let next = 0;
  for (const line of linesOf(after)) if (next < old.length && line === old[next]) next++;
  return next === old.length;
}
