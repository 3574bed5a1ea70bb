import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpenAiProviderOptions } from '../../../src/core/worlds/language/client/client.ts';
import type { ServerOptions } from '../../cassettes/server.ts';
import { dialects } from '../../cassettes/wire.ts';
import { complete, endOf, messages, observed, setUp } from '../../unit/language/clientTools.ts';

const pause = (durationMs: number) => new Promise((resolve) => setTimeout(resolve, durationMs));
const slowReply = { content: observed.repeat(20), delayMs: 10 };

/** Everything that may be going on when the user cancels. */
const moments: readonly [
  name: string,
  server: Omit<ServerOptions, 'dialect'>,
  options?: Partial<OpenAiProviderOptions>,
][] = [
  ['while it waits for headers', { faults: [{ kind: 'hang', at: 'headers' }] }],
  ['while it waits for the first piece', { faults: [{ kind: 'hang', at: 'body' }] }],
  ['in the middle of a reply', { replies: [slowReply] }],
  ['while the reply hangs', { replies: [slowReply], faults: [{ kind: 'hang', at: 'middle' }] }],
  ['while the server is probed', { probeFaults: [{ kind: 'hang', at: 'headers' }] }],
  [
    'between two tries',
    { faults: [{ kind: 'status', status: 503, retryAfter: '50' }] },
    { sleep: () => new Promise(() => {}) },
  ],
  ['while the key is read', {}, { apiKey: () => new Promise(() => {}) }],
];

for (const [name, server, options] of moments) {
  test(`a cancel ${name} closes the connection at once`, async (context) => {
    const durations: number[] = [];
    for (const dialect of dialects) {
      const { provider, server: started } = await setUp(context, { dialect, ...server }, options);
      const controller = new AbortController();
      let abortedAt = 0;
      const cancel = async () => {
        const isThere = () =>
          name.includes('probed')
            ? started.requests.length > 0
            : started.completions().length > 0 || name.includes('key');
        for (let waited = 0; !isThere() && waited < 10_000; waited += 5) await pause(5);
        await pause(100);
        abortedAt = performance.now();
        controller.abort();
      };
      void cancel();
      const events = await complete(provider, {}, controller.signal);
      const endedAt = performance.now();
      assert.equal(endOf(events), 'cancelled');
      assert.ok(endedAt - abortedAt < 10_000, `it took ${(endedAt - abortedAt).toFixed(0)} ms`);
      const open = started.requests.at(-1);
      if (name.includes('between') || name.includes('key')) continue;
      for (let waited = 0; open?.abortedAtMs === undefined && waited < 1000; waited += 5) {
        await pause(5);
      }
      assert.ok(open?.abortedAtMs !== undefined, 'the server saw no end of the connection');
      durations.push(open.abortedAtMs - abortedAt, endedAt - abortedAt);
    }
    if (durations.length > 0) context.diagnostic(`closed within ${Math.max(...durations).toFixed(1)} ms`);
  });
}

test('a request that was cancelled before it began is not sent', async (context) => {
  const { provider, server } = await setUp(context, { dialect: 'vllm' });
  assert.equal(endOf(await complete(provider, {}, AbortSignal.abort())), 'cancelled');
  assert.equal(server.requests.length, 0);
});

test('whoever stops reading closes the connection', async (context) => {
  const { provider, server } = await setUp(context, { dialect: 'vllm', replies: [slowReply] });
  const { signal } = new AbortController();
  for await (const event of provider.complete({ messages, signal })) if (event.type === 'content') break;
  for (let waited = 0; !server.completions()[0]?.abortedAtMs && waited < 1000; waited += 5) {
    await pause(5);
  }
  assert.ok(server.completions()[0]?.abortedAtMs);
});

test('one who cancels does not cancel the probe of the others', async (context) => {
  const { provider, server } = await setUp(context, {
    dialect: 'vllm',
    probeFaults: [{ kind: 'slow', firstByteMs: 200 }],
  });
  const controller = new AbortController();
  const first = provider.status(controller.signal);
  const second = provider.status(new AbortController().signal);
  controller.abort();
  const cancelled = await first;
  assert.ok(!cancelled.ok && cancelled.code === 'cancelled');
  assert.equal((await second).ok, true);
  assert.equal(server.requests.filter(({ path }) => path === '/v1/models').length, 1);
});

test('many replies at a time do not mix, and their connections are used again', async (context) => {
  const { provider } = await setUp(context, {
    dialect: 'vllm',
    answer: async (body) => {
      const [message] = (body['messages'] as { content: string }[]).slice(-1);
      return { content: `<predicted_observation>${message?.content}</predicted_observation>`, delayMs: 1 };
    },
  });
  const ends = await Promise.all(
    Array.from({ length: 12 }, async (_, index) => {
      const events = await complete(provider, {}, undefined, [{ role: 'user', content: `turn ${index}` }]);
      return events.map((event) => (event.type === 'content' ? event.text : '')).join('');
    }),
  );
  assert.deepEqual(
    ends,
    Array.from({ length: 12 }, (_, index) => `<predicted_observation>turn ${index}</predicted_observation>`),
  );
});
