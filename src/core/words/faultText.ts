import type { ReplyFault } from '../facts/replyFault.ts';

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

/** A fault as one sentence with a next step. */
export function faultSentence(fault: ReplyFault): string {
  if (fault.kind === 'empty' || fault.kind === 'only-reasoning') {
    return 'The model ended its reply without saying what it expects; predict again, or choose another model.';
  }
  if (fault.kind === 'cut') {
    const budget = fault.tokens === undefined ? '' : ` of ${fault.tokens.toLocaleString('en')} tokens`;
    return fault.where === 'reasoning'
      ? `The budget${budget} was spent on thinking before the model wrote what it expects; allow more tokens for the reply, or turn thinking off.`
      : `The budget${budget} ended before the prediction did, so nothing of it counts; allow more tokens for the reply.`;
  }
  return `The model ${faultClause(fault)}, so its reply does not count; predict again, or choose another model.`;
}
