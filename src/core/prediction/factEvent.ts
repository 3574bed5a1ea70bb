import { causeOf, type FoundAssumption } from '../facts/assumption.ts';
import type { FoundEffect } from '../facts/effect.ts';
import type { Risk } from '../facts/risk.ts';
import { assumedText, assumptionReasonText } from '../words/assumptionText.ts';
import { withEffectText } from '../words/effectText.ts';
import { evidenceText, riskText } from '../words/riskText.ts';
import type { EventOf, PredictionEvent } from './event.ts';

/** An event as worlds and analyses make it: facts as kinds and data, without words. */
export type FactEvent =
  | Exclude<PredictionEvent, { type: 'effect' | 'assumption' | 'risk' }>
  | ({ type: 'effect' } & FoundEffect)
  | ({ type: 'assumption'; id: number } & FoundAssumption)
  | ({ type: 'risk' } & Risk);

/** Puts the words for people beside the facts. The one place where it is done; nothing reads them back. */
export function inWords(event: FactEvent): PredictionEvent {
  switch (event.type) {
    case 'effect':
      return { type: 'effect', ...withEffectText(event) };
    case 'assumption':
      return inAssumptionWords(event);
    case 'risk': {
      const evidence = event.evidence.map(evidenceText);
      return { ...event, kind: event.fact.kind, reason: riskText(event), evidence };
    }
    default:
      return event;
  }
}

function inAssumptionWords(event: FactEvent & { type: 'assumption' }): EventOf<'assumption'> {
  const { type, id, argv, label, assumes, because, unknown } = event;
  return {
    type,
    id,
    argv,
    ...(label === undefined ? {} : { label }),
    assumed: assumedText(assumes, unknown),
    why: assumptionReasonText(because),
    cause: causeOf(because),
    ...(because.kind === 'unusable' ? { fault: because.fault } : {}),
    ...(unknown === undefined ? {} : { unknown }),
    assumes,
    because,
  };
}

/** The same for all events of a prediction. */
export async function* allInWords(events: AsyncIterable<FactEvent>): AsyncGenerator<PredictionEvent> {
  for await (const event of events) yield inWords(event);
}
