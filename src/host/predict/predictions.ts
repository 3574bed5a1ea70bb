import type { LiveAction } from '../../core/action/action.ts';
import type { Foretell } from '../../core/foretell.ts';
import { emptyPrediction } from '../../core/prediction/fold.ts';
import { foldMany } from '../../core/prediction/foldMany.ts';
import type { Prediction } from '../../core/prediction/prediction.ts';
import type { EditOrigin } from '../edit/editOrigin.ts';
import { createAnswers } from './answers.ts';
import { fingerprint, pathsItRestsOn, sayTheSame } from './fingerprint.ts';
import { type EditorRequest, type HeldRun, isComplete, type Run, type Step, type Way } from './run.ts';
import { type ConsentIn, createSessions, isEnding, type LooksIn, type Sessions } from './sessions.ts';
import { createShownRun, type PredictionListener } from './shownRun.ts';
import { createStartingPlace, type StartingPlace } from './startingPlace.ts';

/** A quick prediction is simply made again before a real run, to see whether it still holds. */
const quickMs = 800;

export interface PredictionsOptions {
  engine: () => Promise<Foretell>;
  editorRequest: () => EditorRequest;
  /** Default: the user consented to nothing. */
  consentIn?: ConsentIn;
  /** Default: nothing is asked. */
  looksIn?: LooksIn;
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
  /** `answers`: what was typed for its programs; default: what was typed until now. */
  again(options?: Partial<Way>, answers?: readonly string[]): Run | undefined;
  /** Begins what is likely to be asked for next, so that it is there then; not while another one is made. `undefined`: nothing is. */
  lookAhead(action: LiveAction | undefined): void;
  cancel(): void;
  answer(line: string): void;
  /** The next prediction starts from what the current one leaves. False: it has not ended, or failed, or is imagined. */
  continueFromHere(): boolean;
  /** Makes a step of the position again, as it was made, from the steps before it; those behind it are left. From 0. */
  goToStep(index: number): Run | undefined;
  /** The next prediction starts from the real files; what is shown stays. False: it does already. */
  leaveSequence(): boolean;
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

export function createPredictions({
  engine,
  editorRequest,
  consentIn,
  looksIn,
  listener,
}: PredictionsOptions): Predictions {
  const sessions = createSessions(engine, editorRequest, consentIn, looksIn);
  const shown = createShownRun(listener);
  const place = createStartingPlace(sessions.close);
  let count = 0;

  async function make(run: HeldRun): Promise<void> {
    await sessions.follow(run.action, run, (event) => {
      // Taken before anybody can see the prediction, so that a change after that shows.
      if (isEnding(event)) run.restsOn = restOn(run.prediction);
      foldMany(run.prediction, event);
      run.sequence += 1;
      shown.event(run, event);
    });
    shown.ended(run);
  }

  /** Puts what the engine says beside what the model imagines. */
  async function rehearseBeside(run: HeldRun): Promise<void> {
    const prediction = await sessions.predictSilently(run, run.abort);
    if (shown.current() !== run || !isComplete(prediction)) return;
    run.rehearsed = prediction;
    shown.compared(run);
  }

  function predict(
    action: LiveAction,
    way?: Partial<Way>,
    origin?: EditOrigin,
    from?: readonly Step[],
    answers?: readonly string[],
  ): Run {
    const before = shown.latest();
    before?.abort.abort();
    place.release(before?.session);
    count += 1;
    const position = from ?? place.steps();
    const session = from ? undefined : place.takeSession();
    const start = { position, session, isApart: from !== undefined };
    const run = newRun({ number: count, action, origin, ...start }, { ...way, answers }, before);
    shown.show(run);
    run.ended = make(run);
    if (run.whole && !run.rehearsed) void rehearseBeside(run);
    return run;
  }

  function discard(): void {
    const run = shown.latest();
    run?.abort.abort();
    place.leave(run?.session);
    shown.clear();
    listener.moved();
  }

  return {
    current: shown.current,
    latest: shown.latest,
    position: place.steps,
    predict: (action, way, origin, from) => predict(action, way, origin, from),
    again(options, answers) {
      const run = shown.current();
      if (!run) return undefined;
      const { action, openGate, whole, prompt, origin, isApart } = run;
      if (!isApart) place.returnTo(run.position);
      const way = { openGate, whole, prompt, ...options };
      return predict(action, way, origin, isApart ? run.position : undefined, answers ?? run.answers.typed);
    },
    lookAhead: (action) => void sessions.lookAhead(isUnderWay(shown.latest()) ? undefined : action).catch(() => {}),
    cancel: () => shown.current()?.abort.abort(),
    answer: (line) => shown.current()?.answers.type(`${line}\n`),
    continueFromHere() {
      const run = shown.current();
      // What a model says about a whole command is no state that a shell could go on from.
      if (!run || run.whole || !isComplete(run.prediction)) return false;
      place.goOnFrom(run);
      listener.moved();
      return true;
    },
    goToStep(index) {
      const steps = place.steps();
      const step = steps[index];
      if (!step) return undefined;
      place.returnTo(steps.slice(0, index));
      const { action, origin, answers, leavesIn: _, changes: _changes, ...way } = step;
      return predict(action, way, origin, undefined, answers);
    },
    leaveSequence: () => leaveSequence(place, listener),
    startOver: discard,
    discard,
    setAside: shown.setAside,
    bringBack: shown.bringBack,
    isStale: (run) => isStale(run as HeldRun, sessions),
    async dispose() {
      const run = shown.latest();
      run?.abort.abort();
      place.leave(run?.session);
      await sessions.closed();
    },
  };
}

function isUnderWay(run: Run | undefined): boolean {
  return run !== undefined && run.prediction.ending === undefined;
}

function leaveSequence(place: StartingPlace, listener: PredictionListener): boolean {
  if (place.steps().length === 0) return false;
  place.returnTo([]);
  listener.moved();
  return true;
}

/** A prediction before its first event. `before`: the one that it takes the place of. */
function newRun(
  start: Pick<HeldRun, 'number' | 'action' | 'origin' | 'position' | 'isApart' | 'session'>,
  {
    openGate = false,
    whole = false,
    changedMessages = [],
    templates,
    prompt,
    answers,
  }: Partial<Way> & { answers?: readonly string[] | undefined },
  before: HeldRun | undefined,
): HeldRun {
  const isSame = before?.position === start.position && isSameAction(before.action, start.action);
  const beforeIt = isSame && isComplete(before.prediction) ? before.prediction : undefined;
  return {
    ...start,
    openGate,
    whole,
    changedMessages,
    templates,
    prompt,
    prediction: emptyPrediction(start.action),
    sequence: 0,
    // What the user answered holds for the same command from the same place.
    answers: createAnswers(answers ?? (isSame ? before.answers.typed : [])),
    ended: Promise.resolve(),
    view: undefined,
    abort: new AbortController(),
    restsOn: undefined,
    last: beforeIt ?? (isSame ? before.last : undefined),
    rehearsed: whole && !before?.whole ? beforeIt : undefined,
    showsLast: false,
    isSilent: false,
  };
}

async function isStale(run: HeldRun, sessions: Sessions): Promise<boolean> {
  const then = await run.restsOn;
  if (!then) return true;
  const isTouched = (await fingerprint(then.paths)) !== then.digest;
  // A model says something else every time, which tells nothing about the files.
  if (run.prediction.questions.length > 0) return isTouched;
  const isQuick = (run.prediction.durationMs ?? quickMs) < quickMs;
  if (!isTouched && (!isQuick || run.openGate || run.answers.typed.length > 0)) return false;
  const prediction = await sessions.predictSilently(run, new AbortController(), run);
  return !sayTheSame(prediction, run.prediction);
}

function isSameAction(one: LiveAction, other: LiveAction): boolean {
  if (one.kind === 'edit' || other.kind === 'edit') return one === other;
  return one.script === other.script && one.cwd === other.cwd && one.shell === other.shell;
}

async function restOn(prediction: Prediction): Promise<{ paths: string[]; digest: string }> {
  const paths = pathsItRestsOn(prediction);
  return { paths, digest: await fingerprint(paths) };
}
