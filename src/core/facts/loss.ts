import * as z from 'zod/mini';
import { hasKind } from '../view/hasKind.ts';
import type { Commits } from './gitFact.ts';
import { Recovery } from './recovery.ts';

/** Why a deleted or overwritten path can, or cannot, be brought back. */
export const LossClass = z.enum([
  'committed-pushed',
  'committed-local',
  'index',
  'modified',
  'untracked',
  'elsewhere-in-git',
  'reproducible',
  'ignored',
  /** Ignored by git, and of a kind that programs write as they run: logs, process ids, temporary files. */
  'leftover',
  'local-history',
  'outside-repository',
  'commits',
  'stash',
  'unsaved',
  /** Git has a repository there but could not be asked; `because` has the failure. Counted as not recoverable. */
  'unknown',
]);
export type LossClass = z.infer<typeof LossClass>;

/**
 * How the content of a file goes. `deleted`: nothing stands there afterwards. `replaced`: something else does, or an older
 * version that git has. `edited`: most of the old content is still in it.
 */
export const Going = z.enum(['deleted', 'replaced', 'edited']);
export type Going = z.infer<typeof Going>;

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
        /** A version of a file that only the index had; the file itself is another one. */
        | 'stagedVersion'
        /** HEAD does not have it, and git does. */
        | 'elsewhereInGit'
        | 'madeByTool'
        | 'pushed'
        | 'committedHere'
        /** Committed, on no remote, in a repository that goes too. */
        | 'committedInDeleted'
        | 'outsideRepository'
        /** A repository of which every commit is on a remote, or in another one beside it. */
        | 'allOnRemote'
        | 'allBeside'
        /** Of which the action itself writes every commit into a file: a bundle. */
        | 'allInFile'
        /** Or into several that have them together. */
        | 'allInFiles'
        /** A repository that the action itself packs before it goes. */
        | 'packedWhole';
    }
  /** Git could not say whether it has it. */
  | { kind: 'gitFailed'; failure: string }
  /** Git has it in a form that a filter of this name gave it, and only that could say whether it is the same. */
  | { kind: 'filtered'; filter: string }
  /** It is made from `from` (absolute), which is lost too. */
  | { kind: 'makerLost'; from: string }
  /** It is another name (a hard link) of the file at `of` (absolute), whose loss is told there; its content counts once. */
  | { kind: 'otherName'; of: string }
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

/** One path, set of commits or stash that the action destroys or overwrites. */
export const Loss = z.object({
  /** Absolute path, or the name of the ref whose commits are lost. */
  path: z.string(),
  class: LossClass,
  because: LossReason,
  /** `because` in words: one clause, for example `untracked`, or `3 commits on no other branch`. */
  why: z.string(),
  recovery: Recovery,
  /** `recovery` in words: `no`, or a sentence that begins `yes, from …`. */
  recoverable: z.string(),
  /** Files only. */
  going: z.optional(Going),
  /**
   * Of class `commits`: how many; how many new ones take their place; and whether the files as they stand afterwards have
   * what the commits changed (`git reset --soft`).
   */
  commits: z.optional(z.object({ count: z.number(), replacedBy: z.number(), inFiles: z.boolean() })),
  sizeBytes: z.number(),
  /** Lines of text that exist nowhere else; absent for binary or huge files. */
  lines: z.optional(z.number()),
  /** An editor has it open with unsaved changes. */
  isOpenUnsaved: z.optional(z.boolean()),
  /** The action removes the copy that git had, too. */
  isCopyRemoved: z.optional(z.boolean()),
});
export type Loss = z.infer<typeof Loss>;

/** A loss as it is found, without words. */
export type FoundLoss = Omit<Loss, 'why' | 'recoverable'>;
