import { baseName, type RunRecord } from '../wire/runRecord.ts';
import type { Dependence } from './dependence.ts';

// Programs that print in the order in which their threads or children are ready, and what keeps them from it.
const racing: ReadonlyMap<string, (words: readonly string[]) => boolean> = new Map([
  ['xargs', (words) => words.some((word, index) => mostChildren(word, words[index + 1]) !== 1)],
  ['parallel', (words) => !has(words, /^(?:-[a-zA-Z]*k|--keep-order|-j ?1|--jobs=1)$/)],
  ['rg', (words) => !has(words, /^(?:--sort(?:r|-files)?(?:=.*)?|-j ?1|--threads=1|--version|--help)$/)],
  ['fd', (words) => !has(words, /^(?:-j ?1|--threads=1|--version|--help)$/)],
  ['fdfind', (words) => !has(words, /^(?:-j ?1|--threads=1|--version|--help)$/)],
]);

function has(words: readonly string[], pattern: RegExp): boolean {
  return words.some((word, index) => pattern.test(word) || pattern.test(`${word} ${words[index + 1] ?? ''}`));
}

/** The number of children that a word of xargs allows; 1 where it says nothing of them. */
function mostChildren(word: string, next: string | undefined): number {
  const match = /^(?:-[0-9a-zA-Z]*P|--max-procs=?)(\d*)$/.exec(word);
  if (!match) return 1;
  return Number(match[1] || next || 1);
}

/** Whether lines come in the order of a race, that two runs may agree on; what another program reads of it shows by itself. */
export function printsInAnyOrder(record: RunRecord, dependence: Dependence): boolean {
  return record.programs.some(({ argv }) => {
    const races = racing.get(baseName(argv[0] ?? ''));
    return races?.(argv.slice(1)) === true && !dependence.isRead(argv);
  });
}
