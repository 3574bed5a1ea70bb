import { parseReply } from './parseReply.ts';

/** A reply that holds no observation, or only a part of one. */
export interface ReplyProblem {
  /**
   * `budget-spent-thinking`: the budget ended the reply before an observation began. `empty-reply`: it ended by itself and
   * holds nothing but thinking. `observation-cut`: the budget ended the reply inside the observation.
   */
  code: 'budget-spent-thinking' | 'empty-reply' | 'observation-cut';
  /** One plain sentence with a next step. */
  message: string;
  /** There is an observation that can be shown, as far as it goes. */
  isUsable: boolean;
}

/**
 * What is wrong with a reply that a provider finished: `finished` with `length` only says that the budget ended it, and an
 * empty prediction must never be shown as if a program printed nothing. Undefined for a reply with a whole observation.
 * `content` and `reasoning` are all their events together; without reasoning sent apart, text without a tag that was cut by
 * the budget is taken as thinking, because servers without a parser put it there (vLLM, SGLang, llama.cpp).
 */
export function checkReply(reply: {
  content: string;
  reasoning: string;
  reason: 'stop' | 'length' | 'other';
  /** Budget that was sent, in tokens, for the sentence. */
  maxOutputTokens?: number;
}): ReplyProblem | undefined {
  const { rule, thinkingLength } = parseReply(reply.content);
  const hasNothing = rule === 'empty' || rule === 'nothing';
  const isThinkingKnown = reply.reasoning.trim() !== '' || (thinkingLength > 0 && !hasNothing);
  const budget = reply.maxOutputTokens === undefined ? '' : ` of ${reply.maxOutputTokens.toLocaleString('en')} tokens`;
  if (reply.reason === 'length') {
    if (hasNothing || (rule === 'untagged' && !isThinkingKnown)) {
      return {
        code: 'budget-spent-thinking',
        message: `The budget${budget} was spent on thinking before the model wrote what it expects; allow more tokens for the reply, or turn thinking off.`,
        isUsable: false,
      };
    }
    if (rule === 'tagged') return undefined;
    return {
      code: 'observation-cut',
      message: `The budget${budget} ended before the prediction did, so its end is missing; allow more tokens for the reply.`,
      isUsable: true,
    };
  }
  if (!hasNothing) return undefined;
  return {
    code: 'empty-reply',
    message: 'The model ended its reply without saying what it expects; predict again, or choose another model.',
    isUsable: false,
  };
}
