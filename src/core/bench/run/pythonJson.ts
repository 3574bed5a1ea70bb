/** A value as Python's `json.loads()` gives it: whole numbers are exact and apart from floats. */
export type PythonValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | PythonValue[]
  | { readonly [name: string]: PythonValue };

/** How deep values may stand in each other; Python gives up at about this depth too. */
const deepest = 900;
/** Python refuses longer whole numbers (`sys.get_int_max_str_digits()`). */
const mostDigits = 4300;

const number = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
const constants: Readonly<Record<string, PythonValue>> = {
  null: null,
  true: true,
  false: false,
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
};
const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/**
 * Reads JSON as Python's `json.loads()` does, with `NaN` and the infinities. `syntax`: no JSON, where Python raises
 * `JSONDecodeError`; `limit`: too deep or too long a number, where it raises another error.
 */
export function readPythonJson(
  text: string,
): { ok: true; value: PythonValue } | { ok: false; why: 'syntax' | 'limit' } {
  let at = 0;
  const skip = () => {
    while (at < text.length && ' \t\n\r'.includes(text.charAt(at))) at += 1;
  };

  function readText(): string {
    const { value, end } = readString(text, at);
    at = end;
    return value;
  }

  function readValue(depth: number): PythonValue {
    if (depth > deepest) throw new Limit();
    const first = text[at];
    if (first === '"') return readText();
    if (first === '{') return readObject(depth);
    if (first === '[') return readList(depth);
    for (const [name, value] of Object.entries(constants)) {
      if (!text.startsWith(name, at)) continue;
      at += name.length;
      return value;
    }
    number.lastIndex = at;
    const match = number.exec(text);
    if (!match) throw new Syntax();
    at += match[0].length;
    if (match[1] !== undefined || match[2] !== undefined) return Number(match[0]);
    if (match[0].length > mostDigits) throw new Limit();
    return BigInt(match[0]);
  }

  /** Reads what stands between two brackets, separated by commas. */
  function readItems(close: string, readItem: () => void): void {
    at += 1;
    skip();
    if (text[at] === close) {
      at += 1;
      return;
    }
    for (;;) {
      readItem();
      skip();
      const next = text[at];
      at += 1;
      if (next === close) return;
      if (next !== ',') throw new Syntax();
      skip();
    }
  }

  function readObject(depth: number): PythonValue {
    const fields = new Map<string, PythonValue>();
    readItems('}', () => {
      if (text[at] !== '"') throw new Syntax();
      const name = readText();
      skip();
      if (text[at] !== ':') throw new Syntax();
      at += 1;
      skip();
      fields.set(name, readValue(depth + 1));
    });
    return Object.fromEntries(fields);
  }

  function readList(depth: number): PythonValue {
    const items: PythonValue[] = [];
    readItems(']', () => items.push(readValue(depth + 1)));
    return items;
  }

  try {
    skip();
    const value = readValue(0);
    skip();
    return at === text.length ? { ok: true, value } : { ok: false, why: 'syntax' };
  } catch (error) {
    if (error instanceof Syntax) return { ok: false, why: 'syntax' };
    if (error instanceof Limit) return { ok: false, why: 'limit' };
    throw error;
  }
}

/** Reads the string that begins at `start`. */
function readString(text: string, start: number): { value: string; end: number } {
  let value = '';
  let at = start + 1;
  for (;;) {
    const character = text[at];
    // A raw control character is no part of a string, and neither is the end of the text.
    if (character === undefined || character < ' ') throw new Syntax();
    at += 1;
    if (character === '"') return { value, end: at };
    if (character !== '\\') {
      value += character;
      continue;
    }
    const letter = text[at] ?? '';
    at += 1;
    if (letter === 'u') {
      const digits = text.slice(at, at + 4);
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw new Syntax();
      value += String.fromCharCode(Number.parseInt(digits, 16));
      at += 4;
    } else {
      const meant = escapes[letter];
      if (meant === undefined) throw new Syntax();
      value += meant;
    }
  }
}

class Syntax extends Error {}
class Limit extends Error {}

/** `round()` of a float: half of the way goes to the even neighbour. Undefined where Python raises an error. */
export function pythonRound(value: number): number | undefined {
  if (!Number.isFinite(value)) return undefined;
  const below = Math.floor(value);
  const part = value - below;
  if (part !== 0.5) return Math.round(value);
  return below % 2 === 0 ? below : below + 1;
}

const decimalDigit = /^\p{Nd}$/u;

/** `int()` of a text that was stripped; undefined where Python raises an error. Digits of every script count. */
export function pythonInteger(text: string): bigint | undefined {
  const match = /^([+-]?)(\p{Nd}+(?:_\p{Nd}+)*)$/u.exec(text);
  if (!match) return undefined;
  const digits = [...(match[2] ?? '').replaceAll('_', '')];
  if (digits.length > mostDigits) return undefined;
  const value = BigInt(digits.map(digitValue).join(''));
  return match[1] === '-' ? -value : value;
}

/** Digits of a script stand in a row of ten, so where the row begins tells what one of them is worth. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let start = code;
  while (decimalDigit.test(String.fromCodePoint(start - 1))) start -= 1;
  return (code - start) % 10;
}

/** `str()` of a value, for lists of remarks; numbers and nested values are written as JSON has them. */
export function pythonText(value: PythonValue): string {
  if (typeof value === 'string') return value;
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return Number.isInteger(value) ? value.toFixed(1) : String(value);
  if (typeof value === 'bigint') return String(value);
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? Number(part) : part));
}
