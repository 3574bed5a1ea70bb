/** What the panel is told of safer commands, and the messages of the page that shows alternatives. Both sides parse what they receive. */
import * as z from 'zod/mini';
import { Level } from '../core/facts/level.ts';

/** Safer commands in the place of the predicted one, best first; each is proven by a rehearsal. */
export const SaferCommands = z.array(
  z.object({
    script: z.string(),
    level: Level,
    /** What is proven, in one sentence. */
    proven: z.string(),
    /** Dangers that stay, a sentence each. */
    remains: z.array(z.string()),
  }),
);
export type SaferCommands = z.infer<typeof SaferCommands>;

/** One of some alternatives, in words. */
const ShownAlternative = z.object({
  /** As it was given, from 0. */
  index: z.number(),
  script: z.string(),
  level: z.optional(Level),
  /** The headline in capitals, and what it is about. */
  word: z.string(),
  sentence: z.string(),
  /** `same`: as the first alternative; `other`: another one; `unknown`: nobody can say. */
  state: z.enum(['same', 'other', 'unknown']),
  stateText: z.string(),
  losses: z.object({ forGood: z.number(), back: z.number() }),
  exitCode: z.optional(z.number()),
  /** `A src/x`: what happens to files; the first ones. `more`: so many are not listed. */
  files: z.array(z.object({ change: z.string(), path: z.string() })),
  more: z.number(),
  output: z.string(),
  cost: z.string(),
});
export type ShownAlternative = z.infer<typeof ShownAlternative>;

/** Host → page: everything that is shown. */
export const CompareMessage = z.object({
  type: z.literal('compared'),
  running: z.boolean(),
  headline: z.string(),
  best: z.optional(z.number()),
  alternatives: z.array(ShownAlternative),
});
export type CompareMessage = z.infer<typeof CompareMessage>;

/** Page → host. */
export const CompareRequest = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  /** Show the whole prediction of one of them in the panel. */
  z.object({ type: z.literal('predict'), index: z.number() }),
  z.object({ type: z.literal('copy'), index: z.number() }),
]);
export type CompareRequest = z.infer<typeof CompareRequest>;
