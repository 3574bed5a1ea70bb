import { parsedJson } from './formats/imported.ts';

/** Longer texts are read only as JSON as a whole. */
const longestLog = 2_000_000;

/** After so many brackets that begin no JSON the rest is not searched: each costs a walk to the end. */
const mostMisses = 2_000;

/** Every JSON object and array that stands in a text, amid other words or not; in order, the outermost ones. */
export function jsonValuesIn(text: string): unknown[] {
  const whole = parsedJson(text.trim());
  if (whole.ok) return typeof whole.value === 'object' && whole.value !== null ? [whole.value] : [];
  const found: unknown[] = [];
  let misses = 0;
  if (text.length > longestLog) return found;
  for (let at = 0; at < text.length && misses < mostMisses; at++) {
    const sign = text[at];
    if (sign !== '{' && sign !== '[') continue;
    const end = endOfBrackets(text, at);
    const read = end === undefined ? undefined : parsedJson(text.slice(at, end));
    if (!read?.ok || end === undefined) {
      misses += 1;
      continue;
    }
    found.push(read.value);
    at = end - 1;
  }
  return found;
}

/** Behind the bracket that closes the one at `start`; brackets in texts do not count. */
export function endOfBrackets(text: string, start: number): number | undefined {
  let depth = 0;
  let inText = false;
  for (let at = start; at < text.length; at++) {
    const sign = text[at];
    if (inText) {
      if (sign === '\\') at += 1;
      else if (sign === '"') inText = false;
    } else if (sign === '"') inText = true;
    else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}
