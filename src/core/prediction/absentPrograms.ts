import { posix } from 'node:path';
import { programName } from '../programs/programName.ts';
import { isOfShell, programNamed } from '../programs/programOf.ts';
import type { StaticProgram } from '../shell/evaluated.ts';
import type { Moment, View } from '../view/view.ts';
import type { Prediction } from './prediction.ts';
import type { PredictRequest } from './rehearsal.ts';

const mostPrograms = 16;

/**
 * Names of programs of a script that were not started, or that Foretell does not know, and that are nowhere, neither before the
 * command nor behind it, so that nothing of them could have run: words as they are written. Empty where the view tells only contents.
 */
export async function absentPrograms(
  written: readonly StaticProgram[],
  { action, env }: Pick<PredictRequest, 'action' | 'env'>,
  { programs }: Pick<Prediction, 'programs'>,
  view: View,
): Promise<string[]> {
  const status = async (path: string, moment: Moment) => view.status?.(path, moment);
  const started = new Set(programs.map(({ argv }) => programName(argv[0] ?? '')));
  const sought = action.kind === 'command' ? firstOnes(written, started) : [];
  // Whoever does not see the root sees nothing; most scripts have no such program, and nobody is asked.
  if (action.kind !== 'command' || sought.length === 0 || !(await status('/', 'after'))) return [];
  // Where the script says itself where programs are looked for, only paths tell.
  const folders = /\b(?:PATH|path)\b/.test(action.script)
    ? []
    : (env['PATH'] ?? '').split(':').filter((one) => one !== '');
  const absent: string[] = [];
  for (const [name, program] of sought) {
    const paths = name.includes('/')
      ? [posix.resolve(program.cwd, name)]
      : folders.map((folder) => posix.resolve(program.cwd, folder, name));
    const isAnywhere = async () => {
      for (const path of paths)
        if ((await status(path, 'before')) !== undefined || (await status(path, 'after')) !== undefined) return true;
      return false;
    };
    if (paths.length > 0 && !(await isAnywhere())) absent.push(name);
  }
  return absent;
}

/** One of each name that nothing has to expand and that is no program known by it, or none that was started. */
function firstOnes(
  written: readonly StaticProgram[],
  started: ReadonlySet<string>,
): [name: string, program: StaticProgram][] {
  const ones = new Map<string, StaticProgram>();
  const lost = new Set<string>();
  for (const program of written) {
    const name = program.argv[0] ?? '';
    if (program.isLost) lost.add(name);
    const isPlain = program.fields[0]?.isOpen === false && name !== '' && !ones.has(name);
    if (isPlain && maySeek(programName(name), started)) ones.set(name, program);
  }
  return [...ones].filter(([name]) => !lost.has(name)).slice(0, mostPrograms);
}

function maySeek(name: string, started: ReadonlySet<string>): boolean {
  const row = programNamed(name);
  return row === undefined || (!started.has(name) && !isOfShell(row));
}
