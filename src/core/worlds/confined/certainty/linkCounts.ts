import type { Doubt } from '../../../facts/doubt.ts';
import { holds, programOf } from '../../../programs/programOf.ts';
import type { Listing } from '../wire/launcher.ts';
import type { RunRecord } from '../wire/runRecord.ts';

/**
 * A file with several names keeps its count in the copy when one of them is removed or moved, or gets one more (a copy is
 * a file of its own). `undefined` when no such name was touched, or when nothing ran that shows link counts.
 */
function countDoubt(record: RunRecord, listing: Listing): Doubt | undefined {
  if (!record.programs.some(({ argv: [name = '', ...words] }) => holds(programOf(name)?.countsLinks, words)))
    return undefined;
  const touched =
    listing.changes.find(
      (change) => change.change === 'deleted' && change.before.type === 'file' && change.before.links > 1,
    )?.path ?? listing.effects.find((effect) => effect.kind === 'hardLinked' && effect.names === 0)?.detail;
  if (touched === undefined) return undefined;
  return { kind: 'linksCounted', path: touched };
}

/**
 * Its name is gone, another file's, or in a renamed folder: what was written through it would stand under its other names too,
 * which overlays keep apart.
 */
function leavesOtherNames({ change, before, after, replaced }: Listing['changes'][number]): boolean {
  if (before.type !== 'file' || before.links < 2) return false;
  return replaced || after.type !== 'file' || (change === 'renamed' && before.mtimeNanos !== after.mtimeNanos);
}

/** Where overlays have to do, and something may have written through such a name. `script`: the text of the command. */
function otherNamesDoubt(record: RunRecord, listing: Listing, script: string): Doubt | undefined {
  const leaving = listing.changes.find(leavesOtherNames);
  if (!leaving) return undefined;
  const mayWrite = script.includes('>') || !record.programs.every(({ argv: [name = ''] }) => leavesContents(name));
  return mayWrite ? { kind: 'hardLinks', path: leaving.path, names: leaving.before.links } : undefined;
}

/**
 * A real file got another name. Overlays give the two numbers of their own, so that whoever compares these takes one file for
 * two: tests of the shell, and programs like `cp` and `cat` that look whether they would read what they write.
 */
function numbersDoubt({ effects, programs }: RunRecord, script: string): Doubt | undefined {
  const linked = effects.find((effect) => effect.kind === 'hardLinked' && effect.names === 0);
  if (!linked) return undefined;
  const since = linked.program ? programs.slice(programs.indexOf(linked.program) + 1) : programs;
  const mayCompare = script.includes('-ef') || since.some(({ argv: [name = ''] }) => comparesNumbers(name));
  return mayCompare ? { kind: 'linksCounted', path: linked.detail } : undefined;
}

function comparesNumbers(name: string): boolean {
  return !leavesContents(name) || programOf(name)?.planned === 'mv';
}

/** It writes into no file: it changes names, modes and the like, or removes. */
function leavesContents(name: string): boolean {
  const row = programOf(name);
  return row?.leavesContents === true || row?.removesNamed === true;
}

/** What overlays cannot show of files with several names. */
export function linkDoubts(record: RunRecord, listing: Listing, script: string): Doubt[] {
  const counted = countDoubt(record, listing) ?? numbersDoubt(record, script);
  return [counted ?? [], otherNamesDoubt(record, listing, script) ?? []].flat();
}
