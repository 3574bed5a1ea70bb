import { callKey } from '../facts/programFact.ts';
import { describeProgram } from '../programs/describeProgram.ts';
import type { Program } from '../programs/program.ts';
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
  // Most commands remove nothing, and some start thousands of programs.
  if (!programs.some(({ argv }) => rowOf(argv)?.removesNamed)) return [];
  const own = new Map<string, boolean>();
  const made: string[] = [];
  const madeNames: RegExp[] = [];
  for (const { argv, cwd, basis, exitCode } of programs) {
    const row = rowOf(argv);
    const { touches, visible, onlyLooks } = describeProgram(argv, cwd);
    if (!row?.removesNamed) {
      const makes = visible || row?.creates !== undefined;
      const didMake = basis === 'rehearsed' && exitCode === 0 && makes && !onlyLooks;
      if (didMake && row?.invents) madeNames.push(inventedName(argv));
      else if (didMake) made.push(...touches);
      continue;
    }
    const key = callKey({ argv, cwd });
    if (own.get(key) === false) continue;
    const succeedsAnyway = argv.some((word) => forced.test(word));
    const wasMade = (path: string) =>
      !succeedsAnyway ||
      made.some((one) => one === path || one.startsWith(`${path}/`)) ||
      path.split('/').some((name) => madeNames.some((invented) => invented.test(name)));
    const isOwn = basis === 'rehearsed' && exitCode === 0 && touches.length > 0 && touches.length <= mostPaths;
    own.set(key, isOwn && touches.every(wasMade) && (await areNowhere(touches, view)));
  }
  return [...own].filter(([, isOwn]) => isOwn).map(([key]) => key);
}

function rowOf([name = '']: readonly string[]): Program | undefined {
  return programNamed(programName(name));
}

/** With such a word it succeeds also where nothing is there. */
const forced = /^-[a-zA-Z]*f|^--(?:force|ignore-fail-on-non-empty)$/;

/** mktemp(1): the last name of its template, in which three and more X are letters and digits by chance. */
function inventedName(argv: readonly string[]): RegExp {
  const template = argv.slice(1).findLast((word) => /XXX/.test(word)) ?? 'tmp.XXXXXXXXXX';
  const name = template.slice(template.lastIndexOf('/') + 1).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${name.replaceAll(/X{3,}/g, (letters) => `[A-Za-z0-9]{${letters.length}}`)}$`);
}

async function areNowhere(paths: readonly string[], view: View): Promise<boolean> {
  // Whoever does not see the root sees nothing.
  if (!(await view.status?.('/', 'after'))) return false;
  for (const path of paths)
    for (const moment of ['before', 'after'] as const) if (await view.status?.(path, moment)) return false;
  return true;
}
