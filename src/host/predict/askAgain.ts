import type { Predictions, Run } from './predictions.ts';

/** Predicts again with one more message of a prompt changed; what was changed before stays changed. */
export function askAgain(
  predictions: Predictions,
  run: Run,
  change: { question: number; message: number; content: string },
): void {
  const isOther = (one: typeof change) => one.question !== change.question || one.message !== change.message;
  predictions.again({ changedMessages: [...run.changedMessages.filter(isOther), change] });
}
