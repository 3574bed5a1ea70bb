import { archiveKind } from './archiveMembers.ts';

/**
 * Whether an archive only got more members: everything that it held it holds still, with the same bytes and modes. Times may be
 * others. `false` for what is no archive, and for one whose end or parts cannot be told.
 */
export function onlyAddsMembers(before: Buffer, after: Buffer): boolean {
  if (before.length < 32 || after.length < 32) return false;
  const kind = archiveKind(before);
  if (kind === undefined || archiveKind(after) !== kind) return false;
  try {
    if (kind === 'zip') return keepsEntries(before, after);
    const end = kind === 'tar' ? endOfTar(before) : endOfCpio(before);
    // What comes next is written over the mark of the end.
    return end !== undefined && end <= after.length && before.subarray(0, end).equals(after.subarray(0, end));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return false;
  }
}

const block = 512;

/** Where the blocks of nothing begin, behind which nothing may be. */
function endOfTar(bytes: Buffer): number | undefined {
  let at = 0;
  while (at + block <= bytes.length && bytes[at] !== 0) {
    // A size that is no octal number is larger than what is read here.
    const size = /^ *([0-7]+)[ \0]*$/.exec(bytes.toString('latin1', at + 124, at + 136))?.[1];
    if (size === undefined) return undefined;
    const isPax = bytes[at + 156] === 'x'.charCodeAt(0);
    if (isPax && bytes.toString('latin1', at + block, at + block + Number.parseInt(size, 8)).includes(' size='))
      return undefined;
    at += block + Math.ceil(Number.parseInt(size, 8) / block) * block;
  }
  return at <= bytes.length && bytes.subarray(at).every((byte) => byte === 0) ? at : undefined;
}

/** Where the member begins whose name says that it is the last one. */
function endOfCpio(bytes: Buffer): number | undefined {
  const name = bytes.lastIndexOf('TRAILER!!!\0', undefined, 'latin1');
  const magic = bytes.toString('latin1', 0, 6);
  const header = /^07070[12]$/.test(magic) ? 110 : magic === '070707' ? 76 : 26;
  if (name < header) return undefined;
  const start = name - header;
  const isHeader =
    header === 26 ? bytes.readUInt16LE(start) === 0o70707 : bytes.toString('latin1', start, start + 6) === magic;
  return isHeader ? start : undefined;
}

interface Entry {
  /** Method, sum, sizes, attributes: all that the list of an archive says of it but its time and place. */
  facts: string;
  data: Buffer;
}

function keepsEntries(before: Buffer, after: Buffer): boolean {
  const old = entriesOf(before);
  const now = entriesOf(after);
  if (!old || !now) return false;
  return [...old].every(([name, { facts, data }]) => {
    const same = now.get(name);
    return same?.facts === facts && same.data.equals(data);
  });
}

/** Entries by name; nothing where the archive is in parts, larger than 4 GiB, or has a name twice. */
function entriesOf(bytes: Buffer): Map<string, Entry> | undefined {
  const end = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  // A comment behind it is nothing that members keep.
  if (end < 0 || end + 22 !== bytes.length) return undefined;
  const count = bytes.readUInt16LE(end + 10);
  if (count === 0xffff || bytes.readUInt16LE(end + 8) !== count) return undefined;
  const entries = new Map<string, Entry>();
  let at = bytes.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    if (bytes.readUInt32LE(at) !== 0x02014b50) return undefined;
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const name = bytes.toString('latin1', at + 46, at + 46 + nameLength);
    const comment = bytes.toString(
      'latin1',
      at + 46 + nameLength + extraLength,
      at + 46 + nameLength + extraLength + commentLength,
    );
    const local = bytes.readUInt32LE(at + 42);
    const packed = bytes.readUInt32LE(at + 20);
    if (packed === 0xffffffff || local === 0xffffffff || entries.has(name)) return undefined;
    const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    // Flags and method, then the sum and both sizes, then the attributes.
    const parts = [bytes.subarray(at + 8, at + 12), bytes.subarray(at + 16, at + 28), bytes.subarray(at + 36, at + 42)];
    const data = bytes.subarray(from, from + packed);
    if (data.length !== packed) return undefined;
    entries.set(name, { facts: `${Buffer.concat(parts).toString('hex')}${comment}`, data });
    at += 46 + nameLength + extraLength + commentLength;
  }
  return entries;
}
