import type { StepMessage } from './step.ts';

/** The same prompt, with what an earlier step has already left out. */
export function sharedMessages(
  messages: readonly StepMessage[],
  earlier: { id: string; messages: readonly StepMessage[] } | undefined,
): { messages: StepMessage[]; begins?: { step: string; count: number } } {
  let count = 0;
  const before = earlier?.messages ?? [];
  while (
    count < Math.min(messages.length, before.length) &&
    before[count]?.role === messages[count]?.role &&
    before[count]?.content === messages[count]?.content
  )
    count += 1;
  if (!earlier || count === 0) return { messages: [...messages] };
  return { messages: messages.slice(count), begins: { step: earlier.id, count } };
}
