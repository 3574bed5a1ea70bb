import { madeOnlyBy } from '../changes.ts';
import type { Listing } from '../wire/launcher.ts';
import { type RunRecord, streamBytes } from '../wire/runRecord.ts';

/** What two runs of one command did; the listings are absent where nothing was changed. */
interface Runs {
  record: RunRecord;
  other: RunRecord;
  listing?: Listing;
  otherListing?: Listing | undefined;
}

/**
 * A changed folder whose real size nobody knows, where the two runs, which were told different ones, printed, started, made or
 * deleted not the same: a third size may lead to either. Where they only printed it, that number is volatile.
 */
export function guessedFolder(
  { record, other, listing, otherListing }: Runs,
  keep: (path: string) => boolean,
): string | undefined {
  const told = [record, other].flatMap(({ effects }) => effects.filter(({ kind }) => kind === 'sizeGuessed'));
  if (told[0] === undefined || record === other) return undefined;
  const isOtherwise =
    record.programs.length !== other.programs.length ||
    (['stdout', 'stderr'] as const).some((stream) => linesOf(record, stream) !== linesOf(other, stream)) ||
    (listing && otherListing && leavesOther(listing, otherListing, keep));
  return isOtherwise ? told[0].detail : undefined;
}

function linesOf(record: RunRecord, stream: 'stdout' | 'stderr'): number {
  return streamBytes(record, stream).toString('latin1').split('\n').length;
}

function leavesOther(one: Listing, two: Listing, keep: (path: string) => boolean): boolean {
  if (madeOnlyBy(one, two, keep) !== undefined || madeOnlyBy(two, one, keep) !== undefined) return true;
  const [goneHere, goneThere] = [one, two].map(goneFrom);
  return goneHere !== goneThere;
}

function goneFrom({ changes }: Listing): string {
  return changes.flatMap(({ path, after }) => (after.type === 'none' ? path : [])).join('\0');
}
