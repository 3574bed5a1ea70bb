import { type Channel, createChannel } from '../../prediction/channel.ts';
import type { FactEvent } from '../../prediction/factEvent.ts';
import type { PredictRequest, Rehearsal } from '../../prediction/rehearsal.ts';
import { delegatedView } from '../../view/delegatedView.ts';
import type { Looker, View } from '../../view/view.ts';
import { nothingMade } from './certainty/madeTimes.ts';
import type { ConfinedParts } from './confinedParts.ts';
import { tellUnrun } from './planned/tellPlan.ts';
import type { SessionState } from './sessionState.ts';
import { carriesNothing, createCarriedState } from './shell/carry.ts';
import { goStep } from './step.ts';
import type { StepContext } from './stepContext.ts';
import { type HeldView, nothingHeld } from './views.ts';
import { LauncherEnded } from './wire/launcher.ts';

/** Commands predicted one after the other, each from the state that the one before would leave. */
export interface Session {
  /** Predicts the next command. One at a time: a second call waits for the first. */
  predict(request: PredictRequest): Rehearsal;
  /** Frees the view and ends everything in it. */
  close(): Promise<void>;
}

/** `continues`: more than one command is to be predicted; `newShells`: each in a shell of its own. */
export function openSession(parts: ConfinedParts, continues: boolean, newShells = false): Session {
  const state: SessionState = {
    checker: undefined,
    shown: undefined,
    supervised: false,
    copiedAhead: [],
    changed: false,
    continues,
    steps: 0,
    made: nothingMade(),
    past: [],
    unsure: false,
    blind: [],
    carried: continues ? (newShells ? carriesNothing : createCarriedState()) : undefined,
  };
  let queue: Promise<void> = Promise.resolve();
  const close = async () => {
    await Promise.all([state.checker?.close(), state.shown?.close()]);
  };
  return {
    predict(request) {
      parts.expect();
      const channel = createChannel<FactEvent>();
      let holding: HeldView = nothingHeld(parts.looker);
      queue = queue.then(async () => {
        const hold = (view: HeldView) => {
          holding = view;
        };
        hold(await rehearse(parts, state, request, channel, hold));
        channel.end();
        parts.refill();
      });
      const inView: Looker = { look: (argv, options) => holding.inView.look(argv, options) };
      const view = delegatedView(() => holding.view, close);
      return { events: channel, view, inView, traced: () => holding.traced, named: () => holding.named };
    },
    close,
  };
}

/** One step. Everything that can go wrong becomes an event; never rejects. */
async function rehearse(
  parts: ConfinedParts,
  state: SessionState,
  request: PredictRequest,
  channel: Channel<FactEvent>,
  hold: StepContext['hold'],
): Promise<HeldView> {
  const startedAt = Date.now();
  const took = () => Date.now() - startedAt;
  channel.push({ type: 'started', by: 'confined' });
  const stop = () => {
    void state.checker?.close();
    void state.shown?.close();
  };
  request.signal.addEventListener('abort', stop, { once: true });
  try {
    if (request.signal.aborted) throw new LauncherEnded('cancelled');
    return await goStep({ parts, state, request, channel, startedAt: new Date(startedAt), hold });
  } catch (error) {
    if (request.signal.aborted) channel.push({ type: 'cancelled', durationMs: took() });
    else {
      const because = error instanceof Error ? error.message : String(error);
      const failure = parts.whyNoLauncher() ?? { kind: 'launcherEnded', because };
      const view = await tellUnrunCommand(parts, request, channel);
      const held = { ...nothingHeld(parts.looker), ...(view ? { view } : {}) };
      hold(held);
      channel.push({ type: 'failed', failure, durationMs: took() });
      return held;
    }
    return nothingHeld(parts.looker);
  } finally {
    request.signal.removeEventListener('abort', stop);
  }
}

/** The launcher cannot say any more how far it came: all that the command would do is computed from its words. */
async function tellUnrunCommand(
  parts: ConfinedParts,
  { action, env, signal }: PredictRequest,
  channel: Channel<FactEvent>,
): Promise<View | undefined> {
  if (action.kind !== 'command') return undefined;
  const variables = Object.entries(env);
  return tellUnrun({
    script: action.script,
    cwd: action.cwd,
    env: variables.map(([name, value]) => `${name}=${value}`),
    looker: parts.looker,
    signal,
    push: (event) => channel.push(event),
  });
}
