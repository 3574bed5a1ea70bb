import * as z from 'zod/mini';

/** Keys typed at a terminal, raw: they need `\n` to run a command. `duration` in seconds. */
export const Keystrokes = z.object({ keystrokes: z.string(), duration: z.number() });
export type Keystrokes = z.infer<typeof Keystrokes>;

/**
 * What is done in one turn of a trajectory, in any domain. `text`: an action that is neither, in the words of its domain
 * (a tap, a query), as it stands in the turn.
 */
export const TurnAction = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('keystrokes'), keystrokes: z.readonly(z.array(Keystrokes)) }),
  z.object({ kind: z.literal('tool'), name: z.string(), arguments: z.readonly(z.record(z.string(), z.unknown())) }),
  z.object({ kind: z.literal('text'), text: z.string() }),
]);
export type TurnAction = z.infer<typeof TurnAction>;
