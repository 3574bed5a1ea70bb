/** A size for people: `3 B`, `1.2 kB`, `45 MB` (powers of 1000). */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 99.95 ? Math.round(value) : Number(value.toFixed(1))} ${units[unit]}`;
}

/** `1 file`, `2 files`, `1,234 matches`; from `limit` on `1,000 or more files`. */
export function countOf(count: number, one: string, many = `${one}s`, limit = Number.POSITIVE_INFINITY): string {
  const number = count.toLocaleString('en-US');
  if (count >= limit) return `${number} or more ${many}`;
  return `${number} ${count === 1 ? one : many}`;
}

/** A path or a message of others in a sentence of ours: control characters made visible, the middle left out when long. */
export function inSentence(text: string, longest = 200): string {
  const visible = text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    // What turns the direction of the text around would show another name.
    return code < 0x100 ? '␡' : `⟨U+${code.toString(16).toUpperCase()}⟩`;
  });
  if (visible.length <= longest) return visible;
  const half = Math.floor(longest / 2);
  return `${visible.slice(0, half)}…${visible.slice(-half)}`;
}
