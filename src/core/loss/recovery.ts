import * as z from 'zod/mini';

/** The command that brings it back, for a POSIX shell in any folder; absent where none is known. */
const command = z.optional(z.string());

/** Whether and from where something that an action destroys can be brought back. Only `none` is lost for good. */
export const Recovery = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  /** A commit has it, one of this repository; `remoteBranch`: also a remote, as of the last fetch. */
  z.object({ kind: z.literal('commit'), commit: z.string(), remoteBranch: z.optional(z.string()), command }),
  /** Git has the staged content. */
  z.object({ kind: z.literal('index'), id: z.string(), command }),
  /** A stash entry or another name of git holds it; `holder` is a phrase, for example `stash@{0}` or `branch topic`. */
  z.object({ kind: z.literal('gitName'), holder: z.string(), command }),
  /** Git has the object, which no name reaches, until the next gc. */
  z.object({ kind: z.literal('objectDatabase'), id: z.optional(z.string()), command }),
  /** The action itself stores it in git. */
  z.object({ kind: z.literal('storedByAction'), id: z.string(), command }),
  /** Only the reflog reaches the commit, until it expires. */
  z.object({ kind: z.literal('reflog'), commit: z.string(), command }),
  /** Every commit is on a remote, as of the last fetch. `address` is without credentials. */
  z.object({ kind: z.literal('remote'), address: z.string(), command }),
  /** A tool makes it again from the file `from` (absolute) that stands beside `made`. */
  z.object({ kind: z.literal('tool'), tool: z.string(), from: z.string(), made: z.string(), command }),
  /** A symbolic link: its target is known. */
  z.object({ kind: z.literal('linkTarget'), target: z.string(), command }),
  /** VS Code kept a copy; `savedAt` in milliseconds since 1970. */
  z.object({ kind: z.literal('localHistory'), savedAt: z.number(), copy: z.string(), command }),
  /** An editor has it open, unsaved. */
  z.object({ kind: z.literal('editor') }),
  /** Another file, absolute, holds the same bytes after the action: a copy, or an archive (`format`, for example `gzip`). */
  z.object({ kind: z.literal('file'), file: z.string(), format: z.optional(z.string()), command }),
]);
export type Recovery = z.infer<typeof Recovery>;

/** It cannot be brought back. */
export function isLostForGood({ recovery }: { recovery: Recovery }): boolean {
  return recovery.kind === 'none';
}
