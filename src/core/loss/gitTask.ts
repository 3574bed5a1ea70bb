import type { GitEffectsInput } from './gitEffects.ts';
import type { GitFact } from './gitFact.ts';
import type { GitFolderChanges } from './gitFolders.ts';
import type { Loss } from './loss.ts';

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
