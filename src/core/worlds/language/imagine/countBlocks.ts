import { setTimeout as sleep } from 'node:timers/promises';
import type { FactEvent } from '../../../prediction/factEvent.ts';
import type { Question } from '../../../prediction/question.ts';
import type { ChatMessage, LanguageProvider } from '../client/provider.ts';

/** How long an answer that has come waits for the counts of its prompt; they are there long before where a model writes. */
const countGraceMs = 50;
/** How long a request has to get on its way before its blocks are counted. */
const countPauseMs = 30;

/**
 * Has the blocks counted beside the answer. The request is on its way before the first count is asked for, and the
 * answer never waits longer than `countGraceMs`.
 */
export function countBlocks(
  { id, blocks }: Question,
  messages: readonly ChatMessage[],
  { provider, tell, signal }: { provider: LanguageProvider; tell: (event: FactEvent) => void; signal: AbortSignal },
): { end(): Promise<void> } {
  const over = new AbortController();
  const count = async () => {
    const texts = blocks.map(({ message, start, end }) => messages[message]?.content.slice(start, end) ?? '');
    const counts = (await provider.countTexts?.(texts, signal)) ?? [];
    if (over.signal.aborted || !counts.some((tokens) => tokens !== undefined)) return;
    tell({ type: 'counted', question: id, blocks: counts.map((tokens) => tokens ?? null) });
  };
  const begin = new AbortController();
  const counting = sleep(countPauseMs, undefined, { signal: begin.signal }).then(count, count);
  return {
    async end() {
      begin.abort();
      if (!signal.aborted) await Promise.race([counting, sleep(countGraceMs)]);
      over.abort();
    },
  };
}
