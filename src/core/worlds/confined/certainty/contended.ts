import { posix } from 'node:path';
import { programOf } from '../../../programs/programOf.ts';
import type { RecordedProgram, RunRecord } from '../wire/runRecord.ts';

const inBackground = /(?<![&<>|])&(?![&>])/;

/**
 * What two jobs beside each other wanted, of which only one can have it at a time (`mkdir lock`): a run lets one of them come to its
 * end first, or they meet, and really it may be the other way.
 */
export function contendedPath({ programs }: RunRecord, script: string): string | undefined {
  if (!inBackground.test(script)) return undefined;
  const wanted = new Map<string, { isTaken: boolean; jobs: Set<number | undefined> }>();
  for (const program of programs) {
    const path = wantedBy(program);
    if (path === undefined) continue;
    const one = wanted.get(path) ?? { isTaken: false, jobs: new Set() };
    one.isTaken ||= program.exitCode === 0;
    one.jobs.add(program.forkedBy);
    // Where nobody gets it, it was somebody else's before.
    if (one.isTaken && one.jobs.size > 1) return path;
    wanted.set(path, one);
  }
  return undefined;
}

function wantedBy({ argv: [name = '', ...words], cwd }: RecordedProgram): string | undefined {
  const takes = programOf(name)?.takesAlone;
  const all = words.join(' ');
  if (!takes || takes.unless?.test(all) || takes.when?.test(all) === false) return undefined;
  const path = words.filter((word) => !word.startsWith('-')).at(takes.word === 'first' ? 0 : -1);
  return path === undefined ? undefined : posix.resolve(cwd, path);
}
