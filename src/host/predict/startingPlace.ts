import type { HeldRun, HeldSession, Step } from './run.ts';

/** Where the next prediction starts: the real files, or what some steps leave. */
export interface StartingPlace {
  steps(): readonly Step[];
  /** The session that stands there already, as the user went on from it. It is used up. */
  takeSession(): HeldSession | undefined;
  /** The next prediction starts from what this one leaves. */
  goOnFrom(run: HeldRun): void;
  /** Not from what a prediction left, which the user may have gone on from, but from what it started from. */
  returnTo(steps: readonly Step[]): void;
  /** Closes a session, unless the next prediction goes on in it. */
  release(session: HeldSession | undefined): void;
  /** The real files again. `session`: that of the last prediction, which is closed. */
  leave(session: HeldSession | undefined): void;
}

export function createStartingPlace(close: (session: HeldSession | undefined) => void): StartingPlace {
  let steps: readonly Step[] = [];
  let kept: HeldSession | undefined;
  return {
    steps: () => steps,
    takeSession() {
      const session = kept;
      kept = undefined;
      return session;
    },
    goOnFrom(run) {
      steps = [...run.position, stepOf(run)];
      kept = run.session?.isAlone ? undefined : run.session;
    },
    returnTo(before) {
      if (steps === before) return;
      steps = before;
      kept = undefined;
    },
    release(session) {
      if (session !== kept) close(session);
    },
    leave(session) {
      close(session);
      if (kept !== session) close(kept);
      kept = undefined;
      steps = [];
    },
  };
}

/** What a prediction that came to its end would leave, and how it was made. */
function stepOf(run: HeldRun): Step {
  const { action, origin, openGate, whole, changedMessages, templates, prompt, answers, prediction, position } = run;
  const leavesIn = prediction.cwd ?? action.cwd ?? position.at(-1)?.leavesIn ?? '/';
  const changes = prediction.files.flatMap((file) => (file.from === undefined ? [file.path] : [file.path, file.from]));
  const way = { openGate, whole, changedMessages, templates, prompt };
  return { action, origin, ...way, answers: [...answers.typed], leavesIn, changes };
}
