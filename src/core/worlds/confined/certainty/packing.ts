import os from 'node:os';
import type { FileChange } from '../../../view/fileChange.ts';
import type { Looker, View } from '../../../view/view.ts';
import type { RunRecord } from '../wire/runRecord.ts';

/**
 * git looks for deltas in several threads, and what they find depends on which of them is faster: two packs of the same
 * objects are not the same, nor are their indexes and names, though two in a row may be.
 */

/** So few objects are left to one thread: twice the window of `ll_find_deltas()` in builtin/pack-objects.c. */
const fewObjects = 20;

/** Whether a run packs objects in more than one thread. */
export async function packsInThreads(record: RunRecord, looker: Looker, cwd: string): Promise<boolean> {
  const packing = record.programs.filter(({ argv }) => argv.includes('pack-objects'));
  if (packing.length === 0 || packing.every(({ argv }) => argv.includes('--threads=1'))) return false;
  const place = packing[0]?.cwd ?? cwd;
  const { stdout } = await looker.look(['git', 'config', '--get', 'pack.threads'], { cwd: place });
  const threads = Number(Buffer.from(stdout).toString('utf8').trim()) || os.availableParallelism();
  return threads > 1;
}

/** Marks the files of git that hold what threads have packed, where there was enough to pack. */
export async function markPacks(changes: readonly FileChange[], view: View): Promise<void> {
  const packs = changes.filter(({ path, change }) => change === 'created' && /\.(?:pack|bundle)$/.test(path));
  const counts = await Promise.all(packs.map(({ path }) => objectsIn(path, view)));
  if (!counts.some((count) => count > fewObjects)) return;
  for (const change of changes) {
    if (change.change !== 'deleted' && isPackFile(change.path)) change.volatile = true;
  }
}

/** Whether a path is one that git packs into. */
function isPackFile(path: string): boolean {
  return /\/objects\/(?:pack\/|info\/packs$)|\.bundle$/.test(path);
}

/** The number of objects in a pack, or in a bundle, which has some lines of text before its pack (gitformat-pack(5)). */
async function objectsIn(path: string, view: View): Promise<number> {
  const bytes = await view.read(path, 'after', 64 * 1024);
  if (!bytes) return Number.POSITIVE_INFINITY;
  const at = Buffer.from(bytes).indexOf('PACK\0\0\0');
  return at < 0 || bytes.length < at + 12 ? Number.POSITIVE_INFINITY : Buffer.from(bytes).readUInt32BE(at + 8);
}

/** Whether a line of output names a pack. */
export function namesPack(line: string): boolean {
  return /\bpack-[0-9a-f]{40}/.test(line);
}
