import { randomBytes } from 'node:crypto';
import type { StepMessage } from '../trajectory/step/step.ts';
import type { Domain, Turn } from '../worlds/language/prompt/turns/turn.ts';
import { createLedger, type Ledger } from '../worlds/language/world/ledger.ts';
import { factsOfWorld } from '../worlds/language/world/world.ts';
import { type EnvironmentFailure, failure, type StartRequest } from './environmentTypes.ts';
import { leaveOutOldest } from './fitTurns.ts';
import type { RealSession } from './hybrid/realSession.ts';

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
  /** What is known of its world. */
  ledger: Ledger;
  /** The real shell on a copy, in a hybrid environment; and how a fresh one is opened. */
  real?: RealSession;
  openReal?: () => RealSession;
  /** The last action, as rules ask for it. */
  last?: { text: string; exitCode?: number; isKnown: boolean };
  /** The agent said that it is done. */
  isOver: boolean;
}

/** What a session begins with. */
export type Beginning = Pick<OpenSession, 'request' | 'grounding' | 'initialState' | 'openReal'>;

/** The sessions that are open. One that nobody asks for long enough is closed. */
export interface OpenSessions {
  /** A session that was found counts as used. */
  find(id: string): OpenSession | EnvironmentFailure;
  /** Also after those that are idle were closed. */
  isFull(): boolean;
  open(begins: Beginning): OpenSession;
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
  const close = (id: string) => {
    void sessions.get(id)?.real?.close();
    sessions.delete(id);
  };
  const sweep = () => {
    const before = now() - idleMs;
    for (const session of sessions.values()) {
      if (!session.isBusy && session.usedAtMs < before) close(session.id);
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
    close,
    count: () => sessions.size,
    dispose() {
      clearInterval(timer);
      for (const id of [...sessions.keys()]) close(id);
    },
  };
}

function newSession(begins: Beginning, nowMs: number): OpenSession {
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
    isOver: false,
    ledger: ledgerOf(begins.request),
    ...(begins.openReal ? { real: begins.openReal() } : {}),
  };
}

function ledgerOf({ domain, world, tools = [] }: StartRequest): Ledger {
  const readOnlyTools = tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name);
  return createLedger(domain, { stated: world ? factsOfWorld(world) : [], readOnlyTools });
}

/** Takes a session back to where it began: a real shell gets a fresh view, and nothing is copied for that. */
export function resetSession(session: OpenSession): void {
  session.history = [];
  session.stateBefore = session.initialState;
  session.observation = session.initialState;
  session.turn = 0;
  session.leftOut = 0;
  session.resets += 1;
  session.ledger = ledgerOf(session.request);
  session.isOver = false;
  delete session.lastStep;
  delete session.last;
  void session.real?.close();
  if (session.openReal) session.real = session.openReal();
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
