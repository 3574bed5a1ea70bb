import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { RecordedTurn } from '../action/action.ts';
import type { TurnAction } from '../action/turnAction.ts';
import { ownEnvironment, userOf } from '../context/user.ts';
import { type Foretell, foldAll } from '../foretell.ts';
import type { Prediction } from '../prediction/prediction.ts';
import { messagesOf } from '../prediction/question.ts';
import { type StepMessage, stepPrediction, type TrajectoryStep } from '../trajectory/step/step.ts';
import type { LanguageRequest } from '../worlds/language/imagine/languageRequest.ts';
import { renderToolDefinitions } from '../worlds/language/prompt/toolDefinitions.ts';
import { terminalState } from '../worlds/language/prompt/turns/groundingTurns.ts';
import { groundingOf } from '../worlds/language/prompt/turns/trajectory.ts';
import type { Domain, Turn } from '../worlds/language/prompt/turns/turn.ts';
import { parseScreen } from '../worlds/language/prompt/turns/turnTextScreen.ts';
import {
  type EnvironmentFailure,
  type SessionState,
  type StartedSession,
  StartRequest,
  type SteppedSession,
} from './environmentTypes.ts';
import { leaveOutOldest, turnTokens } from './fitTurns.ts';
import { readAction, withoutSecretsInAction } from './readAction.ts';
import { noScanner, startProblem, withoutSecretsInStart } from './startChecks.ts';
import { createTurnGate } from './turnGate.ts';

/** How an environment asks its model, and its limits. */
export interface EnvironmentOptions {
  language: Omit<LanguageRequest, 'turn' | 'whole'>;
  /** The only folder (absolute, with everything below it) that sessions may be grounded in; absent: in none. */
  workspace?: string;
  /** Turns that are asked at once; default 32. */
  concurrency?: number;
  /** Turns that may wait for these; default 10,000. */
  mostWaiting?: number;
  /** Default 20,000. */
  mostSessions?: number;
  /** Turns of one session; default 1,000. */
  mostTurns?: number;
  /** A session that nobody asks for so long is closed; default 30 minutes. */
  idleMs?: number;
  /** Context of the model, where its server does not tell; default 131,072. */
  contextTokens?: number;
  /** Told each turn that was predicted, as a step of a trajectory. */
  record?(step: TrajectoryStep): void;
  /** Steps have the messages that were sent. Default false. */
  recordsMessages?: boolean;
  /** For tests: milliseconds since 1970. */
  now?: () => number;
}

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

interface OpenSession {
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

const defaultContextTokens = 131_072;
const groundingLifeMs = 60_000;
const mostGroundings = 32;

/** Puts an environment together. Its turns go through `foretell.predict` like every prediction. */
export function createEnvironment(
  foretell: Pick<Foretell, 'predict' | 'looker'>,
  options: EnvironmentOptions,
): Environment {
  const { language, mostSessions = 20_000, mostTurns = 1_000, idleMs = 30 * 60_000, now = Date.now } = options;
  const gate = createTurnGate(options.concurrency ?? 32, options.mostWaiting ?? 10_000);
  const sessions = new Map<string, OpenSession>();
  const ended = new AbortController();
  setMaxListeners(0, ended.signal);
  const groundings = new Map<string, { at: number; turns: Promise<readonly Turn[]>; state: Promise<string> }>();
  let asked = 0;
  const sweep = () => {
    const before = now() - idleMs;
    for (const session of sessions.values()) {
      if (!session.isBusy && session.usedAtMs < before) sessions.delete(session.id);
    }
  };
  const timer = setInterval(sweep, Math.min(60_000, Math.max(1_000, idleMs / 2))).unref();

  function find(id: string): OpenSession | EnvironmentFailure {
    const session = sessions.get(id);
    if (!session)
      return failure('no-session', `There is no session ${id.slice(0, 80)}; start one, or it was idle too long.`);
    session.usedAtMs = now();
    return session;
  }

  /** Looks at a folder once a minute at most, so that sessions that begin together begin alike. */
  function groundingIn(folder: string, domain: 'terminal' | 'swe', dialect: 'qwen' | 'claude') {
    const key = `${domain} ${dialect} ${folder}`;
    const known = groundings.get(key);
    if (known && now() - known.at < groundingLifeMs) return known;
    const grounds = {
      language: { ...language, dialect },
      action: { kind: 'command' as const, script: 'ls -la', shell: 'bash' as const, cwd: folder },
      looker: foretell.looker,
      workspaceFolders: [folder],
      ...userOf(ownEnvironment('')),
      signal: ended.signal,
    };
    const taken = groundingOf(grounds, domain, { cwd: folder });
    const fresh = {
      at: now(),
      turns: taken.then(({ turns }) => turns),
      state: taken.then(({ place }) => terminalState(place)),
    };
    // Whoever awaits them sees the failure; here it must only not go unheard.
    fresh.turns.catch(() => groundings.delete(key));
    fresh.state.catch(() => groundings.delete(key));
    const [oldest] = groundings.keys();
    if (groundings.size >= mostGroundings && oldest !== undefined) groundings.delete(oldest);
    groundings.delete(key);
    groundings.set(key, fresh);
    return fresh;
  }

  async function start(value: unknown): Promise<StartedSession | EnvironmentFailure> {
    if (ended.signal.aborted) return failure('closed', 'The environment is closed; start it again.');
    const read = StartRequest.safeParse(value);
    if (!read.success) {
      const [issue] = read.error.issues;
      return failure(
        'bad-request',
        `This starts nothing: ${issue?.path.join('.') || 'the request'}: ${issue?.message ?? 'wrong'}.`,
      );
    }
    const problem = startProblem(read.data, options.workspace);
    if (problem !== undefined) return failure('bad-request', problem);
    if (sessions.size >= mostSessions) sweep();
    if (sessions.size >= mostSessions) {
      return failure(
        'too-many-sessions',
        `There are ${mostSessions} sessions already; close some, or try again later.`,
      );
    }
    const request = await withoutSecretsInStart(read.data).catch(() => undefined);
    if (!request) return failure('model', noScanner);
    const { domain, cwd } = request;
    const isGrounded = cwd !== undefined && (domain === 'terminal' || domain === 'swe');
    const ground = isGrounded ? groundingIn(cwd, domain, request.dialect ?? language.dialect ?? 'qwen') : undefined;
    const place = { user: 'user', host: 'host', home: '/home/user', cwd: '/home/user' };
    const usual = domain !== 'terminal' ? '' : ground ? await ground.state : terminalState(place);
    const id = randomBytes(12).toString('base64url');
    const initialState = request.initialState ?? usual;
    const session: OpenSession = {
      id,
      request,
      domain,
      grounding: ground ? await ground.turns : [],
      initialState,
      startedAtMs: now(),
      usedAtMs: now(),
      history: [],
      stateBefore: initialState,
      baseTokens: 0,
      turn: 0,
      leftOut: 0,
      observation: initialState,
      promptTokens: 0,
      completionTokens: 0,
      isBusy: false,
      resets: 0,
    };
    sessions.set(id, session);
    return { ok: true, id, domain, observation: initialState };
  }

  async function step(id: string, value: unknown, signal?: AbortSignal): Promise<SteppedSession | EnvironmentFailure> {
    const session = find(id);
    if ('ok' in session) return session;
    if (session.isBusy) return failure('busy', 'This session is still at its last action; wait for its observation.');
    if (session.turn >= mostTurns)
      return failure('too-many-turns', `A session has at most ${mostTurns} turns; start another one.`);
    const read = readAction(session.domain, value);
    if ('problem' in read) return failure('bad-request', read.problem);
    session.isBusy = true;
    const { signal: both, unlink } = endedByEither(signal, ended.signal);
    try {
      const action = await withoutSecretsInAction(read).catch(() => undefined);
      if (!action) return failure('model', noScanner);
      if (!(await gate.enter(both))) {
        return both.aborted
          ? failure('cancelled', 'It was cancelled.')
          : failure('too-many-waiting', 'Too many actions wait for the model; try again in a moment.');
      }
      try {
        asked += 1;
        return await imagine(session, action, both);
      } finally {
        gate.leave();
      }
    } finally {
      unlink();
      session.isBusy = false;
      session.usedAtMs = now();
    }
  }

  async function imagine(
    session: OpenSession,
    turn: TurnAction,
    signal: AbortSignal,
  ): Promise<SteppedSession | EnvironmentFailure> {
    const status = await language.provider.status(signal);
    const contextTokens =
      options.contextTokens ?? (status.ok ? status.contextTokens : undefined) ?? defaultContextTokens;
    // A quarter of the context is the reply's, unless it may have less.
    const reserve = Math.min(language.parameters?.maxOutputTokens ?? contextTokens / 4, contextTokens / 4);
    const actionTokens = turnTokens(turn);
    fit(session, contextTokens - reserve - session.baseTokens - actionTokens);
    let prediction = await ask(session, turn, signal);
    if (prediction.failureCode === 'prompt-too-long' && session.history.length > 0) {
      // Our estimate was too low: once more with half of it.
      fit(session, session.history.reduce((sum, { tokens }) => sum + tokens, 0) - 1);
      prediction = await ask(session, turn, signal);
    }
    const observation = answeredBy(prediction)?.reply?.observation;
    const [question] = prediction.questions;
    if (question) {
      const shown = session.history.reduce((sum, { tokens }) => sum + tokens, 0) + actionTokens;
      session.baseTokens = Math.max(0, question.tokens.count - shown);
    }
    const usage = answeredBy(prediction)?.reply?.usage;
    for (const { reply } of prediction.questions) {
      session.promptTokens += reply?.usage?.promptTokens ?? 0;
      session.completionTokens += reply?.usage?.completionTokens ?? 0;
    }
    if (prediction.ending !== 'done' || observation === undefined) return failureOf(prediction);
    session.turn += 1;
    session.observation = observation;
    session.history.push({
      turn: { action: turn, observation, part: 'history' },
      tokens: turnTokens(turn, observation),
    });
    record(session, turn, prediction, observation);
    const screen = turn.kind === 'keystrokes' ? parseScreen(observation, turn.keystrokes).exitCode : undefined;
    const exitCode = prediction.exitCode ?? screen;
    return {
      ok: true,
      turn: session.turn,
      observation,
      ...(exitCode === undefined ? {} : { exitCode }),
      done: session.turn >= mostTurns,
      tokens: usage,
      leftOutTurns: session.leftOut,
    };
  }

  async function ask(session: OpenSession, turn: TurnAction, signal: AbortSignal): Promise<Prediction> {
    const { request, domain } = session;
    const action: RecordedTurn = {
      kind: 'turn',
      domain,
      turn,
      ...(request.cwd === undefined ? {} : { cwd: request.cwd }),
    };
    const state = session.grounding.length > 0 ? session.initialState : session.stateBefore;
    const values = request.tools
      ? { tool_definitions: renderToolDefinitions(request.tools), demonstrations: '' }
      : undefined;
    const { events } = foretell.predict({
      action,
      signal,
      language: {
        ...language,
        ...(request.dialect ? { dialect: request.dialect } : {}),
        perturbations: request.perturbations ?? language.perturbations ?? [],
        perturbationText: request.perturbationText ?? language.perturbationText ?? '',
        turn: {
          turns: [...session.grounding, ...session.history.map((one) => one.turn), { action: turn, part: 'action' }],
          ...(state === '' ? {} : { currentState: state }),
          ...(values ? { values } : {}),
          ...(request.fictionalWorld === undefined ? {} : { fictionalWorld: request.fictionalWorld }),
        },
      },
    });
    return foldAll(action, events);
  }

  function record(session: OpenSession, turn: TurnAction, prediction: Prediction, observation: string): void {
    if (!options.record) return;
    const { request, domain, lastStep } = session;
    const trajectory = session.resets === 0 ? session.id : `${session.id}-${session.resets + 1}`;
    const id = `${trajectory}.${session.turn}`;
    const question = answeredBy(prediction);
    const messages = question && options.recordsMessages ? messagesOf(prediction.questions, question) : undefined;
    const count = messages && lastStep ? sharedCount(lastStep.messages, messages) : 0;
    const isFirst = session.turn === 1;
    options.record({
      version: 1,
      id,
      trajectory,
      ...(isFirst ? {} : { after: `${trajectory}.${session.turn - 1}` }),
      at: new Date(now()).toISOString(),
      domain,
      action: { kind: 'turn', domain, turn, ...(request.cwd === undefined ? {} : { cwd: request.cwd }) },
      ...(isFirst && session.initialState !== '' ? { state: session.initialState } : {}),
      ...(isFirst && request.task !== undefined ? { note: `Task: ${request.task}` } : {}),
      ...(question?.reply ? { model: question.reply.model, reply: question.reply } : {}),
      ...(request.perturbations ? { perturbations: request.perturbations } : {}),
      ...(request.perturbationText ? { perturbationText: request.perturbationText } : {}),
      ...(request.fictionalWorld ? { fictionalWorld: request.fictionalWorld } : {}),
      ...(messages ? { messages: messages.slice(count) } : {}),
      ...(messages && lastStep && count > 0 ? { begins: { step: lastStep.id, count } } : {}),
      prediction: stepPrediction(prediction, observation),
    });
    if (messages) session.lastStep = { id, messages };
  }

  return {
    start,
    step,
    state(id) {
      const session = find(id);
      if ('ok' in session) return session;
      const { domain, request, turn, observation, promptTokens, completionTokens } = session;
      const startedAt = new Date(session.startedAtMs).toISOString();
      const done = turn >= mostTurns;
      const task = request.task === undefined ? {} : { task: request.task };
      return { ok: true, id, domain, ...task, turn, observation, done, promptTokens, completionTokens, startedAt };
    },
    reset(id) {
      const session = find(id);
      if ('ok' in session) return session;
      if (session.isBusy) return failure('busy', 'This session is still at its last action; wait for its observation.');
      session.history = [];
      session.stateBefore = session.initialState;
      session.observation = session.initialState;
      session.turn = 0;
      session.leftOut = 0;
      session.resets += 1;
      delete session.lastStep;
      return { ok: true, id, domain: session.domain, observation: session.initialState };
    },
    close(id) {
      const session = find(id);
      if ('ok' in session) return session;
      sessions.delete(id);
      return { ok: true };
    },
    counts: () => ({ sessions: sessions.size, waiting: gate.waiting(), asked }),
    dispose() {
      ended.abort();
      clearInterval(timer);
      sessions.clear();
    },
  };
}

/** The question whose answer counts: of several samples the one that was elected, of one that was asked once more the last. */
function answeredBy({ questions }: Prediction): Prediction['questions'][number] | undefined {
  return questions.find(({ reply }) => reply?.agreement) ?? questions.at(-1);
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

/** Leaves the oldest turns out for good, so that the history fits. */
function fit(session: OpenSession, room: number): void {
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

function failure(code: EnvironmentFailure['code'], message: string): EnvironmentFailure {
  return { ok: false, code, message };
}

function failureOf(prediction: Prediction): EnvironmentFailure {
  const { ending, endingReason, failureCode } = prediction;
  if (ending === 'cancelled' || failureCode === 'cancelled') return failure('cancelled', 'It was cancelled.');
  if (ending === 'abstained') return failure('unknown', endingReason ?? 'The model cannot know what this leads to.');
  const message = endingReason ?? 'The model gave no observation; try again.';
  return { ...failure('model', message), ...(failureCode === undefined ? {} : { cause: failureCode }) };
}

function sharedCount(before: readonly StepMessage[], after: readonly StepMessage[]): number {
  let count = 0;
  while (count < before.length && count < after.length && before[count]?.content === after[count]?.content) count += 1;
  return count;
}
