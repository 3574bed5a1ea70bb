import { programOf } from './programOf.ts';

/** A remainder, some of its bits or letters, what it begins with, or which of two comes first: runs agree on that. */
const makesLittle =
  /%\s*\d|&\s*(?:0x)?\d|>>|\[:?-?[0-3]\]|\bint\b|\b(?:slice|subst\w*)\(\s*(?:0,\s*)?-?[0-3]\s*\)|\bstarts?_?with|\bsort|\b(?:min|max)\(/i;

/** Whether chance decides what code among these texts prints or writes, which the program is given. */
export function isLeftToChance(program: string, texts: readonly string[]): boolean {
  const { chance, drawsMuch, seeds = [] } = programOf(program) ?? {};
  if (chance === undefined) return false;
  return texts.some((text) => {
    if (drawsMuch?.test(text) && makesLittle.test(text)) return true;
    const begun = seeds.filter(({ by }) => by.test(text));
    return chance.test(begun.reduce((rest, { of }) => rest.replace(new RegExp(of, 'g'), ''), text));
  });
}

/** Whether code among these texts, which the program is given, may find out how long something takes. */
export function mayTellTime(program: string, texts: readonly string[]): boolean {
  const clock = programOf(program)?.clock;
  return clock === undefined || texts.some((text) => clock.test(text));
}

/** Whether code among these texts asks how much time has passed. */
export function isMeasuring(program: string, texts: readonly string[]): boolean {
  const measures = programOf(program)?.measures;
  return measures !== undefined && texts.some((text) => measures.test(text));
}

/** Whether code among these texts goes through things in an order of chance, which may show or not. */
export function isUnordered(program: string, texts: readonly string[]): boolean {
  const unordered = programOf(program)?.unordered;
  return unordered !== undefined && texts.some((text) => goesThrough(text, new RegExp(unordered, 'g')));
}

function goesThrough(text: string, unordered: RegExp): boolean {
  for (const { index } of text.matchAll(unordered)) {
    const name = /(?:^|[\n;])\s*(\w+)\s*(?::[^=\n]*)?=\s*$/.exec(text.slice(Math.max(0, index - 200), index))?.[1];
    if (name === undefined || !isOnlyAsked(text, name)) return true;
  }
  return false;
}

/** Whether nothing is done with what has this name but what no order shows: it is asked for what it has, counted, sorted, or added to. */
function isOnlyAsked(code: string, name: string): boolean {
  const text = withoutStrings(code);
  for (const { index } of text.matchAll(new RegExp(`\\b${name}\\b`, 'g'))) {
    const [before, after] = [text.slice(Math.max(0, index - 200), index), text.slice(index + name.length)];
    const isAsked = /\bin\s+$/.test(before) && !/\bfor\s[^\n;]*\bin\s+$/.test(before);
    const isCounted = /\b(?:len|sorted|bool|sum|min|max)\(\s*$/.test(before);
    if (!isAsked && !isCounted && !/^\s*(?:(?::[^=\n]*)?=(?!=)|\.(?:add|discard|remove|update|clear)\()/.test(after))
      return false;
  }
  return true;
}

const strings =
  /([fF][rR]?|[rR][fF])?(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*')/g;

/** Code without what stands in its strings, but for those that hold code themselves; as it is where these have others in them. */
function withoutStrings(code: string): string {
  let isNested = false;
  const text = code.replace(strings, (string: string, formatted: string | undefined) => {
    if (formatted === undefined) return '""';
    isNested ||= string.split('{').length !== string.split('}').length;
    return string;
  });
  return isNested ? code : text;
}
