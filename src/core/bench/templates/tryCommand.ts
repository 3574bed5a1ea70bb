import type { CommandAction } from '../../action/action.ts';
import { type Foretell, type ForetellRequest, foldAll } from '../../foretell.ts';
import type { Prediction } from '../../prediction/prediction.ts';
import { messagesOf } from '../../prediction/question.ts';
import { type StepAttempt, stepPrediction, type TrajectoryStep } from '../../trajectory/step/step.ts';
import { programText } from '../../words/programText.ts';
import type { LanguageRequest } from '../../worlds/language/imagine/languageRequest.ts';
import { factualScore } from '../score/factualScore.ts';
import { differencesOf, type TriedStep, type TriedTemplate, wayOf } from './tryTemplate.ts';

/** What `tryCommand` needs besides the templates. */
export interface TryCommandOptions {
  foretell: Pick<Foretell, 'predict'>;
  /** Where the command is predicted: environment, folders, limits. */
  shared: Omit<ForetellRequest, 'action' | 'language' | 'signal'>;
  language: LanguageRequest;
  action: CommandAction;
  /** `terminal`: the model alone predicts the whole command; `swe`: it answers for programs that may not run. */
  domain: 'terminal' | 'swe';
  signal: AbortSignal;
  onDone?: (tried: TriedStep) => void;
}

/**
 * Predicts one command with each of the templates, in the order of these. Where the engine knows without a model what the
 * command does, that is the truth which each is compared with. Empty after an abort before the first was done.
 */
export async function tryCommand(
  options: TryCommandOptions,
  templates: readonly TriedTemplate[],
): Promise<TriedStep[]> {
  const { foretell, shared, language, action, domain, signal } = options;
  async function predict(request?: LanguageRequest): Promise<Prediction> {
    const { events, view } = foretell.predict({
      ...{ ...shared, action, signal },
      ...(request ? { language: request } : {}),
    });
    try {
      return await foldAll(action, events);
    } finally {
      void view.close();
    }
  }
  const truth = await predict();
  const isKnown = truth.ending === 'done';
  const step: TrajectoryStep = {
    ...{ version: 1, id: 'command#1', trajectory: 'command', domain, action },
    ...(isKnown
      ? { observation: { text: textOf(truth), basis: 'rehearsed', facts: factsOf(truth), source: 'foretell' } }
      : {}),
  };
  const tries: TriedStep[] = [];
  for (const template of templates) {
    if (signal.aborted) break;
    const request = {
      ...{ ...language, samples: 1, countsBlocks: false, whole: domain === 'terminal' },
      templates: { ...language.templates, [domain]: template.text },
    };
    const prediction = await predict(request);
    if (prediction.ending === 'cancelled') break;
    const attempt = { ...wayOf(language, template), ...attemptOf(prediction) };
    const tried = triedOf(step, attempt, prediction, isKnown ? truth : undefined);
    tries.push(tried);
    options.onDone?.(tried);
  }
  return tries;
}

function triedOf(
  step: TrajectoryStep,
  attempt: TriedStep['attempt'],
  predicted: Prediction,
  truth: Prediction | undefined,
): TriedStep {
  const nothing = { step, attempt, missing: [], extra: [] };
  if (predicted.ending === 'failed') return { ...nothing, reason: predicted.endingReason ?? 'It failed.' };
  if (predicted.questions.length === 0) {
    return { ...nothing, reason: 'No program of this command needs a model, so the prompt was not used.' };
  }
  const [assumed] = predicted.assumptions;
  const reason = assumed && `${programText(assumed)}: ${assumed.why}`;
  if (!truth) return { ...nothing, ...(reason === undefined ? {} : { reason }) };
  const score = factualScore(predicted, truth);
  const scores = { factual: { ...score } };
  return {
    ...{ step, attempt: { ...attempt, scores }, score, ...differencesOf({ predicted, truth }) },
    ...(reason === undefined ? {} : { reason }),
  };
}

/** Its facts, and the first question with its answer; the later ones follow from that. */
function attemptOf(prediction: Prediction): StepAttempt {
  const [question] = prediction.questions;
  const { reply } = question ?? {};
  return {
    ...(reply?.model ? { model: reply.model } : {}),
    ...(question ? { messages: messagesOf(prediction.questions, question).map((one) => ({ ...one })) } : {}),
    ...(reply ? { reply } : {}),
    prediction: stepPrediction(prediction, reply?.observation),
  };
}

function factsOf(prediction: Prediction) {
  const { output, exitCode, files, effects } = stepPrediction(prediction);
  return { output, files, effects, ...(exitCode === undefined ? {} : { exitCode }) };
}

function textOf({ output }: Prediction): string {
  return output.map(({ text }) => text ?? '').join('');
}
