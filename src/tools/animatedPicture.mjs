// One animated picture of several pictures of a screen: APNG, as the PNG specification (third edition, 11.3.6) has it.
import { crc32 } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Puts PNG pictures of one size and colour type behind one another, without end.
 * @param {readonly { png: Buffer, ms: number }[]} frames Each with how long it is shown, in milliseconds: at most 65,535.
 * @param {Buffer} still What is shown where pictures do not move: one of the same size.
 * @returns {Buffer} The animated picture.
 * @throws {Error} Where a picture is no PNG, or is of another size or colour type than `still`.
 */
export function animated(frames, still) {
  const read = frames.map(({ png, ms }) => ({ ms, chunks: chunksOf(png) }));
  const shown = chunksOf(still);
  const header = dataOf(shown, 'IHDR')[0] ?? Buffer.alloc(0);
  let sequence = 0;
  const parts = [signature, chunk('IHDR', header), chunk('acTL', numbers(frames.length, 0))];
  // Without a control before it, it is no part of what moves.
  parts.push(...dataOf(shown, 'IDAT').map((data) => chunk('IDAT', data)));
  for (const [index, { ms, chunks }] of read.entries()) {
    if (!dataOf(chunks, 'IHDR')[0]?.equals(header))
      throw new Error(`Picture ${index + 1} is not of the size of the others.`);
    const control = Buffer.alloc(26);
    control.writeUInt32BE(sequence++, 0);
    header.copy(control, 4, 0, 8);
    control.writeUInt16BE(ms, 20);
    control.writeUInt16BE(1_000, 22);
    parts.push(chunk('fcTL', control));
    for (const data of dataOf(chunks, 'IDAT')) {
      parts.push(chunk('fdAT', Buffer.concat([numbers(sequence++), data])));
    }
  }
  return Buffer.concat([...parts, chunk('IEND', Buffer.alloc(0))]);
}

/** @param {Buffer} png */
function chunksOf(png) {
  if (!png.subarray(0, 8).equals(signature)) throw new Error('That is no PNG picture.');
  const chunks = [];
  for (let at = 8; at + 12 <= png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return chunks;
}

/** @param {{ type: string, data: Buffer }[]} chunks @param {string} wanted */
function dataOf(chunks, wanted) {
  return chunks.filter(({ type }) => type === wanted).map(({ data }) => data);
}

/** @param {string} type @param {Buffer} data */
function chunk(type, data) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([numbers(data.length), named, numbers(crc32(named))]);
}

/** @param {number[]} values */
function numbers(...values) {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
}
