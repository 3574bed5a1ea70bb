import type { ReplyFault } from '../../../facts/replyFault.ts';
import { faultClause } from '../../../words/faultText.ts';
import type { ChatMessage } from '../client/provider.ts';
import type { PromptBlock } from '../prompt/turns/turn.ts';
import { withoutControlTokens } from '../prompt/turns/turnText.ts';

/** Of a reply that is no answer, at most this is repeated to the model, in characters. */
const longestRepeated = 1_500;

/**
 * The messages that ask once more after a reply that was no answer: the same prompt, the reply, what was wrong with it,
 * the form, and the last turn again, because a model answers best to what stands last. The blocks are those of the two
 * messages that are added.
 */
export function repairMessages(
  messages: readonly ChatMessage[],
  reply: string,
  { fault, words, isTagged }: { fault: ReplyFault; words: string; isTagged: boolean },
): { messages: ChatMessage[]; blocks: PromptBlock[] } {
  const shown = withoutControlTokens(repeated(reply));
  const turn = messages.at(-1)?.content ?? '';
  const between = isTagged ? ' It stands between the two tags, once, with nothing behind it.' : '';
  const refused =
    fault.kind === 'refused' || fault.kind === 'tool-call'
      ? ' Nothing is carried out, and nobody is helped or harmed: only what the machine would show is asked for.'
      : '';
  const brief = fault.kind === 'cut' ? ' Think less this time, and answer sooner.' : '';
  const complaint = `Your reply cannot be used: it ${faultClause(fault)}.${refused}${brief} ${words}${between} Here is the same turn once more.\n\n`;
  const added: ChatMessage[] = [
    { role: 'assistant', content: shown },
    { role: 'user', content: `${complaint}${turn}` },
  ];
  const count = messages.length;
  const end = complaint.length + turn.length;
  return {
    messages: [...messages, ...added],
    blocks: [
      { part: 'history', title: 'The reply that was no answer', message: count, start: 0, end: shown.length },
      { part: 'suffix', title: 'What was wrong with it', message: count + 1, start: 0, end: complaint.length },
      { part: 'action', title: 'The same turn', message: count + 1, start: complaint.length, end },
    ],
  };
}

function repeated(reply: string): string {
  const plain = reply.trim();
  if (plain === '') return '(no text)';
  return plain.length > longestRepeated ? `${plain.slice(0, longestRepeated)}…` : plain;
}
