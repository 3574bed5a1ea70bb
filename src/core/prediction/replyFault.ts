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

/** Why something was assumed, for whoever shows it. */
export const AssumptionCause = z.enum([
  /** Nobody was there to ask. */
  'no-model',
  /** The model says that it cannot know. */
  'model-unknown',
  /** The model's reply was no answer; `fault` says how. */
  'model-unusable',
  /** The model could not be asked, or did not answer. */
  'model-failed',
  /** It does not end by itself. */
  'never-ends',
  /** It was looked through. */
  'looked-through',
]);
export type AssumptionCause = z.infer<typeof AssumptionCause>;

/** What a model did in the place of an answer, as a clause whose subject is the model: `refused`, `replied with prose`. */
export function faultClause(fault: ReplyFault): string {
  switch (fault.kind) {
    case 'empty':
      return 'replied with nothing';
    case 'only-reasoning':
      return 'gave its reasoning and no answer';
    case 'cut': {
      const at =
        fault.tokens === undefined ? 'by the limit of tokens' : `at ${fault.tokens.toLocaleString('en')} tokens`;
      return fault.where === 'reasoning' ? `was cut ${at} while it was still thinking` : `was cut ${at} in its answer`;
    }
    case 'refused':
      return 'refused';
    case 'tool-call':
      return 'called a tool instead of answering';
    case 'prose':
      return 'replied with prose';
    case 'json':
      return 'replied with JSON that was not asked for';
    case 'fence':
      return 'put its answer into a code fence';
    case 'other-fields':
      return 'replied with other fields than those asked for';
    case 'no-tags':
      return 'left out the tags around its answer';
    case 'unclosed':
      return 'did not close its answer';
    case 'several-answers':
      return 'gave more than one answer';
    case 'words-after':
      return 'went on after its answer';
    case 'another-turn':
      return 'went on with turns of its own';
    case 'placeholder':
      return 'repeated the form without filling it';
    case 'field-missing':
      return `left out the field \`${fault.field}\``;
    case 'bad-exit-code':
      return `gave \`${fault.said}\` as an exit code`;
    case 'bad-signal':
      return `gave \`${fault.said}\` as a signal`;
    case 'no-listing':
      return `gave \`${fault.said}\` as a line of a listing`;
    case 'look-failed':
      return 'let the look at the files fail';
    case 'partial':
      return 'gave only a part';
    case 'redacted':
      return 'would have to know a secret that it was not shown';
    case 'disagreement':
      return `gave samples that disagree (${fault.votes.map(({ says, count }) => `${count} × ${says}`).join(', ')})`;
  }
}
