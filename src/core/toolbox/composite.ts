import fs from 'node:fs/promises';
import type { PredictedFile } from '../prediction/parts.ts';
import { nodeTypeOf } from '../view/nodeTypeOf.ts';
import { realView } from '../view/realView.ts';
import type { View } from '../view/view.ts';

/** Larger files are not compared byte by byte. */
const mostBytes = 64 * 1024 ** 2;

/**
 * What several steps, one after the other, change in the end: each path as it is really and as the last step leaves it. What
 * comes and goes again is none; a renamed file goes here and comes there. `last`: the view behind the last step.
 */
export async function compositeFiles(
  steps: readonly (readonly PredictedFile[])[],
  last: View,
): Promise<{ files: PredictedFile[]; view: View }> {
  const ends = new Map<string, PredictedFile>();
  for (const files of steps) {
    for (const file of files) {
      const { from, ...stands } = file;
      if (from !== undefined) ends.set(from, { ...stands, path: from, change: 'deleted' });
      ends.set(file.path, stands);
    }
  }
  const real = realView();
  const view: View = {
    read: (path, moment, most) => (moment === 'before' ? real.read(path, moment, most) : last.read(path, moment, most)),
    close: async () => {},
  };
  const files: PredictedFile[] = [];
  for (const [, end] of [...ends].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const file = await netChange(end, view);
    if (file) files.push(file);
  }
  return { files, view };
}

/** What is different in the end of one path; `undefined`: nothing. */
async function netChange(end: PredictedFile, view: View): Promise<PredictedFile | undefined> {
  const was = await standing(end.path);
  const { before: _, ...stands } = end;
  if (end.change === 'deleted') return was ? { ...stands, ...was, change: 'deleted' } : undefined;
  if (!was) return { ...stands, change: 'created' };
  const before = { before: was };
  if (was.type !== end.type || was.target !== end.target) return { ...stands, ...before, change: 'modified' };
  const content = end.type === 'file' ? await isOther(end, was.sizeBytes, view) : false;
  if (content === undefined) return { ...stands, ...before, change: 'modified', basis: 'unknown' };
  if (content) return { ...stands, ...before, change: 'modified' };
  return was.mode === end.mode ? undefined : { ...stands, ...before, change: 'mode' };
}

/** Whether a file has another content; `undefined`: nobody can say. */
async function isOther(end: PredictedFile, sizeBytes: number, view: View): Promise<boolean | undefined> {
  if (end.basis === 'unknown') return undefined;
  if (sizeBytes !== end.sizeBytes) return true;
  if (sizeBytes > mostBytes) return undefined;
  const [before, after] = await Promise.all([
    view.read(end.path, 'before', mostBytes),
    view.read(end.path, 'after', mostBytes),
  ]);
  return before && after ? Buffer.compare(before, after) !== 0 : undefined;
}

/** What really stands at a path; `undefined`: nothing. */
async function standing(path: string): Promise<PredictedFile['before'] | undefined> {
  try {
    const status = await fs.lstat(path);
    const type = nodeTypeOf(status);
    const target = type === 'symlink' ? { target: await fs.readlink(path) } : {};
    // A folder's own size is the file system's business.
    const sizeBytes = type === 'directory' ? 0 : status.size;
    return { type, mode: (status.mode & 0o7777).toString(8).padStart(4, '0'), sizeBytes, ...target };
  } catch {
    return undefined;
  }
}
