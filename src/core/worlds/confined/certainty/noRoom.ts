import fs from 'node:fs/promises';
import { posix } from 'node:path';
import type { Doubt } from '../../../facts/doubt.ts';
import type { FileChange } from '../../../view/fileChange.ts';

/** More folders than these are not asked about; those of what is made anew in a folder are one. */
const mostFolders = 100;

/**
 * A copy has room of its own, whatever the file system really has on which it lies: what was written may not fit there. What a
 * command frees is not counted, because nobody knows which came first.
 */
export async function noRoom(changes: readonly FileChange[]): Promise<Doubt[]> {
  const made = new Set(
    changes.flatMap(({ change, type, path }) => (change === 'created' && type === 'directory' ? path : [])),
  );
  const growth = new Map<string, { bytes: number; nodes: number }>();
  for (const one of changes) {
    const bytes = grownBy(one);
    if (bytes === 0) continue;
    const folder = existing(one.path, made);
    const sum = growth.get(folder) ?? { bytes: 0, nodes: 0 };
    growth.set(folder, { bytes: sum.bytes + bytes, nodes: sum.nodes + 1 });
    if (growth.size > mostFolders) break;
  }
  const disks = new Map<number, { path: string; bytes: number; nodes: number }>();
  for (const [path, { bytes, nodes }] of growth) {
    const device = await fs.stat(path).then(
      ({ dev }) => dev,
      () => -1,
    );
    const sum = disks.get(device) ?? { path, bytes: 0, nodes: 0 };
    disks.set(device, { path: sum.path, bytes: sum.bytes + bytes, nodes: sum.nodes + nodes });
  }
  const doubts = await Promise.all([...disks.values()].map(doubtOf));
  return doubts.flat();
}

/** The folder of a path, or the first one above it that is really there. */
function existing(path: string, made: ReadonlySet<string>): string {
  let folder = posix.dirname(path);
  while (made.has(folder)) folder = posix.dirname(folder);
  return folder;
}

/** In bytes; a name takes at least one. */
function grownBy({ change, type, sizeBytes, before, content }: FileChange): number {
  if (content === 'notAsked' || (change !== 'created' && change !== 'modified')) return 0;
  const now = type === 'file' ? sizeBytes : 0;
  if (change === 'created') return now + 1;
  return Math.max(0, now - (before?.sizeBytes ?? now));
}

/** File systems give room in whole blocks; some say nothing of nodes. */
async function doubtOf({ path, bytes, nodes }: { path: string; bytes: number; nodes: number }): Promise<Doubt[]> {
  const disk = await fs.statfs(path).catch(() => undefined);
  if (!disk) return [];
  const freeBytes = (process.getuid?.() === 0 ? disk.bfree : disk.bavail) * disk.bsize;
  const neededBytes = bytes + nodes * disk.bsize;
  const fits = neededBytes <= freeBytes && (disk.files === 0 || nodes <= disk.ffree);
  return fits ? [] : [{ kind: 'noRoom', path, freeBytes, neededBytes }];
}
