import * as z from 'zod/mini';

/** Why the gate stopped a program before its first instruction. */
export const GateReason = z.discriminatedUnion('kind', [
  /** `file`: what would run, absolute; a name without a place was looked up. */
  z.object({ kind: z.literal('notInert'), file: z.optional(z.string()) }),
  /** It would load a library (`path`) that can be changed without being root. */
  z.object({ kind: z.literal('openLibrary'), path: z.string() }),
  z.object({ kind: z.literal('otherUser') }),
  z.object({ kind: z.literal('readsMachine') }),
  z.object({ kind: z.literal('changedMeanwhile') }),
  z.object({ kind: z.literal('unreadable') }),
]);
export type GateReason = z.infer<typeof GateReason>;
