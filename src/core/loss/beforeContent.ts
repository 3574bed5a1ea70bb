import { createHash } from 'node:crypto';
import type { Comparison, View } from '../view/view.ts';
import { toBytePath } from './bytePath.ts';
import { type Destroyed, placeAfter } from './destroyed.ts';
import { inTurns } from './inTurns.ts';
import { linesLost, maxAfterBytes, maxTextBytes } from './textLines.ts';

/** So much content is read in all to count lines and to look for copies: 64 MiB. */
const maxReadBytes = 64 * 1024 * 1024;

/** So many bytes of large files are compared where they lie, in all: 4 GiB; the first few whatever their size, since they may be all holes. */
const maxComparedBytes = 4 * 1024 ** 3;
const alwaysCompared = 4;

/** So many files have one answer. */
const togetherAtOnce = 512;

/** Reads what files contained before the action, each at most once. */
export interface BeforeContent {
  /** Content of a file, or the target of a symbolic link; `undefined` when it is too large or cannot be read. */
  of(item: Destroyed): Promise<Uint8Array | undefined>;
  /**
   * How many lines each of these files had, by path; what is no text has none. `undefined` where that cannot be asked without
   * reading them.
   */
  countLines(items: readonly Destroyed[]): Promise<ReadonlyMap<string, number> | undefined>;
  /**
   * How much of it stands at the same path afterwards, where it is too large to be read here before or after; `undefined`
   * where that is not so, or cannot be told.
   */
  compared(item: Destroyed): Promise<Comparison | undefined>;
  /** Reads many files at once, so that `of` finds them; small ones first, until 64 MiB are read. */
  prepare(items: readonly Destroyed[]): Promise<void>;
}

/** Makes a reader over a view. */
export function beforeContent(view: View, signal: AbortSignal): BeforeContent {
  const known = new Map<string, Promise<Uint8Array | undefined>>();
  /** What is read with others: their contents, and which of them it is. */
  const together = new Map<string, { contents: Promise<(Uint8Array | undefined)[]>; at: number }>();
  const comparisons = new Map<string, Promise<Comparison | undefined>>();
  let leftBytes = maxReadBytes;
  let leftToCompare = maxComparedBytes;

  function of(item: Destroyed): Promise<Uint8Array | undefined> {
    const share = together.get(item.path);
    if (share) return share.contents.then((all) => all[share.at]);
    let found = known.get(item.path);
    if (!found) {
      found = read(item);
      known.set(item.path, found);
    }
    return found;
  }

  async function read(item: Destroyed): Promise<Uint8Array | undefined> {
    if (item.type === 'symlink')
      return item.target === undefined ? undefined : Buffer.from(toBytePath(item.target), 'latin1');
    if (!isWorthReading(item)) return undefined;
    leftBytes -= item.sizeBytes;
    return view.read(item.path, 'before', maxTextBytes);
  }

  function isWorthReading(item: Destroyed): boolean {
    return item.sizeBytes <= maxTextBytes && item.sizeBytes <= leftBytes;
  }

  async function prepare(items: readonly Destroyed[]): Promise<void> {
    const unread = items.filter((item) => item.type === 'file' && !isAsked(item));
    unread.sort((a, b) => a.sizeBytes - b.sizeBytes);
    const wanted = unread.filter(takesShare);
    const asked: Promise<unknown>[] = [];
    // All are asked for before the first answer comes: whoever reads them need not wait for whoever takes them.
    for (let from = 0; from < wanted.length; from += togetherAtOnce) {
      const some = wanted.slice(from, from + togetherAtOnce);
      const contents = readTogether(some);
      asked.push(contents ?? readInTurns(some));
      if (contents !== undefined) for (const [at, { path }] of some.entries()) together.set(path, { contents, at });
    }
    await Promise.all(asked);
  }

  function isAsked({ path }: Destroyed): boolean {
    return known.has(path) || together.has(path);
  }

  function readTogether(items: readonly Destroyed[]): Promise<(Uint8Array | undefined)[]> | undefined {
    const paths = items.map(({ path }) => path);
    return signal.aborted ? undefined : view.readMany?.(paths, 'before', maxTextBytes);
  }

  async function readInTurns(items: readonly Destroyed[]): Promise<void> {
    for (const { sizeBytes } of items) leftBytes += sizeBytes;
    await inTurns(items, async (item) => {
      if (!signal.aborted && isWorthReading(item)) await of(item);
    });
  }

  async function countLines(items: readonly Destroyed[]): Promise<ReadonlyMap<string, number> | undefined> {
    const unread = items.filter((item) => !isAsked(item));
    const wanted = unread.sort((a, b) => a.sizeBytes - b.sizeBytes).filter(takesShare);
    const paths = wanted.map((item) => item.path);
    const counts = paths.length > 0 ? await view.countLines?.(paths, 'before', maxTextBytes) : [];
    if (!counts) leftBytes += wanted.reduce((sum, item) => sum + item.sizeBytes, 0);
    if (!counts) return undefined;
    const lines = new Map<string, number>();
    for (const item of known.size + together.size > 0 ? items : []) {
      const content = isAsked(item) ? await of(item) : undefined;
      const count = content && linesLost(content, []);
      if (count !== undefined) lines.set(item.path, count);
    }
    for (const [at, path] of paths.entries()) {
      const count = counts[at];
      if (count !== undefined) lines.set(path, count);
    }
    return lines;
  }

  function takesShare(item: Destroyed): boolean {
    if (item.type !== 'file' || !isWorthReading(item)) return false;
    leftBytes -= item.sizeBytes;
    return true;
  }

  async function compared(item: Destroyed): Promise<Comparison | undefined> {
    if (item.type !== 'file' || !item.fileAfter) return undefined;
    if ((item.sizeAfter ?? 0) <= maxAfterBytes && (await of(item))) return undefined;
    let found = comparisons.get(item.path);
    if (!found) {
      found = compare(item);
      comparisons.set(item.path, found);
    }
    return found;
  }

  async function compare(item: Destroyed): Promise<Comparison | undefined> {
    const { path, sizeBytes } = item;
    if (signal.aborted || (sizeBytes > leftToCompare && comparisons.size >= alwaysCompared)) return undefined;
    leftToCompare -= sizeBytes;
    const [comparison] = (await view.compare?.([{ before: path, after: placeAfter(item) }])) ?? [];
    return comparison;
  }

  return { of, countLines, compared, prepare };
}

/** The object id that git gives to a blob with this content. `idLength`: 40 for SHA-1, 64 for SHA-256 repositories. */
export function blobId(content: Uint8Array, idLength: number): string {
  const hash = createHash(idLength === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${content.length}\0`).update(content).digest('hex');
}

/** The content with `\n` line ends, as `core.autocrlf` stores it; `undefined` when it has no `\r\n`. */
export function withoutCarriageReturns(content: Uint8Array): Uint8Array | undefined {
  const buffer = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (!buffer.includes('\r\n')) return undefined;
  return Buffer.from(buffer.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
}
