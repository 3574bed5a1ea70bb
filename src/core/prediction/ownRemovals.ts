import { callKey } from '../facts/programFact.ts';
import { describeProgram } from '../programs/describeProgram.ts';
import { programName } from '../programs/programName.ts';
import { programNamed } from '../programs/programOf.ts';
import type { View } from '../view/view.ts';
import type { Prediction } from './prediction.ts';

const mostPaths = 64;

/**
 * Calls that took away only what the command itself had made (`mkdir t && … && rm -r t`): nothing stood there before, nothing stands
 * there behind it, and something did meanwhile, for the program succeeded where it would have failed without, or another one
 * had made it. Their words and folders as `callKey` joins them. Empty where the view tells only contents.
 */
export async function ownRemovals({ programs }: Pick<Prediction, 'programs'>, view: View): Promise<string[]> {
  const own = new Map<string, boolean>();
  const made: string[] = [];
  for (const { argv, cwd, basis, exitCode } of programs) {
    const row = programNamed(programName(argv[0] ?? ''));
    const { touches, visible, onlyLooks } = describeProgram(argv, cwd);
    if (!row?.removesNamed) {
      if (basis === 'rehearsed' && exitCode === 0 && visible && !onlyLooks) made.push(...touches);
      continue;
    }
    const key = callKey({ argv, cwd });
    if (own.get(key) === false) continue;
    const succeedsAnyway = argv.some((word) => forced.test(word));
    const wasMade = (path: string) => !succeedsAnyway || made.some((one) => one === path || one.startsWith(`${path}/`));
    const isOwn = basis === 'rehearsed' && exitCode === 0 && touches.length > 0 && touches.length <= mostPaths;
    own.set(key, isOwn && touches.every(wasMade) && (await areNowhere(touches, view)));
  }
  return [...own].filter(([, isOwn]) => isOwn).map(([key]) => key);
}

/** With such a word it succeeds also where nothing is there. */
const forced = /^-[a-zA-Z]*f|^--(?:force|ignore-fail-on-non-empty)$/;

async function areNowhere(paths: readonly string[], view: View): Promise<boolean> {
  // Whoever does not see the root sees nothing.
  if (!(await view.status?.('/', 'after'))) return false;
  for (const path of paths)
    for (const moment of ['before', 'after'] as const) if (await view.status?.(path, moment)) return false;
  return true;
}
