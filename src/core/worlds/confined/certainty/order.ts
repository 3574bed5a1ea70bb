import { isLeftToChance } from '../../../programs/known.ts';
import type { Race } from '../../../programs/program.ts';
import { programOf } from '../../../programs/programOf.ts';
import type { RunRecord } from '../wire/runRecord.ts';
import type { Dependence } from './dependence.ts';

function isOn({ when, unless }: Race, words: readonly string[]): boolean {
  return (when === undefined || has(words, when)) && (unless === undefined || !has(words, unless));
}

function has(words: readonly string[], pattern: RegExp): boolean {
  return words.some((word, index) => pattern.test(word) || pattern.test(`${word} ${words[index + 1] ?? ''}`));
}

// A few of many numbers: two runs agree on them often.
const fewOfChance = /\b(?:S?RANDOM)\}?\s*(?:[%/&<>]|-(?:lt|gt|le|ge|eq|ne)\b)|\bsrand\s*\(\s*\)/;

/** Whether chance decides what comes of it: then two runs may agree on all of it, and the next one does not. */
export function isByChance(record: RunRecord, script: string): boolean {
  if (fewOfChance.test(script) && !/\bRANDOM=/.test(script)) return true;
  return record.programs.some(({ argv, isLetIn }) => {
    if (isLetIn && isLeftToChance(argv, script)) return true;
    const races = programOf(argv[0] ?? '')?.races;
    return races?.isChance === true && isOn(races, argv.slice(1));
  });
}

/** Whether lines come in the order of a race, that two runs may agree on; what another program reads of it shows by itself. */
export function printsInAnyOrder(record: RunRecord, dependence: Dependence): boolean {
  return record.programs.some(({ argv }) => {
    const races = programOf(argv[0] ?? '')?.races;
    return races !== undefined && isOn(races, argv.slice(1)) && !dependence.isRead(argv);
  });
}
