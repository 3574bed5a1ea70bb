import type { PredictionEvent } from '../../core/prediction/event.ts';
import type { HeldRun, Run } from './run.ts';

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

/** The prediction that is shown, and one that was set aside. The listener hears only of what is shown. */
export interface ShownRun {
  /** The one that is shown, and can be acted on. */
  current(): HeldRun | undefined;
  /** That, or the one that was set aside. */
  latest(): HeldRun | undefined;
  /** Takes the place of what was there. */
  show(run: HeldRun): void;
  event(run: HeldRun, event: PredictionEvent): void;
  ended(run: HeldRun): void;
  compared(run: HeldRun): void;
  setAside(): void;
  bringBack(): void;
  /** Nothing is shown any more, and nothing is set aside. */
  clear(): void;
}

export function createShownRun(listener: PredictionListener): ShownRun {
  let current: HeldRun | undefined;
  let aside: HeldRun | undefined;
  return {
    current: () => current,
    latest: () => current ?? aside,
    show(run) {
      aside = undefined;
      current = run;
      listener.started(run);
    },
    event(run, event) {
      if (current === run) listener.event(run, event);
    },
    ended(run) {
      if (current === run) listener.ended(run);
    },
    compared(run) {
      if (current === run) listener.compared(run);
    },
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
    clear() {
      current = undefined;
      aside = undefined;
      listener.discarded();
    },
  };
}
