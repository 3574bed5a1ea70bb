import type { TextEncoding } from '../action.ts';

/** Bytes of a text in an encoding. Characters that the encoding has not become `?` (iso88591 only). */
export function encodeText(text: string, encoding: TextEncoding = 'utf8'): Uint8Array {
  switch (encoding) {
    case 'utf8':
      return Buffer.from(text, 'utf8');
    case 'utf8bom':
      return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text, 'utf8')]);
    case 'utf16le':
      return Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
    case 'utf16be':
      return Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text, 'utf16le').swap16()]);
    case 'iso88591':
      return Buffer.from(text.replace(/[^\u0000-\u00ff]/gu, '?'), 'latin1');
    case 'base64':
      return Buffer.from(text, 'base64');
  }
}

/** A file's text and how it was stored. */
export interface DecodedText {
  text: string;
  encoding: TextEncoding;
}

/** The text of a file; undefined where the bytes are no text (binary, or not UTF-8 nor UTF-16 with a mark). */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer[0] === 0xff && buffer[1] === 0xfe && buffer.length % 2 === 0)
    return { text: buffer.subarray(2).toString('utf16le'), encoding: 'utf16le' };
  if (buffer[0] === 0xfe && buffer[1] === 0xff && buffer.length % 2 === 0)
    return { text: Buffer.from(buffer.subarray(2)).swap16().toString('utf16le'), encoding: 'utf16be' };
  const hasMark = buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf;
  const text = buffer.subarray(hasMark ? 3 : 0).toString('utf8');
  if (text.includes('\0')) return undefined;
  if (text.includes('\uFFFD') && !Buffer.from(text, 'utf8').equals(buffer.subarray(hasMark ? 3 : 0))) return undefined;
  return { text, encoding: hasMark ? 'utf8bom' : 'utf8' };
}

/** How often a text that is not empty occurs in another, without overlaps. */
export function countOccurrences(text: string, part: string): number {
  if (part === '') return 0;
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}

/** Replaces every occurrence; `$` in the new text means nothing special. */
export function replaceLiteral(text: string, before: string, after: string): string {
  return text.split(before).join(after);
}

/** Replaces the first occurrence only. */
export function replaceFirst(text: string, before: string, after: string): string {
  const at = text.indexOf(before);
  return at < 0 ? text : `${text.slice(0, at)}${after}${text.slice(at + before.length)}`;
}

/** Every line end as CRLF. */
export function withCarriageReturns(text: string): string {
  return text.replace(/\r?\n/g, '\r\n');
}

/** Lines as `cat -n` shows them, without a line break at the end. */
export function numbered(text: string, firstLine: number): string {
  return text
    .split('\n')
    .map((line, index) => `${String(index + firstLine).padStart(6)}\t${line}`)
    .join('\n');
}

/** True for bytes that are UTF-8. */
export function isUtf8(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('utf8');
  return !text.includes('\uFFFD') || Buffer.from(text, 'utf8').equals(buffer);
}
