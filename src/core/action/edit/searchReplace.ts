import vm from 'node:vm';
import type { SearchReplace } from '../action.ts';

/** What a search-and-replace does to one text; undefined where nothing is found. */
export interface ReplacedText {
  text: string;
  count: number;
}

/** Longest time that a regular expression may take for one file and for a million characters; some would never end. */
const mostMs = 1_000;
const find = new vm.Script('Array.from(text.matchAll(pattern), (match) => [match.index, ...match])');

/**
 * Makes the function that replaces in one text; a problem where the regular expression is none. `apply` gives `undefined`
 * where nothing is found, and throws a `RangeError` where the expression takes too long.
 */
export function compileReplace(
  replace: SearchReplace,
): { apply(text: string): ReplacedText | undefined } | { problem: string } {
  if (replace.search === '') return { problem: 'There is nothing to search for; type the text to replace.' };
  const source = replace.isRegex ? replace.search : replace.search.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const whole = replace.wholeWord ? `\\b(?:${source})\\b` : source;
  let pattern: RegExp;
  try {
    pattern = new RegExp(whole, `gm${replace.matchCase ? '' : 'i'}u`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { problem: `The regular expression cannot be used: ${reason}; correct it or search for plain text.` };
  }
  return {
    apply(text) {
      const matches = replace.isRegex ? matchesWithin(text, pattern) : matchesOf(text, pattern);
      let changed = '';
      let at = 0;
      for (const [index, ...parts] of matches) {
        const after = replace.isRegex ? expand(replace.replacement, parts) : replace.replacement;
        changed += `${text.slice(at, index)}${after}`;
        at = index + (parts[0] ?? '').length;
      }
      return matches.length === 0 ? undefined : { text: `${changed}${text.slice(at)}`, count: matches.length };
    },
  };
}

type Match = [number, ...(string | undefined)[]];

/** Of plain text: the time it takes grows with the text alone. */
function matchesOf(text: string, pattern: RegExp): Match[] {
  return Array.from(text.matchAll(pattern), (match) => [match.index, ...match]);
}

function matchesWithin(text: string, pattern: RegExp): Match[] {
  const timeout = Math.round(mostMs * (1 + text.length / 1_000_000));
  try {
    return find.runInNewContext({ text, pattern }, { timeout });
  } catch {
    throw new RangeError('The regular expression takes too long; make it simpler or search for plain text.');
  }
}

/** `$1`, `$&`, `$$`, `\n`, `\t` in a replacement, as the editor's search has them. */
function expand(replacement: string, parts: readonly (string | undefined)[]): string {
  return replacement.replace(
    /\$(\$|&|\d{1,2})|\\([nt\\])/g,
    (all, group: string | undefined, escaped: string | undefined) => {
      if (escaped !== undefined) return escaped === 'n' ? '\n' : escaped === 't' ? '\t' : '\\';
      if (group === '$') return '$';
      const index = group === '&' ? 0 : Number(group);
      const value = parts[index];
      return value ?? (index < parts.length ? '' : all);
    },
  );
}
