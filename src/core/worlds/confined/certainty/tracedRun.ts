import type { LetInProgram, TracedRun } from '../../../prediction/rehearsal.ts';
import { holds, programNamed } from '../../../programs/programOf.ts';
import type { Outcome } from '../conclude.ts';
import { stateText } from '../stepCommand.ts';
import type { StepContext } from '../stepContext.ts';
import { countsAsReading, isOver } from '../wire/events.ts';
import type { LauncherEffect, Listing } from '../wire/launcher.ts';
import { baseName, type RecordedProgram, type RunRecord, streamBytes } from '../wire/runRecord.ts';
import { namesOwnTime, readsOf } from './readsOf.ts';
import { showedStatus } from './showedStatus.ts';

/** What says nothing of the machine but what is compared anyway. */
const ownEffects: ReadonlySet<LauncherEffect['kind']> = new Set(['waitSkipped', 'timeOnly', 'listens']);

/**
 * What a run depended on, where that is all that it depended on: programs that are not inert ran to their end by themselves,
 * no answer was given or typed, and nothing of the moment, of other processes or of a network was asked for. `undefined` of
 * any other run.
 */
export async function tracedRun(
  outcome: Pick<Outcome, 'record' | 'other' | 'namer' | 'listing' | 'otherListing'>,
  { request, parts, startedAt }: StepContext,
  keepPath: (path: string) => boolean,
): Promise<TracedRun | undefined> {
  const { record, other, listing } = outcome;
  const isWhole = isTraceable(record, listing, parts.inert().inert);
  const reads = readsOf(outcome);
  if (!isWhole || !reads?.isComplete) return undefined;
  const paths = reads.paths.filter(({ path }) => keepPath(path));
  if (namesOwnTime(outcome, paths, startedAt)) return undefined;
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
export function namedBy(outcome: Outcome, startedAt: Date): TracedRun | undefined {
  const { finished, programs } = outcome.namer ?? outcome.record;
  const reads = readsOf(outcome);
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

/** Whether all that it depended on are the paths that it named. */
function isTraceable(record: RunRecord, listing: Listing | undefined, inert: readonly string[]): boolean {
  const { finished, programs } = record;
  if (!finished || !isOver(finished) || finished.outputCut) return false;
  if (finished.leftRunning.length > 0 || record.endedBy || record.asked || record.momentary) return false;
  if (record.unsure || record.imaginedChanges || record.basis) return false;
  if (record.assumptions.length + record.blind.length + record.dependsOn.length > 0) return false;
  // What is inert is answered by itself, faster than it would be read back.
  const known = new Set(inert);
  if (programs.every(({ realPath }) => known.has(realPath))) return false;
  if (programs.some(({ gate, answeredBy, isLetIn }) => answeredBy !== undefined || (gate && !isLetIn))) return false;
  // Some look at the interfaces and make nothing of them.
  const depends = record.effects.some((one) =>
    one.kind === 'readsTables' ? countsAsReading(one) : !ownEffects.has(one.kind),
  );
  const isListed = listing?.complete !== false && !listing?.effects?.some(({ kind }) => !ownEffects.has(kind));
  return !depends && isListed;
}
