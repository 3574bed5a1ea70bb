import type { PredictRequest, Rehearsal } from '../../prediction/rehearsal.ts';
import type { MemoryUse } from './memoryStore.ts';
import { type Recalled, type RecallParts, recall } from './recall.ts';
import { remember } from './remember.ts';

/** What memory needs of the engine. */
export interface MemoryParts extends RecallParts {
  /** Files of ours, which stand for something that is compared elsewhere. */
  isOwn(path: string): boolean;
}

/**
 * Answers from memory where the same was rehearsed with the same inputs. Else whoever comes next does (`next`), what is
 * not as it was is told, and what comes of it is kept.
 */
export function withMemory(
  request: PredictRequest,
  use: MemoryUse,
  parts: MemoryParts,
  next: () => Rehearsal,
): Rehearsal {
  let inner: Rehearsal | undefined;
  let isClosed = false;
  async function* events(): Rehearsal['events'] {
    // A memory that cannot be used is none.
    const recalled: Recalled = await recall(request, use, parts).catch(() => undefined);
    inner = recalled && 'rehearsal' in recalled ? recalled.rehearsal : remember(next(), request, use, parts);
    if (isClosed) void inner.view.close();
    for await (const event of inner.events) {
      yield event;
      if (event.type === 'started' && recalled && 'changed' in recalled)
        yield { type: 'notice', fact: recalled.changed };
    }
  }
  return {
    events: events(),
    view: {
      read: async (path, moment, maxBytes) => inner?.view.read(path, moment, maxBytes),
      countLines: (paths, moment, maxBytes) => inner?.view.countLines?.(paths, moment, maxBytes),
      compare: (pairs) => inner?.view.compare?.(pairs),
      status: async (path, moment) => inner?.view.status?.(path, moment),
      close: async () => {
        isClosed = true;
        await inner?.view.close();
      },
    },
    named: () => inner?.named?.(),
    inView: {
      look: async (argv, options) =>
        inner?.inView.look(argv, options) ?? { exitCode: -1, stdout: new Uint8Array(), stderr: '' },
    },
  };
}
