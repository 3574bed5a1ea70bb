import type { Reply } from '../../prediction/question.ts';

/**
 * How many of several replies to the same question have each line of the first one's observation (as often as it stands
 * there). A hint at how sure the model is, not at whether it is right.
 */
export function agreementOf(replies: readonly Reply[]): NonNullable<Reply['agreement']> {
  const answered = replies.filter((reply) => reply.observation !== undefined);
  const counts = answered.map((reply) => countLines(reply.observation ?? ''));
  const seen = new Map<string, number>();
  const lines = (replies[0]?.observation ?? '').split('\n').map((line) => {
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
