import { estimateTokens } from '../../../context/estimateTokens.ts';
import { wireMessage } from './clientBody.ts';
import { ask, type Fetch } from './clientHttp.ts';
import { countAt, listAt, textAt, valueAt } from './clientJson.ts';
import type { ServerTraits } from './clientProbe.ts';
import type { ChatMessage } from './provider.ts';
import type { TokenCount } from './tokenCount.ts';

/** Tokens that a chat template puts around each message and before the reply: `<|im_start|>user\n … <|im_end|>\n`. */
const templateTokens = { message: 5, reply: 4 };

/** About how many tokens the messages take as a prompt: `estimateTokens()` of each, and what the template adds. */
export function estimatePrompt(messages: readonly ChatMessage[]): number {
  let tokens = templateTokens.reply;
  for (const { content, calls = [] } of messages) {
    tokens += estimateTokens(content) + templateTokens.message;
    for (const call of calls) tokens += estimateTokens(call.name + call.arguments) + templateTokens.message;
  }
  return tokens;
}

/** Has the server count; undefined where it cannot, or did not answer in time. Never rejects. */
export async function countOnServer(
  traits: ServerTraits,
  messages: readonly ChatMessage[],
  asking: { rootUrl: string; fetch: Fetch; key: string | undefined; signal: AbortSignal; limitMs: number },
): Promise<TokenCount | undefined> {
  const post = async (path: string, body: unknown) => {
    const answer = await ask(asking.fetch, { ...asking, url: `${asking.rootUrl}${path}`, body });
    return answer.ok && answer.status === 200 ? answer.json : undefined;
  };
  const { model } = traits;
  if (traits.counter === 'messages') {
    const tokens = countAt(await post('/tokenize', { model, messages: messages.map(wireMessage) }), 'count');
    return tokens === undefined ? undefined : { tokens, exact: true };
  }
  if (traits.counter === 'prompt') {
    const tokens = countAt(await post('/tokenize', { model, prompt: asChatMl(messages) }), 'count');
    // The tokenizer is the model's, the template only like it.
    return tokens === undefined ? undefined : { tokens, exact: false };
  }
  if (traits.counter === 'template') {
    const prompt = textAt(await post('/apply-template', { messages: messages.map(wireMessage) }), 'prompt');
    if (prompt === undefined) return undefined;
    const counted = await post('/tokenize', { content: prompt, add_special: true, parse_special: true });
    return Array.isArray(valueAt(counted, 'tokens'))
      ? { tokens: listAt(counted, 'tokens').length, exact: true }
      : undefined;
  }
  return undefined;
}

/** Has the server count one text with the model's own tokenizer, without a template around it. Undefined as above. */
export async function countTextOnServer(
  { counter, model }: ServerTraits,
  text: string,
  asking: { rootUrl: string; fetch: Fetch; key: string | undefined; signal: AbortSignal; limitMs: number },
): Promise<number | undefined> {
  if (counter === 'none') return undefined;
  const isLlama = counter === 'template';
  const body = isLlama
    ? { content: text, add_special: false, parse_special: true }
    : { model, prompt: text, add_special_tokens: false };
  const answer = await ask(asking.fetch, { ...asking, url: `${asking.rootUrl}/tokenize`, body });
  if (!answer.ok || answer.status !== 200) return undefined;
  if (!isLlama) return countAt(answer.json, 'count');
  return Array.isArray(valueAt(answer.json, 'tokens')) ? listAt(answer.json, 'tokens').length : undefined;
}

/** The template of the Qwen models, near enough to count. */
function asChatMl(messages: readonly ChatMessage[]): string {
  const turns = messages.map(({ role, content }) => `<|im_start|>${role}\n${content}<|im_end|>\n`);
  return `${turns.join('')}<|im_start|>assistant\n`;
}
