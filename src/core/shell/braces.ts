/** More words than this are not made of one. */
const mostWords = 1_000;

/**
 * What bash makes of the braces in a word as it is written: `a{b,c}` becomes `ab` and `ac`, quotes stay as they are.
 * `undefined`: there would be too many.
 */
export function expandBraces(source: string): string[] | undefined {
  const found = expand(source);
  return found.length > mostWords ? undefined : found;
}

function expand(source: string): string[] {
  for (let at = 0; at < source.length; at = next(source, at)) {
    if (source[at] !== '{') continue;
    const list = alternatives(source, at);
    if (!list) continue;
    const before = source.slice(0, at);
    const rests = expand(source.slice(list.end));
    const found: string[] = [];
    for (const one of list.items) {
      for (const rest of rests) {
        found.push(before + one + rest);
        if (found.length > mostWords) return found;
      }
    }
    return found;
  }
  return [source];
}

/** Where the next character that may mean something stands: behind quotes, `\x`, `${…}`, `$(…)` and backticks. */
function next(source: string, at: number): number {
  const character = source[at];
  if (character === '\\') return at + 2;
  if (character === "'" || character === '"' || character === '`') {
    for (let end = at + 1; end < source.length; end++) {
      if (source[end] === '\\' && character !== "'") end++;
      else if (source[end] === character) return end + 1;
    }
    return source.length;
  }
  if (character !== '$' || (source[at + 1] !== '{' && source[at + 1] !== '(')) return at + 1;
  const [open, close] = source[at + 1] === '{' ? ['{', '}'] : ['(', ')'];
  let depth = 0;
  for (let end = at + 1; end < source.length; ) {
    if (source[end] === open) depth++;
    else if (source[end] === close) depth--;
    if (depth === 0) return end + 1;
    end = source[end] === '$' ? end + 1 : next(source, end);
  }
  return source.length;
}

/** The words of the list that opens at `at`; `undefined` where it is none: `{}`, `{a}`, `{a` stay as they are. */
function alternatives(source: string, at: number): { items: string[]; end: number } | undefined {
  const parts: string[] = [];
  let depth = 0;
  let from = at + 1;
  for (let end = at + 1; end < source.length; end = next(source, end)) {
    const character = source[end];
    if (character === '{') depth++;
    else if (character === '}' && depth > 0) depth--;
    else if (character === ',' && depth === 0) {
      parts.push(source.slice(from, end));
      from = end + 1;
    } else if (character === '}') {
      const last = source.slice(from, end);
      if (parts.length > 0) return { items: [...parts, last].flatMap(expand), end: end + 1 };
      const range = rangeOf(last);
      return range && { items: range, end: end + 1 };
    }
  }
  return undefined;
}

/** `1..9`, `01..10..3`, `a..e`. */
function rangeOf(text: string): string[] | undefined {
  const numbers = /^(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?$/.exec(text);
  const letters = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d+))?$/.exec(text);
  const [, first = '', last = '', given = '1'] = numbers ?? letters ?? [];
  if (!numbers && !letters) return undefined;
  const [from, to] = numbers ? [Number(first), Number(last)] : [first.charCodeAt(0), last.charCodeAt(0)];
  const step = Math.max(1, Math.abs(Number(given)));
  const isPadded = numbers && [first, last].some((one) => /^-?0\d/.test(one));
  const width = isPadded ? Math.max(first.length, last.length) : 0;
  const found: string[] = [];
  for (let value = from; from <= to ? value <= to : value >= to; value += from <= to ? step : -step) {
    found.push(numbers ? padded(value, width) : String.fromCharCode(value));
    if (found.length > mostWords) break;
  }
  return found;
}

function padded(value: number, width: number): string {
  return value < 0 ? `-${String(-value).padStart(width - 1, '0')}` : String(value).padStart(width, '0');
}
