import type { Doubt } from '../../../facts/doubt.ts';
import type { Failure } from '../../../facts/failure.ts';
import { createChannel } from '../../../prediction/channel.ts';
import type { FactEvent } from '../../../prediction/factEvent.ts';

/** How what a model alone predicts ends, but for the time it took. */
export type ImaginationEnding =
  | { type: 'done' }
  | { type: 'abstained'; doubt: Doubt }
  | { type: 'failed'; failure: Failure };

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
        const failure: Failure = { kind: 'internal', error: error instanceof Error ? error.message : String(error) };
        channel.push({ type: 'failed', failure, durationMs: took() });
      },
    )
    .finally(() => channel.end());
  return channel;
}
