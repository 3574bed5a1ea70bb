/** Brackets in JSON, outside of texts, deeper than any message has: readers that call themselves would not end well. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  // By hand: an expression for a text of megabytes would itself run out of stack.
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') at = endOfText(text, at);
    else if (sign === '[' || sign === '{') depth += 1;
    else if (sign === ']' || sign === '}') depth -= 1;
    if (depth > 500) return true;
  }
  return false;
}

/** Where the text ends that begins with a quotation mark. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}
