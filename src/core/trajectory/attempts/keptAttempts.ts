import type { StepChange } from '../file/lineEdit.ts';
import { sharedMessages } from '../step/sharedMessages.ts';
import { type StepAttempt, type StepMessage, stepMessagesOf, type TrajectoryStep } from '../step/step.ts';

/** Fields of a step that belong to its attempt. */
const attemptFields = [
  ...(['at', 'model', 'template', 'perturbations', 'perturbationText', 'fictionalWorld', 'parameters'] as const),
  ...(['begins', 'messages', 'reply', 'prediction', 'scores'] as const),
] as const;

/** The attempt that a step shows, without what belongs to the step. */
export function ownAttempt(step: TrajectoryStep): StepAttempt {
  const attempt: Record<string, unknown> = {};
  for (const field of attemptFields) if (step[field] !== undefined) attempt[field] = step[field];
  return attempt as StepAttempt;
}

/** All attempts of a step, the one that it shows first. */
export function allAttempts(step: TrajectoryStep): StepAttempt[] {
  return [ownAttempt(step), ...(step.others ?? [])];
}

/** Finds a step by its id. */
export interface StepFinder {
  get(id: string): TrajectoryStep | undefined;
}

/**
 * What changes in a step when `shown` becomes the attempt that it shows and `others` those that are kept besides. All
 * attempts have their whole prompts; what a prompt shares with an earlier one is not written again. `before`: the step
 * before, with its whole prompt.
 */
export function attemptsChange(
  step: TrajectoryStep,
  shown: StepAttempt,
  others: readonly StepAttempt[],
  before: { id: string; messages: readonly StepMessage[] } | undefined,
): StepChange {
  const change: Record<string, unknown> = {};
  for (const field of attemptFields) change[field] = shown[field];
  if (shown.messages) Object.assign(change, { begins: undefined, ...sharedMessages(shown.messages, before) });
  const own = shown.messages && { id: step.id, messages: shown.messages };
  const kept = others.map((other): StepAttempt => {
    const { begins, messages, ...rest } = other;
    if (!messages) return other;
    return { ...rest, ...(begins ? { messages } : sharedMessages(messages, own)) };
  });
  change['others'] = kept.length === 0 ? undefined : kept;
  return change as StepChange;
}

/** The whole prompt of a step or of another try at one, see `stepMessagesOf`. */
export function promptOfAttempt(attempt: StepAttempt, steps: StepFinder): StepMessage[] | undefined {
  return stepMessagesOf(steps, attempt);
}

/** The attempt with its whole prompt, so that it can be kept elsewhere. */
export function withWholePrompt(attempt: StepAttempt, steps: StepFinder): StepAttempt {
  const messages = stepMessagesOf(steps, attempt);
  const { begins: _, messages: __, ...rest } = attempt;
  return messages ? { ...rest, messages } : attempt.begins ? rest : attempt;
}

/**
 * What changes in a step whose prompt begins with that of another one, because that one's prompt is another now; undefined
 * where it still begins so.
 */
export function promptChange(
  follower: TrajectoryStep,
  steps: StepFinder,
  changed: { id: string; messages: readonly StepMessage[] },
): StepChange | undefined {
  if (follower.begins?.step !== changed.id) return undefined;
  const whole = stepMessagesOf(steps, follower);
  if (!whole) return undefined;
  const { count } = follower.begins;
  const holds = whole.slice(0, count).every((one, index) => {
    const other = changed.messages[index];
    return other?.role === one.role && other.content === one.content;
  });
  return holds ? undefined : { begins: undefined, ...sharedMessages(whole, changed) };
}

/**
 * The whole prompt that came with a step from elsewhere, as a row of a benchmark does: that of an attempt that names no
 * template of ours and no conditions. Undefined: the prompts of this step are made of its branch.
 */
export function promptThatCame(step: TrajectoryStep, steps: StepFinder): StepMessage[] | undefined {
  const came = allAttempts(step).find(
    ({ messages, template, perturbations = [], perturbationText = '' }) =>
      messages && !template && perturbations.length === 0 && perturbationText === '',
  );
  return came && stepMessagesOf(steps, came);
}
