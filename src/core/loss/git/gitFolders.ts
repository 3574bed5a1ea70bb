import type { FileChange } from '../../view/fileChange.ts';
import type { View } from '../../view/view.ts';
import { folderOf } from '../bytePath.ts';
import { isGitFolder } from './findRepositories.ts';

/** The changes below one git folder (`.git`, a bare repository, `.git/modules/name`). */
export interface GitFolderChanges {
  /** Absolute path of the folder. */
  folder: string;
  /** Working tree that belongs to it, where its place says so: the folder around `.git`. */
  root?: string;
  /** Changes by path relative to the folder, in order; the folder itself is `''`. */
  changes: Map<string, FileChange>;
  /** `appears`: there was no repository before. `disappears`: there is none afterwards. */
  fate: 'appears' | 'disappears' | 'stays';
}

/** Whether any of these paths could be git's own, or its settings; one pass instead of one for each question. */
export function mayConcernGit(files: readonly FileChange[]): boolean {
  const known = concerning.get(files);
  if (known?.length === files.length) return known.isSo;
  const isSo = files.some(({ path, from }) => partOfGit.test(path) || (from !== undefined && partOfGit.test(from)));
  concerning.set(files, { length: files.length, isSo });
  return isSo;
}

// A list of 50,000 is asked about by several; it only grows.
const concerning = new WeakMap<readonly FileChange[], { length: number; isSo: boolean }>();

const partOfGit = /\/\.git|\/objects\/|\/refs\/|\/HEAD$|\/packed-refs$|config$/;

const bareEntry = /^(.+?)\/(?:HEAD|packed-refs|objects\/(?:[0-9a-f]{2}|pack|info)|refs\/[^/]+)(?:\/.*)?$/;

/**
 * Bare repositories (`project.git`) that the changes reach into. They have no `.git` in their paths, so they are
 * recognised by what they hold: HEAD, objects and refs.
 */
export async function bareRepositories(files: readonly FileChange[]): Promise<Set<string>> {
  const candidates = new Set<string>();
  if (!mayConcernGit(files)) return candidates;
  for (const { path, from } of files) {
    for (const one of from === undefined ? [path] : [path, from]) {
      // Most paths fail this cheap test.
      if (!/\/(?:objects|refs)\/|\/(?:HEAD|packed-refs)$/.test(one)) continue;
      if (one.includes('/.git/')) continue;
      const folder = bareEntry.exec(one)?.[1];
      if (folder !== undefined) candidates.add(folder);
    }
  }
  if (candidates.size === 0) return candidates;
  const created = new Set(files.filter((change) => change.change === 'created').map((change) => change.path));
  const found = new Set<string>();
  for (const folder of candidates) {
    const appears = created.has(`${folder}/HEAD`) && created.has(`${folder}/objects`);
    if (appears || (await isGitFolder(folder))) found.add(folder);
  }
  return found;
}

/** Groups the changes below git folders. Empty when the action touches none. */
export async function touchedGitFolders(files: readonly FileChange[]): Promise<GitFolderChanges[]> {
  const bare = await bareRepositories(files);
  const groups = new Map<string, GitFolderChanges>();
  const submodules = submoduleFolders(files);
  const put = (change: FileChange, isKept: boolean) => {
    const folder = gitFolderOf(change.path, bare, submodules);
    if (folder === undefined) return;
    let group = groups.get(folder);
    if (!group) {
      group = { folder, changes: new Map(), fate: 'stays' };
      if (folder.endsWith('/.git')) group.root = folderOf(folder);
      groups.set(folder, group);
    }
    const name = change.path.slice(folder.length + 1);
    if (isKept || !group.changes.has(name)) group.changes.set(name, change);
  };
  for (const change of files) put(change, true);
  // What is moved is gone where it was.
  for (const { from, ...change } of files)
    if (from !== undefined) put({ ...change, path: from, change: 'deleted' }, false);
  // A file `.git` only points somewhere; what it points to is another group.
  const all = [...groups.values()].filter((group) => group.changes.get('')?.type !== 'file' || group.changes.size > 1);
  for (const group of all) group.fate = fateOf(group);
  return all;
}

function gitFolderOf(path: string, bare: ReadonlySet<string>, submodules: ReadonlySet<string>): string | undefined {
  const at = path.indexOf('/.git/');
  if (at < 0) {
    if (path.endsWith('/.git')) return path;
    for (const folder of bare) if (path === folder || path.startsWith(`${folder}/`)) return folder;
    return undefined;
  }
  const folder = path.slice(0, at + 5);
  if (!path.startsWith('modules/', at + 6)) return folder;
  let end = path.length;
  while (end > at + 5) {
    const candidate = path.slice(0, end);
    if (submodules.has(candidate)) return candidate;
    end = path.lastIndexOf('/', end - 1);
  }
  return folder;
}

// A submodule's name may have slashes, so only what is in the folder tells where it begins.
const submoduleEntry =
  /^(.+\/\.git\/modules\/.+?)\/(?:HEAD|index|config|packed-refs|objects|refs|logs|hooks)(?:\/.*)?$/;

function submoduleFolders(files: readonly FileChange[]): Set<string> {
  const found = new Set<string>();
  for (const { path } of files) {
    const folder = path.includes('/.git/modules/') ? submoduleEntry.exec(path)?.[1] : undefined;
    if (folder !== undefined) found.add(folder);
  }
  return found;
}

function fateOf(group: GitFolderChanges): GitFolderChanges['fate'] {
  const [itself, head, objects] = ['', 'HEAD', 'objects'].map((name) => group.changes.get(name)?.change);
  if (head === 'created' || head === 'renamed') return 'appears';
  return itself === 'deleted' || (head === 'deleted' && objects === 'deleted') ? 'disappears' : 'stays';
}

/**
 * Where a git folder that disappears was moved or copied to: a folder that appears and has the same HEAD, settings and
 * packed refs. `undefined` when it is really gone.
 */
export async function movedGitFolder(
  folder: string,
  files: readonly FileChange[],
  view: View,
): Promise<string | undefined> {
  const moved = files.find((change) => change.from === `${folder}/HEAD` || change.from === folder);
  if (moved) return moved.from === folder ? moved.path : folderOf(moved.path);
  for (const change of files) {
    if (change.change !== 'created' || change.type !== 'file' || !change.path.endsWith('/HEAD')) continue;
    const candidate = folderOf(change.path);
    const same = await Promise.all(
      ['HEAD', 'config', 'packed-refs'].map(async (name) => {
        const [old, now] = await Promise.all([
          view.read(`${folder}/${name}`, 'before'),
          view.read(`${candidate}/${name}`, 'after'),
        ]);
        return old === now || (old !== undefined && now !== undefined && Buffer.compare(old, now) === 0);
      }),
    );
    const objects = files.some((one) => one.path === `${candidate}/objects` && one.change === 'created');
    if (objects && same.every(Boolean)) return candidate;
  }
  return undefined;
}
