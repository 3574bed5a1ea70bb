// Models write straight quotes where a text has typographic ones. Each typographic quote is one character long, so that places
// in the straightened text are places in the text.

function straightened(text: string): string {
  return text.replace(/[‘’]/g, "'").replace(/[“”]/g, '"');
}

/** True where a text has quotes of any kind. */
export function hasQuotes(text: string): boolean {
  return /["'‘’“”]/.test(text);
}

/** The part of a text that differs from what is looked for only in the form of its quotes; undefined where there is none. */
export function findQuoted(text: string, wanted: string): string | undefined {
  if (wanted === '') return undefined;
  const at = straightened(text).indexOf(straightened(wanted));
  return at < 0 ? undefined : text.slice(at, at + wanted.length);
}

/** A new text with typographic quotes of the kinds that the old one has. */
export function inQuoteStyle(found: string, text: string): string {
  const opens = (at: number) => at === 0 || /[\s([{—–]/.test(text.charAt(at - 1));
  let result = text;
  if (/[“”]/.test(found)) result = result.replace(/"/g, (_, at: number) => (opens(at) ? '“' : '”'));
  if (/[‘’]/.test(found)) {
    const isBetween = (at: number) => /\p{L}/u.test(text.charAt(at - 1)) && /\p{L}/u.test(text.charAt(at + 1));
    result = result.replace(/'/g, (_, at: number) => (!isBetween(at) && opens(at) ? '‘' : '’'));
  }
  return result;
}
