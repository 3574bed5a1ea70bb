import type { Going } from '../facts/loss.ts';
import type { Comparison } from '../view/view.ts';
import { blobId } from './beforeContent.ts';
import type { Destroyed } from './destroyed.ts';
import { keptMembers } from './recovery/keptMembers.ts';
import { isBinary, sharedEnds } from './textLines.ts';

/** Of the old content at least this share must still be there for a change to be an edit. */
const keptShare = 0.5;

/**
 * What becomes of a file's content: something else stands there, or it is edited. `gitVersions`: contents that git has of
 * it; what goes back to one of them throws the work since then away. `texts`: of a database, the statements that make it.
 */
export function goingOf(
  before: Uint8Array,
  after: Uint8Array,
  gitVersions: readonly Uint8Array[],
  texts?: { before: Uint8Array; after: Uint8Array },
): Going {
  if (gitVersions.some((version) => Buffer.compare(version, after) === 0)) return 'replaced';
  if (!texts) {
    const kept = keptMembers(before, after);
    if (kept !== undefined) return kept >= keptShare ? 'edited' : 'replaced';
    return becoming(before, after);
  }
  // What is worth something in a database are its rows; its tables may stay without them.
  const rows = rowsOf(texts.before);
  return rows.length > 0 ? becoming(rows, rowsOf(texts.after)) : becoming(texts.before, texts.after);
}

/** The rows of a database, of the statements that make it: SQLite writes each on a line. */
function rowsOf(statements: Uint8Array): Uint8Array {
  const text = Buffer.from(statements.buffer, statements.byteOffset, statements.byteLength).toString('latin1');
  return Buffer.from(text.match(/^INSERT INTO .*\n/gm)?.join('') ?? '', 'latin1');
}

function becoming(before: Uint8Array, after: Uint8Array): Going {
  const old = withoutBreak(before);
  if (old.length === 0 || sharedEnds(old, withoutBreak(after)) >= old.length * keptShare) return 'edited';
  if (isBinary(before) || isBinary(after)) return 'replaced';
  return sharedWords(before, after) >= keptShare ? 'edited' : 'replaced';
}

/** The same where the content was not read: what is left of a file that shrank to less than half is no edit. */
export function goingBySize(item: Destroyed): Going {
  if (item.how === 'deleted') return 'deleted';
  if (item.sizeAfter === undefined) return 'replaced';
  return item.sizeBytes > 0 && item.sizeAfter < item.sizeBytes * keptShare ? 'replaced' : 'edited';
}

/**
 * The same where it was compared without being read here. `after`: what stands there now, where that is known; `versionIds`:
 * object ids of what git has of it.
 */
export function goingCompared(
  { sizeBytes }: Destroyed,
  { bytesGone }: Comparison,
  after: Uint8Array | undefined,
  versionIds: readonly string[],
): Going {
  // The ids of one repository are of one length.
  const [first] = versionIds;
  if (after && first !== undefined && versionIds.includes(blobId(after, first.length))) return 'replaced';
  return bytesGone <= sizeBytes * (1 - keptShare) ? 'edited' : 'replaced';
}

// Every text ends in a line break; that two have it in common says nothing.
function withoutBreak(bytes: Uint8Array): Uint8Array {
  return bytes.at(-1) === 0x0a ? bytes.subarray(0, bytes.at(-2) === 0x0d ? -2 : -1) : bytes;
}

/** Share of the old words that are still there, each as often as it is. */
function sharedWords(before: Uint8Array, after: Uint8Array): number {
  const left = new Map<string, number>();
  for (const word of wordsOf(after)) left.set(word, (left.get(word) ?? 0) + 1);
  let kept = 0;
  const old = wordsOf(before);
  for (const word of old) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    kept++;
  }
  return old.length === 0 ? 0 : kept / old.length;
}

// One character per byte; bytes above ASCII are letters of some script.
function wordsOf(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return text.match(/[\w\x80-\xff]+/g) ?? [];
}
