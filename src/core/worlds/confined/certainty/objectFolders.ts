import { posix } from 'node:path';
import type { FileChange } from '../../../view/fileChange.ts';

/**
 * git keeps an object in a folder of the first two letters of its name, and makes that with it. Where every object that a new one
 * holds is volatile, so is the folder, though two runs may have come to the same two letters by chance.
 */
export function markObjectFolders(changes: readonly FileChange[]): void {
  const folders = new Map<string, FileChange>();
  for (const change of changes)
    if (change.change === 'created' && change.type === 'directory' && objectFolder.test(change.path))
      folders.set(change.path, change);
  if (folders.size === 0) return;
  const isVolatile = new Map<FileChange, boolean>();
  for (const { path, volatile } of changes) {
    const folder = folders.get(posix.dirname(path));
    if (folder) isVolatile.set(folder, volatile && isVolatile.get(folder) !== false);
  }
  for (const [folder, all] of isVolatile) folder.volatile ||= all;
}

const objectFolder = /\/objects\/[0-9a-f]{2}$/;
