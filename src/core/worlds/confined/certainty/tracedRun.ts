import type { LetInProgram, NamedPath, TracedRun } from '../../../prediction/rehearsal.ts';
import { holds, programNamed } from '../../../programs/programOf.ts';
import type { Outcome } from '../conclude.ts';
import { stateText } from '../stepCommand.ts';
import type { StepContext } from '../stepContext.ts';
import { countsAsReading, isOver } from '../wire/events.ts';
import type { LauncherEffect, Listing } from '../wire/launcher.ts';
import { baseName, type RecordedProgram, type RunRecord, streamBytes } from '../wire/runRecord.ts';
import { showedStatus } from './showedStatus.ts';

/** What says nothing of the machine but what is compared anyway. */
const ownEffects: ReadonlySet<LauncherEffect['kind']> = new Set(['waitSkipped', 'timeOnly', 'listens']);

/**
 * What a run depended on, where that is all that it depended on: programs that are not inert ran to their end by themselves,
 * no answer was given or typed, and nothing of the moment, of other processes or of a network was asked for. `undefined` of
 * any other run.
 */
export async function tracedRun(
  { record, other, listing }: Pick<Outcome, 'record' | 'other' | 'listing'>,
  { request, parts, startedAt }: StepContext,
  keepPath: (path: string) => boolean,
): Promise<TracedRun | undefined> {
  const paths = tracedPaths(record, listing, parts.inert().inert)?.filter(({ path }) => keepPath(path));
  if (!paths) return undefined;
  const shellState = await stateText(request, parts);
  return {
    ...{ beganAt: startedAt.getTime(), paths, ...(shellState === undefined ? {} : { shellState }) },
    showsStatus: showedStatus(record, parts.inert().correct),
    letIn: letInPrograms(record, other),
    other: { stdout: streamBytes(other, 'stdout'), stderr: streamBytes(other, 'stderr') },
  };
}

/** Programs that were let run and that no other program started. */
function letInPrograms(record: RunRecord, other: RunRecord): LetInProgram[] {
  const first = ({ programs }: RunRecord) =>
    programs.filter(({ isLetIn, parent, env }) => isLetIn && parent === undefined && env !== undefined);
  const others = first(other);
  return first(record).map(({ argv, cwd, realPath, env = [], exitCode }, index) => {
    return { argv, cwd, realPath, env, exitCode, otherExitCode: others[index]?.exitCode };
  });
}

/** Every path that a run named, where all of them are known and it ended. */
export function namedBy({ finished, reads, programs }: RunRecord, startedAt: Date): TracedRun | undefined {
  if (!reads?.isComplete || !finished || !isOver(finished)) return undefined;
  // Whoever goes through folders asks of which kind their file system is; how full it is decides nothing there.
  const isShown = programs.some(showsDisks);
  const paths = isShown ? reads.paths : reads.paths.map((one) => (one.isDisk ? { ...one, isDisk: false } : one));
  return { beganAt: startedAt.getTime(), paths };
}

/** Whether how full a file system is may decide something for a program. */
function showsDisks({ gate, realPath, argv }: RecordedProgram): boolean {
  const row = programNamed(baseName(realPath));
  if (gate !== undefined || row?.inert !== true) return true;
  return row.asks?.includes('mounts') === true || holds(row.momentary, argv.slice(1));
}

function tracedPaths(
  record: RunRecord,
  listing: Listing | undefined,
  inert: readonly string[],
): readonly NamedPath[] | undefined {
  const { finished, reads, programs } = record;
  if (!reads?.isComplete || !finished || !isOver(finished) || finished.outputCut) return undefined;
  if (finished.leftRunning.length > 0 || record.endedBy || record.asked || record.momentary) return undefined;
  if (record.unsure || record.imaginedChanges || record.basis) return undefined;
  if (record.assumptions.length + record.blind.length + record.dependsOn.length > 0) return undefined;
  // What is inert is answered by itself, faster than it would be read back.
  const known = new Set(inert);
  if (programs.every(({ realPath }) => known.has(realPath))) return undefined;
  if (programs.some(({ gate, answeredBy, isLetIn }) => answeredBy !== undefined || (gate && !isLetIn)))
    return undefined;
  // Some look at the interfaces and make nothing of them.
  const depends = record.effects.some((one) =>
    one.kind === 'readsTables' ? countsAsReading(one) : !ownEffects.has(one.kind),
  );
  const isListed = listing?.complete !== false && !listing?.effects?.some(({ kind }) => !ownEffects.has(kind));
  if (depends || !isListed) return undefined;
  return reads.paths;
}
