import type { Channel } from '../../prediction/channel.ts';
import type { FactEvent } from '../../prediction/factEvent.ts';
import type { PredictRequest } from '../../prediction/rehearsal.ts';
import type { ConfinedParts } from './confinedParts.ts';
import type { SessionState } from './sessionState.ts';
import type { HeldView } from './views.ts';

/** What one prediction works with. */
export interface StepContext {
  parts: ConfinedParts;
  state: SessionState;
  request: PredictRequest;
  channel: Channel<FactEvent>;
  startedAt: Date;
  /** From now on this is the view of the step. To be called before its ending is told: whoever hears that reads from it. */
  hold(view: HeldView): void;
}
