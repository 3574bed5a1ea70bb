import type { GitFact } from '../../facts/gitFact.ts';
import { isSecret } from '../../programs/targets.ts';
import { namesIn } from './gitIndex.ts';
import type { GitFolderTask } from './gitTask.ts';

/** So much of an index is read: 64 MiB, some 600,000 files. */
const maxIndexBytes = 64 * 1024 * 1024;

interface Indexes {
  before: Uint8Array | undefined;
  after: Uint8Array | undefined;
}

/** The index of a repository before and after the action, as far as it can be read. */
export async function indexesOf({ group, input }: GitFolderTask): Promise<Indexes> {
  const path = `${group.folder}/index`;
  const [before, after] = await Promise.all([
    input.view.read(path, 'before', maxIndexBytes),
    input.view.read(path, 'after', maxIndexBytes),
  ]);
  return { before, after };
}

/**
 * Files that may hold keys or passwords, that lay in the working tree unknown to git, and that its index has afterwards: whoever
 * gets the next commit gets them too. What the action itself brings (a clone, a switch, a pull) is known to others already.
 * `indexes`: where they were read before.
 */
export async function trackedSecrets(task: GitFolderTask, indexes?: Indexes): Promise<GitFact[]> {
  const { root } = task.group;
  if (root === undefined) return [];
  const { before, after } = indexes ?? (await indexesOf(task));
  const named = ((after && namesIn(after)) ?? []).filter((name) => isSecret(`/${name}`));
  if (named.length === 0) return [];
  const known = new Set(before && namesIn(before));
  const fresh = named.filter((name) => !known.has(name));
  const lay = await Promise.all(fresh.map((name) => task.input.view.read(`${root}/${name}`, 'before', 1)));
  const paths = fresh.filter((_, index) => lay[index] !== undefined);
  return paths.length === 0 ? [] : [{ kind: 'secretsTracked', paths }];
}
