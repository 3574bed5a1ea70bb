import type { LiveAction } from '../../core/action/action.ts';
import type { Consent, LookKind } from '../../core/facts/consent.ts';
import type { Foretell, ForetellPrediction, ForetellRequest, Session } from '../../core/foretell.ts';
import type { PredictionEvent } from '../../core/prediction/event.ts';
import { emptyPrediction } from '../../core/prediction/fold.ts';
import { foldMany } from '../../core/prediction/foldMany.ts';
import type { Ending } from '../../core/prediction/parts.ts';
import type { Prediction } from '../../core/prediction/prediction.ts';
import { createAhead } from './ahead.ts';
import { createAnswers } from './answers.ts';
import type { EditorRequest, FollowedRun, HeldSession, Run, Way } from './run.ts';

// Not `isEnding` of the core: with it the schemas of all events would be loaded when the extension starts.
const endings: Record<Ending, true> = { done: true, abstained: true, failed: true, cancelled: true };
/** Whether an event is the last one of its prediction. */
export const isEnding = (event: PredictionEvent) => Object.hasOwn(endings, event.type);

/** Sessions of the engine, each from its opening until it is closed. */
export interface Sessions {
  /** Hands each event of one prediction to `take`, in a session that is opened where there is none. What is thrown becomes the ending. */
  follow(action: LiveAction, held: FollowedRun, take: (event: PredictionEvent) => void): Promise<void>;
  /** Makes a prediction that nobody watches, without asking a model unless `way` is given. */
  predictSilently(run: Run, abort: AbortController, way?: Way): Promise<Prediction>;
  /** Begins a prediction that is likely to be asked for next. `undefined`: none is any more. Whoever follows the same gets it. */
  lookAhead(action: LiveAction | undefined): Promise<void>;
  close(session: HeldSession | undefined): void;
  /** Resolves when everything that was closed has ended. */
  closed(): Promise<void>;
}

/**
 * Of most commands nobody goes on, and one that is predicted for itself is there twice as fast: no shell has to be kept, and no
 * view that every later command could be run in. What a model answered, or programs did that were let run, is not made twice;
 * where the words of a script start inert programs alone, neither is to be expected.
 */
function mayStandAlone(foretell: Foretell, { position }: FollowedRun, request: ForetellRequest): boolean {
  const { language, consent, openGate, action } = request;
  if (position.length > 0 || openGate || language?.whole) return false;
  if (!language && !consent) return true;
  return action.kind === 'command' && foretell.startsOnlyInert({ ...request, action });
}

function standingAlone(foretell: Foretell): HeldSession {
  let made: ForetellPrediction | undefined;
  return {
    isAlone: true,
    predict(request) {
      made = foretell.predict(request);
      return made;
    },
    close: async () => made?.view.close(),
  };
}

/** The consent that counts in a folder. */
export type ConsentIn = (folder: string | undefined) => Consent | undefined;

/** What may be asked as a look in a folder. */
export type LooksIn = (folder: string | undefined) => LookKind[];

const plainWay: Way = { openGate: false, whole: false, changedMessages: [] };

/** Reads what the window says now, and what the user consented to. */
type FromEditor = (action: LiveAction, way: Pick<Way, 'prompt'>) => Promise<EditorRequest>;

function readFromEditor(editorRequest: () => EditorRequest, consentIn: ConsentIn, looksIn: LooksIn): FromEditor {
  return async ({ cwd }, { prompt }) => {
    const consent = consentIn(cwd);
    const looks = looksIn(cwd);
    const request = editorRequest();
    const typedAt = await prompt?.request(request.env ?? {});
    return { ...request, ...typedAt, looks, ...(consent ? { consent } : {}) };
  };
}

export function createSessions(
  engine: () => Promise<Foretell>,
  editorRequest: () => EditorRequest,
  consentIn: ConsentIn = () => undefined,
  looksIn: LooksIn = () => [],
): Sessions {
  const fromEditor = readFromEditor(editorRequest, consentIn, looksIn);
  const closing = new Set<Promise<void>>();
  const ahead = createAhead();

  function close(session: Session | undefined): void {
    if (!session) return;
    const done = session.close().catch(() => {});
    closing.add(done);
    void done.then(() => closing.delete(done));
  }

  /** A session in which the steps have been predicted already, silently. */
  async function sessionAt({ position: steps, abort, isSilent }: FollowedRun): Promise<Session> {
    const session = (await engine()).openSession();
    for (const step of steps) {
      const answers = createAnswers(step.answers);
      answers.end();
      const request = requestFor(await fromEditor(step.action, step), step.action, {
        ...step,
        answers,
        abort,
        isSilent,
      });
      // What is only recalled leaves no state that another command could start from.
      for await (const _ of session.predict({ ...request, memory: undefined }).events);
    }
    return session;
  }

  async function sessionFor(foretell: Foretell, held: FollowedRun, request: ForetellRequest): Promise<HeldSession> {
    if (!mayStandAlone(foretell, held, request)) return sessionAt(held);
    return (await ahead.take(request)) ?? standingAlone(foretell);
  }

  async function follow(action: LiveAction, held: FollowedRun, take: (event: PredictionEvent) => void): Promise<void> {
    const startedAt = Date.now();
    let hasEnded = false;
    try {
      const request = requestFor(await fromEditor(action, held), action, held);
      const foretell = await engine();
      held.session ??= await sessionFor(foretell, held, request);
      const started: ForetellPrediction = held.session.predict(request);
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

  async function predictSilently(run: Run, abort: AbortController, way?: Way): Promise<Prediction> {
    const silent: FollowedRun = {
      ...(way ?? plainWay),
      prompt: run.prompt,
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
    await follow(run.action, silent, (event) => foldMany(prediction, event));
    close(silent.session);
    return prediction;
  }

  return {
    follow,
    predictSilently,
    async lookAhead(action) {
      if (!action) return ahead.drop();
      const made = { ...plainWay, answers: createAnswers(), abort: new AbortController(), isSilent: false };
      await ahead.begin(async () => {
        const request = requestFor(await fromEditor(action, {}), action, made);
        return { foretell: await engine(), request };
      });
    },
    close,
    async closed() {
      ahead.drop();
      await Promise.all(closing);
    },
  };
}

/** A request as it is made now: what the window says, and the way of this prediction. */
function requestFor(
  fromEditor: EditorRequest,
  action: LiveAction,
  made: Pick<FollowedRun, keyof Way | 'answers' | 'abort' | 'isSilent' | 'origin'>,
): ForetellRequest {
  const { openGate, answers, abort, whole, changedMessages, templates, origin } = made;
  const { language, unsavedPaths, memory, ...rest } = fromEditor;
  // Saving an editor writes just what is unsaved there.
  const isSaved = new Set(origin?.applies === 'save' ? origin.editors : []);
  return {
    ...rest,
    ...(unsavedPaths ? { unsavedPaths: unsavedPaths.filter((file) => !isSaved.has(file)) } : {}),
    ...(language && !made.isSilent
      ? { language: { ...language, whole, changedMessages, ...(templates ? { templates } : {}) } }
      : {}),
    // Who asks for a run of every program gets one; so does who compares without anybody's watching.
    ...(memory && !made.isSilent ? { memory: { ...memory, isFresh: openGate } } : {}),
    action,
    openGate,
    answers: answers.stream,
    signal: abort.signal,
  };
}
