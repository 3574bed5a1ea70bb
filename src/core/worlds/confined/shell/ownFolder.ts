import { accessSync, constants } from 'node:fs';

/**
 * Where files of ours lie in a view: its /dev/shm. A supervised view has the machine's, in which not everybody may write
 * (gVisor, some containers); there it is the first folder for everybody's files that the user may write into.
 */
export function ownFolder(mayWrite: (path: string) => boolean = isWritable): string {
  return ['/dev/shm', '/tmp', '/var/tmp'].find(mayWrite) ?? '/dev/shm';
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
