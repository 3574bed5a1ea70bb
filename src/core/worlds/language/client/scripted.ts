import * as z from 'zod/mini';
import { estimateTokens } from '../../../context/estimateTokens.ts';
import type { ChatMessage, CompletionEvent, CompletionRequest, LanguageProvider } from './provider.ts';

/** A model that is a file: what it says to what it is asked. */
export const ScriptedModel = z.object({
  model: z.string(),
  contextTokens: z.number(),
  /** The first whose `asks` stand in the last message, all of them, and whose `under` stands anywhere in the prompt. */
  answers: z.array(
    z.object({
      asks: z.array(z.string()),
      under: z.optional(z.string()),
      /** One after the other, as the same is asked again; then from the first. */
      replies: z.array(z.object({ reasoning: z.string(), content: z.string() })),
    }),
  ),
});
export type ScriptedModel = z.infer<typeof ScriptedModel>;

/** Length of a piece of a reply, in characters, and the pause before each, in milliseconds: it is read as it comes. */
const pieceLength = 48;
const pauseMs = 12;

/**
 * A provider that answers from a script, so that prompts, tokens and replies can be seen without a server. Nothing is sent.
 * Tokens are estimated; as cached counts what a server with a prefix cache would have kept of the prompts before.
 */
export function createScriptedProvider(script: ScriptedModel, pieceMs = pauseMs): LanguageProvider {
  const asked = new Map<number, number>();
  const earlier: (readonly ChatMessage[])[] = [];

  async function* complete({ messages, parameters, tools, signal }: CompletionRequest): AsyncIterable<CompletionEvent> {
    if (tools) {
      const message = 'A script calls no tools; connect a server that speaks the OpenAI API.';
      return yield { type: 'failed', code: 'no-tools', message };
    }
    const dropped = Object.keys(parameters ?? {}).map((name) => ({ name, why: 'A script takes no parameters.' }));
    const body = { model: script.model, messages, stream: true };
    yield { type: 'sent', url: `script:${script.model}`, body, dropped, warnings: [] };
    const found = script.answers.findIndex((one) => isFor(one, messages));
    const replies = script.answers[found]?.replies ?? [];
    const reply = replies[(asked.get(found) ?? 0) % Math.max(1, replies.length)];
    asked.set(found, (asked.get(found) ?? 0) + 1);
    const cached = Math.max(0, ...earlier.map((one) => tokensOf(sharedStart(one, messages))));
    earlier.push(messages);
    if (!reply) {
      const message = 'The script knows the turns of the tour alone; choose another model for others.';
      return yield { type: 'failed', code: 'model-unknown', message };
    }
    for (const type of ['reasoning', 'content'] as const) {
      for (let at = 0; at < reply[type].length; at += pieceLength) {
        if (pieceMs > 0) await new Promise((resolve) => setTimeout(resolve, pieceMs));
        if (signal.aborted) return yield { type: 'cancelled' };
        yield { type, text: reply[type].slice(at, at + pieceLength) };
      }
    }
    const reasoningTokens = estimateTokens(reply.reasoning);
    const usage = {
      promptTokens: tokensOf(messages),
      cachedTokens: cached,
      completionTokens: reasoningTokens + estimateTokens(reply.content),
      reasoningTokens,
      exact: false,
    };
    yield { type: 'usage', usage };
    yield { type: 'finished', reason: 'stop', model: script.model };
  }

  return {
    async status() {
      const { model, contextTokens } = script;
      const name = 'a script that comes with Foretell';
      return { ok: true, name, model, models: [model], contextTokens, countsExactly: false, warnings: [] };
    },
    complete,
    countTokens: async (messages) => ({ tokens: tokensOf(messages), exact: false }),
  };
}

function isFor({ asks, under }: ScriptedModel['answers'][number], messages: readonly ChatMessage[]): boolean {
  const last = messages.at(-1)?.content ?? '';
  return (
    asks.every((text) => last.includes(text)) &&
    (under === undefined || messages.some(({ content }) => content.includes(under)))
  );
}

function tokensOf(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
}

/** The messages with which both begin. */
function sharedStart(one: readonly ChatMessage[], other: readonly ChatMessage[]): readonly ChatMessage[] {
  const differs = other.findIndex(({ role, content }, index) => {
    const before = one[index];
    return before?.role !== role || before.content !== content;
  });
  return differs < 0 ? other : other.slice(0, differs);
}
