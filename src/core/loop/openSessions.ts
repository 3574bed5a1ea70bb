import { randomBytes } from 'node:crypto';
import type { StepMessage } from '../trajectory/step/step.ts';
import type { Domain, Turn } from '../worlds/language/prompt/turns/turn.ts';
import { type EnvironmentFailure, failure, type StartRequest } from './environmentTypes.ts';
import { leaveOutOldest } from './fitTurns.ts';

/** A session of the simulated environment, as it stands. */
export interface OpenSession {
  id: string;
  request: StartRequest;
  domain: Domain;
  grounding: readonly Turn[];
  initialState: string;
  startedAtMs: number;
  usedAtMs: number;
  /** Those that are still shown; the oldest are left out for good when they do not fit. */
  history: { turn: Turn; tokens: number }[];
  /** What the screen showed before the first turn of `history`. */
  stateBefore: string;
  /** Of everything that is no turn of the history. */
  baseTokens: number;
  turn: number;
  leftOut: number;
  observation: string;
  promptTokens: number;
  completionTokens: number;
  isBusy: boolean;
  resets: number;
  lastStep?: { id: string; messages: StepMessage[] };
}

/** The sessions that are open. One that nobody asks for long enough is closed. */
export interface OpenSessions {
  /** A session that was found counts as used. */
  find(id: string): OpenSession | EnvironmentFailure;
  /** Also after those that are idle were closed. */
  isFull(): boolean;
  open(begins: Pick<OpenSession, 'request' | 'grounding' | 'initialState'>): OpenSession;
  close(id: string): void;
  count(): number;
  /** Forgets all of them. */
  dispose(): void;
}

/** `most`: so many at a time; `idleMs`: one that nobody asks for so long is closed; `now`: milliseconds since 1970. */
export function createOpenSessions({
  most,
  idleMs,
  now,
}: {
  most: number;
  idleMs: number;
  now: () => number;
}): OpenSessions {
  const sessions = new Map<string, OpenSession>();
  const sweep = () => {
    const before = now() - idleMs;
    for (const session of sessions.values()) {
      if (!session.isBusy && session.usedAtMs < before) sessions.delete(session.id);
    }
  };
  const timer = setInterval(sweep, Math.min(60_000, Math.max(1_000, idleMs / 2))).unref();
  return {
    find(id) {
      const session = sessions.get(id);
      if (!session)
        return failure('no-session', `There is no session ${id.slice(0, 80)}; start one, or it was idle too long.`);
      session.usedAtMs = now();
      return session;
    },
    isFull() {
      if (sessions.size >= most) sweep();
      return sessions.size >= most;
    },
    open(begins) {
      const session = newSession(begins, now());
      sessions.set(session.id, session);
      return session;
    },
    close: (id) => void sessions.delete(id),
    count: () => sessions.size,
    dispose() {
      clearInterval(timer);
      sessions.clear();
    },
  };
}

function newSession(begins: Pick<OpenSession, 'request' | 'grounding' | 'initialState'>, nowMs: number): OpenSession {
  return {
    ...begins,
    id: randomBytes(12).toString('base64url'),
    domain: begins.request.domain,
    startedAtMs: nowMs,
    usedAtMs: nowMs,
    history: [],
    stateBefore: begins.initialState,
    baseTokens: 0,
    turn: 0,
    leftOut: 0,
    observation: begins.initialState,
    promptTokens: 0,
    completionTokens: 0,
    isBusy: false,
    resets: 0,
  };
}

/** Takes a session back to where it began. */
export function resetSession(session: OpenSession): void {
  session.history = [];
  session.stateBefore = session.initialState;
  session.observation = session.initialState;
  session.turn = 0;
  session.leftOut = 0;
  session.resets += 1;
  delete session.lastStep;
}

/** Leaves the oldest turns out for good, so that the history fits into `room` tokens. */
export function fitHistory(session: OpenSession, room: number): void {
  const count = leaveOutOldest(
    session.history.map(({ tokens }) => tokens),
    Math.max(0, room),
  );
  if (count === 0) return;
  const last = session.history[count - 1]?.turn.observation;
  if (last !== undefined && session.initialState !== '') session.stateBefore = last;
  session.history.splice(0, count);
  session.leftOut += count;
}
