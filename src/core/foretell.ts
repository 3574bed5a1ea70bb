import path from 'node:path';
import type { Action } from './action/action.ts';
import { warmRedaction } from './context/secrets/redactForPrompt.ts';
import type { PredictionEvent } from './prediction/event.ts';
import { allInWords } from './prediction/factEvent.ts';
import { emptyPrediction } from './prediction/fold.ts';
import { foldMany } from './prediction/foldMany.ts';
import { inPieces, piecesOf } from './prediction/pieces.ts';
import { type Analysts, withVerdict } from './prediction/predict.ts';
import type { Prediction } from './prediction/prediction.ts';
import type { PredictRequest, Rehearsal, TracedRun } from './prediction/rehearsal.ts';
import { completeRequest, type GivenRequest, refusedRehearsal } from './prediction/request.ts';
import { judge } from './verdict/verdict.ts';
import { delegatedView } from './view/delegatedView.ts';
import type { Looker, View } from './view/view.ts';
import { createConfinedEngine, type EngineStatus } from './worlds/confined/engine.ts';
import { scriptWords } from './worlds/confined/scriptWords.ts';
import type { Session as ConfinedSession } from './worlds/confined/session.ts';
import { atPrompt } from './worlds/confined/shell/atPrompt.ts';
import type { Caller } from './worlds/confined/wire/launcher.ts';
import type { LauncherPool } from './worlds/confined/wire/launcherPool.ts';
import { createHandOver } from './worlds/language/imagine/handOver.ts';
import { imagineCommand } from './worlds/language/imagine/imagineCommand.ts';
import { imagineTurn } from './worlds/language/imagine/imagineTurn.ts';
import type { LanguageRequest } from './worlds/language/imagine/languageRequest.ts';
import { createSessionRecord, type SessionRecord } from './worlds/language/prompt/turns/session.ts';
import { changedInputs } from './worlds/remembered/inputs.ts';
import type { MemoryUse } from './worlds/remembered/memoryStore.ts';
import { readLastTime } from './worlds/remembered/recall.ts';
import { inputsOf } from './worlds/remembered/remember.ts';
import { type MemoryParts, withMemory } from './worlds/remembered/withMemory.ts';

/** What the engine needs to know of the machine. */
export interface ForetellOptions {
  /** Path of the launcher, see `launcherPath`. */
  launcher: string;
  /** As Node names it; default: that of this process. Commands are rehearsed on Linux only. */
  platform?: NodeJS.Platform;
  /** See `cacheFolder`: for the state of the user's interactive shell, whose aliases and functions do not count without it. */
  storageFolder?: string;
  /** How many launchers are started ahead; default 4. 0 where only one prediction is made. */
  spareLaunchers?: number;
  /** This process does nothing but predict, so that a command that looks for processes does not find it. */
  ownHost?: boolean;
  /** For whom it predicts; default: for this process. Requests that do not say their environment have this one, without secrets. */
  caller?: Caller;
  /** Launchers that others take, too; default: its own. */
  launchers?: LauncherPool;
}

/** What is to be predicted, and whether a language model takes part. */
export interface ForetellRequest extends Omit<GivenRequest, 'action'> {
  action: Action;
  language?: LanguageRequest;
  /** Runs are remembered there, and answers recalled; absent: neither. Of a session only its first command is. */
  memory?: MemoryUse | undefined;
}

/** A prediction under way: its events, and the copy that diffs are read from until `view.close()`. */
export interface ForetellPrediction {
  events: AsyncIterable<PredictionEvent>;
  view: View;
  /**
   * Once its events ended: what it read, to be compared just before it is made for real; asked for by `compared`. `edited`:
   * paths that an edit changes, absolute.
   */
  inputs?(edited: readonly string[]): PredictedInputs;
}

/** What a prediction was made of: `changed` gives the paths that are not as they were; or in a word why nobody can say. */
export type PredictedInputs =
  | { changed(): string[] }
  | { because: string }
  /** A program that was looked for in every folder of PATH and is in none: where PATH is another one it may be there. */
  | { missing: string };

/** Commands predicted one after the other, each from the state that the one before would leave. */
export interface Session {
  predict(request: ForetellRequest): ForetellPrediction;
  close(): Promise<void>;
}

/** The one way in: panel, command line, bench and tests predict through it. */
export interface Foretell {
  predict(request: ForetellRequest): ForetellPrediction;
  /** `newShells`: each command gets a new shell, as from an agent's shell tool; only files go from one to the next. */
  openSession(options?: { newShells?: boolean }): Session;
  /**
   * By its words it starts inert programs alone, so that nobody is asked about one and none is let in. A guess, on which no fact
   * rests.
   */
  startsOnlyInert(request: GivenRequest): boolean;
  /** Somebody is about to ask: begins what every prediction waits for, so that it is there when the action is known. */
  expect(): void;
  /** Reads what an interactive bash of this environment begins with, so that the first prediction with it need not wait. */
  readStartFiles(env: Readonly<Record<string, string>>): void;
  status(): Promise<EngineStatus>;
  looker: Looker;
  /** Ends what waits for work. */
  dispose(): Promise<void>;
}

/** Puts the parts together. Costs nothing until something is predicted. */
export function createForetell(options: ForetellOptions): Foretell {
  const engine = createConfinedEngine({
    binary: options.launcher,
    platform: options.platform,
    spareLaunchers: options.spareLaunchers ?? 4,
    storageFolder: options.storageFolder,
    ownHost: options.ownHost,
    caller: options.caller,
    launchers: options.launchers,
  });
  const analysts: Analysts = { looker: engine.looker, judge };
  const memoryParts: MemoryParts = {
    looker: engine.looker,
    launcher: options.launcher,
    hold: (changes, content) => engine.hold(changes, content),
    shellState: (request) => engine.shellState(request),
    rehearse: (request) => engine.openSession(false).predict(endedByDue(request)),
    isOwn: (path) => options.storageFolder !== undefined && path.startsWith(`${options.storageFolder}/`),
  };
  const analyse = (
    request: PredictRequest,
    rehearsal: Rehearsal,
    withoutModel?: () => Promise<Prediction>,
  ): ForetellPrediction => {
    const made = { request, rehearsal, beganAt: Date.now(), isOwn: memoryParts.isOwn };
    return {
      events: withVerdict(analysts, request, rehearsal, withoutModel),
      view: rehearsal.view,
      ...(request.compared ? { inputs: (edited) => predictedInputs(made, edited) } : {}),
    };
  };

  /** The same without a language model, silently; its copy is closed at once. */
  async function plainly(request: PredictRequest): Promise<Prediction> {
    const silent = { ...request, answers: undefined };
    const { events, view } = analyse(silent, engine.openSession(false).predict(silent));
    try {
      return await foldAll(request.action, events);
    } finally {
      void view.close();
    }
  }

  /** The door: every request comes in here. `record`: of a session that goes on; what is predicted becomes a step of it. */
  function predictIn(session: ConfinedSession, asked: ForetellRequest, record?: SessionRecord): ForetellPrediction {
    const { language, action, memory, ...rest } = asked;
    const { signal } = rest;
    if (action.kind === 'turn') {
      // Nothing is done on this machine, so there is nothing to be judged.
      const { events, view } = imagineTurn({ language, looker: engine.looker, signal }, action);
      return { events: allInWords(events), view };
    }
    const isFirst = (record?.steps.length ?? 0) === 0;
    // What an earlier command of the session left is no input that can be compared.
    const use = !isFirst || language?.whole || action.kind !== 'command' ? undefined : memory;
    const { request, refused } = completeRequest(
      { ...rest, action, traced: use !== undefined },
      !isFirst,
      options.caller?.env,
    );
    if (refused) return analyse(request, refusedRehearsal(refused, 'confined', engine.looker));
    // What an earlier command of the session left is not there for a prediction of its own.
    const withoutModel =
      language && action.kind === 'command' && isFirst ? () => plainly({ ...request, hash: false }) : undefined;
    const read = memory && language && action.kind === 'command' ? readLastTime(request, memory) : [];
    const made = (one: PredictRequest) => rehearsalOf(session, endedByDue(one), language, record, read);
    const alone = use ? withMemory(request, use, memoryParts, made) : made(request);
    const rehearsal = atPrompt(request, alone, engine);
    return analyse(request, rehearsal, request.openGate && !language?.whole ? undefined : withoutModel);
  }

  /** Who says what an action does: the confined world, and where a model takes part, the language world. */
  function rehearsalOf(
    session: ConfinedSession,
    request: PredictRequest,
    language: LanguageRequest | undefined,
    record: SessionRecord | undefined,
    read: readonly string[],
  ): Rehearsal {
    const { action, env, home, userId, workspaceFolders, signal } = request;
    const follow = (rehearsal: Rehearsal) => record?.follow(request, rehearsal) ?? rehearsal;
    if (!language || action.kind !== 'command') return follow(session.predict(request));
    // The scanner for secrets is loaded while the command runs, not when something is to be sent.
    void warmRedaction().catch(() => {});
    const earlier = { ...(record ? { session: record } : {}), ...(read.length > 0 ? { readLastTime: read } : {}) };
    const user = { env, home, userId };
    const grounds = { language, action, looker: engine.looker, workspaceFolders, ...user, signal, ...earlier };
    if (language.whole) return imagineCommand(grounds, action);
    if (request.openGate) return follow(session.predict(request));
    return follow(session.predict({ ...request, handOver: createHandOver(grounds) }));
  }

  return {
    ...asItIs(engine),
    predict: (request) => predictIn(engine.openSession(false), request),
    startsOnlyInert: (request) => scriptWords(completeRequest(request, false, options.caller?.env).request).onlyInert(),
    openSession(options = {}) {
      const session = engine.openSession(true, options.newShells);
      const record = createSessionRecord();
      return sessionWithMemory(
        (request, memory) => predictIn(session, { ...request, memory }, record),
        () => session.close(),
      );
    },
  };
}

/** The rehearsal is ended where nobody waits for it any more; what it found by then is judged. */
function endedByDue(request: PredictRequest): PredictRequest {
  const { signal, due } = request;
  return due ? { ...request, signal: AbortSignal.any([signal, due]) } : request;
}

interface MadePrediction {
  request: PredictRequest;
  rehearsal: Rehearsal;
  beganAt: number;
  isOwn(path: string): boolean;
}

function predictedInputs(
  { request, rehearsal, beganAt, isOwn }: MadePrediction,
  edited: readonly string[],
): PredictedInputs {
  // An edit is computed from the files that it changes.
  const named = request.action.kind === 'edit' ? editedFiles(edited, beganAt) : rehearsal.named?.();
  if (!named) return { because: 'notNamed' };
  const missing = missingProgram(named, request.env['PATH'] ?? '');
  if (missing !== undefined) return { missing };
  const taken = inputsOf(request, named, isOwn);
  return 'because' in taken ? taken : { changed: () => changedInputs(taken.inputs) };
}

function missingProgram({ paths }: TracedRun, searchPath: string): string | undefined {
  const folders = new Set(searchPath.split(':').map((folder) => path.resolve('/', folder)));
  const looked = new Map<string, { places: Set<string>; isThere: boolean }>();
  for (const { path: file, wasThere } of paths) {
    const folder = path.dirname(file);
    if (!folders.has(folder)) continue;
    const name = path.basename(file);
    const one = looked.get(name) ?? { places: new Set(), isThere: false };
    looked.set(name, { places: one.places.add(folder), isThere: one.isThere || wasThere });
  }
  return [...looked].find(([, { places, isThere }]) => !isThere && places.size === folders.size)?.[0];
}

function editedFiles(paths: readonly string[], beganAt: number): TracedRun {
  const marks = { isOpened: true, isMoved: false, isLinked: false, isDisk: false, wasThere: false };
  return { beganAt, paths: paths.map((path) => ({ path, ...marks })) };
}

/** What everybody asks the engine itself. */
function asItIs({ looker, expect, readStartFiles, status, dispose }: ReturnType<typeof createConfinedEngine>) {
  return { looker, expect, readStartFiles, status, dispose };
}

/** A session whose first command may be recalled: it is run all the same before another one starts from it. */
function sessionWithMemory(
  predict: (request: ForetellRequest, memory: MemoryUse | undefined) => ForetellPrediction,
  close: () => Promise<void>,
): Session {
  let first: ForetellRequest | undefined;
  /** The copy in which what was recalled was made again; it is none of the session's own. */
  let recalled: View | undefined;
  async function* following(request: ForetellRequest, prediction: ForetellPrediction) {
    for await (const piece of piecesOf(prediction.events)) {
      if (piece.some((event) => event.type === 'started' && event.by === 'remembered')) {
        first = request;
        recalled = prediction.view;
      }
      yield piece;
    }
  }
  return {
    async close() {
      await recalled?.close();
      await close();
    },
    predict(request) {
      if (!recalled) {
        const prediction = predict(request, request.memory);
        return { events: inPieces(following(request, prediction)), view: prediction.view };
      }
      return later(async () => {
        if (first) for await (const _ of predict(first, undefined).events);
        first = undefined;
        return predict(request, undefined);
      });
    },
  };
}

/** A prediction that something else comes before. */
function later(begin: () => Promise<ForetellPrediction>): ForetellPrediction {
  let begun: ForetellPrediction | undefined;
  async function* events(): AsyncGenerator<PredictionEvent> {
    begun = await begin();
    yield* begun.events;
  }
  const view = delegatedView(
    () => begun?.view,
    async () => begun?.view.close(),
  );
  return { events: events(), view };
}

/** Folds a whole prediction; `onEvent` sees each event first. */
export async function foldAll(
  action: Action,
  events: AsyncIterable<PredictionEvent>,
  onEvent?: (event: PredictionEvent, prediction: Prediction) => void,
): Promise<Prediction> {
  const prediction = emptyPrediction(action);
  for await (const piece of piecesOf(events)) {
    for (const event of piece) {
      foldMany(prediction, event);
      onEvent?.(event, prediction);
    }
  }
  return prediction;
}
