/** A unified diff, as `git diff > change.patch` writes it, may hold what a file had before it was reverted. */

/** More is not read for lines of a patch, in bytes. */
const mostBytes = 8 * 1024 * 1024;

/** So far a patch has begun, in bytes: mails have a head of their own. */
const mostHead = 64 * 1024;

const header = /^--- (?:\S+|".*")[^\n]*\n\+\+\+ /m;
const hunkHeader = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Whether a text looks like a unified diff. */
export function isPatch(bytes: Buffer): boolean {
  return header.test(bytes.toString('latin1', 0, mostHead));
}

/**
 * Whether some part of `patch` makes `wanted` out of `base`, byte for byte. A part counts wherever its file stands: what is
 * asked is whether the bytes can be had again. Hunks stand where they say; nothing is searched for.
 */
export function patchMakes(patch: Buffer, base: Buffer, wanted: Buffer): boolean {
  if (patch.length > mostBytes || base.length > mostBytes || wanted.length > mostBytes) return false;
  const text = patch.toString('latin1');
  const from = splitLines(base.toString('latin1'));
  const to = wanted.toString('latin1');
  return text
    .split(/^--- /m)
    .slice(1)
    .some((part) => applied(part, from) === to);
}

/** The lines with their ends; what follows the last end is a line too. */
function splitLines(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

function applied(part: string, from: readonly string[]): string | undefined {
  const lines = splitLines(part);
  const made: string[] = [];
  let at = 0;
  let hunks = 0;
  for (let index = 0; index < lines.length; index += 1) {
    const found = hunkHeader.exec(lines[index] ?? '');
    if (!found) continue;
    hunks += 1;
    const [, start = '0', old = '1', , fresh = '1'] = found;
    // A hunk that takes no line stands behind the one that it names.
    const begin = Number(start) - (old === '0' ? 0 : 1);
    if (begin < at || begin > from.length) return undefined;
    made.push(...from.slice(at, begin));
    at = begin;
    let left = { old: Number(old), fresh: Number(fresh) };
    while (left.old > 0 || left.fresh > 0) {
      index += 1;
      let line = lines[index];
      if (line === undefined) return undefined;
      if (lines[index + 1]?.startsWith('\\')) line = line.replace(/\n$/, '');
      const [mark, words] = [line[0], line.slice(1)];
      if (mark === '\\') continue;
      if (mark !== '+' && mark !== '-' && mark !== ' ') return undefined;
      if (mark !== '+' && from[at++] !== words) return undefined;
      if (mark !== '-') made.push(words);
      left = { old: left.old - (mark === '+' ? 0 : 1), fresh: left.fresh - (mark === '-' ? 0 : 1) };
    }
  }
  return hunks === 0 ? undefined : made.concat(from.slice(at)).join('');
}
