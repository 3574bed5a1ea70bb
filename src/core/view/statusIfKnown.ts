import fs from 'node:fs';

/**
 * What stat(2) says of a path, its link followed; `undefined` where nothing can be known of it: there is nothing, it may not
 * be looked at (EACCES), or its links lead in a circle (ELOOP). `throwIfNoEntry` alone would throw for the latter.
 */
export function statusIfKnown(path: string): fs.BigIntStats | undefined {
  try {
    return fs.statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** True where something stands at a path, be it a link that leads nowhere; false also where that cannot be known. */
export function isThere(path: string): boolean {
  try {
    return fs.lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** True where a path leads to a folder, as far as can be known. */
export const isFolder = (path: string): boolean => statusIfKnown(path)?.isDirectory() === true;

/** True where a folder stands, no link, that only its user can read and write. */
export function isPrivateFolder(path: string): boolean {
  try {
    const status = fs.lstatSync(path);
    return status.isDirectory() && status.uid === process.getuid?.() && (status.mode & 0o077) === 0;
  } catch {
    return false;
  }
}
