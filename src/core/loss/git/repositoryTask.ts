import type { Destroyed } from '../destroyed.ts';
import type { Repository } from './findRepositories.ts';

/** Some destroyed content that stands in one repository. Paths in `items` are without symbolic links. */
export interface RepositoryTask {
  repository: Repository;
  /** Topmost destroyed paths: what git is asked about. */
  topmost: ReadonlySet<string>;
  items: readonly Destroyed[];
  storage: StorageChange;
}

/** What the action does to a repository's storage, as far as the list of changes tells. */
export interface StorageChange {
  /** The folder with objects and refs is deleted. */
  destroyed: boolean;
  /** Ids of blobs, trees and commits that the action adds as loose objects. */
  addedIds: ReadonlySet<string>;
  /** Objects or packs are deleted (`git gc`, `git prune`): what is still there must be asked in the view. */
  removesObjects: boolean;
  /** The index is another one afterwards: what it holds then must be asked in the view. */
  indexChanged: boolean;
  /** A remote is a folder that is deleted too. */
  removesRemote(address: string): boolean;
}
