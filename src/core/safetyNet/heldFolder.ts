import fs from 'node:fs';
import { folderOf, toBytePath } from '../loss/bytePath.ts';

/** open(2): a descriptor that only names a place; nothing is read by it, and no right to read is needed. Node has no name for it. */
const pathOnly = 0o10000000;
const { O_DIRECTORY, O_NOFOLLOW } = fs.constants;

/**
 * A folder that is held by its descriptor. What is named in it is named in this folder, whatever takes the place of the
 * folder or of one above it meanwhile.
 */
export interface HeldFolder {
  readonly descriptor: number;
  /** The path of what has this name in it, for a call of the file system. */
  of(name: string): Buffer;
  close(): void;
}

/**
 * Holds the folder at an absolute path without following a symbolic link anywhere on the way. Throws the error of the file
 * system where it is not there (`ENOENT`), or where something else than a folder stands on the way (`ENOTDIR`, `ELOOP`).
 */
export function holdFolder(path: string): HeldFolder {
  let descriptor = fs.openSync('/', pathOnly | O_DIRECTORY);
  for (const name of toBytePath(path).split('/')) {
    if (name === '' || name === '.') continue;
    const above = descriptor;
    try {
      if (name === '..') throw Object.assign(new Error('A path with .. in it.'), { code: 'EINVAL' });
      descriptor = fs.openSync(inFolder(above, name), pathOnly | O_DIRECTORY | O_NOFOLLOW);
    } finally {
      fs.closeSync(above);
    }
  }
  return {
    descriptor,
    of: (name) => inFolder(descriptor, toBytePath(name)),
    close: () => fs.closeSync(descriptor),
  };
}

function inFolder(descriptor: number, name: string): Buffer {
  return Buffer.concat([Buffer.from(`/proc/self/fd/${descriptor}/`), Buffer.from(name, 'latin1')]);
}

/** What stands at a name in a held folder; `undefined` where nothing does. Throws what else the file system says. */
export function statusIn(folder: HeldFolder, name: string): fs.BigIntStats | undefined {
  return fs.lstatSync(folder.of(name), { bigint: true, throwIfNoEntry: false });
}

/** Holds a node itself (not what a symbolic link leads to) while `work` is done; `at` is a path that leads to it alone. */
export function holding<T>(folder: HeldFolder, name: string, work: (at: string, status: fs.BigIntStats) => T): T {
  const descriptor = fs.openSync(folder.of(name), pathOnly | O_NOFOLLOW);
  try {
    return work(`/proc/self/fd/${descriptor}`, fs.fstatSync(descriptor, { bigint: true }));
  } finally {
    fs.closeSync(descriptor);
  }
}

/** The items by the folder in which each stands, the folders in their order. */
export function byFolder<T extends { path: string }>(items: readonly T[]): Map<string, T[]> {
  const folders = new Map<string, T[]>();
  for (const item of items) {
    const folder = folderOf(item.path);
    const list = folders.get(folder);
    if (list) list.push(item);
    else folders.set(folder, [item]);
  }
  return folders;
}

/** Does something in the folder of each of these paths, which is held meanwhile; `failed` is told of a folder that cannot be. */
export async function inFolders<T extends { path: string }>(
  items: readonly T[],
  work: (folder: HeldFolder, inFolder: readonly T[]) => Promise<void>,
  failed: (inFolder: readonly T[], code: string) => void,
): Promise<void> {
  for (const [path, inOne] of byFolder(items)) {
    let folder: HeldFolder;
    try {
      folder = holdFolder(path);
    } catch (error) {
      failed(inOne, codeOf(error));
      continue;
    }
    try {
      await work(folder, inOne);
    } finally {
      folder.close();
    }
  }
}

/** The code of an error of the file system; others are thrown on. */
export function codeOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === undefined) throw error;
  return code;
}

/** The same node, with the same content as far as its size and its times tell. A rename changes the time of change alone. */
export function isSameNode(one: fs.BigIntStats, other: fs.BigIntStats): boolean {
  return (
    one.ino === other.ino &&
    one.dev === other.dev &&
    one.size === other.size &&
    one.mtimeNs === other.mtimeNs &&
    one.mode === other.mode
  );
}
