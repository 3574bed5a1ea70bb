import { posix } from 'node:path';
import { programOf } from '../../../programs/programOf.ts';
import type { RecordedProgram, RunRecord } from '../wire/runRecord.ts';

const inBackground = /(?<![&<>|])&(?![&>])/;

/**
 * What two jobs beside each other took one after the other, of which only one can have it at a time (`mkdir lock`): each run lets
 * one of them come to its end first, and really they may meet.
 */
export function contendedPath({ programs }: RunRecord, script: string): string | undefined {
  if (!inBackground.test(script)) return undefined;
  const takers = new Map<string, number | undefined>();
  for (const program of programs) {
    const path = takenBy(program);
    if (path === undefined) continue;
    if (takers.has(path) && takers.get(path) !== program.forkedBy) return path;
    takers.set(path, program.forkedBy);
  }
  return undefined;
}

function takenBy({ argv: [name = '', ...words], cwd, exitCode }: RecordedProgram): string | undefined {
  const takes = programOf(name)?.takesAlone;
  const all = words.join(' ');
  if (!takes || exitCode !== 0 || takes.unless?.test(all) || takes.when?.test(all) === false) return undefined;
  const path = words.filter((word) => !word.startsWith('-')).at(takes.word === 'first' ? 0 : -1);
  return path === undefined ? undefined : posix.resolve(cwd, path);
}
