import type { CommandAction } from '../core/action/action.ts';
import type { Foretell, ForetellPrediction, Session } from '../core/foretell.ts';
import type { Ending, PredictionEvent } from '../core/prediction/event.ts';
import { emptyPrediction, fold, type Prediction } from '../core/prediction/prediction.ts';
import type { PredictRequest } from '../core/prediction/worldModel.ts';
import type { View } from '../core/view/view.ts';
import { type Answers, createAnswers } from './answers.ts';
import { fingerprint, pathsItRestsOn, sayTheSame } from './fingerprint.ts';

/** A quick prediction is simply made again before a real run, to see whether it still holds. */
const quickMs = 800;

// Not `isEnding` of the core: with it the schemas of all events would be loaded when the extension starts.
const endings: Record<Ending, true> = { done: true, abstained: true, failed: true, cancelled: true };
const isEnding = (event: PredictionEvent) => Object.hasOwn(endings, event.type);

/** What is needed to predict a command once more. */
export interface Step {
  action: CommandAction;
  openGate: boolean;
  answers: readonly string[];
  /** Working directory that it leaves, absolute. */
  leavesIn: string;
}

/** One prediction, while it is made and as long as it is shown. */
export interface Run {
  readonly number: number;
  readonly action: CommandAction;
  readonly openGate: boolean;
  /** Folded so far. */
  readonly prediction: Prediction;
  /** How many events are folded. */
  sequence: number;
  readonly answers: Answers;
  /** Resolves after the ending; never rejects. */
  ended: Promise<void>;
  view: View | undefined;
  /** Steps that it starts from. */
  readonly position: readonly Step[];
}

/** Told what happens, in order. */
export interface PredictionListener {
  started(run: Run): void;
  event(run: Run, event: PredictionEvent): void;
  ended(run: Run): void;
  /** The position of the session, or whether there is a prediction, has changed. */
  moved(): void;
}

/** Everything of a request but the action, as it is now. */
export type RequestSurroundings = Omit<PredictRequest, 'action' | 'signal' | 'answers' | 'openGate'>;

export interface PredictionsOptions {
  engine: () => Promise<Foretell>;
  surroundings: () => RequestSurroundings;
  listener: PredictionListener;
}

/** The predictions of one window: one at a time, each shown until the next begins. */
export interface Predictions {
  current(): Run | undefined;
  /** Steps whose predicted state the next prediction starts from. */
  position(): readonly Step[];
  /** Begins at once; what was under way is cancelled. */
  predict(action: CommandAction, options?: { openGate?: boolean; answers?: readonly string[] }): Run;
  /** Makes the current one again; `openGate` as it was, unless given. */
  again(options?: { openGate?: boolean }): Run | undefined;
  cancel(): void;
  answer(line: string): void;
  /** The next prediction starts from what the current one leaves. False: it has not ended, or failed. */
  continueFromHere(): boolean;
  startOver(): void;
  /** Whether what the prediction rests on has changed so that it would come out otherwise now. */
  isStale(run: Run): Promise<boolean>;
  dispose(): Promise<void>;
}

/** Everything that a run holds and its readers need not see. */
interface Held extends Run {
  readonly abort: AbortController;
  session: Session | undefined;
  restsOn: Promise<{ paths: string[]; digest: string }> | undefined;
}

export function createPredictions({ engine, surroundings, listener }: PredictionsOptions): Predictions {
  let count = 0;
  let current: Held | undefined;
  let position: readonly Step[] = [];
  /** The session of the last step, as it stood when the user went on from it; the next prediction uses it up. */
  let warm: Session | undefined;
  const closing = new Set<Promise<void>>();

  function close(session: Session | undefined): void {
    if (!session) return;
    const done = session.close().catch(() => {});
    closing.add(done);
    void done.then(() => closing.delete(done));
  }

  function requestFor(
    action: CommandAction,
    made: Pick<FollowedRun, 'openGate' | 'answers' | 'abort'>,
  ): PredictRequest {
    const { openGate, answers, abort } = made;
    return { ...surroundings(), action, openGate, answers: answers.stream, signal: abort.signal };
  }

  /** A session in which the steps have been predicted already, silently. */
  async function sessionAt(steps: readonly Step[], abort: AbortController): Promise<Session> {
    const session = (await engine()).openSession();
    for (const step of steps) {
      const answers = createAnswers(step.answers);
      answers.end();
      for await (const _ of session.predict(requestFor(step.action, { ...step, answers, abort })).events);
    }
    return session;
  }

  /** Hands each event of one prediction to `take`. What is thrown becomes the ending. */
  async function follow(
    action: CommandAction,
    held: FollowedRun,
    take: (event: PredictionEvent) => void,
  ): Promise<void> {
    const startedAt = Date.now();
    let hasEnded = false;
    try {
      held.session ??= await sessionAt(held.position, held.abort);
      const started: ForetellPrediction = held.session.predict(requestFor(action, held));
      held.view = started.view;
      for await (const event of started.events) {
        hasEnded ||= isEnding(event);
        take(event);
      }
    } catch (error) {
      if (hasEnded) return;
      const durationMs = Date.now() - startedAt;
      const reason = error instanceof Error ? error.message : String(error);
      if (held.abort.signal.aborted) take({ type: 'cancelled', durationMs });
      else take({ type: 'failed', code: 'internal', message: `Foretell has a fault: ${reason}`, durationMs });
    } finally {
      held.answers.end();
    }
  }

  async function make(run: Held): Promise<void> {
    await follow(run.action, run, (event) => {
      if (isEnding(event)) {
        // Taken before anybody can see the prediction, so that a change after that shows.
        run.restsOn = restOn(run.prediction);
      }
      fold(run.prediction, event);
      run.sequence += 1;
      if (current === run) listener.event(run, event);
    });
    if (current === run) listener.ended(run);
  }

  function predict(
    action: CommandAction,
    { openGate = false, answers = [] }: { openGate?: boolean; answers?: readonly string[] } = {},
  ): Run {
    const before = current;
    before?.abort.abort();
    if (before?.session !== warm) close(before?.session);
    count += 1;
    const run: Held = {
      number: count,
      action,
      openGate,
      prediction: emptyPrediction(action),
      sequence: 0,
      answers: createAnswers(answers),
      ended: Promise.resolve(),
      view: undefined,
      position,
      abort: new AbortController(),
      session: warm,
      restsOn: undefined,
    };
    warm = undefined;
    current = run;
    listener.started(run);
    run.ended = make(run);
    return run;
  }

  async function isStale(run: Run): Promise<boolean> {
    const held = run as Held;
    const then = await held.restsOn;
    if (!then) return true;
    const isTouched = (await fingerprint(then.paths)) !== then.digest;
    const isQuick = (run.prediction.durationMs ?? quickMs) < quickMs;
    if (!isTouched && (!isQuick || run.openGate || run.answers.typed.length > 0)) return false;
    const fresh: FollowedRun = {
      position: run.position,
      openGate: run.openGate,
      abort: new AbortController(),
      answers: createAnswers(run.answers.typed),
      session: undefined,
      view: undefined,
    };
    fresh.answers.end();
    const prediction = emptyPrediction(run.action);
    await follow(run.action, fresh, (event) => fold(prediction, event));
    close(fresh.session);
    return !sayTheSame(prediction, run.prediction);
  }

  return {
    current: () => current,
    position: () => position,
    predict,
    again(options) {
      if (!current) return undefined;
      if (position !== current.position) {
        // Not from what it left, which the user may have gone on from, but from what it started from.
        position = current.position;
        warm = undefined;
      }
      return predict(current.action, { openGate: options?.openGate ?? current.openGate });
    },
    cancel: () => current?.abort.abort(),
    answer: (line) => current?.answers.type(`${line}\n`),
    continueFromHere() {
      const ending = current?.prediction.ending;
      if (!current || (ending !== 'done' && ending !== 'abstained')) return false;
      const { action, openGate, answers, prediction } = current;
      const leavesIn = prediction.cwd ?? action.cwd;
      position = [...current.position, { action, openGate, answers: [...answers.typed], leavesIn }];
      warm = current.session;
      listener.moved();
      return true;
    },
    startOver() {
      position = [];
      if (warm !== current?.session) close(warm);
      warm = undefined;
      listener.moved();
    },
    isStale,
    async dispose() {
      current?.abort.abort();
      close(current?.session);
      if (warm !== current?.session) close(warm);
      await Promise.all(closing);
    },
  };
}

/** What `follow` fills in. */
interface FollowedRun {
  readonly openGate: boolean;
  readonly position: readonly Step[];
  readonly abort: AbortController;
  readonly answers: Answers;
  session: Session | undefined;
  view: View | undefined;
}

async function restOn(prediction: Prediction): Promise<{ paths: string[]; digest: string }> {
  const paths = pathsItRestsOn(prediction);
  return { paths, digest: await fingerprint(paths) };
}
