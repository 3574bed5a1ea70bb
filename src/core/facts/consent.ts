import * as z from 'zod/mini';

/** A program that a consent names: what it was called, and the file that was found by that name. */
export const ConsentedProgram = z.object({ name: z.string(), file: z.string() });
export type ConsentedProgram = z.infer<typeof ConsentedProgram>;

/**
 * What a prediction may ask by a consent of its own, as a look: servers of this machine, or GitHub through `gh`. Only requests that
 * are meant to read are made; see `outsideLook.ts`.
 */
export const LookKind = z.enum(['localhost', 'github']);
export type LookKind = z.infer<typeof LookKind>;

/** What the user allows: programs that commands in a folder start really run, confined, offline, on a copy. */
export const Consent = z.object({
  /** Real path; the consent is for it and everything below. */
  folder: z.string(),
  /** These files and what they start, or every program. */
  programs: z.union([z.literal('all'), z.array(ConsentedProgram)]),
});
export type Consent = z.infer<typeof Consent>;
