import type { Vote } from '../../../facts/replyFault.ts';
import type { Reply } from '../../../prediction/question.ts';
import type { Asked, Asking, Samples } from './asking.ts';
import type { Answer } from './followReply.ts';

/**
 * How many of several replies to the same question have each line of the chosen one's observation (as often as it stands
 * there). A hint at how sure the model is, not at whether it is right.
 */
export function agreementOf(chosen: Reply, replies: readonly Reply[]): NonNullable<Reply['agreement']> {
  const answered = replies.filter((reply) => reply.observation !== undefined);
  const counts = answered.map((reply) => countLines(reply.observation ?? ''));
  const seen = new Map<string, number>();
  const lines = (chosen.observation ?? '').split('\n').map((line) => {
    const nth = (seen.get(line) ?? 0) + 1;
    seen.set(line, nth);
    return counts.filter((count) => (count.get(line) ?? 0) >= nth).length;
  });
  return { samples: replies.length, lines };
}

function countLines(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of text.split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

/**
 * Which of several answers counts: one of those that say the same, if they are more than half. Of these the one whose
 * text most of them share, else the first. `says`: what an answer says of how things go on.
 */
export function electSample<S>(
  samples: readonly S[],
  says: (sample: S) => string,
  textOf: (sample: S) => string,
): { votes: Vote[]; elected?: S } {
  const groups = new Map<string, S[]>();
  for (const sample of samples) {
    const said = says(sample);
    groups.set(said, [...(groups.get(said) ?? []), sample]);
  }
  const votes = [...groups]
    .map(([said, group]) => ({ says: said, count: group.length }))
    .sort((a, b) => b.count - a.count);
  const [winner] = votes;
  if (!winner || winner.count * 2 <= samples.length) return { votes };
  const group = groups.get(winner.says) ?? [];
  const shared = (one: S) => group.filter((other) => textOf(other) === textOf(one)).length;
  const elected = group.reduce((best, one) => (shared(one) > shared(best) ? one : best));
  return { votes, elected };
}

/**
 * What several answers came to, where they can be told apart: how many of them say the same as the one that counts, and
 * each other one once, the most frequent first. `chosen`: the answer that counts, or why none does.
 */
export function samplesOf<T>(
  { form: { same } }: Asking<T>,
  answers: readonly Answer<T>[],
  chosen: Answer<T> | Asked<T>,
): { samples?: Samples<T> } {
  if (!same || answers.length < 2) return {};
  const groups = new Map<string, { value: T; observation: string; count: number }>();
  for (const { read } of answers) {
    if (!read?.ok || read.kind !== 'answer') continue;
    const key = same(read.value);
    const known = groups.get(key);
    if (known) known.count += 1;
    else groups.set(key, { value: read.value, observation: read.observation, count: 1 });
  }
  const counts = 'read' in chosen && chosen.read?.ok && chosen.read.kind === 'answer' ? chosen.read.value : undefined;
  const key = counts === undefined ? '' : same(counts);
  const count = groups.get(key)?.count ?? 0;
  groups.delete(key);
  const others = [...groups.values()].sort((a, b) => b.count - a.count);
  return { samples: { count, of: answers.length, others } };
}
