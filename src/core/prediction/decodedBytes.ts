/** What text bytes hold as UTF-8; a byte that is none stands as U+FFFD, as a terminal shows it, and a byte order mark stays. */
export function decodedBytes(base64: string | undefined): string {
  if (base64 === undefined) return '';
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(
    Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)),
  );
}

/** Whether people can read it: no NUL, and not more than one character of twenty that is none. */
export function isReadable(decoded: string): boolean {
  return !decoded.includes('\0') && decoded.split('\ufffd').length - 1 <= decoded.length / 20;
}
