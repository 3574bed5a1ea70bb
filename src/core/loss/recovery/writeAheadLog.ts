/** What stands behind a changed page in a log of SQLite, and before all of them (sqlite.org, fileformat2, 4). */
const headBytes = 32;
const frameHeadBytes = 24;
/** Version of the format, of a log and of the index beside it. */
const formatVersion = 3_007_000;

/** How a database of SQLite begins (sqlite.org, fileformat2). */
const magic = 'SQLite format 3\0';

/** Whether bytes are those of a database of SQLite. */
export function isDatabase(bytes: Uint8Array): boolean {
  return bytes.length >= 100 && Buffer.from(bytes.subarray(0, 16)).toString('latin1') === magic;
}

/** Whether a database keeps its changes in a log beside it. */
export function usesLog(database: Uint8Array): boolean {
  return isDatabase(database) && database[18] === 2;
}

/** Whether bytes are the index of a log, which is made anew from the log whenever it is not there. */
export function isLogIndex(bytes: Uint8Array): boolean {
  return bytes.length >= 136 && asBuffer(bytes).readUInt32LE(0) === formatVersion;
}

/** Whether bytes begin a journal that is not over: one that is has no head any more (sqlite.org, fileformat2, 3). */
export function isOpenJournal(bytes: Uint8Array): boolean {
  return asBuffer(bytes.subarray(0, 8)).toString('hex') === 'd9d505f920a163d7';
}

/**
 * A database with all that is committed in its log, as SQLite reads the two: the pages of one file that needs no log.
 * `undefined`: it is none.
 */
export function withLog(database: Uint8Array, log: Uint8Array | undefined): Uint8Array | undefined {
  const committed = log && committedPages(asBuffer(log));
  const image = committed ? laidOver(asBuffer(database), committed) : Buffer.from(database);
  if (!isDatabase(image)) return undefined;
  image[18] = 1;
  image[19] = 1;
  return image;
}

interface Committed {
  pageBytes: number;
  /** Of the database, in pages. */
  size: number;
  pages: ReadonlyMap<number, Buffer>;
}

function laidOver(database: Buffer, { pageBytes, size, pages }: Committed): Buffer {
  const image = Buffer.alloc(size * pageBytes);
  database.copy(image);
  for (const [number, page] of pages) if (number <= size) page.copy(image, (number - 1) * pageBytes);
  return image;
}

/** The last version of each page that is committed: frames count up to the first that does not follow from those before it. */
function committedPages(log: Buffer): Committed | undefined {
  if (log.length < headBytes) return undefined;
  const start = log.readUInt32BE(0);
  if ((start & 0xfffffffe) >>> 0 !== 0x377f0682 || log.readUInt32BE(4) !== formatVersion) return undefined;
  const isBigEndian = (start & 1) === 1;
  const pageBytes = log.readUInt32BE(8);
  if (pageBytes < 512 || pageBytes > 65_536) return undefined;
  let sum: Sum = checksum(log.subarray(0, 24), [0, 0], isBigEndian);
  if (!isAt(log, 24, sum)) return undefined;
  const open = new Map<number, Buffer>();
  const pages = new Map<number, Buffer>();
  let size: number | undefined;
  for (let at = headBytes; at + frameHeadBytes + pageBytes <= log.length; at += frameHeadBytes + pageBytes) {
    const page = log.subarray(at + frameHeadBytes, at + frameHeadBytes + pageBytes);
    sum = checksum(page, checksum(log.subarray(at, at + 8), sum, isBigEndian), isBigEndian);
    // The salt of its head: what an earlier use of the file left behind has another one.
    if (log.compare(log, 16, 24, at + 8, at + 16) !== 0 || !isAt(log, at + 16, sum)) break;
    open.set(log.readUInt32BE(at), page);
    const sizeThen = log.readUInt32BE(at + 4);
    if (sizeThen === 0) continue;
    for (const [number, content] of open) pages.set(number, content);
    open.clear();
    size = sizeThen;
  }
  return size === undefined ? undefined : { pageBytes, size, pages };
}

type Sum = readonly [number, number];

function isAt(log: Buffer, at: number, [first, second]: Sum): boolean {
  return log.readUInt32BE(at) === first && log.readUInt32BE(at + 4) === second;
}

function checksum(bytes: Buffer, [first, second]: Sum, isBigEndian: boolean): Sum {
  let [one, two] = [first, second];
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    one = (one + (isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)) + two) >>> 0;
    two = (two + (isBigEndian ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4)) + one) >>> 0;
  }
  return [one, two];
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
