import type { Action } from '../action/action.ts';
import type { Diagnostic } from '../consequences/diagnostic.ts';
import type { EditedFile } from '../consequences/editedFiles.ts';
import type { Effect } from '../facts/effect.ts';
import type { Limit } from '../facts/limit.ts';
import type { FoundLoss } from '../facts/loss.ts';
import type { OtherSpelling } from '../facts/otherSpelling.ts';
import type { ProgramFact } from '../facts/programFact.ts';
import type { Incompleteness } from '../facts/risk.ts';
import type { StaticProgram } from '../shell/evaluated.ts';
import type { Basis } from '../view/basis.ts';
import type { FileChange } from '../view/fileChange.ts';

/**
 * All was run, so the facts tell what it did: but for what goes on beside the shell, which may come to it later. Where only what
 * it prints was left to chance, it was run twice.
 */
export function wasAllRun({ command }: StaticProgram, facts: Facts): boolean {
  const { exitCode, incomplete } = facts;
  const isKnown = isComplete(facts) || (exitCode !== undefined && incomplete?.doubt?.kind === 'outputVaries');
  return isKnown && !command?.background;
}

/** Nothing of the action is left that nobody knows. */
export function isComplete({ exitCode, incomplete }: Facts): boolean {
  return exitCode !== undefined && incomplete === undefined;
}

/** What the verdict is computed from. A folded `Prediction` has all of it. */
export interface Facts {
  action: Action;
  workspaceFolders: readonly string[];
  /** Home directory of the user, absolute. */
  home: string;
  /** 0 for root. */
  userId: number;
  /** The environment that the command would see; used for variables that are unset. */
  env: Readonly<Record<string, string | undefined>>;
  programs: readonly ProgramFact[];
  /** The programs that the script's text names; absent: nobody has read it yet. */
  written?: readonly StaticProgram[];
  files: readonly FileChange[];
  effects: readonly Effect[];
  loss: readonly FoundLoss[];
  exitCode?: number;
  exitBasis?: Basis | undefined;
  /** Standard error, decoded; quoted and never read. Empty at a terminal, which shows both streams as one. */
  errors: string;
  /** Standard output, decoded; only of an edit. */
  said?: string;
  /** What is special about the files of an edit. */
  edited?: readonly EditedFile[];
  /** What parsers find in the texts of an edit. */
  diagnostics?: readonly Diagnostic[];
  /** Why the prediction could not say everything; absent when it could. */
  incomplete?: Incompleteness | undefined;
  /** The limit of the rehearsal that it ran into. */
  limit?: Limit | undefined;
  /** Files that programs which nobody ran would write, and which are there; absolute. */
  standing?: readonly string[];
  /** What the script names to be written, where nothing is; absolute. */
  missing?: readonly string[];
  /** Programs of the script that were not started, or that nobody knows, and that are nowhere: words as they are written. */
  absent?: readonly string[];
  /** Calls that took away only what the command itself had made; as `callKey` joins them. */
  ownRemovals?: readonly string[];
  /** What is destroyed exists under another name than the one that was written. */
  otherSpellings?: readonly OtherSpelling[];
  /** Forced pushes that take nothing away from the remote as far as was fetched: their words, joined by NUL. */
  forwardPushes?: readonly string[];
}
