import { changesFiles, inlineCodeOf, interpreterOf } from './inlineCode.ts';
import type { Program } from './program.ts';
import { holds, programOf } from './programOf.ts';

/** The script file that an interpreter is given, as it is written; `undefined` where it is given none. */
export function scriptFileOf(argv: readonly string[]): string | undefined {
  if (interpreterOf(argv[0] ?? '') === undefined || inlineCodeOf(argv, '') !== undefined) return undefined;
  const words = argv.slice(1);
  return words.find((word, index) => !word.startsWith('-') && !/^-[mrIWX]$/.test(words[index - 1] ?? ''));
}

/**
 * Whether a program plainly changes files, so that nobody may assume that it changes none: by its options, by what it is
 * for, or by the calls in its code (`code`: inline code or the script that it is given). False proves nothing.
 */
export function plainlyWrites(argv: readonly string[], code: string | undefined): boolean {
  const program = programOf(argv[0] ?? '');
  const words = argv.slice(1);
  const language = program?.language;
  if ((language === 'perl' || language === 'ruby') && words.some((word) => /^-[a-zA-Z0-9]*i/.test(word))) return true;
  if (code !== undefined && language !== undefined && changesFiles(code, argv[0] ?? '')) return true;
  const inner = moduleOrPackage(program, words);
  if (inner) return plainlyWrites(inner, undefined);
  if (words.some((word) => /^(--version|--help|-h|-V|--dry-run|--check|--list-different)$/.test(word))) return false;
  return holds(program?.makes, [words.join(' ')]);
}

/** `python -m black .` and `npx prettier --write .` are what they start: its arguments. */
export function moduleOrPackage(program: Program | undefined, words: readonly string[]): string[] | undefined {
  const module = program?.language === 'python' ? words.indexOf('-m') : -1;
  if (module >= 0) return words.slice(module + 1);
  if (!program?.runsPackages) return undefined;
  const first = words.findIndex((word) => !word.startsWith('-'));
  return first < 0 ? undefined : words.slice(first);
}
