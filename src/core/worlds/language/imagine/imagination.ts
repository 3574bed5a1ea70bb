import { createChannel } from '../../../prediction/channel.ts';
import type { FactEvent } from '../../../prediction/factEvent.ts';

/** How what a model alone predicts ends, but for the time it took. */
export type ImaginationEnding =
  | { type: 'done' }
  | { type: 'abstained'; reason: string; at: string }
  | { type: 'failed'; code: string; message: string };

/**
 * The events of something that a model alone predicts: `started`, what `work` pushes, and one ending, `cancelled` where the
 * signal ended it. What `work` throws is a fault of ours and becomes `failed`.
 */
export function imagination(
  signal: AbortSignal,
  work: (push: (event: FactEvent) => void) => Promise<ImaginationEnding>,
): AsyncIterable<FactEvent> {
  const startedAt = performance.now();
  const took = () => Math.round(performance.now() - startedAt);
  const channel = createChannel<FactEvent>();
  channel.push({ type: 'started', by: 'language' });
  work((event) => channel.push(event))
    .then(
      (ending) => {
        const durationMs = took();
        channel.push(signal.aborted ? { type: 'cancelled', durationMs } : { ...ending, durationMs });
      },
      (error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        const message = `Foretell has a fault: ${reason}`;
        channel.push({ type: 'failed', code: 'internal', message, durationMs: took() });
      },
    )
    .finally(() => channel.end());
  return channel;
}

/** The text as a sentence of its own. */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/[.!?]?$/, '.')}`;
}
