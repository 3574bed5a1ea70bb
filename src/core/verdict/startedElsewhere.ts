import { programName } from '../programs/programName.ts';
import { mayBeSameCall } from '../programs/sameCall.ts';
import { startedBy, startsOf } from '../programs/startedBy.ts';
import { findStaticPrograms } from '../programs/staticPrograms.ts';
import type { StaticProgram } from '../shell/evaluated.ts';
import { quoteWord } from '../shell/quoteWord.ts';
import type { Facts } from './facts.ts';

const mostCalls = 200;

/**
 * What programs start on other machines or in containers that only the run has shown (a recipe of make, a line that is read as
 * code): nobody sees it here, so that their words tell it, as those of the script's text do.
 */
export function startedElsewhere(
  written: readonly StaticProgram[],
  { programs, home, env }: Pick<Facts, 'programs' | 'home' | 'env'>,
): StaticProgram[] {
  const found = new Map<string, StaticProgram[]>();
  for (const { argv, cwd } of programs) {
    if (startsOf(programName(argv[0] ?? ''))?.elsewhere === undefined || startedBy(argv).length === 0) continue;
    const script = argv.map((word) => quoteWord(word)).join(' ');
    if (found.has(script) || found.size >= mostCalls) continue;
    const isWritten = written.some((one) => mayBeSameCall(one, argv) && startedBy(one.argv).length > 0);
    found.set(script, isWritten ? [] : findStaticPrograms(script, { cwd, home, env }));
  }
  return [...found.values()].flat();
}
