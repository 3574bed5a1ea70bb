import { estimateTokens } from '../../core/context/estimateTokens.ts';
import type { LanguageProvider } from '../../core/worlds/language/client/provider.ts';

/** A server that does not count in this time is not waited for. */
const countLimitMs = 700;

/** `1,234`. */
export const grouped = (count: number) => count.toLocaleString('en');

/** Tokens of a text in words: exact where the server counts, else an estimate that says so. */
export async function countWords(provider: LanguageProvider | undefined, text: string): Promise<string> {
  const [exact] = (await provider?.countTexts?.([text], AbortSignal.timeout(countLimitMs))) ?? [];
  return exact === undefined
    ? `≈ ${grouped(estimateTokens(text))} tokens (estimated)`
    : `${grouped(exact)} tokens (counted by the model’s tokenizer)`;
}
