import type { TrajectoryLine } from '../file/trajectoryFile.ts';
import { actionTitle } from './actionText.ts';
import type { TrajectoryStep } from './step.ts';
import type { LineSummary, StepStatus } from './stepSummary.ts';
import { commandOfStep } from './turnOfStep.ts';

/** How a step's prediction fares; `undefined` where it cannot be compared. */
export interface StepVerdict {
  score: number;
  exact: boolean;
  predictedExit?: number | undefined;
  trueExit?: number | undefined;
}

/** Summary of a line. `compare` scores a step; it stands to the right of this folder. */
export function summarizeLine(
  line: TrajectoryLine,
  compare: (step: TrajectoryStep) => StepVerdict | undefined,
): LineSummary {
  if (line.kind === 'blank') return { kind: 'blank' };
  if (line.kind === 'bad') return { kind: 'bad', problem: line.problem, begins: line.text.slice(0, 200) };
  const { step } = line;
  const { prediction, reply, observation, scores, edited } = step;
  const verdict = compare(step);
  const { usage } = reply ?? {};
  const judged = scores?.judge?.total ?? meanOf(scores?.judge?.dimensions);
  return {
    kind: 'step',
    id: step.id,
    trajectory: step.trajectory,
    domain: step.domain,
    title: actionTitle(step.action),
    status: statusOf(step, verdict),
    hasPrediction: prediction !== undefined,
    hasObservation: observation !== undefined,
    others: step.others?.length ?? 0,
    canRehearse: commandOfStep(step) !== undefined,
    ...given('after', step.after),
    ...given('at', step.at),
    ...given('observedAt', observation?.at),
    ...given('editedAction', edited?.action),
    ...given('editedObservation', edited?.observation),
    ...given('observationBasis', observation?.basis),
    ...given('predictedExit', verdict?.predictedExit ?? prediction?.exitCode),
    ...given('trueExit', verdict?.trueExit ?? observation?.facts?.exitCode),
    ...given('factual', verdict?.score),
    ...given('judged', judged),
    ...given('model', step.model ?? (reply?.model || undefined)),
    ...given('promptTokens', usage?.promptTokens),
    ...given('completionTokens', usage?.completionTokens),
    ...given('durationMs', reply?.durationMs),
  };
}

function given<N extends string, V>(name: N, value: V | undefined): Partial<Record<N, V>> {
  return value === undefined ? {} : ({ [name]: value } as Record<N, V>);
}

function meanOf(dimensions: Record<string, number> | undefined): number | undefined {
  const values = Object.values(dimensions ?? {});
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** How a step stands; a prediction that did not come to its end counts before any comparison. */
function statusOf({ prediction, reply, observation }: TrajectoryStep, verdict: StepVerdict | undefined): StepStatus {
  if (!prediction) return reply ? 'failed' : 'unpredicted';
  if (reply?.finish === 'length') return 'cut';
  if (prediction.ending === 'failed' || reply?.failure) return 'failed';
  if (prediction.ending === 'cancelled') return 'cancelled';
  if (prediction.ending === 'abstained' && prediction.text === undefined && prediction.output.length === 0)
    return 'unknown';
  if (!observation || !verdict) return 'unobserved';
  return verdict.score === 1 && verdict.exact ? 'agrees' : 'differs';
}
