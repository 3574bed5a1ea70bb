import * as z from 'zod/mini';

/** How often something was said, of several samples. `says` is for people: `exits 0`. */
export const Vote = z.object({ says: z.string(), count: z.number() });
export type Vote = z.infer<typeof Vote>;

/** Why a reply of a model is no answer: nothing of it becomes a fact. */
export const ReplyFault = z.discriminatedUnion('kind', [
  /** There was no text. */
  z.object({ kind: z.literal('empty') }),
  /** There was nothing but reasoning. */
  z.object({ kind: z.literal('only-reasoning') }),
  /** The budget (`tokens`, where it is known) ended the reply; `where`: what was being written then. */
  z.object({
    kind: z.literal('cut'),
    where: z.enum(['reasoning', 'answer']),
    tokens: z.optional(z.number()),
  }),
  z.object({ kind: z.literal('refused') }),
  /** It calls a tool in the place of an answer. */
  z.object({ kind: z.literal('tool-call') }),
  /** Text that is not in the form that was asked for: prose, JSON, a code fence, a table, other or translated field names. */
  z.object({ kind: z.literal('prose') }),
  z.object({ kind: z.literal('json') }),
  z.object({ kind: z.literal('fence') }),
  z.object({ kind: z.literal('other-fields') }),
  /** The tags around the answer are missing, are others, or are never closed. */
  z.object({ kind: z.literal('no-tags') }),
  z.object({ kind: z.literal('unclosed') }),
  /** More than one answer, words behind the answer, or turns that nobody took. */
  z.object({ kind: z.literal('several-answers') }),
  z.object({ kind: z.literal('words-after') }),
  z.object({ kind: z.literal('another-turn') }),
  /** It repeats the form, or the prompt, and does not fill it. */
  z.object({ kind: z.literal('placeholder') }),
  /** A field that has to be there is not. */
  z.object({ kind: z.literal('field-missing'), field: z.string() }),
  /** `said` is no exit code. */
  z.object({ kind: z.literal('bad-exit-code'), said: z.string() }),
  /** `said` is no signal, or contradicts the exit code. */
  z.object({ kind: z.literal('bad-signal'), said: z.string() }),
  /** `said` is a line that a listing cannot have. */
  z.object({ kind: z.literal('no-listing'), said: z.string() }),
  /** A look that fails shows nothing. */
  z.object({ kind: z.literal('look-failed') }),
  /** Only a part of what was asked for. */
  z.object({ kind: z.literal('partial') }),
  /** It repeats a mark that stands for a secret, which the model was not shown. */
  z.object({ kind: z.literal('redacted') }),
  /** Several samples, of which no more than half agree. */
  z.object({ kind: z.literal('disagreement'), votes: z.array(Vote) }),
]);
export type ReplyFault = z.infer<typeof ReplyFault>;

/** The code of the failure that a fault is. */
export function faultCode(fault: ReplyFault): string {
  if (fault.kind === 'empty' || fault.kind === 'only-reasoning') return 'empty-reply';
  if (fault.kind === 'cut') return fault.where === 'reasoning' ? 'budget-spent-thinking' : 'observation-cut';
  return 'unusable-reply';
}
