import * as z from 'zod/mini';
import { hasKind } from '../view/hasKind.ts';
import type { Commits } from './gitFact.ts';

/** Why content, commits or stashed work would be lost, or can be brought back. Names and messages are data. */
export type LossReason =
  | {
      kind: /** Modified since the last commit. */
        | 'modified'
        | 'untracked'
        /** Ignored by git; nothing says how to make it again. */
        | 'ignored'
        /** Ignored by git, and of a kind that programs write as they run. */
        | 'leftover'
        | 'staged'
        /** Staged only, in a repository that goes too. */
        | 'stagedInDeleted'
        /** HEAD does not have it, and git does. */
        | 'elsewhereInGit'
        | 'madeByTool'
        | 'pushed'
        | 'committedHere'
        /** Committed, on no remote, in a repository that goes too. */
        | 'committedInDeleted'
        | 'outsideRepository'
        /** A repository of which every commit is on a remote. */
        | 'allOnRemote';
    }
  /** Git could not say whether it has it. */
  | { kind: 'gitFailed'; failure: string }
  /** It is made from `from` (absolute), which is lost too. */
  | { kind: 'makerLost'; from: string }
  /** Commits that no other name has; `replacedBy` new ones take their place; `inFiles`: the files have what they changed. */
  | { kind: 'unreachable'; commits: Commits; replacedBy: number; inFiles: boolean }
  /** Commits of so many more names. */
  | { kind: 'unreachableOfMore'; commits: Commits; names: number }
  /** Commits of a repository that goes. */
  | { kind: 'onNoRemote'; commits: Commits; hasRemote: boolean }
  /** A repository whose commits could not be read. */
  | { kind: 'unreadableRepository'; failure: string }
  /** Commits that only the reflog kept. */
  | { kind: 'onlyLogged'; commits: Commits }
  | { kind: 'stashed'; message: string };

/** At a border a reason is checked as far as its kind. */
export const LossReason = z.custom<LossReason>(hasKind);
