import type { Channel } from '../../prediction/channel.ts';
import type { FactEvent } from '../../prediction/factEvent.ts';
import type { PredictRequest } from '../../prediction/rehearsal.ts';
import type { ConfinedParts } from './confinedParts.ts';
import type { SessionState } from './sessionState.ts';

/** What one prediction works with. */
export interface StepContext {
  parts: ConfinedParts;
  state: SessionState;
  request: PredictRequest;
  channel: Channel<FactEvent>;
  startedAt: Date;
}
