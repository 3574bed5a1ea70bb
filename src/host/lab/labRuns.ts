import { stat } from 'node:fs/promises';
import type { Foretell, ForetellRequest } from '../../core/foretell.ts';
import type { PredictionEvent } from '../../core/prediction/event.ts';
import type { Prediction } from '../../core/prediction/prediction.ts';
import type { LanguageRequest } from '../../core/worlds/language/imagine/languageRequest.ts';
import type { LabHostMessage, LabRun } from '../../protocol/labProtocol.ts';
import { type AskedStep, askStep } from './askStep.ts';
import type { DocumentReading } from './documentReading.ts';
import type { LabCore } from './labCore.ts';
import { createRunningSteps, type RunningStep, type RunningSteps } from './runningSteps.ts';
import type { StepWay } from './stepWay.ts';
import type { TrajectoryEdits } from './trajectoryEdits.ts';

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

export function createLabRuns(options: LabRunsOptions): LabRuns {
  const { core, reading } = options;
  const running = createRunningSteps(core, options.post);
  return {
    shown: running.shown,
    async predict(ids, way, samples) {
      const language = options.language();
      if (!language) return;
      const abort = new AbortController();
      for (const [index, id] of ids.entries()) {
        if (abort.signal.aborted || running.isUnderWay(id)) return;
        // Each is asked when those before it are answered: what they say is in its prompt.
        const asked = await askStep({ core, reading, language }, id, way, samples).catch((error: unknown) => {
          options.say('error', `Nothing was sent: ${reasonOf(error)}.`);
          return undefined;
        });
        if (!asked) return;
        const waiting = ids.length - 1 - index;
        if (!(await predictOne(options, running, asked, { how: way.title, waiting, abort }))) return;
      }
    },
    async rehearse(id, from) {
      const step = reading.step(id);
      const command = step && core.commandOfStep(step);
      if (!step || !command || running.isUnderWay(id)) return;
      const isFolder = await stat(command.cwd).then(
        (found) => found.isDirectory(),
        () => false,
      );
      if (!isFolder) {
        options.say('warning', `The folder ${command.cwd} is not on this machine, so the step cannot be rehearsed.`);
        return;
      }
      const action = { kind: 'command' as const, shell: 'bash' as const, ...command };
      const run = running.begin(id, { what: 'rehearse', how: '', waiting: 0, abort: new AbortController(), action });
      const session = (await options.engine()).openSession();
      try {
        const refusal = await observe(options, { run, take: (event) => running.take(run, event) }, session, from);
        if (refusal) options.say('warning', refusal);
      } catch (error) {
        options.say('error', `The step could not be rehearsed (${reasonOf(error)}); try again.`);
      } finally {
        running.end(run);
        await session.close().catch(() => {});
      }
    },
    cancel: running.cancel,
    dispose: running.dispose,
  };
}

/** Asks the model about one step. False: those behind it are not asked. */
async function predictOne(
  options: LabRunsOptions,
  running: RunningSteps,
  { step, request, way }: AskedStep,
  rest: { how: string; waiting: number; abort: AbortController },
): Promise<boolean> {
  const { core, edits } = options;
  const run = running.begin(step.id, { what: 'predict', action: request.action, ...rest });
  try {
    const foretell = await options.engine();
    const { events } = foretell.predict({ ...request, signal: run.abort.signal });
    for await (const event of events) running.take(run, event);
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
    running.end(run);
  }
}

/** Rehearses the commands before a step, so that it finds what they leave. A sentence: why that is not certain. */
async function rehearsePath(
  options: LabRunsOptions,
  id: string,
  session: Pick<Foretell, 'predict'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { core, reading } = options;
  const place = reading.place(id);
  for (const before of place?.parent ? core.pathTo(place.parent) : []) {
    const step = reading.step(before.step.id);
    const request = step && requestOf(options, step, signal);
    if (!step || !request) continue;
    const prediction = await core.foldAll(request.action, session.predict(request).events);
    if (signal.aborted) return undefined;
    const seen = core.rehearsedObservation(step, prediction, '');
    if (!seen.ok) {
      return `Turn ${before.turn}, before this one, is not certain, so neither is this one; rehearse it from the files as they are.`;
    }
  }
  return undefined;
}

function requestOf(
  { core, editorRequest }: LabRunsOptions,
  step: Parameters<LabCore['commandOfStep']>[0],
  signal: AbortSignal,
): (Omit<ForetellRequest, 'language'> & { action: Prediction['action'] }) | undefined {
  const command = core.commandOfStep(step);
  if (!command) return undefined;
  // Whoever recorded the step had a shell of its own, and no terminal of the user's.
  const { language: _, terminal: _terminal, interactive: _shell, ...rest } = editorRequest();
  const { shell } = step.action.kind === 'command' ? step.action : { shell: 'bash' as const };
  return { ...rest, action: { kind: 'command', shell, ...command }, hash: true, signal };
}

/** Rehearses a step and writes what the engine saw into it. A sentence: why it could not. */
async function observe(
  options: LabRunsOptions,
  { run, take }: { run: RunningStep; take: (event: PredictionEvent) => void },
  session: ReturnType<Foretell['openSession']>,
  from: 'turns' | 'files',
): Promise<string | undefined> {
  const { core, reading, edits } = options;
  const { id } = run.shown;
  const { signal } = run.abort;
  const step = reading.step(id);
  const request = step && requestOf(options, step, signal);
  if (!step || !request) return 'Only a command with a folder can be rehearsed; this step has none.';
  const refusal = from === 'turns' ? await rehearsePath(options, id, session, signal) : undefined;
  if (refusal || signal.aborted) return refusal;
  for await (const event of session.predict(request).events) take(event);
  if (signal.aborted) return undefined;
  const seen = core.rehearsedObservation(step, run.shown.prediction, new Date().toISOString());
  return seen.ok ? edits.observe(id, seen.observation) : seen.message;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
