import { throughMounts } from '../../../programs/mounts.ts';
import { programName } from '../../../programs/programName.ts';
import { startedBy } from '../../../programs/startedBy.ts';
import { findStaticPrograms } from '../../../programs/staticPrograms.ts';
import type { StaticPlace, StaticProgram } from '../../../shell/evaluated.ts';
import { quoteCall } from '../../../shell/quoteWord.ts';
import { readScript } from '../../../shell/script.ts';
import type { RecordedProgram } from '../wire/runRecord.ts';
import { hasReader } from './readers.ts';

/** Of a container's own variables and its home nothing is known. */
const containerPlace: Pick<StaticPlace, 'home' | 'env'> = { home: '/~', env: {} };

/** A call in a container, with the names that its files have on this machine. */
export interface MountedCall {
  call: StaticProgram;
  /** Folders and files of this machine that are mounted there, so that they themselves cannot go. */
  held: readonly string[];
}

/** What stopped programs would start in containers that may destroy files of this machine, and of which nobody said what it does. */
export function startedByStopped(programs: readonly RecordedProgram[]): MountedCall[] {
  const found = new Map<string, MountedCall>();
  for (const { argv, cwd, gate, answeredBy, lookedThrough } of programs) {
    if (gate === undefined || answeredBy !== 'assumed' || lookedThrough) continue;
    for (const one of mountedCalls(argv, cwd)) found.set(JSON.stringify([one.call.argv, one.call.cwd]), one);
  }
  return [...found.values()];
}

/** What a call starts in a container that is shown folders of this machine, and that may destroy files there. */
export function mountedCalls(argv: readonly string[], cwd: string): MountedCall[] {
  if (!startedBy(argv).some(({ mounts }) => mounts)) return [];
  return findStaticPrograms(readScript(quoteCall(argv)), { cwd, ...containerPlace }).flatMap((inner) => {
    const { mounts, elsewhere, isLater } = inner.inside ?? {};
    if (!mounts || elsewhere !== 'container' || isLater || !hasReader(programName(inner.argv[0] ?? ''))) return [];
    const call = throughMounts(inner, mounts);
    // Where a redirection leads is another question.
    return call ? [{ call: { ...call, redirects: [] }, held: mounts.map(({ from }) => from) }] : [];
  });
}
