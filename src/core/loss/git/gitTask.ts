import type { GitFact } from '../../facts/gitFact.ts';
import type { FoundLoss } from '../../facts/loss.ts';
import type { FileChange } from '../../view/fileChange.ts';
import type { Looker, View } from '../../view/view.ts';

import type { GitFolderChanges } from './gitFolders.ts';

/** One repository that the action reaches into, with everyone who can be asked about it. */
export interface GitFolderTask {
  input: GitEffectsInput;
  group: GitFolderChanges;
  /** Git folders of other repositories that it reaches into, and that are there afterwards. */
  others: readonly string[];
  /** How git is called for it by whoever takes a way back. */
  git: string;
}

/** What is found out about one repository. */
export interface Findings {
  /** In the order in which a reader wants them. */
  facts: GitFact[];
  loss: FoundLoss[];
}

/** What `gitEffects` needs to know. All paths are absolute. */
export interface GitEffectsInput {
  /** The changes of the action, complete. */
  files: readonly FileChange[];
  view: View;
  /** Looks at the real files, before the action. */
  looker: Looker;
  /** Looks at the view, after the action. */
  inView: Looker;
  /** Git had, or may have had, a part in the action; else whatever changed in its folder was written by hand. */
  gitRan: boolean;
  /** Where the user stands who would take a way back. */
  standsIn?: readonly string[] | undefined;
  signal: AbortSignal;
}
