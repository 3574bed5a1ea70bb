import { inflateRawSync } from 'node:zlib';

/** A file in an archive. */
export interface ArchiveMember {
  name: string;
  content: Uint8Array;
}

/** What kind of archive some bytes are, by their first ones. */
export function archiveKind(bytes: Buffer): 'tar' | 'zip' | 'cpio' | undefined {
  if (bytes.toString('latin1', 257, 262) === 'ustar' || isOldTar(bytes)) return 'tar';
  if (bytes.readUInt32LE(0) === 0x04034b50) return 'zip';
  return /^07070[127]/.test(bytes.toString('latin1', 0, 6)) || bytes.readUInt16LE(0) === 0o70707 ? 'cpio' : undefined;
}

/** The files in an archive whose size is one of those wanted. What cannot be read is left out. */
export function* archiveMembers(
  kind: 'tar' | 'zip' | 'cpio',
  bytes: Buffer,
  isWanted: (sizeBytes: number) => boolean,
): Generator<ArchiveMember> {
  try {
    if (kind === 'tar') yield* tarMembers(bytes, isWanted);
    else if (kind === 'zip') yield* zipMembers(bytes, isWanted);
    else yield* cpioMembers(bytes, isWanted);
  } catch (error) {
    // A torn archive holds what was read of it so far.
    if (!(error instanceof RangeError)) throw error;
  }
}

// The sum of the header's bytes, with blanks in the place of the sum itself, stands in it: tar(5).
function isOldTar(bytes: Buffer): boolean {
  if (bytes.length < 512) return false;
  const told = Number.parseInt(bytes.toString('latin1', 148, 156).replace(/[^0-7]/g, ''), 8);
  let sum = 0;
  for (let at = 0; at < 512; at++) sum += at >= 148 && at < 156 ? 32 : (bytes[at] ?? 0);
  return sum === told && bytes[0] !== 0;
}

const block = 512;

function* tarMembers(bytes: Buffer, isWanted: (sizeBytes: number) => boolean): Generator<ArchiveMember> {
  let longName: string | undefined;
  let longSize: number | undefined;
  for (let at = 0; at + block <= bytes.length; ) {
    const header = bytes.subarray(at, at + block);
    if (header[0] === 0) break;
    const text = (from: number, length: number) => textTo0(header.subarray(from, from + length));
    const type = String.fromCharCode(header[156] ?? 0);
    const size = longSize ?? tarNumber(header.subarray(124, 136));
    const content = bytes.subarray(at + block, at + block + size);
    at += block + Math.ceil(size / block) * block;
    if (type === 'L') longName = textTo0(content);
    else if (type === 'x') {
      const records = paxRecords(content);
      longName = records.get('path') ?? longName;
      const told = records.get('size');
      if (told !== undefined) longSize = Number(told);
    } else if (type !== 'g' && type !== 'K') {
      const prefix = text(257, 5) === 'ustar' && text(262, 2) !== ' ' ? text(345, 155) : '';
      const name = longName ?? (prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`);
      if (/[0\0 7]/.test(type) && isWanted(size) && content.length === size) yield { name, content };
      longName = undefined;
      longSize = undefined;
    }
  }
}

function textTo0(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return Buffer.from(end < 0 ? bytes : bytes.subarray(0, end)).toString('utf8');
}

/** Octal digits, or for what is larger the bytes of the number itself, with the highest bit set. */
function tarNumber(field: Buffer): number {
  if (((field[0] ?? 0) & 0x80) === 0) return Number.parseInt(field.toString('latin1').replace(/[^0-7]/g, '') || '0', 8);
  return field.subarray(1).reduce((value, byte) => value * 256 + byte, 0);
}

/** Records of the form `length key=value\n`. */
function paxRecords(content: Buffer): Map<string, string> {
  const records = new Map<string, string>();
  for (let at = 0; at < content.length; ) {
    const blank = content.indexOf(' ', at);
    const length = Number(content.toString('latin1', at, blank));
    if (blank < 0 || !Number.isInteger(length) || length <= 0) break;
    const record = content.toString('utf8', blank + 1, at + length - 1);
    const equals = record.indexOf('=');
    records.set(record.slice(0, equals), record.slice(equals + 1));
    at += length;
  }
  return records;
}

function* zipMembers(bytes: Buffer, isWanted: (sizeBytes: number) => boolean): Generator<ArchiveMember> {
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0) return;
  const entries = bytes.readUInt16LE(end + 10);
  let at = bytes.readUInt32LE(end + 16);
  for (let entry = 0; entry < entries && bytes.readUInt32LE(at) === 0x02014b50; entry++) {
    const [flags, method] = [bytes.readUInt16LE(at + 8), bytes.readUInt16LE(at + 10)];
    const [packed, size] = [bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24)];
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset));
    const local = bytes.readUInt32LE(at + 42);
    const name = bytes.toString('utf8', at + 46, at + 46 + (nameLength ?? 0));
    at += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0);
    const isEncrypted = (flags & 1) !== 0;
    if (name.endsWith('/') || !isWanted(size) || isEncrypted) continue;
    const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const data = bytes.subarray(from, from + packed);
    if (method === 0 && data.length === size) yield { name, content: data };
    const content = method === 8 ? inflated(data, size) : undefined;
    if (content?.length === size) yield { name, content };
  }
}

function inflated(data: Buffer, size: number): Buffer | undefined {
  try {
    return inflateRawSync(data, { maxOutputLength: size + 1 });
  } catch {
    // A damaged entry holds nothing.
    return undefined;
  }
}

function* cpioMembers(bytes: Buffer, isWanted: (sizeBytes: number) => boolean): Generator<ArchiveMember> {
  for (let at = 0; at + 26 <= bytes.length; ) {
    const magic = bytes.toString('latin1', at, at + 6);
    const isNew = /^07070[12]$/.test(magic);
    const isText = isNew || magic === '070707';
    if (!isText && bytes.readUInt16LE(at) !== 0o70707) break;
    const number = (from: number, to: number, base: number) =>
      Number.parseInt(bytes.toString('latin1', at + from, at + to), base);
    const [header, align] = isNew ? [110, 4] : isText ? [76, 1] : [26, 2];
    const nameLength = isNew ? number(94, 102, 16) : isText ? number(59, 65, 8) : bytes.readUInt16LE(at + 20);
    const size = isNew
      ? number(54, 62, 16)
      : isText
        ? number(65, 76, 8)
        : bytes.readUInt16LE(at + 22) * 65_536 + bytes.readUInt16LE(at + 24);
    if (!Number.isInteger(nameLength) || !Number.isInteger(size)) break;
    const name = textTo0(bytes.subarray(at + header, at + header + nameLength));
    if (name === 'TRAILER!!!') break;
    const from = aligned(header + nameLength, align) + at;
    const content = bytes.subarray(from, from + size);
    if (isWanted(size) && content.length === size) yield { name, content };
    at = from + aligned(size, align);
  }
}

function aligned(length: number, to: number): number {
  return Math.ceil(length / to) * to;
}
