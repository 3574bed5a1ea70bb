import fs from 'node:fs';
import { below, onDisk } from '../bytePath.ts';

/** More objects, packs, or bytes of their indexes, are left to git: it takes 100 µs for an object that it does not have. */
const mostIds = 100_000;
const mostPacks = 32;
const mostIndexBytes = 32 * 1024 * 1024;
/** For fewer, each file is looked for; for more, the folders are listed. */
const fewIds = 64;

/** An object id of SHA-1. */
const idBytes = 20;
/** git-pack(5), "Version 2 pack-*.idx files": eight bytes, then how many ids begin with at most each byte, then the ids. */
const header = Buffer.from('ff744f6300000002', 'hex');
const idsAt = header.length + 256 * 4;

/**
 * Which of these objects are certainly not in a repository: neither as a file of their own nor in a pack. Read where git
 * reads it, a look less for each file that git has never seen. Empty where only git can tell: other repositories lend their
 * objects, packs have a common index, ids are of another kind, something cannot be read.
 *
 * @param commonFolder Where the objects are, absolute.
 */
export function absentObjects(commonFolder: string, ids: readonly string[]): Set<string> {
  const objects = below(commonFolder, 'objects');
  if (ids.length === 0 || ids.length > mostIds || ids.some((id) => id.length !== 2 * idBytes)) return new Set();
  try {
    if (fs.lstatSync(onDisk(below(objects, 'info/alternates')), { throwIfNoEntry: false })) return new Set();
    const packs = fs.readdirSync(onDisk(below(objects, 'pack')));
    if (packs.some((name) => name.startsWith('multi-pack-index'))) return new Set();
    const indexes = packs.filter((name) => name.endsWith('.idx'));
    if (indexes.length > mostPacks || packs.some((name) => lacksIndex(name, indexes))) return new Set();
    const isLoose = looseObjects(objects, ids.length <= fewIds);
    const absent = new Set(ids.filter((id) => !isLoose(id)));
    for (const index of indexes) for (const id of idsIn(below(objects, `pack/${index}`), absent)) absent.delete(id);
    return absent;
  } catch {
    return new Set();
  }
}

function lacksIndex(name: string, indexes: readonly string[]): boolean {
  return name.endsWith('.pack') && !indexes.includes(`${name.slice(0, -'.pack'.length)}.idx`);
}

/** Tells which objects have a file of their own. */
function looseObjects(objects: string, areFew: boolean): (id: string) => boolean {
  if (areFew) {
    const isThere = (file: string) => fs.lstatSync(onDisk(file), { throwIfNoEntry: false }) !== undefined;
    return (id) => isThere(below(objects, `${id.slice(0, 2)}/${id.slice(2)}`));
  }
  const here = new Set(fs.readdirSync(onDisk(objects)));
  const folders = new Map<string, ReadonlySet<string>>();
  return (id) => {
    const name = id.slice(0, 2);
    const known = folders.get(name) ?? new Set(here.has(name) ? fs.readdirSync(onDisk(below(objects, name))) : []);
    folders.set(name, known);
    return known.has(id.slice(2));
  };
}

/** Those of `wanted` that an index of a pack names. Throws where it is none. */
function idsIn(file: string, wanted: ReadonlySet<string>): string[] {
  // A stranger may have put a FIFO there.
  const index = fs.openSync(onDisk(file), fs.constants.O_RDONLY | fs.constants.O_NONBLOCK | fs.constants.O_NOCTTY);
  try {
    const status = fs.fstatSync(index);
    if (!status.isFile()) throw new Error('no file');
    const head = bytesAt(index, 0, idsAt);
    if (!head.subarray(0, header.length).equals(header)) throw new Error('another version');
    const countTo = (byte: number) => (byte < 0 ? 0 : head.readUInt32BE(header.length + 4 * byte));
    if (idsAt + countTo(255) * idBytes > status.size) throw new Error('shorter');
    const sizeOf = (first: number) => (countTo(first) - countTo(first - 1)) * idBytes;
    const ids = [...wanted].map((text) => ({ text, id: Buffer.from(text, 'hex') }));
    const firsts = new Set(ids.map(({ id }) => id[0] ?? 0));
    if ([...firsts].reduce((sum, first) => sum + sizeOf(first), 0) > mostIndexBytes) throw new Error('too large');
    const parts = new Map<number, Buffer>();
    for (const first of firsts) parts.set(first, bytesAt(index, idsAt + countTo(first - 1) * idBytes, sizeOf(first)));
    return ids.flatMap(({ text, id }) => (isIn(parts.get(id[0] ?? 0) ?? Buffer.alloc(0), id) ? [text] : []));
  } finally {
    fs.closeSync(index);
  }
}

/** `ids` are sorted. */
function isIn(ids: Buffer, id: Buffer): boolean {
  let [from, to] = [0, ids.length / idBytes];
  while (from < to) {
    const middle = (from + to) >> 1;
    const order = ids.compare(id, 0, idBytes, middle * idBytes, (middle + 1) * idBytes);
    if (order === 0) return true;
    if (order < 0) from = middle + 1;
    else to = middle;
  }
  return false;
}

/** Throws where the file is shorter. */
function bytesAt(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  if (fs.readSync(file, bytes, 0, length, at) !== length) throw new Error('shorter');
  return bytes;
}
