/*
 * The rules for a judge's reply, written a second time from their description, with regular expressions and `JSON.parse`
 * instead of the code that is tested. Only for texts of ASCII on which JSON of Python and of JavaScript are the same.
 */

const names = ['format', 'factuality', 'consistency', 'realism', 'quality'];

function withoutThoughts(text: string): string {
  const isGone = new Set<number>();
  const drop = (from: number, to: number) => {
    for (let at = from; at < to; at += 1) isGone.add(at);
  };
  const tags = [...text.matchAll(/<(\/?)think>/gi)].map((match) => ({ at: match.index, isClose: match[1] === '/' }));
  if (tags.length === 0) return text;
  const closes = tags.filter(({ isClose }) => isClose).map(({ at }) => at);
  for (const { at, isClose } of tags) {
    if (isClose) continue;
    const close = closes.find((one) => one > at);
    if (close !== undefined) {
      closes.splice(closes.indexOf(close), 1);
      drop(at, close + 8);
      continue;
    }
    const answer = text.slice(at).search(/<final_evaluation>/i);
    drop(at, answer < 0 ? text.length : at + answer);
  }
  for (const close of closes) drop(0, close + 8);
  return [...text]
    .filter((_, at) => !isGone.has(at))
    .join('')
    .trim();
}

function objectAt(text: string, start: number): string | undefined {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at += 1) {
    if (quoted && text[at] === '\\') at += 1;
    else if (text[at] === '"') quoted = !quoted;
    else if (!quoted && text[at] === '{') depth += 1;
    else if (!quoted && text[at] === '}' && --depth === 0) return text.slice(start, at + 1);
  }
  return undefined;
}

function candidates(text: string): string[] {
  const fences = [...text.matchAll(/```(?:json)?\s*([\s\S]*?)\s*```/g)]
    .map((match) => (match[1] ?? '').trim())
    .filter((content) => /^\{[\s\S]*\}$/.test(content));
  if (fences.length > 0) return fences;
  const objects: string[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const object = text[at] === '{' ? objectAt(text, at) : undefined;
    if (object === undefined) continue;
    objects.push(object);
    at += object.length - 1;
  }
  if (objects.length > 0) return objects;
  const end = text.lastIndexOf('}');
  let depth = 0;
  let quoted = false;
  for (let at = end; at >= 0; at -= 1) {
    if (text[at] === '"' && text[at - 1] !== '\\') quoted = !quoted;
    if (quoted) continue;
    if (text[at] === '}') depth += 1;
    if (text[at] === '{' && --depth === 0) return [text.slice(at, end + 1)];
  }
  return [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The five scores and their mean; `undefined` where nothing can be read. */
export function naiveJudge(raw: string): { scores: number[]; total: number } | undefined {
  const text = withoutThoughts(raw.trim());
  const opening = [...text.matchAll(/<final_evaluation>/gi)].at(-1);
  const inside =
    opening &&
    text
      .slice(opening.index + opening[0].length)
      .split(/<\/final_evaluation>/i)[0]
      ?.trim();
  const found = candidates(inside || text);
  const chosen = found.filter((one) => one.includes('"scores"')).at(-1) ?? found.at(-1);
  if (chosen === undefined) return undefined;
  const repaired = chosen
    .replace(/,(\s*[}\]])/g, '$1')
    .replace(/'(\w+)'(\s*:)/g, '"$1"$2')
    .replace(/([{,])\s*(\w+)\s*:/g, '$1"$2":');
  const only = /"scores"\s*:\s*\{[^}]+\}/.exec(repaired)?.[0];
  const value = (parsed(repaired) ?? (only === undefined ? undefined : parsed(`{${only}}`))) as
    | { scores?: Record<string, unknown> }
    | undefined;
  const given = value?.scores;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined;
  const scores = names.map((name) => scoreOf(given[name] ?? 0));
  const valid = scores.filter((score) => score > 0);
  return { scores, total: valid.length === 0 ? 0 : valid.reduce((sum, score) => sum + score, 0) / valid.length };
}

function scoreOf(value: unknown): number {
  let score = 0;
  if (typeof value === 'number') {
    const halves = Math.abs(value % 1) === 0.5;
    score = halves ? 2 * Math.round(value / 2) : Math.round(value);
  } else if (typeof value === 'string' && /^\s*[+-]?\d+\s*(?:\/.*)?$/s.test(value)) score = Number.parseInt(value, 10);
  return Math.min(score, 5);
}
