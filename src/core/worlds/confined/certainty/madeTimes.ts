import { isUtf8 } from 'node:buffer';
import { folderReader } from '../../../loss/bytePath.ts';
import type { FileChange } from '../../../view/fileChange.ts';

/** While something was made; milliseconds since 1970. */
export interface Span {
  fromMs: number;
  toMs: number;
}

/** What the steps of a session have made so far: really run, all of it has other times. */
export interface MadeSoFar {
  /** Files that were written, and folders in which something began or ceased to stand. */
  paths: Set<string>;
  spans: Span[];
}

/** Before the first step. */
export function nothingMade(): MadeSoFar {
  return { paths: new Set(), spans: [] };
}

/** Keeps what a step has made (`freshPaths` of its changes), for the steps behind it. */
export function keepMade(made: MadeSoFar, fresh: Iterable<string>, span: Span): void {
  for (const path of fresh) made.paths.add(path);
  made.spans.push(span);
}

/** Whose times are new. A folder changes when something begins or ceases to stand in it. */
export function freshPaths(changes: readonly FileChange[]): Set<string> {
  const fresh = new Set<string>();
  const [folderOf, formerFolderOf] = [folderReader(), folderReader()];
  for (const { path, change, from } of changes) {
    if (change === 'created' || change === 'modified') fresh.add(path);
    if (change === 'modified' || change === 'mode') continue;
    fresh.add(folderOf(path));
    if (from !== undefined) fresh.add(formerFolderOf(from));
  }
  return fresh;
}

const minuteMs = 60_000;
const secondMs = 1000;

/**
 * Finds text that speaks of a minute in which something was made: two runs in the same minute agree on it, and are wrong in the next.
 * Used where a command, or a step before it, wrote files and their times are printed.
 */
export function madeTimeFinder(spans: readonly Span[]): (text: string) => boolean {
  const words = new Set<string>();
  for (const { fromMs, toMs } of spans) {
    // The next minute may have begun.
    for (let moment = fromMs; moment <= toMs + minuteMs; moment += minuteMs) {
      const local = new Date(moment);
      words.add(`${two(local.getHours())}:${two(local.getMinutes())}`);
      words.add(`${two(local.getUTCHours())}:${two(local.getUTCMinutes())}`);
      words.add(String(Math.floor(moment / 100_000)));
    }
  }
  if (words.size === 0) return () => false;
  const pattern = new RegExp([...words].join('|'));
  return (text) => pattern.test(text);
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/**
 * Whether bytes hold a second in which something was made, as programs store it: a number of four bytes in either order (compiled
 * Python, gzip, the index of git), one with a fraction in eight (pickles, SQLite), or in octal digits (tar). Text is not looked at.
 */
export function holdsMadeTime(bytes: Uint8Array, spans: readonly Span[]): boolean {
  if (spans.length === 0 || (!bytes.includes(0) && isUtf8(bytes))) return false;
  const seconds = spans.map(({ fromMs, toMs }) => ({
    first: Math.floor(fromMs / secondMs) - 1,
    last: Math.ceil(toMs / secondMs),
  }));
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isMade = (value: number) => seconds.some(({ first, last }) => value >= first && value <= last);
  const moments = new Set(seconds.flatMap(({ first, last }) => [first, last]));
  if (writtenNumbers.some((form) => [...moments].some((moment) => holdsNumber(buffer, form, moment, isMade))))
    return true;
  return [...buffer.toString('latin1').matchAll(/(?<![0-7])[0-7]{11}(?![0-7])/g)].some(([digits]) =>
    isMade(Number.parseInt(digits, 8)),
  );
}

/** How a second is written as a number: with the bytes of most weight first. */
const writtenNumbers = [
  {
    width: 4,
    write: (to: Buffer, value: number) => to.writeUInt32BE(value),
    read: (from: Buffer) => from.readUInt32BE(),
  },
  {
    width: 8,
    write: (to: Buffer, value: number) => to.writeDoubleBE(value),
    read: (from: Buffer) => from.readDoubleBE(),
  },
] as const;

/** Whether a number near `value` stands there, in either order of its bytes: those near it have the same two first bytes. */
function holdsNumber(
  bytes: Buffer,
  { width, write, read }: (typeof writtenNumbers)[number],
  value: number,
  isMeant: (value: number) => boolean,
): boolean {
  const written = Buffer.alloc(width);
  write(written, value);
  const first = written.subarray(0, 2);
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1))
    if (at + width <= bytes.length && isMeant(read(bytes.subarray(at)))) return true;
  const last = Buffer.from(first).reverse();
  for (let at = bytes.indexOf(last); at >= 0; at = bytes.indexOf(last, at + 1)) {
    const from = at + 2 - width;
    if (from >= 0 && isMeant(read(Buffer.from(bytes.subarray(from, from + width)).reverse()))) return true;
  }
  return false;
}
