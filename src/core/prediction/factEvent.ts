import type { FoundEffect } from '../facts/effect.ts';
import { withEffectText } from '../words/effectText.ts';
import type { PredictionEvent } from './event.ts';

/** An event as worlds and analyses make it: facts as kinds and data, without words. */
export type FactEvent = Exclude<PredictionEvent, { type: 'effect' }> | ({ type: 'effect' } & FoundEffect);

/** Puts the words for people beside the facts. The one place where it is done; nothing reads them back. */
export function inWords(event: FactEvent): PredictionEvent {
  switch (event.type) {
    case 'effect':
      return { type: 'effect', ...withEffectText(event) };
    default:
      return event;
  }
}

/** The same for all events of a prediction. */
export async function* allInWords(events: AsyncIterable<FactEvent>): AsyncGenerator<PredictionEvent> {
  for await (const event of events) yield inWords(event);
}
