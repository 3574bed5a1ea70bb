import type { Failure } from '../../../facts/failure.ts';
import type { FactEvent } from '../../../prediction/factEvent.ts';
import { failureOfFault } from '../reply/readReply.ts';
import type { Asked, Asking, Unanswered } from './asking.ts';
import type { Answer } from './followReply.ts';
import { agreementOf, electSample } from './samples.ts';

const cancelled: Asked<never> = {
  ok: false,
  because: { kind: 'failed', code: 'cancelled', message: 'it was cancelled' },
};

/** The failure that a missing answer is where there is nothing but the model's word. */
export function failureOfUnanswered(because: Exclude<Unanswered, { kind: 'unknown' }>): Failure {
  const { code, message } = because.kind === 'unusable' ? failureOfFault(because.fault) : because;
  return { kind: 'told', code, message };
}

/** What a reply came to. */
export function outcomeOf<T>({ reply, read }: Answer<T>): Asked<T> {
  if (read?.ok === false) return { ok: false, because: { kind: 'unusable', fault: read.fault } };
  if (reply.failure) return { ok: false, because: { kind: 'failed', ...reply.failure } };
  if (reply.unknown !== undefined) return { ok: false, because: { kind: 'unknown', says: reply.unknown } };
  const { observation } = reply;
  if (observation === undefined) return cancelled;
  const value = read?.ok && read.kind === 'answer' ? read.value : undefined;
  const isCut = reply.finish === 'length' && value === undefined && reply.rule !== 'tagged';
  const warning = isCut ? reply.warnings.at(-1) : undefined;
  return { ok: true, observation, value, ...(warning === undefined ? {} : { incomplete: warning }) };
}

/** The answer that counts of several: one that more than half agree with; of a form that can say less, as far as they do. */
export function electAnswer<T>(
  asking: Asking<T>,
  answers: readonly Answer<T>[],
  tell: (event: FactEvent) => void,
): Answer<T> | Asked<T> {
  const { says, coarser } = asking.form;
  const usable = answers.filter(({ read }) => read?.ok);
  const elect = (wordsOf: ((value: T) => string) | undefined) => {
    const saysOf = ({ read }: Answer<T>) =>
      !read?.ok ? '' : read.kind === 'unknown' ? 'cannot be known' : (wordsOf?.(read.value) ?? read.observation);
    // Where answers have nothing to vote about, what most of them write counts.
    return electSample(usable, wordsOf ? saysOf : () => '', ({ reply }) => reply.observation ?? '');
  };
  const whole = elect(says);
  const less = whole.elected || !coarser ? undefined : elect(coarser.says);
  const { votes, elected } = less?.elected ? less : whole;
  const chosen = elected ?? usable[0];
  if (!chosen) return answers[0] ?? cancelled;
  const replies = answers.map(({ reply }) => reply);
  const agreement = { ...agreementOf(chosen.reply, replies), ...(says && votes.length > 0 ? { votes } : {}) };
  tell({ type: 'reply', ...chosen.reply, agreement });
  if (!elected) return { ok: false, because: { kind: 'unusable', fault: { kind: 'disagreement', votes } } };
  if (says && whole.votes.length > 1) {
    tell({ type: 'notice', fact: { kind: 'samplesDisagree', title: asking.title, votes: whole.votes } });
  }
  const { read } = elected;
  if (!less?.elected || !coarser || !read?.ok || read.kind !== 'answer') return elected;
  return { ...elected, read: { ...read, value: coarser.of(read.value, whole.votes) } };
}
