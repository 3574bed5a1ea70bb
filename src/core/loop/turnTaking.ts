import type { TurnAction } from '../action/turnAction.ts';
import { readOffered } from './agentTools.ts';
import { type EnvironmentFailure, failure, type SteppedSession } from './environmentTypes.ts';
import { usualRehearsals } from './hybrid/faults.ts';
import { finishedEpisode, isFinish, stepReally, withReward } from './hybrid/stepReally.ts';
import { imagineInSession, type SessionWorld } from './imagineInSession.ts';
import type { OpenSession } from './openSessions.ts';
import { withoutSecretsInAction } from './readAction.ts';
import { noScanner } from './startChecks.ts';
import { createTurnGate } from './turnGate.ts';

/** A session takes one action at a time. */
export const busy = failure('busy', 'This session is still at its last action; wait for its observation.');

/** Lets sessions take their turns: so many at once, the others wait. */
export interface TurnTaking {
  /** `action`: see `readAction`. */
  take(session: OpenSession, action: unknown, signal?: AbortSignal): Promise<SteppedSession | EnvironmentFailure>;
  /** Turns that wait, and those that were asked since the beginning. */
  counts(): { waiting: number; asked: number };
}

/** `closed`: the environment takes no more turns. */
export function createTurnTaking(world: SessionWorld, closed: AbortSignal): TurnTaking {
  const { options, mostTurns, now } = world;
  const mostWaiting = options.mostWaiting ?? 10_000;
  const modelGate = createTurnGate(options.concurrency ?? 32, mostWaiting);
  // A rehearsal is work for this machine's processors; more at once would only make each of them slower.
  const realGate = createTurnGate(options.hybrid?.rehearsals ?? usualRehearsals, mostWaiting);
  let asked = 0;

  async function ask(
    session: OpenSession,
    read: TurnAction,
    signal: AbortSignal,
  ): Promise<SteppedSession | EnvironmentFailure> {
    const action = await withoutSecretsInAction(read).catch(() => undefined);
    if (!action) return failure('model', noScanner);
    const gate = session.real ? realGate : modelGate;
    if (!(await gate.enter(signal))) {
      return signal.aborted
        ? failure('cancelled', 'It was cancelled.')
        : failure('too-many-waiting', 'Too many actions wait already; try again in a moment.');
    }
    try {
      asked += 1;
      if (isFinish(session, action)) return await finishedEpisode(world, session, action, signal);
      const taken = await (session.real ? stepReally : imagineInSession)(world, session, action, signal);
      return await withReward(world, session, taken, signal);
    } finally {
      gate.leave();
    }
  }

  return {
    async take(session, action, signal) {
      if (session.isBusy) return busy;
      if (session.turn >= mostTurns)
        return failure('too-many-turns', `A session has at most ${mostTurns} turns; start another one.`);
      if (session.isOver) return failure('over', 'The episode is over; reset the session, or start another one.');
      const read = readOffered(session.domain, session.request.tools, action);
      if ('problem' in read) return failure('bad-request', read.problem);
      session.isBusy = true;
      const either = endedByEither(signal, closed);
      try {
        return await ask(session, read, either.signal);
      } finally {
        either.unlink();
        session.isBusy = false;
        session.usedAtMs = now();
      }
    },
    counts: () => ({ waiting: modelGate.waiting() + realGate.waiting(), asked }),
  };
}

/** A signal that follows two others until it is unlinked: one of them outlives many steps. */
function endedByEither(one: AbortSignal | undefined, other: AbortSignal): { signal: AbortSignal; unlink(): void } {
  const controller = new AbortController();
  const stop = () => controller.abort();
  if (one?.aborted || other.aborted) stop();
  one?.addEventListener('abort', stop, { once: true });
  other.addEventListener('abort', stop, { once: true });
  return {
    signal: controller.signal,
    unlink() {
      one?.removeEventListener('abort', stop);
      other.removeEventListener('abort', stop);
    },
  };
}
