import type { TokenUsage } from '../../../prediction/question.ts';
import { type Complaint, quote } from './clientErrors.ts';
import type { ServerTraits } from './clientProbe.ts';
import { serverRow } from './serverKinds.ts';

const count = (tokens: number) => tokens.toLocaleString('en');

/** The prompt leaves no room for a reply. Sizes in tokens. */
export function promptTooLong(
  traits: ServerTraits,
  contextTokens: number | undefined,
  prompt: { tokens: number; exact: boolean },
): Complaint {
  const size = `${prompt.exact ? '' : 'about '}${count(prompt.tokens)} tokens`;
  const context = contextTokens === undefined ? 'less' : `only ${count(contextTokens)}`;
  return {
    code: 'prompt-too-long',
    message: `The prompt has ${size}, and the context of ${quote(traits.name)} has ${context}; lower the context budget, or ${serverRow(traits.kind).longerContext}.`,
  };
}

/** Less than this share of what we estimate cannot be an error of the estimate; see `estimateTokens()`. */
const leastShare = 0.65;
/** Contexts are larger than this; fewer tokens are those that an old server did not take from its cache. */
const leastContext = 1000;

/**
 * The server has cut the prompt without saying so, as Ollama does: it counted far fewer tokens than we sent. Undefined when
 * it did not, or when another kind of server counted, because those refuse.
 */
export function truncatedPrompt(
  traits: ServerTraits,
  usage: TokenUsage | undefined,
  estimatedTokens: number,
): Complaint | undefined {
  if (!serverRow(traits.kind).cutsSilently || !usage?.exact) return undefined;
  if (usage.promptTokens < leastContext || usage.promptTokens >= estimatedTokens * leastShare) return undefined;
  return {
    code: 'prompt-truncated',
    message: `${quote(traits.name)} read only ${count(usage.promptTokens)} of about ${count(estimatedTokens)} tokens and dropped the rest of the prompt silently; ${serverRow(traits.kind).longerContext}.`,
  };
}
