import assert from 'node:assert/strict';
import test from 'node:test';
import type { ChatMessage, CompletionEvent } from '../../../src/core/worlds/language/client/provider.ts';
import { createScriptedProvider } from '../../../src/core/worlds/language/client/scripted.ts';

const script = {
  model: 'sample',
  contextTokens: 1_000,
  answers: [
    { asks: ['ls'], under: 'ENOSPC', replies: [{ reasoning: 'It is full.', content: 'nothing' }] },
    {
      asks: ['ls'],
      replies: [
        { reasoning: 'First.', content: 'a\nb' },
        { reasoning: 'Second.', content: 'a' },
      ],
    },
  ],
};

async function ask(provider: ReturnType<typeof createScriptedProvider>, messages: ChatMessage[], abort?: AbortSignal) {
  const events: CompletionEvent[] = [];
  const signal = abort ?? new AbortController().signal;
  for await (const event of provider.complete({ messages, parameters: { temperature: 1 }, signal })) events.push(event);
  const text = events.flatMap((event) => (event.type === 'content' ? [event.text] : [])).join('');
  const usage = events.find((event) => event.type === 'usage')?.usage;
  return { events, text, usage, last: events.at(-1) };
}

const system: ChatMessage = { role: 'system', content: 'You are a machine with files.' };
const user = (content: string): ChatMessage => ({ role: 'user', content });

test('a script answers what it is asked, in turn, and begins again', async () => {
  const provider = createScriptedProvider(script, 0);
  const said = [];
  for (let round = 0; round < 3; round++) said.push((await ask(provider, [system, user('ls')])).text);
  assert.deepEqual(said, ['a\nb', 'a', 'a\nb']);
  assert.equal((await ask(provider, [{ ...system, content: 'ENOSPC' }, user('ls')])).text, 'nothing');
});

test('what a prompt shares with one before counts as cached, and nothing of the first', async () => {
  const provider = createScriptedProvider(script, 0);
  const first = await ask(provider, [system, user('ls')]);
  assert.equal(first.usage?.cachedTokens, 0);
  const { tokens } = await provider.countTokens([system], new AbortController().signal);
  const second = await ask(provider, [system, user('ls -a')]);
  assert.equal(second.usage?.cachedTokens, tokens);
  assert.equal(second.usage?.exact, false);
  assert.ok((second.usage?.promptTokens ?? 0) > tokens);
});

test('a script says what it does not know, takes no parameters, and can be cancelled', async () => {
  const provider = createScriptedProvider(script, 0);
  const unknown = await ask(provider, [system, user('pwd')]);
  assert.equal(unknown.last?.type, 'failed');
  const [sent] = unknown.events;
  assert.deepEqual(sent?.type === 'sent' && sent.dropped.map(({ name }) => name), ['temperature']);
  assert.equal((await ask(provider, [system, user('ls')], AbortSignal.abort())).last?.type, 'cancelled');
});
