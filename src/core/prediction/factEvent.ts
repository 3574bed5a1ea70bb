import { causeOf, type FoundAssumption } from '../facts/assumption.ts';
import type { Difference } from '../facts/difference.ts';
import type { Doubt } from '../facts/doubt.ts';
import type { FoundEffect } from '../facts/effect.ts';
import { type Failure, failureCode } from '../facts/failure.ts';
import type { GateReason } from '../facts/gate.ts';
import type { FoundLoss } from '../facts/loss.ts';
import type { NoticeFact } from '../facts/notice.ts';
import type { Risk } from '../facts/risk.ts';
import { assumedText, assumptionReasonText, notKnownText } from '../words/assumptionText.ts';
import { boundText } from '../words/boundText.ts';
import { differenceText } from '../words/differenceText.ts';
import { doubtText } from '../words/doubtText.ts';
import { withEffectText } from '../words/effectText.ts';
import { failureText } from '../words/failureText.ts';
import { gateText } from '../words/gateText.ts';
import { withLossText } from '../words/lossText.ts';
import { noticeText } from '../words/noticeText.ts';
import { evidenceText, riskText } from '../words/riskText.ts';
import type { EventOf, PredictionEvent } from './event.ts';
import type { Futures } from './parts.ts';

/** Ends of samples without words. */
type FoundFutures = { type: 'futures'; futures: Omit<Futures, 'ends'> & { ends: FoundEnd[] } };
type FoundEnd = Omit<Futures['ends'][number], 'detail'> & { difference?: Difference };

/** An event as worlds and analyses make it: facts as kinds and data, without words. */
export type FactEvent =
  | Exclude<
      PredictionEvent,
      {
        type:
          | 'effect'
          | 'loss'
          | 'assumption'
          | 'otherwise'
          | 'futures'
          | 'risk'
          | 'notice'
          | 'gated'
          | 'abstained'
          | 'failed';
      }
    >
  | ({ type: 'effect' } & FoundEffect)
  | ({ type: 'loss' } & FoundLoss)
  | ({ type: 'assumption'; id: number } & FoundAssumption)
  | (Omit<EventOf<'otherwise'>, 'detail'> & { difference: Difference })
  | FoundFutures
  | ({ type: 'risk' } & Risk)
  | { type: 'notice'; fact: NoticeFact }
  | { type: 'gated'; id: number; argv: string[]; cwd: string; because: GateReason }
  | { type: 'abstained'; doubt: Doubt; durationMs: number }
  | { type: 'failed'; failure: Failure; durationMs: number };

/** Puts the words for people beside the facts. The one place where it is done; nothing reads them back. */
export function inWords(event: FactEvent): PredictionEvent {
  switch (event.type) {
    case 'effect':
      return { type: 'effect', ...withEffectText(event) };
    case 'loss':
      return withLossText(event);
    case 'assumption':
      return inAssumptionWords(event);
    case 'otherwise': {
      const { difference, ...ended } = event;
      return { ...ended, detail: differenceText(difference, event.exitCode) };
    }
    case 'futures': {
      const ends = event.futures.ends.map(({ difference, ...end }) => ({
        ...end,
        detail: difference ? differenceText(difference, end.exitCode) : '',
      }));
      return { ...event, futures: { ...event.futures, ends } };
    }
    case 'risk': {
      const evidence = event.evidence.map(evidenceText);
      return { ...event, kind: event.fact.kind, reason: riskText(event), evidence };
    }
    case 'output':
      return event.bound === undefined ? event : { ...event, limit: boundText(event.bound) };
    case 'notice':
      return { type: 'notice', text: noticeText(event.fact), fact: event.fact };
    case 'gated': {
      const { because, ...stopped } = event;
      return { ...stopped, reason: gateText(because), because };
    }
    case 'abstained': {
      const { doubt, durationMs } = event;
      return { type: 'abstained', ...doubtText(doubt), doubt, durationMs };
    }
    case 'failed': {
      const { failure, durationMs } = event;
      return { type: 'failed', code: failureCode(failure), message: failureText(failure), failure, durationMs };
    }
    default:
      return event;
  }
}

function inAssumptionWords(event: FactEvent & { type: 'assumption' }): EventOf<'assumption'> {
  const { type, id, argv, label, assumes, because, unknown, ways = [] } = event;
  return {
    type,
    id,
    argv,
    ...(label === undefined ? {} : { label }),
    assumed: assumedText(assumes, unknown),
    notKnown: notKnownText('it', assumes, unknown),
    ...(ways.length > 0 ? { ways } : {}),
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
