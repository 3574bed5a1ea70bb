import type { ChangedMessage } from '../../core/worlds/language/imagine/changedPrompt.ts';
import type { Predictions } from './predictions.ts';
import type { Run } from './run.ts';

/** Predicts again with one more message of a prompt changed; what was changed before stays changed. */
export async function askAgain(
  predictions: Predictions,
  run: Run,
  change: { question: number; message: number; content: string },
): Promise<void> {
  const { messagesOf } = await import('../../core/prediction/question.ts');
  const question = run.prediction.questions.find(({ id }) => id === change.question);
  const messages = question ? messagesOf(run.prediction.questions, question) : [];
  const content = messages[change.message]?.content;
  const before = run.changedMessages.find((one) => {
    if (one.question !== change.question) return false;
    const hasMoved = one.was !== undefined && one.was.count !== messages.length;
    return hasMoved ? one.content === content : one.message === change.message;
  });
  // What was changed before is known by what stood there at first.
  const was = before?.was ?? (content === undefined ? undefined : { content, count: messages.length });
  const changed: ChangedMessage = { ...change, ...(was ? { was } : {}) };
  predictions.again({ changedMessages: [...run.changedMessages.filter((one) => one !== before), changed] });
}
