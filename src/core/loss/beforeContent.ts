import { createHash } from 'node:crypto';
import type { Looker, View } from '../view/view.ts';
import { toBytePath } from './bytePath.ts';
import type { Destroyed } from './destroyed.ts';
import { maxTextBytes } from './textLines.ts';

/** So much content is read in all to count lines and to look for copies: 64 MiB. */
const maxReadBytes = 64 * 1024 * 1024;

/** From this many files on they are read by one `cat` instead of one by one. */
const manyFiles = 12;

/** One `cat` prints at most this much: 8 MiB. */
const batchBytes = 8 * 1024 * 1024;

/** Reads what files contained before the action, each at most once. */
export interface BeforeContent {
  /** Content of a file, or the target of a symbolic link; `undefined` when it is too large or cannot be read. */
  of(item: Destroyed): Promise<Uint8Array | undefined>;
  /** Reads many files at once, so that `of` finds them; small ones first, until 64 MiB are read. */
  prepare(items: readonly Destroyed[]): Promise<void>;
}

/** Makes a reader over a view. `looker` is used for many files at once. */
export function beforeContent(view: View, looker: Looker, signal: AbortSignal): BeforeContent {
  const known = new Map<string, Promise<Uint8Array | undefined>>();
  let leftBytes = maxReadBytes;

  function of(item: Destroyed): Promise<Uint8Array | undefined> {
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
    const unread = items.filter((item) => item.type === 'file' && !known.has(item.path));
    if (unread.length < manyFiles) return;
    unread.sort((a, b) => a.sizeBytes - b.sizeBytes);
    let batch: Destroyed[] = [];
    let size = 0;
    for (const item of unread) {
      if (!isWorthReading(item)) break;
      if (size + item.sizeBytes > batchBytes) {
        await readBatch(batch);
        batch = [];
        size = 0;
      }
      batch.push(item);
      size += item.sizeBytes;
      leftBytes -= item.sizeBytes;
    }
    if (batch.length > 0) await readBatch(batch);
  }

  async function readBatch(batch: readonly Destroyed[]): Promise<void> {
    const list = Buffer.from(batch.map((item) => `${toBytePath(item.path)}\0`).join(''), 'latin1');
    const argv = ['xargs', '-0', 'cat', '--'];
    const result = await looker.look(argv, { cwd: '/', stdin: list, signal, limitMs: 30_000 });
    const expected = batch.reduce((sum, item) => sum + item.sizeBytes, 0);
    // A file that changed meanwhile or cannot be read would shift all others: then each is read by itself.
    if (result.exitCode !== 0 || result.stdout.length !== expected) return;
    let at = 0;
    for (const item of batch) {
      known.set(item.path, Promise.resolve(result.stdout.subarray(at, at + item.sizeBytes)));
      at += item.sizeBytes;
    }
  }

  return { of, prepare };
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
