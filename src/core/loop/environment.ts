import { setMaxListeners } from 'node:events';
import type { Foretell } from '../foretell.ts';
import { terminalState } from '../worlds/language/prompt/turns/groundingTurns.ts';
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
import { createOpenSessions, resetSession } from './openSessions.ts';
import { noScanner, startProblem, withoutSecretsInStart } from './startChecks.ts';
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
  counts(): { sessions: number; waiting: number; asked: number };
  /** Ends what is under way and forgets all sessions. */
  dispose(): void;
}

/** Where a terminal stands that is grounded in no folder. */
const usualPlace = { user: 'user', host: 'host', home: '/home/user', cwd: '/home/user' };

/** Puts an environment together. Its turns go through `foretell.predict` like every prediction. */
export function createEnvironment(
  foretell: Pick<Foretell, 'predict' | 'looker'>,
  options: EnvironmentOptions,
): Environment {
  const { language, mostSessions = 20_000, mostTurns = 1_000, idleMs = 30 * 60_000, now = Date.now } = options;
  const ended = new AbortController();
  setMaxListeners(0, ended.signal);
  const { signal } = ended;
  const sessions = createOpenSessions({ most: mostSessions, idleMs, now });
  const groundings = createGroundings({ language, looker: foretell.looker, now, signal });
  const turns = createTurnTaking({ foretell, options, mostTurns, now }, signal);

  /** What a session starts from: the turns before its first one, and what the screen shows. */
  async function beginningOf({ domain, cwd, dialect, initialState }: StartRequest) {
    const isGrounded = cwd !== undefined && (domain === 'terminal' || domain === 'swe');
    const ground = isGrounded ? groundings.in(cwd, domain, dialect ?? language.dialect ?? 'qwen') : undefined;
    const usual = domain !== 'terminal' ? '' : ground ? await ground.state : terminalState(usualPlace);
    return { grounding: ground ? await ground.turns : [], initialState: initialState ?? usual };
  }

  async function start(value: unknown): Promise<StartedSession | EnvironmentFailure> {
    if (signal.aborted) return failure('closed', 'The environment is closed; start it again.');
    const checked = checkedStart(value, options.workspace);
    if ('ok' in checked) return checked;
    if (sessions.isFull()) {
      const message = `There are ${mostSessions} sessions already; close some, or try again later.`;
      return failure('too-many-sessions', message);
    }
    const request = await withoutSecretsInStart(checked).catch(() => undefined);
    if (!request) return failure('model', noScanner);
    const session = sessions.open({ request, ...(await beginningOf(request)) });
    const { id, domain, observation } = session;
    return { ok: true, id, domain, observation };
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
      const done = turn >= mostTurns;
      const task = request.task === undefined ? {} : { task: request.task };
      return { ok: true, id, domain, ...task, turn, observation, done, promptTokens, completionTokens, startedAt };
    },
    reset(id) {
      const session = sessions.find(id);
      if ('ok' in session) return session;
      if (session.isBusy) return busy;
      resetSession(session);
      return { ok: true, id, domain: session.domain, observation: session.initialState };
    },
    close(id) {
      const session = sessions.find(id);
      if ('ok' in session) return session;
      sessions.close(id);
      return { ok: true };
    },
    counts: () => ({ sessions: sessions.count(), ...turns.counts() }),
    dispose() {
      ended.abort();
      sessions.dispose();
    },
  };
}

/** A request that begins a session, or why it begins none. */
function checkedStart(value: unknown, workspace: string | undefined): StartRequest | EnvironmentFailure {
  const read = StartRequest.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    const where = issue?.path.join('.') || 'the request';
    return failure('bad-request', `This starts nothing: ${where}: ${issue?.message ?? 'wrong'}.`);
  }
  const problem = startProblem(read.data, workspace);
  return problem === undefined ? read.data : failure('bad-request', problem);
}
