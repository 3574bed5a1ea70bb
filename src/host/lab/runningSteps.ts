import type { ForetellRequest } from '../../core/foretell.ts';
import type { PredictionEvent } from '../../core/prediction/event.ts';
import type { LabHostMessage, LabRun } from '../../protocol/labProtocol.ts';
import type { LabCore } from './labCore.ts';

/** Events that came within this time go into one message: one painted frame. */
const frameMs = 16;

/** One step that is under way. */
export interface RunningStep {
  shown: LabRun;
  abort: AbortController;
  unsent: PredictionEvent[];
  timer?: ReturnType<typeof setTimeout> | undefined;
}

/** The steps that are under way, and what is told of them while they are. */
export interface RunningSteps {
  isUnderWay(id: string): boolean;
  begin(
    id: string,
    how: Pick<LabRun, 'what' | 'how' | 'waiting'> & { abort: AbortController; action: ForetellRequest['action'] },
  ): RunningStep;
  take(run: RunningStep, event: PredictionEvent): void;
  end(run: RunningStep): void;
  shown(): LabRun[];
  cancel(run: number): void;
  dispose(): void;
}

export function createRunningSteps(core: LabCore, post: (message: LabHostMessage) => void): RunningSteps {
  const running = new Map<number, RunningStep>();
  let count = 0;

  function flush(run: RunningStep): void {
    clearTimeout(run.timer);
    run.timer = undefined;
    const events = run.unsent.splice(0);
    const first = run.shown.sequence - events.length + 1;
    if (events.length > 0) post({ type: 'runEvents', run: run.shown.run, first, events });
  }

  return {
    isUnderWay: (id) => [...running.values()].some(({ shown }) => shown.id === id),
    begin(id, { what, how, waiting, abort, action }) {
      count += 1;
      const prediction = core.emptyPrediction(action);
      const shown: LabRun = { run: count, id, what, how, waiting, sequence: 0, prediction };
      const run: RunningStep = { shown, abort, unsent: [] };
      running.set(count, run);
      post({ type: 'runStarted', run: { ...shown, prediction: structuredClone(prediction) } });
      return run;
    },
    take(run, event) {
      core.fold(run.shown.prediction, event);
      run.shown.sequence += 1;
      run.unsent.push(event);
      run.timer ??= setTimeout(() => flush(run), frameMs);
    },
    end(run) {
      flush(run);
      running.delete(run.shown.run);
      post({ type: 'runEnded', run: run.shown.run });
    },
    shown: () => [...running.values()].map(({ shown }) => structuredClone(shown)),
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
