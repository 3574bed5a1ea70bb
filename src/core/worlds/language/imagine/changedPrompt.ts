import type { ChatMessage } from '../client/provider.ts';
import type { PromptBlock } from '../prompt/turns/turn.ts';

/**
 * A message of a prompt that the user changed. `question` counts from 1, `message` from 0.
 *
 * `was`: what stood there, in a prompt of how many messages. The workspace can have changed since, and with it the number of
 * messages before this one: then the message that says the same is meant, and else the one that stands as far from the end.
 */
export interface ChangedMessage {
  question: number;
  message: number;
  content: string;
  was?: { content: string; count: number };
}

/** Messages with their blocks, as they are sent. */
interface Prompt {
  messages: readonly ChatMessage[];
  blocks: readonly PromptBlock[];
}

/** The prompt as the user changed it, which leaves the blocks of the other messages as they are. */
export function changedPrompt(prompt: Prompt, changes: readonly ChangedMessage[]): Prompt {
  if (changes.length === 0) return prompt;
  const contents = new Map(changes.map((change) => [placeOf(change, prompt.messages), change.content]));
  const messages = prompt.messages.map((message, index) => ({
    ...message,
    content: contents.get(index) ?? message.content,
  }));
  const kept = prompt.blocks.filter((block) => !contents.has(block.message));
  const edited = [...contents].map(
    ([message, content]): PromptBlock => ({
      part: prompt.blocks.find((block) => block.message === message)?.part ?? 'action',
      title: 'Edited by you',
      message,
      start: 0,
      end: content.length,
    }),
  );
  const blocks = [...kept, ...edited].sort((a, b) => a.message - b.message || a.start - b.start);
  return { messages, blocks };
}

function placeOf({ message, was }: ChangedMessage, messages: readonly ChatMessage[]): number {
  if (!was || messages[message]?.content === was.content) return message;
  const same = messages.findLastIndex(({ content }) => content === was.content);
  if (same >= 0) return same;
  // The system message stays the first one.
  return message === 0 ? 0 : Math.max(1, messages.length - (was.count - message));
}
