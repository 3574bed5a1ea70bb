import { quoteWord } from '../../shell/quoteWord.ts';
import type { FileChange } from '../../view/fileChange.ts';
import { deletedFolders } from '../destroyed.ts';
import { repositoryFinder } from './findRepositories.ts';

/** A repository that a way back is about. Paths are absolute. */
export interface MeantRepository {
  /** Top of its working tree; absent where it has none, or none is known. */
  root?: string | undefined;
  /** Where its objects and names are. */
  commonFolder: string;
}

/** How git is called by whoever takes a way back. */
export interface GitThere {
  /** For what needs the objects and names alone. */
  names: string;
  /** For what writes into the working tree; `undefined`: that is gone. */
  tree: string | undefined;
}

/**
 * How git is called for a repository where the user stands in these folders, afterwards: `git` alone where it finds that
 * repository itself, else with its place. Without a folder he is taken to stand in it.
 */
export async function gitThere(
  meant: MeantRepository,
  standsIn: readonly string[] | undefined,
  files: readonly FileChange[],
): Promise<GitThere> {
  const { root, commonFolder } = meant;
  const deleted = deletedFolders(files);
  const isRootGone = root === undefined || deleted.has(root);
  const found = await Promise.all((standsIn ?? []).map((folder) => repositoryAt(folder, deleted)));
  const isThere = found.every((repository) => repository?.commonFolder === commonFolder);
  const isInTree = found.every((repository) => repository !== undefined && repository.root === root);
  const placed = isRootGone ? `git --git-dir=${quoteWord(commonFolder)}` : `git -C ${quoteWord(root)}`;
  return { names: isThere ? 'git' : placed, tree: isRootGone ? undefined : isInTree ? 'git' : placed };
}

/** Where somebody stands whose folder goes, git finds nothing. */
async function repositoryAt(folder: string, deleted: ReadonlySet<string>) {
  if (deleted.has(folder)) return undefined;
  return (await repositoryFinder(deleted, new Set()).place(folder)).repository;
}
