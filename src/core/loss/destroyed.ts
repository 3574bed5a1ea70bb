import type { FileChange } from '../view/fileChange.ts';
import { folderOf, folderReader } from './bytePath.ts';

/** Content that stood somewhere before the action and does not stand there after it. */
export interface Destroyed {
  /** Absolute path. */
  path: string;
  type: 'file' | 'symlink';
  /** Size of what is destroyed. */
  sizeBytes: number;
  /** Target that a symbolic link had. */
  target?: string;
  how: 'deleted' | 'overwritten';
  /** Where what it has become stands afterwards: it was moved as well. Absent: at `path`. */
  movedTo?: string;
  /** What it has become is a regular file, whose content can be compared. */
  fileAfter: boolean;
  /** Size of that file. */
  sizeAfter?: number;
  /** Nothing stands there afterwards, and it was a file that can be run. */
  wasExecutable?: true;
  /** The folder that it stood in goes too. */
  isFolderGone?: true;
}

/**
 * The content that a list of changes destroys. Directories carry none of their own; FIFOs, sockets and devices carry
 * none at all; a renamed node keeps its content, unless it is written as well.
 */
export function destroyedContent(files: readonly FileChange[]): Destroyed[] {
  const destroyed: Destroyed[] = [];
  const folders = deletedFolders(files);
  const folderAt = folderReader();
  for (const change of files) {
    // What stood under a name to which something is moved is told as deleted.
    const former = formerNode(change);
    if (former?.type !== 'file' && former?.type !== 'symlink') continue;
    const item: Destroyed = {
      path: change.from ?? change.path,
      type: former.type,
      sizeBytes: former.sizeBytes,
      how: change.change === 'deleted' ? 'deleted' : 'overwritten',
      fileAfter: change.change !== 'deleted' && change.type === 'file',
    };
    if (change.from !== undefined) item.movedTo = change.path;
    if (item.fileAfter) item.sizeAfter = change.sizeBytes;
    if (item.how === 'deleted' && (Number.parseInt(former.mode, 8) & 0o100) !== 0) item.wasExecutable = true;
    if (folders.has(folderAt(change.path))) item.isFolderGone = true;
    if (former.target !== undefined) item.target = former.target;
    destroyed.push(item);
  }
  return destroyed;
}

function formerNode(change: FileChange): FileChange['before'] {
  switch (change.change) {
    case 'deleted':
      return change.before ?? change;
    case 'modified':
      return change.before ?? change;
    case 'renamed':
      return change.rewritten ? (change.before ?? change) : undefined;
    case 'created':
      return change.before;
    case 'mode':
      return undefined;
  }
}

/** Where stands afterwards what a file has become. */
export function placeAfter({ path, movedTo }: Destroyed): string {
  return movedTo ?? path;
}

/** Folders that the action deletes, absolute. */
export function deletedFolders(files: readonly FileChange[]): Set<string> {
  const folders = new Set<string>();
  for (const change of files) {
    if (change.change === 'deleted' && change.type === 'directory') folders.add(change.path);
    else if (change.before?.type === 'directory' && change.type !== 'directory') folders.add(change.path);
  }
  return folders;
}

/**
 * The topmost of a set of paths: each path, or the highest deleted folder that it stands in. So that git is asked about
 * one folder, not about the 50,000 files in it.
 */
export function topmost(paths: Iterable<string>, folders: ReadonlySet<string>): Set<string> {
  const top = new Set<string>();
  const highest = new Map<string, string>();
  for (const path of paths) {
    const folder = folderOf(path);
    top.add(folders.has(folder) ? highestDeleted(folder, folders, highest) : path);
  }
  return top;
}

function highestDeleted(folder: string, folders: ReadonlySet<string>, known: Map<string, string>): string {
  const before = known.get(folder);
  if (before !== undefined) return before;
  const parent = folderOf(folder);
  const found = parent !== folder && folders.has(parent) ? highestDeleted(parent, folders, known) : folder;
  known.set(folder, found);
  return found;
}

const gitInternal = /(^|\/)\.git(\/|$)/;

/**
 * The path is part of git's own storage (`.git` and everything below it): noise to a user, whose story `gitEffects`
 * tells. Bare repositories have no such name; see `gitFolders`.
 */
export function isGitInternal(path: string): boolean {
  return gitInternal.test(path);
}

const ownHook = /(^|\/)\.git\/(modules\/.+\/)?hooks\/[^/]+$/;

/** A hook that somebody wrote: the one kind of work that lives below `.git` and nowhere else. */
export function isOwnHook(path: string): boolean {
  return ownHook.test(path) && !path.endsWith('.sample');
}
