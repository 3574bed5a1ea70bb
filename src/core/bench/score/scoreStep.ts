import type { StepAttempt, TrajectoryStep } from '../../trajectory/step/step.ts';
import type { StepVerdict } from '../../trajectory/step/summarizeLine.ts';
import { comparisonOf } from '../../trajectory/step/turnOfStep.ts';
import { type FactualScore, factualScore } from './factualScore.ts';

/** How much of an attempt at a step is so in its observation; undefined where one of them is missing. */
export function scoreAttempt(
  step: Pick<TrajectoryStep, 'action' | 'domain' | 'observation'>,
  attempt: Pick<StepAttempt, 'prediction'>,
): FactualScore | undefined {
  const sides = comparisonOf(step, attempt);
  return sides && factualScore(sides.predicted, sides.truth);
}

/** The same of the step's own prediction, as a list needs it. */
export function verdictOf(step: TrajectoryStep): StepVerdict | undefined {
  const score = scoreAttempt(step, step);
  if (!score) return undefined;
  return {
    score: score.score,
    exact: score.lines.exact,
    predictedExit: score.exitCode.predicted,
    trueExit: score.exitCode.truth,
  };
}
