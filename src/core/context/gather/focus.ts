import { programOf } from '../../programs/programOf.ts';
import type { NamedProgram } from './scriptPrograms.ts';

/** Which lines of a file matter, where it is too long to be shown whole. */
export interface Focus {
  /** Lines with one of these matter. */
  patterns: RegExp[];
  /** Stretches of lines, counted from 1; negative numbers count from the end. */
  ranges: { first: number; last: number }[];
}

const noFocus: Focus = { patterns: [], ranges: [] };

/** What a source declares: the lines that tell most of a file that is too long. */
export const outline: Focus = {
  patterns: [
    /^(?: {0,4}|\t)(?:(?:export|default|async|public|private|protected|internal|static|abstract|final|override|unsafe|pub(?:\([^)]*\))?)\s+)*(?:function|class|interface|type|enum|def|fn|func|struct|trait|impl|module|namespace|record|protocol)\b/,
    /^(?:export\s+)?(?:const|let|var)\s+\w+/,
    /^[A-Z_]{3,}\s*(?::|=)/,
  ],
  ranges: [],
};
const defaultCount = 10;

/** The lines that a program asks for by its arguments: `grep foo`, `head -n 5`, `tail`, `sed -n 10,20p`, `awk '/x/'`. */
export function focusOf(program: NamedProgram): Focus {
  const words = program.words.slice(1).map((word) => word.text);
  const focus = programOf(program.name)?.focus;
  switch (focus) {
    case 'pattern':
      return { patterns: grepPatterns(words), ranges: [] };
    case 'head':
    case 'tail':
      return { patterns: [], ranges: [endRange(focus, words)] };
    case 'script':
      return scriptFocus(words);
    case undefined:
      return noFocus;
  }
}

/** All that several programs ask for. */
export function mergeFocus(all: readonly Focus[]): Focus {
  return { patterns: all.flatMap((one) => one.patterns), ranges: all.flatMap((one) => one.ranges) };
}

function grepPatterns(words: readonly string[]): RegExp[] {
  const given: string[] = [];
  let ignoreCase = false;
  let fixed = false;
  for (const [index, word] of words.entries()) {
    if (/^-[A-Za-z]*i/.test(word) || word === '--ignore-case') ignoreCase = true;
    if (/^-[A-Za-z]*F/.test(word)) fixed = true;
    if (/^-[A-Za-z]*e$/.test(word)) given.push(words[index + 1] ?? '');
  }
  if (given.length === 0) {
    const valued = /^-(?:[A-Za-z]*[mABCf]|-(?:max-count|context|include|exclude|file))$/;
    const first = words.find((word, index) => !word.startsWith('-') && !valued.test(words[index - 1] ?? ''));
    if (first !== undefined) given.push(first);
  }
  return given.flatMap((pattern) => asPattern(pattern, ignoreCase, fixed) ?? []).slice(0, 8);
}

/** A basic or extended regular expression as far as JavaScript takes it; else its longest plain stretch. */
function asPattern(pattern: string, ignoreCase: boolean, fixed: boolean): RegExp | undefined {
  const flags = ignoreCase ? 'i' : '';
  const plain = (text: string) => new RegExp(text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'), flags);
  if (pattern === '' || pattern.length > 200) return undefined;
  if (fixed) return plain(pattern);
  const simple = pattern
    .replace(/\\([|+?(){}])/g, '$1')
    .replace(/\\[<>]/g, '\\b')
    .replace(/\[:(?:alnum|alpha):\]/g, 'A-Za-z')
    .replace(/\[:digit:\]/g, '0-9')
    .replace(/\[:space:\]/g, '\\s');
  // Nested repetitions could take forever on hostile lines.
  if (!/[+*}]\)?[+*{]|\)[+*{]/.test(simple)) {
    try {
      return new RegExp(simple, flags);
    } catch {
      // Falls through to the plain stretch.
    }
  }
  const longest = pattern.match(/\w{3,}/g)?.sort((a, b) => b.length - a.length)[0];
  return longest === undefined ? undefined : plain(longest);
}

function endRange(name: 'head' | 'tail', words: readonly string[]): { first: number; last: number } {
  let count = String(defaultCount);
  for (const [index, word] of words.entries()) {
    const value = /^-(?:n|-lines=?)?(?<count>[-+]?\d+)$/.exec(word)?.groups?.['count'];
    if (value !== undefined) count = value;
    else if (/^(?:-n|--lines|-[a-z]*n)$/.test(word) && /^[-+]?\d+$/.test(words[index + 1] ?? ''))
      count = words[index + 1] ?? count;
  }
  const number = Math.abs(Number(count));
  if (name === 'head') return { first: 1, last: count.startsWith('-') ? -number - 1 : number };
  return count.startsWith('+') ? { first: number, last: -1 } : { first: -number, last: -1 };
}

function scriptFocus(words: readonly string[]): Focus {
  const script = words.find((word) => !word.startsWith('-')) ?? '';
  const ranges = [...script.matchAll(/(?<![\w$])(\d{1,9}),(\d{1,9}|\$)/g)].map((match) => ({
    first: Number(match[1]),
    last: match[2] === '$' ? -1 : Number(match[2]),
  }));
  const single = /^(\d{1,9})[pqd]/.exec(script)?.[1] ?? /NR\s*==\s*(\d{1,9})/.exec(script)?.[1];
  if (single !== undefined) ranges.push({ first: Number(single), last: Number(single) });
  const patterns = [...script.matchAll(/(?:^|[\s;{,~])\/((?:[^/\\]|\\.){2,80})\//g)].flatMap(
    (match) => asPattern(match[1] ?? '', false, false) ?? [],
  );
  return { patterns: patterns.slice(0, 4), ranges: ranges.slice(0, 4) };
}
