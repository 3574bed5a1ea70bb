import type { SearchReplace } from '../action.ts';

/** What a search-and-replace does to one text; undefined where nothing is found. */
export interface ReplacedText {
  text: string;
  count: number;
}

/** Makes the function that replaces in one text; a problem where the regular expression is none. */
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
      let count = 0;
      const changed = text.replace(pattern, (...parts: unknown[]) => {
        count += 1;
        return replace.isRegex ? expand(replace.replacement, parts) : replace.replacement;
      });
      return count === 0 ? undefined : { text: changed, count };
    },
  };
}

/** `$1`, `$&`, `$$`, `\n`, `\t` in a replacement, as the editor's search has them. */
function expand(replacement: string, parts: readonly unknown[]): string {
  return replacement.replace(
    /\$(\$|&|\d{1,2})|\\([nt\\])/g,
    (all, group: string | undefined, escaped: string | undefined) => {
      if (escaped !== undefined) return escaped === 'n' ? '\n' : escaped === 't' ? '\t' : '\\';
      if (group === '$') return '$';
      const index = group === '&' ? 0 : Number(group);
      const value = parts[index];
      return typeof value === 'string' ? value : index < parts.length - 2 ? '' : all;
    },
  );
}
