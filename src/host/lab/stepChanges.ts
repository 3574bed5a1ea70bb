import type { StepChange } from '../../core/trajectory/file/lineEdit.ts';
import type { StepAttempt, StepObservation, TrajectoryStep } from '../../core/trajectory/step/step.ts';
import type { DocumentReading } from './documentReading.ts';
import type { LabCore } from './labCore.ts';

/** What changes in the steps of a file when attempts or an observation of one are others. */
export interface StepChanges {
  /** The change with which `all` are the attempts, and what follows from it for the prompts of other steps. */
  attemptsTo(step: TrajectoryStep, all: readonly StepAttempt[]): Map<string, StepChange>;
  /** Every attempt, each with its whole prompt. */
  wholeAttempts(step: TrajectoryStep): StepAttempt[];
  /** What another observation changes in a step: the scores of its attempts, too. */
  observed(step: TrajectoryStep, observation: StepObservation | undefined): StepChange;
}

export function createStepChanges(reading: DocumentReading, core: LabCore): StepChanges {
  const find = (id: string) => reading.step(id);
  const steps = { get: find };

  /** The factual scores of a step's attempts as they are with this change. */
  function scored(step: TrajectoryStep, attempt: StepAttempt): StepAttempt {
    const factual = core.scoreAttempt(step, attempt);
    const { factual: _, ...others } = attempt.scores ?? {};
    const scores = { ...others, ...(factual ? { factual: { ...factual } } : {}) };
    const { scores: __, ...rest } = attempt;
    return Object.keys(scores).length === 0 ? rest : { ...rest, scores };
  }

  function attemptsTo(step: TrajectoryStep, all: readonly StepAttempt[]): Map<string, StepChange> {
    const [shown = {}, ...others] = all.map((one) => scored(step, one));
    const before = step.after === undefined ? undefined : find(step.after);
    const beforeMessages = before && core.promptOfAttempt(before, steps);
    const whole = before && beforeMessages ? { id: before.id, messages: beforeMessages } : undefined;
    const changes = new Map([[step.id, core.attemptsChange(step, shown, others, whole)]]);
    const { messages = [] } = shown;
    for (const child of reading.place(step.id)?.children ?? []) {
      const follower = find(child.step.id);
      const needed = follower && core.promptChange(follower, steps, { id: step.id, messages });
      if (needed) changes.set(child.step.id, needed);
    }
    return changes;
  }

  const wholeAttempts = (step: TrajectoryStep) => core.allAttempts(step).map((one) => core.withWholePrompt(one, steps));

  function observed(step: TrajectoryStep, observation: StepObservation | undefined): StepChange {
    const { observation: _, ...rest } = step;
    const next: TrajectoryStep = observation ? { ...rest, observation } : rest;
    const own = scored(next, core.ownAttempt(step)).scores;
    const others = step.others?.map((one) => scored(next, one));
    return { observation, scores: own, others };
  }

  return { attemptsTo, wholeAttempts, observed };
}
