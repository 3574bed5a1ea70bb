import { estimateTokens } from '../../../context/estimateTokens.ts';
import type { ChatMessage } from '../client/provider.ts';

/** What of a prompt that a server has read already it would have to read again. All in tokens, estimated. */
export interface PrefixChange {
  /** Where the prompts part. */
  at: number;
  /** The whole prompt that was sent. */
  sent: number;
  /** What is lost of what the server holds: all of it from `at` on. */
  lost: number;
  /** Code unit in the system message where they part. */
  offset: number;
}

/**
 * Compares the system message of a prompt that was sent with what it would be now: the first difference in it means that
 * everything behind, the turns too, is no longer a prefix that the server knows. Undefined: the message is the same.
 * `promptTokens`: how many the server says it read; the estimates are brought into line with it.
 */
export function prefixChange(
  sent: readonly Pick<ChatMessage, 'content'>[],
  system: string,
  promptTokens?: number,
): PrefixChange | undefined {
  const [first] = sent;
  if (!first || first.content === system) return undefined;
  const offset = sharedLength(first.content, system);
  const estimated = sent.reduce((sum, { content }) => sum + estimateTokens(content), 0);
  const scale = promptTokens === undefined || estimated === 0 ? 1 : promptTokens / estimated;
  const at = Math.round(estimateTokens(first.content.slice(0, offset)) * scale);
  const whole = Math.round(estimated * scale);
  return { at, sent: whole, lost: Math.max(0, whole - at), offset };
}

function sharedLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let low = 0;
  let high = most;
  // Whole stretches are compared, which engines do fast, until the place is found.
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (a.startsWith(b.slice(low, middle), low)) low = middle;
    else high = middle - 1;
  }
  return low;
}
