import { lstat } from 'node:fs/promises';
import { posix } from 'node:path';
import { folderReader } from '../../../loss/bytePath.ts';
import { holds, programOf } from '../../../programs/programOf.ts';
import { countsAsReading } from '../wire/events.ts';
import type { LauncherEffect, Listing } from '../wire/launcher.ts';
import { baseName, type RecordedEffect, type RecordedProgram, type RunRecord } from '../wire/runRecord.ts';
import { mayMissRepository } from './gitBoundary.ts';
import { linkDoubts } from './linkCounts.ts';
import { ownFoldersRead } from './ownFolders.ts';

/** What the launcher says where overlays differ from the real file system. */
const differences: ReadonlySet<LauncherEffect['kind']> = new Set([
  'moveUnfinished',
  'callRefused',
  'crossesParts',
  'hardLinked',
  'otherOwner',
  'statusDiffers',
]);

const longestPath = 3_000;

/** More folders than these are not looked at. */
const mostFolders = 200;

/**
 * Overlays may have shown this run otherwise than the real file system would: it touched files with several names, or of
 * others, which in a user namespace belong to the user; a program that changes files failed, perhaps only there; git
 * perhaps found no repository, because it looks for one on one file system only; a program met several file systems; it read
 * tables of the machine; or something stands again where a folder was moved away, which their notes on moves do not tell from
 * nothing. `script`: the text of the command, empty where it is none. `isThere`: whether a path is there in the view now.
 */
export async function exceedsOverlays(
  record: RunRecord,
  listing: Listing,
  script: string,
  isThere: (path: string) => Promise<boolean>,
): Promise<boolean> {
  // Supervision has to name every file.
  if (listing.changes.some(({ path }) => path.length > longestPath)) return false;
  if ([...record.effects, ...listing.effects].some(({ kind }) => differences.has(kind))) return true;
  if (linkDoubts(record, listing, script).length > 0) return true;
  if (record.effects.some(readsOwnTables) || ownFoldersRead({ record, other: record }).length > 0) return true;
  if (record.programs.some((program) => meetsParts(program, record.parts) || mayMissRepository(program))) return true;
  if (await standsAgain(listing, isThere)) return true;
  const own = process.getuid?.() ?? 0;
  // Root's overlays know every owner.
  if (own === 0) return false;
  if (record.programs.some(failsToChange)) return true;
  if (listing.changes.some(({ before }) => before.type !== 'none' && before.uid !== own)) return true;
  // Folders that are listed themselves are the user's, or new.
  const folderOf = folderReader();
  const folders = new Set(listing.changes.map(({ path }) => folderOf(path)));
  for (const { path } of listing.changes) folders.delete(path);
  const asked = [...folders].slice(0, mostFolders);
  return (await Promise.all(asked.map((folder) => isOfOthers(folder, own)))).includes(true);
}

/**
 * A view has mounts, a network and processes of its own, and empty folders in the place of `/run` and `/dev/shm`; with the machine's,
 * no process but the command's own can be relied on.
 */
function readsOwnTables(effect: RecordedEffect): boolean {
  const isTold = effect.kind === 'readsTables' && countsAsReading(effect);
  return isTold && /^\/(?:proc\/(?:self|thread-self|\$\$|net|mounts)|run|dev\/shm)(?:\/|$)/.test(effect.detail);
}

/** Below a folder that it was given, or that it walks through, another file system begins: overlays cannot move it, and tell devices otherwise. */
function meetsParts({ argv, cwd }: RecordedProgram, parts: readonly string[]): boolean {
  const [program = '', ...words] = argv;
  const row = programOf(baseName(program));
  if (!row) return false;
  const given = words.filter((word) => !word.startsWith('-') && word.length < longestPath);
  const folders = [...(holds(row.walks, words) ? [cwd] : []), ...given.map((word) => posix.resolve(cwd, word))];
  return folders.some((folder) => folder !== '/' && parts.some((part) => part.startsWith(`${folder}/`)));
}

/** Of the folders that were moved, the uppermost are asked about: what is in them came along. */
async function standsAgain(listing: Listing, isThere: (path: string) => Promise<boolean>): Promise<boolean> {
  const moved = listing.changes.flatMap((change) =>
    change.change === 'renamed' && change.after.type === 'directory' ? change.from : [],
  );
  const all = new Set(moved);
  const tops = moved.filter((path) => !all.has(posix.dirname(path)));
  for (const path of tops.slice(0, mostFolders)) if (await isThere(path)) return true;
  return false;
}

/** A program that changes files, by its row, and failed. */
export function failsToChange({ argv, exitCode }: RecordedProgram): boolean {
  if (exitCode === undefined || exitCode === 0) return false;
  const known = programOf(baseName(argv[0] ?? ''));
  if (!known) return false;
  return Boolean(known.writes || known.harms || known.makes || (known.planned && known.planned !== 'nothing'));
}

async function isOfOthers(folder: string, own: number): Promise<boolean> {
  try {
    return (await lstat(folder)).uid !== own;
  } catch {
    return false; // new, as what is in it
  }
}
