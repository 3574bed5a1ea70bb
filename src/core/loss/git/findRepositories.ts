import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readRegularFile } from '../../view/regularFile.ts';
import { breathe, foldersInOneGo } from '../breathe.ts';
import { below, folderOf, isNotText, nameOf, onDisk } from '../bytePath.ts';

/** Files that hold nothing but the path of a folder are not longer, in bytes. */
const mostPointerBytes = 64 * 1024;

/** A git repository with a working tree, as found on disk. All paths are absolute and without symbolic links. */
export interface Repository {
  /** Top of the working tree. */
  root: string;
  /** `.git`, or where the file `.git` of a worktree or submodule points. */
  gitFolder: string;
  /** Where objects and refs live; differs from `gitFolder` in a linked worktree. */
  commonFolder: string;
}

/** Where a folder stands. */
export interface Place {
  /** The folder without symbolic links. */
  folder: string;
  repository?: Repository;
}

/** Says of each folder in which repository it stands; remembers folders, so ask one of these many times. */
export interface RepositoryFinder {
  place(folder: string): Promise<Place>;
}

/**
 * Makes a finder over the real file tree.
 *
 * @param deleted Folders that the action deletes. What stands in them is known from the list of changes, so they are not
 *   looked at on disk: one `lstat` less for each of possibly thousands.
 * @param withGit Folders in which the list of changes has a `.git`.
 */
export function repositoryFinder(deleted: ReadonlySet<string>, withGit: ReadonlySet<string>): RepositoryFinder {
  const realFolders = new Map<string, Promise<string>>();
  const repositories = new Map<string, Promise<Repository | undefined>>();

  function realFolder(folder: string): Promise<string> {
    let found = realFolders.get(folder);
    if (!found) {
      const fromParent = folder !== '/' && (deleted.has(folder) || isNotText(folder));
      found = fromParent
        ? realFolder(folderOf(folder)).then((parent) => below(parent, nameOf(folder)))
        : Promise.resolve(realNow(folder));
      realFolders.set(folder, found);
    }
    return found;
  }

  async function search(folder: string): Promise<Repository | undefined> {
    const worthALook = !deleted.has(folder) || withGit.has(folder);
    const here = worthALook ? await readRepository(folder) : undefined;
    if (here) return here;
    return folder === '/' ? undefined : repositoryOf(folderOf(folder));
  }

  function repositoryOf(folder: string): Promise<Repository | undefined> {
    let found = repositories.get(folder);
    if (!found) {
      found = search(folder);
      repositories.set(folder, found);
    }
    return found;
  }

  let asked = 0;
  return {
    async place(folder) {
      if (!realFolders.has(folder)) await breathe(asked++, foldersInOneGo);
      const real = await realFolder(folder);
      const repository = await repositoryOf(real);
      return repository ? { folder: real, repository } : { folder: real };
    },
  };
}

/** Of thousands of folders, one after the other: whoever waits for a thread each time takes ten times as long. */
function realNow(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder;
  }
}

/** The repository whose top is `root`; `undefined` where there is none, or git would not take it for one. */
async function readRepository(root: string): Promise<Repository | undefined> {
  const entry = below(root, '.git');
  const found = nodeAt(entry);
  if (!found) return undefined;
  const isFile = found.isFile();
  const gitFolder = isFile ? await pointedFolder(entry, root) : await realpath(entry).catch(() => undefined);
  if (gitFolder === undefined || !(await exists(below(gitFolder, 'HEAD')))) return undefined;
  const common = shortText(below(gitFolder, 'commondir'));
  const commonFolder = common === undefined ? gitFolder : resolve(gitFolder, common.trim());
  return (await isGitFolder(commonFolder)) ? { root, gitFolder, commonFolder } : undefined;
}

function nodeAt(path: string): Stats | undefined {
  try {
    return lstatSync(onDisk(path), { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The text of a short file of a repository that a stranger may have made. */
function shortText(path: string): string | undefined {
  return readRegularFile(onDisk(path), mostPointerBytes)?.toString('utf8');
}

async function pointedFolder(entry: string, root: string): Promise<string | undefined> {
  const text = shortText(entry) ?? '';
  const pointer = /^gitdir: (.+?)\n*$/s.exec(text)?.[1];
  return pointer === undefined ? undefined : realpath(resolve(root, pointer)).catch(() => undefined);
}

/** The folder holds objects, refs and a HEAD: a bare repository, or the `.git` of one that is not. */
export async function isGitFolder(folder: string): Promise<boolean> {
  const parts = await Promise.all(['HEAD', 'objects', 'refs'].map((name) => exists(below(folder, name))));
  return parts.every(Boolean);
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
