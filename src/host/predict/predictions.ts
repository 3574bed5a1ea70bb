import type { LiveAction } from '../../core/action/action.ts';
import type { Foretell, ForetellPrediction, ForetellRequest, Session } from '../../core/foretell.ts';
import type { PredictionEvent } from '../../core/prediction/event.ts';
import type { Ending } from '../../core/prediction/parts.ts';
import { emptyPrediction, fold, type Prediction } from '../../core/prediction/prediction.ts';
import type { View } from '../../core/view/view.ts';
import type { LanguageRequest } from '../../core/worlds/language/imagine/languageRequest.ts';
import type { EditOrigin } from '../edit/editOrigin.ts';
import { type Answers, createAnswers } from './answers.ts';
import { fingerprint, pathsItRestsOn, sayTheSame } from './fingerprint.ts';

/** A quick prediction is simply made again before a real run, to see whether it still holds. */
const quickMs = 800;

// Not `isEnding` of the core: with it the schemas of all events would be loaded when the extension starts.
const endings: Record<Ending, true> = { done: true, abstained: true, failed: true, cancelled: true };
const isEnding = (event: PredictionEvent) => Object.hasOwn(endings, event.type);

/** Messages of a prompt that the user changed. */
export type ChangedMessages = NonNullable<LanguageRequest['changedMessages']>;

/** How a command is predicted. */
export interface Way {
  readonly openGate: boolean;
  /** The language model alone predicts the whole command. */
  readonly whole: boolean;
  readonly changedMessages: ChangedMessages;
  /** Prompts that count before those of the folders, such as what stands unsaved in an editor. */
  readonly templates?: LanguageRequest['templates'] | undefined;
}

/** What is needed to predict a command once more. */
export interface Step extends Way {
  action: LiveAction;
  /** Of an edit: where it came from. */
  origin?: EditOrigin | undefined;
  answers: readonly string[];
  /** Working directory that it leaves, absolute. */
  leavesIn: string;
  /** Paths that are others after it, absolute. */
  changes: readonly string[];
}

/** One prediction, while it is made and as long as it is shown. */
export interface Run extends Way {
  readonly number: number;
  readonly action: LiveAction;
  /** Of an edit: where it came from. */
  readonly origin?: EditOrigin | undefined;
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
  /** It starts from steps of its own, which are no part of the sequence that the user builds. */
  readonly isApart: boolean;
  /** The prediction before this one, where it was of the same command and came to its end. */
  readonly last: Prediction | undefined;
  /** Of a whole command that is imagined: what the engine says of it, as soon as it is known. */
  rehearsed: Prediction | undefined;
  /** The reader wants to see `last` beside it. */
  showsLast: boolean;
}

/** Told what happens, in order. */
export interface PredictionListener {
  started(run: Run): void;
  event(run: Run, event: PredictionEvent): void;
  ended(run: Run): void;
  /** There is something to show beside it now. */
  compared(run: Run): void;
  /** Nothing is shown any more. */
  discarded(): void;
  /** A question was refused: the prediction before it is no answer to it, and is shown no more until it is asked for. */
  setAside(): void;
  /** It is shown again. */
  broughtBack(run: Run): void;
  /** The position of the session, or whether there is a prediction, has changed. */
  moved(): void;
}

/** Everything of a request but the action, as it is now. */
export type EditorRequest = Omit<ForetellRequest, 'action' | 'signal' | 'answers' | 'openGate'>;

export interface PredictionsOptions {
  engine: () => Promise<Foretell>;
  editorRequest: () => EditorRequest;
  listener: PredictionListener;
}

/** The predictions of one window: one at a time, each shown until the next begins. */
export interface Predictions {
  /** The one that is shown, and can be acted on. */
  current(): Run | undefined;
  /** That, or the one that was set aside. */
  latest(): Run | undefined;
  /** Steps whose predicted state the next prediction starts from. */
  position(): readonly Step[];
  /** Begins at once; what was under way is cancelled. `from`: not from the position, but from what these steps leave. */
  predict(action: LiveAction, options?: Partial<Way>, origin?: EditOrigin, from?: readonly Step[]): Run;
  /** Makes the current one again, in the same way but for what is given, and with the prompts as they come. */
  again(options?: Partial<Way>): Run | undefined;
  cancel(): void;
  answer(line: string): void;
  /** The next prediction starts from what the current one leaves. False: it has not ended, or failed, or is imagined. */
  continueFromHere(): boolean;
  /** The next prediction starts from the real files. What was predicted goes: it may rest on what is left out now. */
  startOver(): void;
  /** Takes the current one away, and what it started from. */
  discard(): void;
  /** A question was refused. */
  setAside(): void;
  bringBack(): void;
  /** Whether what the prediction rests on has changed so that it would come out otherwise now. */
  isStale(run: Run): Promise<boolean>;
  dispose(): Promise<void>;
}

/** Everything that a run holds and its readers need not see. */
interface Held extends Run, FollowedRun {
  view: View | undefined;
  restsOn: Promise<{ paths: string[]; digest: string }> | undefined;
}

export function createPredictions({ engine, editorRequest, listener }: PredictionsOptions): Predictions {
  let count = 0;
  let current: Held | undefined;
  let aside: Held | undefined;
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
    action: LiveAction,
    made: Pick<FollowedRun, keyof Way | 'answers' | 'abort' | 'isSilent' | 'origin'>,
  ): ForetellRequest {
    const { openGate, answers, abort, whole, changedMessages, templates, origin } = made;
    const { language, unsavedPaths, ...rest } = editorRequest();
    // Saving an editor writes just what is unsaved there.
    const isSaved = new Set(origin?.applies === 'save' ? origin.editors : []);
    return {
      ...rest,
      ...(unsavedPaths ? { unsavedPaths: unsavedPaths.filter((file) => !isSaved.has(file)) } : {}),
      ...(language && !made.isSilent
        ? { language: { ...language, whole, changedMessages, ...(templates ? { templates } : {}) } }
        : {}),
      action,
      openGate,
      answers: answers.stream,
      signal: abort.signal,
    };
  }

  /** A session in which the steps have been predicted already, silently. */
  async function sessionAt({ position: steps, abort, isSilent }: FollowedRun): Promise<Session> {
    const session = (await engine()).openSession();
    for (const step of steps) {
      const answers = createAnswers(step.answers);
      answers.end();
      const request = requestFor(step.action, { ...step, answers, abort, isSilent });
      for await (const _ of session.predict(request).events);
    }
    return session;
  }

  /** Hands each event of one prediction to `take`. What is thrown becomes the ending. */
  async function follow(action: LiveAction, held: FollowedRun, take: (event: PredictionEvent) => void): Promise<void> {
    const startedAt = Date.now();
    let hasEnded = false;
    try {
      held.session ??= await sessionAt(held);
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

  /** Makes a prediction that nobody watches, without asking a model unless `way` is given. */
  async function predictSilently(run: Run, abort: AbortController, way?: Way): Promise<Prediction> {
    const silent: FollowedRun = {
      ...(way ?? { openGate: false, whole: false, changedMessages: [] }),
      position: run.position,
      origin: run.origin,
      abort,
      answers: createAnswers(run.answers.typed),
      session: undefined,
      view: undefined,
      isSilent: way === undefined,
    };
    silent.answers.end();
    const prediction = emptyPrediction(run.action);
    await follow(run.action, silent, (event) => fold(prediction, event));
    close(silent.session);
    return prediction;
  }

  /** Puts what the engine says beside what the model imagines. */
  async function rehearseBeside(run: Held): Promise<void> {
    const prediction = await predictSilently(run, run.abort);
    if (current !== run || !isComplete(prediction)) return;
    run.rehearsed = prediction;
    listener.compared(run);
  }

  function predict(
    action: LiveAction,
    { openGate = false, whole = false, changedMessages = [], templates }: Partial<Way> = {},
    origin?: EditOrigin,
    from?: readonly Step[],
  ): Run {
    const before = current ?? aside;
    aside = undefined;
    const start = from ?? position;
    const isSame = before?.position === start && isSameAction(before.action, action);
    const beforeIt = isSame && isComplete(before.prediction) ? before.prediction : undefined;
    before?.abort.abort();
    if (before?.session !== warm) close(before?.session);
    count += 1;
    const run: Held = {
      number: count,
      action,
      origin,
      openGate,
      whole,
      changedMessages,
      templates,
      prediction: emptyPrediction(action),
      sequence: 0,
      answers: createAnswers(),
      ended: Promise.resolve(),
      view: undefined,
      position: start,
      isApart: from !== undefined,
      abort: new AbortController(),
      session: from ? undefined : warm,
      restsOn: undefined,
      last: beforeIt ?? (isSame ? before.last : undefined),
      rehearsed: whole && !before?.whole ? beforeIt : undefined,
      showsLast: false,
      isSilent: false,
    };
    if (!from) warm = undefined;
    current = run;
    listener.started(run);
    run.ended = make(run);
    if (whole && !run.rehearsed) void rehearseBeside(run);
    return run;
  }

  function discard(): void {
    const run = current ?? aside;
    run?.abort.abort();
    current = undefined;
    aside = undefined;
    close(run?.session);
    if (warm !== run?.session) close(warm);
    warm = undefined;
    position = [];
    listener.discarded();
    listener.moved();
  }

  async function isStale(run: Run): Promise<boolean> {
    const held = run as Held;
    const then = await held.restsOn;
    if (!then) return true;
    const isTouched = (await fingerprint(then.paths)) !== then.digest;
    // A model says something else every time, which tells nothing about the files.
    if (run.prediction.questions.length > 0) return isTouched;
    const isQuick = (run.prediction.durationMs ?? quickMs) < quickMs;
    if (!isTouched && (!isQuick || run.openGate || run.answers.typed.length > 0)) return false;
    const prediction = await predictSilently(run, new AbortController(), run);
    return !sayTheSame(prediction, run.prediction);
  }

  return {
    current: () => current,
    latest: () => current ?? aside,
    position: () => position,
    predict,
    again(options) {
      if (!current) return undefined;
      const { action, openGate, whole, origin, isApart } = current;
      if (isApart) return predict(action, { openGate, whole, ...options }, origin, current.position);
      if (position !== current.position) {
        // Not from what it left, which the user may have gone on from, but from what it started from.
        position = current.position;
        warm = undefined;
      }
      return predict(action, { openGate, whole, ...options }, origin);
    },
    cancel: () => current?.abort.abort(),
    answer: (line) => current?.answers.type(`${line}\n`),
    continueFromHere() {
      // What a model says about a whole command is no state that a shell could go on from.
      if (!current || current.whole || !isComplete(current.prediction)) return false;
      const { action, origin, openGate, whole, changedMessages, templates, answers, prediction } = current;
      const leavesIn = prediction.cwd ?? action.cwd ?? current.position.at(-1)?.leavesIn ?? '/';
      const changes = prediction.files.flatMap((file) =>
        file.from === undefined ? [file.path] : [file.path, file.from],
      );
      const way = { openGate, whole, changedMessages, templates };
      const step = { action, origin, ...way, answers: [...answers.typed], leavesIn, changes };
      position = [...current.position, step];
      warm = current.session;
      listener.moved();
      return true;
    },
    startOver: discard,
    discard,
    setAside() {
      if (!current) return;
      if (current.prediction.ending === undefined) current.abort.abort();
      aside = current;
      current = undefined;
      listener.setAside();
    },
    bringBack() {
      if (current || !aside) return;
      current = aside;
      aside = undefined;
      listener.broughtBack(current);
    },
    isStale,
    async dispose() {
      const run = current ?? aside;
      run?.abort.abort();
      close(run?.session);
      if (warm !== run?.session) close(warm);
      await Promise.all(closing);
    },
  };
}

/** What `follow` fills in. */
interface FollowedRun extends Way {
  readonly position: readonly Step[];
  readonly abort: AbortController;
  readonly answers: Answers;
  readonly origin?: EditOrigin | undefined;
  session: Session | undefined;
  view: View | undefined;
  /** No model is asked. */
  readonly isSilent: boolean;
}

/** A step in a few words: its script, or what its edit is called. */
export function stepTitle({ action, origin }: Pick<Step, 'action' | 'origin'>): string {
  return action.kind === 'command' ? action.script : (origin?.title ?? 'an edit');
}

/** It came to its end. */
function isComplete({ ending }: Prediction): boolean {
  return ending === 'done' || ending === 'abstained';
}

function isSameAction(one: LiveAction, other: LiveAction): boolean {
  if (one.kind === 'edit' || other.kind === 'edit') return one === other;
  return one.script === other.script && one.cwd === other.cwd && one.shell === other.shell;
}

async function restOn(prediction: Prediction): Promise<{ paths: string[]; digest: string }> {
  const paths = pathsItRestsOn(prediction);
  return { paths, digest: await fingerprint(paths) };
}
