import { setMaxListeners } from 'node:events';
import { ownEnvironment, userOf } from '../context/user.ts';
import type { Foretell } from '../foretell.ts';
import { readConditions } from '../worlds/language/conditions/conditionPresets.ts';
import { terminalState } from '../worlds/language/prompt/turns/groundingTurns.ts';
import { placeOf } from '../worlds/language/prompt/turns/trajectory.ts';
import type { EnvironmentOptions } from './environmentOptions.ts';
import {
  type EnvironmentFailure,
  failure,
  type SessionState,
  type StartedSession,
  StartRequest,
  type SteppedSession,
} from './environmentTypes.ts';
import { createGroundings } from './groundings.ts';
import { openRealSession } from './hybrid/realSession.ts';
import { type Beginning, createOpenSessions, type OpenSession, resetSession } from './openSessions.ts';
import { isReal, noScanner, startProblem, withoutSecretsInStart } from './startChecks.ts';
import { busy, createTurnTaking } from './turnTaking.ts';

/**
 * A simulated environment: a language model says what each action of an agent leads to. Sessions are independent and
 * take one action at a time. Expected failures are values.
 */
export interface Environment {
  /** `request` is checked: see `StartRequest`. */
  start(request: unknown): Promise<StartedSession | EnvironmentFailure>;
  /** `action`: see `readAction`. A turn that fails leaves the session as it was, so that it can be tried again. */
  step(id: string, action: unknown, signal?: AbortSignal): Promise<SteppedSession | EnvironmentFailure>;
  state(id: string): SessionState | EnvironmentFailure;
  /** Back to the state before the first action. */
  reset(id: string): StartedSession | EnvironmentFailure;
  close(id: string): { ok: true } | EnvironmentFailure;
  counts(): { sessions: number; mostSessions: number; waiting: number; asked: number };
  /** Ends what is under way and forgets all sessions. */
  dispose(): void;
}

/** Where a terminal stands that is grounded in no folder. */
const usualPlace = { user: 'user', host: 'host', home: '/home/user', cwd: '/home/user' };

/** Puts an environment together. Its turns go through `foretell.predict` like every prediction. */
export function createEnvironment(
  foretell: Pick<Foretell, 'predict' | 'openSession' | 'looker'>,
  options: EnvironmentOptions,
): Environment {
  const { language, mostSessions = 20_000, mostTurns = 1_000, idleMs = 30 * 60_000, now = Date.now } = options;
  const ended = new AbortController();
  setMaxListeners(0, ended.signal);
  const { signal } = ended;
  const sessions = createOpenSessions({ most: mostSessions, idleMs, now });
  const groundings = language && createGroundings({ language, looker: foretell.looker, now, signal });
  const turns = createTurnTaking({ foretell, options, mostTurns, now }, signal);

  /** What a session starts from: the turns before its first one, and what the screen shows. */
  async function beginningOf(request: StartRequest): Promise<Omit<Beginning, 'request'>> {
    const { domain, cwd, initialState } = request;
    const dialect = request.dialect ?? language?.dialect ?? 'qwen';
    const isGrounded = cwd !== undefined && (domain === 'terminal' || domain === 'swe');
    const ground = isGrounded ? groundings?.in(cwd, domain, dialect) : undefined;
    const place = isGrounded ? placeOf(userOf(ownEnvironment('')), cwd) : usualPlace;
    const usual = domain !== 'terminal' ? '' : ground ? await ground.state : terminalState(place);
    const { hybrid } = options;
    const begins = { grounding: ground ? await ground.turns : [], initialState: initialState ?? usual };
    if (!hybrid || !isGrounded || !isReal(request, true)) return begins;
    const of = { foretell, folder: cwd, domain, dialect, hybrid, faults: request.faults ?? {} };
    return { ...begins, openReal: () => openRealSession(of) };
  }

  async function start(value: unknown): Promise<StartedSession | EnvironmentFailure> {
    if (signal.aborted) return failure('closed', 'The environment is closed; start it again.');
    const checked = checkedStart(value, options);
    if ('ok' in checked) return checked;
    if (sessions.isFull()) {
      const message = `There are ${mostSessions} sessions already; close some, or try again later.`;
      return failure('too-many-sessions', message);
    }
    const request = await withoutSecretsInStart(checked).catch(() => undefined);
    if (!request) return failure('model', noScanner);
    const session = sessions.open({ request, ...(await beginningOf(request)) });
    return startedSession(session);
  }

  return {
    start,
    async step(id, action, stop) {
      const session = sessions.find(id);
      return 'ok' in session ? session : turns.take(session, action, stop);
    },
    state(id) {
      const session = sessions.find(id);
      if ('ok' in session) return session;
      const { domain, request, turn, observation, promptTokens, completionTokens } = session;
      const startedAt = new Date(session.startedAtMs).toISOString();
      const done = session.isOver || turn >= mostTurns;
      const task = request.task === undefined ? {} : { task: request.task };
      const world = { facts: session.ledger.facts(), contradictions: session.ledger.contradictions() };
      const known = { ok: true, id, domain, ...task, turn, observation, done } as const;
      return { ...known, world, promptTokens, completionTokens, startedAt };
    },
    reset(id) {
      const session = sessions.find(id);
      if ('ok' in session) return session;
      if (session.isBusy) return busy;
      resetSession(session);
      return startedSession(session);
    },
    close(id) {
      const session = sessions.find(id);
      if ('ok' in session) return session;
      sessions.close(id);
      return { ok: true };
    },
    counts: () => ({ sessions: sessions.count(), mostSessions, ...turns.counts() }),
    dispose() {
      ended.abort();
      sessions.dispose();
    },
  };
}

function startedSession(session: OpenSession): StartedSession {
  const { id, domain, initialState, grounding, real, request } = session;
  const { perturbations } = request;
  const basis = real || grounding.length > 0 ? 'computed' : 'imagined';
  const known = { ok: true, id, domain, observation: initialState, basis, isReal: real !== undefined } as const;
  return perturbations ? { ...known, perturbations } : known;
}

/** A request that begins a session, with its conditions drawn, or why it begins none. */
function checkedStart(value: unknown, options: EnvironmentOptions): StartRequest | EnvironmentFailure {
  const { workspace, hybrid } = options;
  const read = StartRequest.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    const where = issue?.path.join('.') || 'the request';
    return failure('bad-request', `This starts nothing: ${where}: ${issue?.message ?? 'wrong'}.`);
  }
  const { domain, cwd } = read.data;
  // A real shell stands somewhere: in the folder that is served, where nothing else is said.
  const isPlaced =
    hybrid && cwd === undefined && workspace !== undefined && (domain === 'terminal' || domain === 'swe');
  const request = isPlaced ? { ...read.data, cwd: workspace } : read.data;
  const problem = startProblem(request, options);
  if (problem !== undefined) return failure('bad-request', problem);
  const conditions = request.perturbations && readConditions(request.perturbations, [domain]);
  return conditions && 'ids' in conditions ? { ...request, perturbations: conditions.ids } : request;
}
