import type { GitEffectsInput } from './gitEffects.ts';
import type { GitFolderChanges } from './gitFolders.ts';
import type { Loss } from './loss.ts';

/** One repository that the action reaches into, with everyone who can be asked about it. */
export interface GitFolderTask {
  input: GitEffectsInput;
  group: GitFolderChanges;
}

/** What is found out about one repository. */
export interface Findings {
  /** One clause each, in the order in which a reader wants them. */
  details: string[];
  loss: Loss[];
}
