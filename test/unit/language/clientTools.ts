import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { createOpenAiProvider, type OpenAiProviderOptions } from '../../../src/core/worlds/language/client/client.ts';
import type {
  ChatMessage,
  CompletionEvent,
  LanguageProvider,
  SamplingParameters,
} from '../../../src/core/worlds/language/client/provider.ts';
import { type CassetteServer, type ServerOptions, startServer } from '../../cassettes/server.ts';
import { complaintsAboutSentence } from '../../faults/sentence.ts';

export const messages: ChatMessage[] = [
  { role: 'system', content: 'You are a terminal.' },
  { role: 'user', content: '### Turn 1\n**Action:**\n```json\n[{"keystrokes": "pwd\\n", "duration": 0.1}]\n```' },
];

export const observed = '<predicted_observation>\n/app\n</predicted_observation>';

/** A server and a provider that ends with the test; waits between tries are written down instead of waited. */
export async function setUp(
  context: TestContext,
  server: ServerOptions,
  options: Partial<OpenAiProviderOptions> = {},
): Promise<{ server: CassetteServer; provider: LanguageProvider; waits: number[] }> {
  const started = await startServer(server);
  context.after(() => started.close());
  const waits: number[] = [];
  const provider = createOpenAiProvider({
    baseUrl: started.baseUrl,
    sleep: async (durationMs) => {
      waits.push(durationMs);
    },
    ...options,
  });
  return { server: started, provider, waits };
}

/** All events of one completion. */
export async function complete(
  provider: LanguageProvider,
  parameters: SamplingParameters = {},
  signal = new AbortController().signal,
  asked: readonly ChatMessage[] = messages,
): Promise<CompletionEvent[]> {
  const events: CompletionEvent[] = [];
  for await (const event of provider.complete({ messages: asked, parameters, signal })) events.push(event);
  const endings = events.filter(({ type }) => type === 'finished' || type === 'failed' || type === 'cancelled');
  assert.equal(endings.length, 1, 'exactly one ending');
  assert.equal(endings[0], events.at(-1), 'the ending comes last');
  for (const event of events) {
    if (event.type === 'failed') assert.deepEqual(complaintsAboutSentence(event.message), []);
    if (event.type === 'retry') assert.deepEqual(complaintsAboutSentence(event.why), []);
    if (event.type === 'sent')
      for (const warning of event.warnings) assert.deepEqual(complaintsAboutSentence(warning), []);
  }
  return events;
}

export function textOf(events: readonly CompletionEvent[], type: 'content' | 'reasoning'): string {
  return events.map((event) => (event.type === type ? event.text : '')).join('');
}

export function ofType<Type extends CompletionEvent['type']>(
  events: readonly CompletionEvent[],
  type: Type,
): Extract<CompletionEvent, { type: Type }>[] {
  return events.filter((event): event is Extract<CompletionEvent, { type: Type }> => event.type === type);
}

/** The code of the failure that a completion ended with; its ending otherwise. */
export function endOf(events: readonly CompletionEvent[]): string {
  const last = events.at(-1);
  if (last?.type === 'failed') return last.code;
  return last?.type === 'finished' ? `finished ${last.reason}` : (last?.type ?? 'nothing');
}
