import { quoteWord } from '../../core/shell/quoteWord.ts';
import type { Runnable } from './runnable.ts';

/** Files that make(1) finds without being told. */
const foundByItself = new Set(['GNUmakefile', 'makefile', 'Makefile']);

/** Targets that a person would ask for: no patterns, no special targets, none with variables in the name. */
export function makefileRunnables(text: string, name: string): Runnable[] {
  const found: Runnable[] = [];
  const seen = new Set<string>();
  let continued = false;
  text.split('\n').forEach((content, line) => {
    const isContinuation = continued;
    continued = content.endsWith('\\');
    if (isContinuation || /^[\t #]/.test(content)) return;
    const names = /^([^\s:=#][^:=#]*?)\s*::?(?![=:])/.exec(content)?.[1];
    // `name: VAR = value` sets a variable for a target and makes nothing.
    if (!names || /^[^:]*:\s*(?:export\s+)?\w+\s*[:+?!]?=/.test(content)) return;
    for (const target of names.split(/\s+/)) {
      if (/[%$()*?]/.test(target) || target.startsWith('.') || seen.has(target)) continue;
      seen.add(target);
      const file = foundByItself.has(name) ? '' : `-f ${quoteWord(name)} `;
      const title = names.includes(' ') ? `Predict make ${target}` : 'Predict';
      found.push({ line, text: `make ${file}${quoteWord(target)}`, source: 'editor', start: 'file', title });
    }
  });
  return found;
}
