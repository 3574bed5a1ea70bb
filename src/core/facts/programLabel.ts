import * as z from 'zod/mini';

/** How a program came about, where its arguments do not say it as a person would. */
export const ProgramLabel = z.discriminatedUnion('kind', [
  /** A named script of a project, such as `build` of package.json; `words`: what it runs, as it was written. */
  z.object({ kind: z.literal('script'), name: z.string(), words: z.string() }),
  /** A tool of the project that `by` (npx, pnpm) starts; `words`: the tool and its arguments. */
  z.object({ kind: z.literal('tool'), by: z.string(), words: z.string() }),
  /** A hook of git: `pre-commit`. */
  z.object({ kind: z.literal('hook'), name: z.string() }),
  /** A command that `by` handed to a shell (a recipe of make, `system()` of awk), as it was written. */
  z.object({ kind: z.literal('line'), by: z.string(), words: z.string(), asUser: z.optional(z.string()) }),
  /** Another program was asked to start it: `sudo`, `xargs`, `env`. `asUser`: with the rights of this user. */
  z.object({ kind: z.literal('startedBy'), by: z.string(), asUser: z.optional(z.string()) }),
  /** A part of a version manager (`by`) that looks for the real program, or the stand-in that calls it. */
  z.object({ kind: z.literal('shim'), by: z.string() }),
  /** The real program that a version manager found; `argv`: as it was called. */
  z.object({ kind: z.literal('behindShim'), by: z.string(), argv: z.array(z.string()) }),
]);
export type ProgramLabel = z.infer<typeof ProgramLabel>;
