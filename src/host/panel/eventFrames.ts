import type { PredictionEvent } from '../../core/prediction/event.ts';
import type { HostMessage } from '../../protocol/panelProtocol.ts';

/** Events that came within this time go into one message: one painted frame. */
const frameMs = 16;
/** The first of a prediction wait longer: most have all by then, and that it has begun the page knows already. */
const firstFrameMs = 60;
const mostEvents = 1_000;
/** As much output goes into one message: the page can do nothing else while it reads one. */
const mostPrinted = 1_000_000;

/** Events of a prediction on their way to the page: those of one painted frame go together. */
export interface EventFrames {
  /** `sequence`: its number. `isUrgent`: it waits for nothing. */
  add(event: PredictionEvent, of: { run: number; sequence: number; isUrgent: boolean }): void;
  /** What waits is known already, up to this number. Default: nothing of the next prediction. */
  forget(sequence?: number): void;
  dispose(): void;
}

export function createEventFrames(post: (message: HostMessage) => void): EventFrames {
  let waiting: { run: number; first: number; events: PredictionEvent[] } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let known = 0;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting;
    waiting = undefined;
    if (!batch) return;
    for (let start = 0; start < batch.events.length; ) {
      const events = batch.events.slice(start, messageEnd(batch.events, start));
      post({ type: 'events', run: batch.run, first: batch.first + start, events });
      start += events.length;
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
      else timer ??= setTimeout(flush, waiting.first === known + 1 ? firstFrameMs : frameMs);
    },
    forget(sequence = 0) {
      waiting = undefined;
      known = sequence;
    },
    dispose: () => clearTimeout(timer),
  };
}

/** Behind the last event that goes into one message with the one at `start`. */
function messageEnd(events: readonly PredictionEvent[], start: number): number {
  let printed = 0;
  let end = start;
  while (end < Math.min(events.length, start + mostEvents) && printed < mostPrinted) {
    const event = events[end];
    if (event?.type === 'output') printed += (event.text ?? event.base64 ?? '').length;
    end += 1;
  }
  return end;
}
