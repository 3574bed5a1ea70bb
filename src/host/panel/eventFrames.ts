import type { PredictionEvent } from '../../core/prediction/event.ts';
import type { HostMessage } from '../../protocol/panelProtocol.ts';

/** Events that came within this time go into one message: one painted frame. */
const frameMs = 16;
/** The first of a prediction wait longer: most have all by then, and that it has begun the page knows already. */
const firstFrameMs = 60;
const mostEvents = 1_000;

/** Events of a prediction on their way to the page: those of one painted frame go together. */
export interface EventFrames {
  /** `sequence`: its number. `isUrgent`: it waits for nothing. */
  add(event: PredictionEvent, of: { run: number; sequence: number; isUrgent: boolean }): void;
  /** What waits is known already. */
  forget(): void;
  dispose(): void;
}

export function createEventFrames(post: (message: HostMessage) => void): EventFrames {
  let waiting: { run: number; first: number; events: PredictionEvent[] } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting;
    waiting = undefined;
    if (!batch) return;
    for (let start = 0; start < batch.events.length; start += mostEvents) {
      const events = batch.events.slice(start, start + mostEvents);
      post({ type: 'events', run: batch.run, first: batch.first + start, events });
    }
  }

  return {
    add(event, { run, sequence, isUrgent }) {
      if (waiting?.run !== run) {
        flush();
        waiting = { run, first: sequence, events: [] };
      }
      waiting.events.push(event);
      if (isUrgent) flush();
      else timer ??= setTimeout(flush, waiting.first === 1 ? firstFrameMs : frameMs);
    },
    forget() {
      waiting = undefined;
    },
    dispose: () => clearTimeout(timer),
  };
}
