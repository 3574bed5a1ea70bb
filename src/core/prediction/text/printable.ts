/** A path as a reader in `cwd` writes it. */
export function shorten(path: string, cwd: string): string {
  return path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
}

/** Control characters made visible: text from a command or a file name must not steer the reader's terminal. */
export function printable(text: string, keepsLines = false): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (character) => {
    if (keepsLines && (character === '\n' || character === '\t')) return character;
    const code = character.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : `\\x${code.toString(16)}`;
  });
}
