/** Longer texts are not searched. */
const longest = 500_000;
const mostMisses = 2_000;
const mostDepth = 40;

/** What stands at a place: its value, and where it ends. */
type Read = { value: unknown; end: number } | undefined;

/**
 * Every object and list that stands in a text as Python or JavaScript print them, in order, the outermost ones: dictionaries,
 * lists and tuples, `Name(key=value)`, either quote, `True`, `None`, keys without quotes, a comma too many. What is cut off is
 * left out. Nothing is evaluated.
 */
export function looseValuesIn(text: string): unknown[] {
  const found: unknown[] = [];
  if (text.length > longest) return found;
  let misses = 0;
  const starts = /[A-Za-z_][\w.]*\(|[{[]/g;
  for (let match = starts.exec(text); match && misses < mostMisses; match = starts.exec(text)) {
    const read = valueAt(text, match.index, 0);
    if (!read || typeof read.value !== 'object' || read.value === null) {
      misses += 1;
      // What stands inside of a call that is none can still be a value.
      starts.lastIndex = match.index + match[0].length;
      continue;
    }
    found.push(read.value);
    starts.lastIndex = read.end;
  }
  return found;
}

const words: Readonly<Record<string, unknown>> = {
  ...{ True: true, true: true, False: false, false: false },
  ...{ None: null, null: null, undefined: null, NaN: null },
};

function valueAt(text: string, from: number, depth: number): Read {
  if (depth > mostDepth) return undefined;
  const at = skipBlank(text, from);
  const sign = text[at];
  if (sign === '{') return pairsAt(text, at + 1, '}', depth);
  if (sign === '[') return itemsAt(text, at + 1, ']', depth);
  if (sign === '(') return itemsAt(text, at + 1, ')', depth);
  const quoted = quotedAt(text, at);
  if (quoted) return quoted;
  const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
  number.lastIndex = at;
  const digits = number.exec(text)?.[0];
  if (digits !== undefined) return { value: Number(digits), end: at + digits.length };
  const word = wordAt(text, at);
  if (word === '') return undefined;
  const end = at + word.length;
  if (text[end] === '(') return pairsAt(text, end + 1, ')', depth);
  return word in words ? { value: words[word], end } : undefined;
}

/** `key: value` or `key=value`, until the closing bracket. */
function pairsAt(text: string, from: number, close: string, depth: number): Read {
  const pairs: [string, unknown][] = [];
  for (let at = skipBlank(text, from); at < text.length; ) {
    if (text[at] === close) return { value: Object.fromEntries(pairs), end: at + 1 };
    const quoted = quotedAt(text, at);
    const key = quoted ? quoted.value : wordAt(text, at);
    const sign = skipBlank(text, quoted ? quoted.end : at + String(key).length);
    if (typeof key !== 'string' || key === '' || (text[sign] !== ':' && text[sign] !== '=')) return undefined;
    const read = valueAt(text, sign + 1, depth + 1);
    if (!read) return undefined;
    pairs.push([key, read.value]);
    at = behindComma(text, read.end, close);
    if (at < 0) return undefined;
  }
  return undefined;
}

function itemsAt(text: string, from: number, close: string, depth: number): Read {
  const items: unknown[] = [];
  for (let at = skipBlank(text, from); at < text.length; ) {
    if (text[at] === close) return { value: items, end: at + 1 };
    const read = valueAt(text, at, depth + 1);
    if (!read) return undefined;
    items.push(read.value);
    at = behindComma(text, read.end, close);
    if (at < 0) return undefined;
  }
  return undefined;
}

/** Where the next one begins, or the closing bracket stands; -1 where neither follows. */
function behindComma(text: string, from: number, close: string): number {
  const at = skipBlank(text, from);
  if (text[at] === ',') return skipBlank(text, at + 1);
  return text[at] === close ? at : -1;
}

function skipBlank(text: string, from: number): number {
  const blank = /(?:\s|\/\/[^\n]*|#[^\n]*)*/y;
  blank.lastIndex = from;
  return from + (blank.exec(text)?.[0].length ?? 0);
}

function wordAt(text: string, at: number): string {
  const word = /[A-Za-z_$][\w.$-]*/y;
  word.lastIndex = at;
  return word.exec(text)?.[0] ?? '';
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '0': '\0', '\n': '' };

/** A text in either quote, one after the other as Python joins them. */
function quotedAt(text: string, from: number): Read {
  let value: string | undefined;
  let end = from;
  for (;;) {
    const at = value === undefined ? from : skipBlank(text, end);
    const one = oneQuotedAt(text, at);
    if (!one) return value === undefined ? undefined : { value, end };
    value = (value ?? '') + one.text;
    end = one.end;
  }
}

function oneQuotedAt(text: string, from: number): { text: string; end: number } | undefined {
  const opening = /([rRuU]?)("""|'''|["'`])/y;
  opening.lastIndex = from;
  const opened = opening.exec(text);
  if (!opened) return undefined;
  const [all, prefix = '', quote = ''] = opened;
  const isRaw = prefix.toLowerCase() === 'r';
  let read = '';
  for (let at = from + all.length; at < text.length; at++) {
    if (text.startsWith(quote, at)) return { text: read, end: at + quote.length };
    if (text[at] !== '\\' || isRaw) {
      read += text[at];
      continue;
    }
    const hex = /(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8}))/y;
    hex.lastIndex = at + 1;
    const coded = hex.exec(text);
    const point = coded && Number.parseInt(coded[1] ?? coded[2] ?? coded[3] ?? '', 16);
    const next = text[at + 1] ?? '';
    read += point === null ? (escapes[next] ?? next) : point <= 0x10ffff ? String.fromCodePoint(point) : '';
    at += coded ? coded[0].length : 1;
  }
  return undefined;
}
