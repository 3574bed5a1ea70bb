/** Paths and arguments are bytes to the kernel and text to everybody else. */

/** Text as the kernel has it: bytes that are not UTF-8 survive as lone code units U+DC80–U+DCFF, as in Python. */
export function decodePath(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (!text.includes('\uFFFD') || Buffer.from(text, 'utf8').equals(bytes)) return text;
  let result = '';
  for (let at = 0; at < bytes.length; ) {
    const length = validSequenceLength(bytes, at);
    if (length > 0) {
      result += bytes.toString('utf8', at, at + length);
      at += length;
    } else {
      result += String.fromCharCode(0xdc00 + (bytes[at] ?? 0));
      at += 1;
    }
  }
  return result;
}

const isAscii = /^[\0-\x7f]*$/;

/** The same of a stretch of bytes. Mostly they are ASCII, which is told in a third of the time; there may be 50,000. */
export function decodePathIn(bytes: Buffer, from: number, to: number): string {
  if (from === to) return '';
  const text = bytes.toString('latin1', from, to);
  return isAscii.test(text) ? text : decodePath(bytes.subarray(from, to));
}

/** Inverse of `decodePath`. */
export function encodePath(text: string): Buffer {
  if (!/[\uDC80-\uDCFF]/.test(text)) return Buffer.from(text, 'utf8');
  const parts: Buffer[] = [];
  for (const piece of text.split(/((?<![\uD800-\uDBFF])[\uDC80-\uDCFF])/)) {
    const code = piece.length === 1 ? piece.charCodeAt(0) : 0;
    if (code >= 0xdc80 && code <= 0xdcff) parts.push(Buffer.from([code - 0xdc00]));
    else parts.push(Buffer.from(piece, 'utf8'));
  }
  return Buffer.concat(parts);
}

function validSequenceLength(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  const length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  const piece = bytes.subarray(at, at + length);
  return Buffer.from(piece.toString('utf8'), 'utf8').equals(piece) ? length : 0;
}
