import type { Doubt } from '../../../facts/doubt.ts';
import { holds, programOf } from '../../../programs/programOf.ts';
import type { Listing } from '../wire/launcher.ts';
import type { RunRecord } from '../wire/runRecord.ts';

/**
 * A file with several names keeps its count in the copy when one of them is removed or moved, or gets one more (a copy is
 * a file of its own). `undefined` when no such name was touched, or when nothing ran that shows link counts.
 */
export function linkCountDoubt(record: RunRecord, listing: Listing): Doubt | undefined {
  if (!record.programs.some(({ argv: [name = '', ...words] }) => holds(programOf(name)?.countsLinks, words)))
    return undefined;
  const touched =
    listing.changes.find(
      (change) => change.change === 'deleted' && change.before.type === 'file' && change.before.links > 1,
    )?.path ?? listing.effects.find((effect) => effect.kind === 'hardLinked' && effect.names === 0)?.detail;
  if (touched === undefined) return undefined;
  return { kind: 'linksCounted', path: touched };
}
