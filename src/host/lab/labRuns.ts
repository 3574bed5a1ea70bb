import { stat } from 'node:fs/promises';
import type { Foretell, ForetellRequest } from '../../core/foretell.ts';
import type { PredictionEvent } from '../../core/prediction/event.ts';
import type { Prediction } from '../../core/prediction/prediction.ts';
import type { LanguageRequest } from '../../core/worlds/language/imagine/languageRequest.ts';
import type { LabHostMessage, LabRun } from '../../protocol/labProtocol.ts';
import { type AskedStep, askStep } from './askStep.ts';
import type { DocumentReading } from './documentReading.ts';
import type { LabCore } from './labCore.ts';
import type { StepWay } from './stepWay.ts';
import type { TrajectoryEdits } from './trajectoryEdits.ts';

/** Events that came within this time go into one message: one painted frame. */
const frameMs = 16;

export interface LabRunsOptions {
  core: LabCore;
  reading: DocumentReading;
  edits: TrajectoryEdits;
  engine: () => Promise<Foretell>;
  /** Everything of a request that comes from the window. */
  editorRequest: () => Omit<ForetellRequest, 'action' | 'signal'>;
  language: () => LanguageRequest | undefined;
  post: (message: LabHostMessage) => void;
  /** Says a sentence above the list. */
  say: (kind: 'information' | 'warning' | 'error', sentence: string) => void;
}

/** What is being predicted or rehearsed for the steps of one file. What comes is written into the file at the end. */
export interface LabRuns {
  shown(): LabRun[];
  /** Does nothing where the step is under way already. Resolves at the end; never rejects. */
  predict(ids: readonly string[], way: StepWay, samples: number): Promise<void>;
  rehearse(id: string, from: 'turns' | 'files'): Promise<void>;
  cancel(run: number): void;
  dispose(): void;
}

interface Running {
  shown: LabRun;
  abort: AbortController;
  unsent: PredictionEvent[];
  timer?: ReturnType<typeof setTimeout> | undefined;
}

export function createLabRuns(options: LabRunsOptions): LabRuns {
  const { core, reading, edits, post } = options;
  const running = new Map<number, Running>();
  let count = 0;

  const isUnderWay = (id: string) => [...running.values()].some(({ shown }) => shown.id === id);

  function begin(
    id: string,
    {
      what,
      how,
      waiting,
      abort,
      action,
    }: Pick<LabRun, 'what' | 'how' | 'waiting'> & {
      abort: AbortController;
      action: ForetellRequest['action'];
    },
  ): Running {
    count += 1;
    const prediction = core.emptyPrediction(action);
    const run: Running = {
      shown: { run: count, id, what, how, waiting, sequence: 0, prediction },
      abort,
      unsent: [],
    };
    running.set(count, run);
    post({ type: 'runStarted', run: { ...run.shown, prediction: structuredClone(prediction) } });
    return run;
  }

  function flush(run: Running): void {
    clearTimeout(run.timer);
    run.timer = undefined;
    const events = run.unsent.splice(0);
    const first = run.shown.sequence - events.length + 1;
    if (events.length > 0) post({ type: 'runEvents', run: run.shown.run, first, events });
  }

  function take(run: Running, event: PredictionEvent): void {
    core.fold(run.shown.prediction, event);
    run.shown.sequence += 1;
    run.unsent.push(event);
    run.timer ??= setTimeout(() => flush(run), frameMs);
  }

  function end(run: Running): void {
    flush(run);
    running.delete(run.shown.run);
    post({ type: 'runEnded', run: run.shown.run });
  }

  async function predictOne(
    asked: AskedStep,
    rest: { how: string; waiting: number; abort: AbortController },
  ): Promise<boolean> {
    const { step, request, way } = asked;
    const run = begin(step.id, { what: 'predict', action: request.action, ...rest });
    try {
      const foretell = await options.engine();
      const { events } = foretell.predict({ ...request, signal: run.abort.signal });
      for await (const event of events) take(run, event);
      const { prediction } = run.shown;
      // What was cancelled before anything was answered is not worth a line.
      if (prediction.ending === 'cancelled' && !prediction.questions.some(({ reply }) => reply?.observation))
        return false;
      const attempts = core
        .attemptsOf(step, prediction, way)
        .filter((one, index) => index === 0 || one.prediction?.ending !== 'cancelled');
      const refusal = await edits.addAttempts(step.id, attempts);
      if (refusal) options.say('warning', refusal);
      if (prediction.ending === 'failed') {
        options.say('error', prediction.endingReason ?? 'The prediction failed; try again.');
        return false;
      }
      return prediction.ending !== 'cancelled';
    } catch (error) {
      options.say('error', `The step could not be predicted (${reasonOf(error)}); try again.`);
      return false;
    } finally {
      end(run);
    }
  }

  /** Rehearses the commands before a step, so that it finds what they leave. A sentence: why that is not certain. */
  async function rehearsePath(
    id: string,
    session: Pick<Foretell, 'predict'>,
    run: Running,
  ): Promise<string | undefined> {
    const place = reading.place(id);
    for (const before of place?.parent ? core.pathTo(place.parent) : []) {
      const step = reading.step(before.step.id);
      const request = step && requestOf(step, run);
      if (!step || !request) continue;
      const prediction = await core.foldAll(request.action, session.predict(request).events);
      if (run.abort.signal.aborted) return undefined;
      const seen = core.rehearsedObservation(step, prediction, '');
      if (!seen.ok) {
        return `Turn ${before.turn}, before this one, is not certain, so neither is this one; rehearse it from the files as they are.`;
      }
    }
    return undefined;
  }

  function requestOf(
    step: Parameters<LabCore['commandOfStep']>[0],
    { abort }: Running,
  ): (Omit<ForetellRequest, 'language'> & { action: Prediction['action'] }) | undefined {
    const command = core.commandOfStep(step);
    if (!command) return undefined;
    const { language: _, terminal: __, ...rest } = options.editorRequest();
    const { shell } = step.action.kind === 'command' ? step.action : { shell: 'bash' as const };
    return { ...rest, action: { kind: 'command', shell, ...command }, hash: true, signal: abort.signal };
  }

  async function observe(
    id: string,
    run: Running,
    session: ReturnType<Foretell['openSession']>,
    from: 'turns' | 'files',
  ) {
    const step = reading.step(id);
    const request = step && requestOf(step, run);
    if (!step || !request) return 'Only a command with a folder can be rehearsed; this step has none.';
    const refusal = from === 'turns' ? await rehearsePath(id, session, run) : undefined;
    if (refusal || run.abort.signal.aborted) return refusal;
    for await (const event of session.predict(request).events) take(run, event);
    if (run.abort.signal.aborted) return undefined;
    const seen = core.rehearsedObservation(step, run.shown.prediction, new Date().toISOString());
    return seen.ok ? edits.observe(id, seen.observation) : seen.message;
  }

  return {
    shown: () => [...running.values()].map(({ shown }) => structuredClone(shown)),
    async predict(ids, way, samples) {
      const language = options.language();
      if (!language) return;
      const abort = new AbortController();
      for (const [index, id] of ids.entries()) {
        if (abort.signal.aborted || isUnderWay(id)) return;
        // Each is asked when those before it are answered: what they say is in its prompt.
        const asked = await askStep({ core, reading, language }, id, way, samples).catch((error: unknown) => {
          options.say('error', `Nothing was sent: ${reasonOf(error)}.`);
          return undefined;
        });
        if (!asked) return;
        const waiting = ids.length - 1 - index;
        if (!(await predictOne(asked, { how: way.title, waiting, abort }))) return;
      }
    },
    async rehearse(id, from) {
      const step = reading.step(id);
      const command = step && core.commandOfStep(step);
      if (!step || !command || isUnderWay(id)) return;
      const isFolder = await stat(command.cwd).then(
        (found) => found.isDirectory(),
        () => false,
      );
      if (!isFolder) {
        options.say('warning', `The folder ${command.cwd} is not on this machine, so the step cannot be rehearsed.`);
        return;
      }
      const action = { kind: 'command' as const, shell: 'bash' as const, ...command };
      const run = begin(id, { what: 'rehearse', how: '', waiting: 0, abort: new AbortController(), action });
      const session = (await options.engine()).openSession();
      try {
        const refusal = await observe(id, run, session, from);
        if (refusal) options.say('warning', refusal);
      } catch (error) {
        options.say('error', `The step could not be rehearsed (${reasonOf(error)}); try again.`);
      } finally {
        end(run);
        await session.close().catch(() => {});
      }
    },
    cancel: (run) => running.get(run)?.abort.abort(),
    dispose() {
      for (const run of running.values()) {
        clearTimeout(run.timer);
        run.abort.abort();
      }
      running.clear();
    },
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
