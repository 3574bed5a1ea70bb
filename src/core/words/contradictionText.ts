import type { Contradiction } from '../facts/contradiction.ts';

/** What an observation says otherwise than before, as a sentence. */
export function contradictionText({ entity, attribute, before, after, since, isCertain }: Contradiction): string {
  const where = since === 0 ? 'the description of the world' : `turn ${since}`;
  const said = `“${attribute}” of ${entity} is ${shown(after)}; in ${where} it was ${shown(before)}.`;
  return isCertain ? `${said} Nothing in between can have changed it.` : `${said} Nothing in between names it.`;
}

const longest = 80;

function shown(value: string): string {
  const [first = '', ...more] = value.trimEnd().split('\n');
  const isCut = more.length > 0 || first.length > longest;
  return `“${first.slice(0, longest)}${isCut ? '…' : ''}”`;
}
