import type { ProgramLabel } from '../facts/programLabel.ts';
import { showCall, showControls } from '../shell/quoteWord.ts';
import { countOf } from '../view/quantity.ts';

/** What a program is told by: its arguments, and how it came about. */
export interface NamedProgram {
  argv: readonly string[];
  label?: ProgramLabel | undefined;
  /** Words that stand as they are written, because only the shell knows what they become. */
  open?: readonly string[] | undefined;
}

/** Longest word that is shown whole, in characters; code and lists in one word are cut to their beginning. */
const longestWord = 80;
/** Most arguments that are shown. */
const mostWords = 16;
/** Longest line, in characters. */
const longestLine = 200;

/**
 * A program as a person would say it, on one line: `build: tsc -p .`, `hook: pre-commit`, `rm -rf dist`. Long arguments, and
 * many of them, are shortened with their count; `wholeProgramText` has them all.
 */
export function programText(program: NamedProgram): string {
  const { label } = program;
  switch (label?.kind) {
    case 'script':
      return `${shortText(label.name)}: ${shortText(label.words)}`;
    case 'tool':
    case 'line':
      return shortText(label.words);
    case 'hook':
      return `hook: ${shortText(label.name)}`;
    case 'behindShim':
      return shortLine(label.argv);
    case 'startedBy':
    case 'shim':
    case undefined:
      return shortLine(program.argv, program.open);
  }
}

/** The same with nothing left out. Control characters are shown as in `$'\n'`, so that none can draw a second line. */
export function wholeProgramText(program: NamedProgram): string {
  const { label } = program;
  switch (label?.kind) {
    case 'script':
      return `${showControls(label.name)}: ${showControls(label.words)}`;
    case 'tool':
    case 'line':
      return showControls(label.words);
    case 'hook':
      return `hook: ${showCall([label.name, ...program.argv.slice(1)])}`;
    case 'behindShim':
      return showCall(label.argv);
    case 'startedBy':
    case 'shim':
    case undefined:
      return showCall(program.argv, program.open);
  }
}

function shortLine(all: readonly string[], open?: readonly string[]): string {
  const { argv, left } = fewVariables(all);
  const words: string[] = [];
  let length = 0;
  for (const word of argv.slice(0, mostWords)) {
    const text = shortWord(word, open);
    length += text.length + 1;
    if (words.length > 0 && length > longestLine) break;
    words.push(text);
    if (left > 0 && words.length === 1 + mostVariables) words.push(`… (${countOf(left, 'more variable')})`);
  }
  const more = argv.length + (left > 0 ? 1 : 0) - words.length;
  return more === 0 ? words.join(' ') : `${words.join(' ')} … and ${countOf(more, 'more argument')}`;
}

/** Most variables of `env` that are shown: the program behind them is what counts. */
const mostVariables = 2;

function fewVariables(argv: readonly string[]): { argv: readonly string[]; left: number } {
  if (!/(^|\/)env$/.test(argv[0] ?? '')) return { argv, left: 0 };
  const end = argv.findIndex((word, at) => at > 0 && !/^[A-Za-z_]\w*=/.test(word));
  const left = (end < 0 ? argv.length : end) - 1 - mostVariables;
  return left > 1
    ? { argv: [...argv.slice(0, 1 + mostVariables), ...argv.slice(1 + mostVariables + left)], left }
    : { argv, left: 0 };
}

function shortWord(word: string, open?: readonly string[]): string {
  const { head, rest } = beginning(word, longestWord);
  return rest === '' ? showCall([word], open) : `${showCall([head])}… (${rest})`;
}

function shortText(text: string): string {
  const { head, rest } = beginning(text.trim(), longestLine);
  return rest === '' ? showControls(head) : `${showControls(head)}… (${rest})`;
}

/** The first line of a text, up to a length, and how much there is in all; empty when that is all. */
function beginning(text: string, longest: number): { head: string; rest: string } {
  const lines = text.replace(/\n$/, '').split('\n');
  const first = lines.find((line) => line.trim() !== '') ?? '';
  const head = [...first.slice(0, longest * 2)].slice(0, longest).join('');
  if (lines.length > 1) return { head, rest: countOf(lines.length, 'line') };
  return head === first ? { head, rest: '' } : { head, rest: countOf([...text].length, 'character') };
}
