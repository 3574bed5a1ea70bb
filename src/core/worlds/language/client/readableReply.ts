import type { ChatMessage, LanguageProvider, SamplingParameters } from './provider.ts';

/** Who is asked, and how. */
export interface Asking {
  provider: LanguageProvider;
  parameters?: SamplingParameters;
  signal: AbortSignal;
}

/** The whole content of one reply, without reasoning; a problem is one sentence. */
async function replyText(
  { provider, parameters = {}, signal }: Asking,
  messages: readonly ChatMessage[],
): Promise<{ text: string } | { problem: string }> {
  let text = '';
  for await (const event of provider.complete({ messages, signal, parameters })) {
    if (event.type === 'content') text += event.text;
    else if (event.type === 'retry') text = '';
    else if (event.type === 'failed') return { problem: event.message };
    else if (event.type === 'cancelled') return { problem: 'It was cancelled.' };
  }
  return { text };
}

/** Reads a reply; one that cannot be read is asked for once more, with what is wrong. */
export async function readableReply<T extends object>(
  asking: Asking,
  messages: readonly ChatMessage[],
  read: (text: string) => T | { problem: string },
  again: string,
): Promise<T | { problem: string }> {
  const first = await replyText(asking, messages);
  if ('problem' in first) return first;
  const found = read(first.text);
  if (!('problem' in found)) return found;
  const second = await replyText(asking, [
    ...messages,
    { role: 'assistant', content: first.text },
    { role: 'user', content: `${found.problem} ${again}` },
  ]);
  return 'problem' in second ? second : read(second.text);
}
