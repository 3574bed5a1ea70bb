/**
 * A path as git and the kernel see it: bytes, held in a string with one character (U+0000–U+00FF) per byte.
 *
 * Paths on Linux are not always UTF-8. In this form they can be compared, cut and used as keys without loss.
 */
export type BytePath = string;

const asciiOnly = /^[\u0000-\u007f]*$/;
// With the flag u only a lone surrogate matches, not the half of a pair.
const escapedByte = /[\udc80-\udcff]/u;

/**
 * From the text that the rest of the program uses to bytes. That text is UTF-8, with each byte that is not UTF-8 as a lone
 * surrogate U+DC80–U+DCFF (PEP 383), as the launcher's frames have it.
 */
export function toBytePath(path: string): BytePath {
  if (asciiOnly.test(path)) return path;
  if (!escapedByte.test(path)) return Buffer.from(path, 'utf8').toString('latin1');
  let bytes = '';
  for (const character of path) {
    const code = character.codePointAt(0) ?? 0;
    const escaped = code >= 0xdc80 && code <= 0xdcff;
    bytes += escaped ? String.fromCharCode(code - 0xdc00) : Buffer.from(character, 'utf8').toString('latin1');
  }
  return bytes;
}

/** The bytes of a path as text. */
export function fromBytePath(path: BytePath): string {
  if (asciiOnly.test(path)) return path;
  const bytes = Buffer.from(path, 'latin1');
  const text = bytes.toString('utf8');
  if (!text.includes('\ufffd')) return text;
  let escaped = '';
  for (let at = 0; at < bytes.length; ) {
    const length = characterLength(bytes, at);
    if (length === 0) escaped += String.fromCharCode(0xdc00 + (bytes[at] ?? 0));
    else escaped += bytes.toString('utf8', at, at + length);
    at += Math.max(length, 1);
  }
  return escaped;
}

/** Length of the valid UTF-8 character at `at`; 0 where there is none. */
function characterLength(bytes: Buffer, at: number): number {
  for (let length = 1; length <= 4 && at + length <= bytes.length; length++) {
    const piece = bytes.subarray(at, at + length);
    const text = piece.toString('utf8');
    if (Buffer.from(text, 'utf8').equals(piece)) return length;
  }
  return 0;
}

/** The path as Node's file system calls take it: text, or bytes where it is not UTF-8. */
export function onDisk(path: string): string | Buffer {
  return escapedByte.test(path) ? Buffer.from(toBytePath(path), 'latin1') : path;
}

/** Not all of its bytes are UTF-8, so it cannot be given to a program as an argument. */
export function isNotText(path: string): boolean {
  return escapedByte.test(path);
}

/** The folder of an absolute path; `/` of a path directly below the root. */
export function folderOf(path: string): string {
  const end = path.lastIndexOf('/');
  return end <= 0 ? '/' : path.slice(0, end);
}

/** The same for many paths in a row: those of one folder get the same string, whose hash is known. */
export function folderReader(): (path: string) => string {
  let last = '/';
  return (path) => {
    if (path.lastIndexOf('/') !== last.length || !path.startsWith(last)) last = folderOf(path);
    return last;
  };
}

/** The last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Joins an absolute folder, which may be `/`, and a relative path. */
export function below(folder: string, relative: string): string {
  if (relative === '') return folder;
  return folder === '/' ? `/${relative}` : `${folder}/${relative}`;
}
