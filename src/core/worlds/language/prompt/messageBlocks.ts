import type { ChatMessage } from '../client/provider.ts';
import type { PromptBlock } from './turns/turn.ts';

/**
 * What the messages of a prompt are that was not made here (a row of a benchmark, a recorded chat): one block a message.
 * The first system message counts as the template, the last user message as what is asked, everything else as history.
 */
export function blocksOfMessages(messages: readonly ChatMessage[]): PromptBlock[] {
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  return messages.map(({ role, content }, message) => ({
    part: role === 'system' ? 'template' : message === asked ? 'action' : 'history',
    title: role === 'system' ? 'System prompt' : message === asked ? 'What is asked' : titleOf(content),
    message,
    start: 0,
    end: content.length,
  }));
}

function titleOf(content: string): string {
  return content.trimStart().split('\n', 1)[0]?.slice(0, 80) ?? '';
}
