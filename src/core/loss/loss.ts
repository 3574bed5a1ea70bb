import * as z from 'zod/mini';

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
  'local-history',
  'outside-repository',
  'commits',
  'stash',
  'unsaved',
  /** Git has a repository there but could not be asked; `why` says the reason. Counted as not recoverable. */
  'unknown',
]);
export type LossClass = z.infer<typeof LossClass>;

/** One path, set of commits or stash that the action destroys or overwrites. */
export const Loss = z.object({
  /** Absolute path, or the name of the ref whose commits are lost. */
  path: z.string(),
  class: LossClass,
  /** One clause, for example `untracked`, or `3 commits on no other branch`. */
  why: z.string(),
  /** `no`, or a sentence that begins `yes, from …`. */
  recoverable: z.string(),
  sizeBytes: z.number(),
  /** Lines of text that exist nowhere else; absent for binary or huge files. */
  lines: z.optional(z.number()),
});
export type Loss = z.infer<typeof Loss>;
