import type { Prediction } from '../../prediction/prediction.ts';
import { type AskedQuestion, messagesOf } from '../../prediction/question.ts';
import type { StepAttempt, StepPrediction, TrajectoryStep } from '../step/step.ts';
import { stepPrediction } from '../step/step.ts';
import { factsOfText } from '../step/turnOfStep.ts';

/** What is known of how a step was asked, before anything came back. */
export type AttemptWay = Pick<
  StepAttempt,
  'template' | 'perturbations' | 'perturbationText' | 'fictionalWorld' | 'parameters'
> & {
  /** ISO 8601. */
  at: string;
};

/**
 * The attempts that a prediction of a step holds, one for each sample, with the whole prompt of each. A prediction that
 * failed before anything was asked is one attempt that failed.
 */
export function attemptsOf(
  step: Pick<TrajectoryStep, 'action' | 'domain'>,
  prediction: Prediction,
  way: AttemptWay,
): StepAttempt[] {
  const { questions } = prediction;
  if (questions.length === 0) return [{ ...way, prediction: stepPrediction(prediction) }];
  return questions.map((question) => attemptOf(step, prediction, question, way));
}

function attemptOf(
  step: Pick<TrajectoryStep, 'action' | 'domain'>,
  whole: Prediction,
  question: AskedQuestion,
  way: AttemptWay,
): StepAttempt {
  const { reply } = question;
  const kept = reply && withoutAgreement(reply);
  return {
    ...way,
    ...(reply?.model ? { model: reply.model } : {}),
    messages: messagesOf(whole.questions, question).map(({ role, content }) => ({ role, content })),
    ...(kept ? { reply: kept } : {}),
    prediction: predictionOf(step, whole, question),
  };
}

/** How many samples agree is told by the samples, which are kept. */
function withoutAgreement(reply: NonNullable<AskedQuestion['reply']>): NonNullable<AskedQuestion['reply']> {
  const { agreement: _, ...rest } = reply;
  return rest;
}

function predictionOf(
  step: Pick<TrajectoryStep, 'action' | 'domain'>,
  whole: Prediction,
  { reply }: AskedQuestion,
): StepPrediction {
  const nothing = { output: [], files: [], effects: [], engine: 'language' };
  if (!reply || reply.finish === 'cancelled') return { ...nothing, ending: 'cancelled' };
  if (reply.failure) return { ...nothing, ending: 'failed', reason: reply.failure.message };
  if (reply.unknown !== undefined) {
    const because = reply.unknown === '' ? '.' : `: ${reply.unknown}`;
    return { ...nothing, ending: 'abstained', reason: `The model says that it cannot know${because}` };
  }
  if (reply.observation === undefined) {
    return { ...nothing, ending: whole.ending ?? 'failed', reason: whole.endingReason ?? 'It gave no observation.' };
  }
  const facts = factsOfText(step, reply.observation, 'imagined');
  return { ...facts, engine: 'language', ending: 'done', text: reply.observation };
}
