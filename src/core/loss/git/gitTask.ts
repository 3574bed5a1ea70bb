import type { GitFact } from '../../facts/gitFact.ts';
import type { Loss } from '../../facts/loss.ts';
import type { GitEffectsInput } from './gitEffects.ts';
import type { GitFolderChanges } from './gitFolders.ts';

/** One repository that the action reaches into, with everyone who can be asked about it. */
export interface GitFolderTask {
  input: GitEffectsInput;
  group: GitFolderChanges;
}

/** What is found out about one repository. */
export interface Findings {
  /** In the order in which a reader wants them. */
  facts: GitFact[];
  loss: Loss[];
}
