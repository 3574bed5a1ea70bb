import { type Context, createContext, Script } from 'node:vm';
import { stop } from './codeEdits.ts';

/** A pattern may need seconds for a text; a snippet whose pattern needs longer than this is not followed. In milliseconds. */
const longestMs = 100;

/** A replacement may stand at each place of a text: no more than this is put together. In characters. */
const mostBuilt = 64 * 1024 ** 2;

/** One place for all patterns: a text runs nothing there but these lines. */
let place: (Context & { given?: Given; found?: unknown }) | undefined;
const replacing = new Script(
  'found = given.texts.map((text) => text[given.method](new RegExp(given.pattern, given.flags), given.to))',
);
const findingEmpty = new Script(
  'found = given.texts.some((text) => [...text.matchAll(new RegExp(given.pattern, given.flags))].some(([match]) => match === ""))',
);
const testing = new Script('found = new RegExp(given.pattern, given.flags).test(given.texts[0])');

interface Given {
  texts: readonly string[];
  pattern: string;
  flags: string;
  to?: string;
  method?: 'replace' | 'replaceAll';
}

/** `text.replace(pattern, to)` of each text as JavaScript does it, unless that takes long. */
export function timedReplace(given: Required<Given>): string[] {
  const length = given.texts.reduce((sum, text) => sum + text.length + 1, 0);
  const isMuch = (given.flags.includes('g') || given.texts.length > 1) && length * given.to.length > mostBuilt;
  if (isMuch || (given.flags.includes('g') && /\$[`']/.test(given.to))) return stop();
  return Array.from(timed(replacing, given) as string[], String);
}

/** Whether a pattern with the flag `g` matches nothing somewhere in the texts. */
export function matchesEmpty(texts: readonly string[], pattern: string, flags: string): boolean {
  return timed(findingEmpty, { texts, pattern, flags }) === true;
}

/** `new RegExp(pattern, flags).test(text)`, unless that takes long. */
export function timedTest(text: string, pattern: string, flags: string): boolean {
  return timed(testing, { texts: [text], pattern, flags }) === true;
}

function timed(script: Script, given: Given, triesLeft = 2): unknown {
  place ??= createContext({});
  const before = process.cpuUsage();
  try {
    place.given = given;
    script.runInContext(place, { timeout: longestMs });
    return place.found;
  } catch (error) {
    const { user, system } = process.cpuUsage(before);
    // On a busy machine the time may have passed without it.
    const hasHardlyRun = user + system < (longestMs * 1000) / 2;
    if (triesLeft > 0 && hasHardlyRun && !(error instanceof SyntaxError)) return timed(script, given, triesLeft - 1);
    // Too long, or no pattern.
    return stop();
  } finally {
    delete place.given;
    delete place.found;
  }
}
