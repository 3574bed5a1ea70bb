import assert from 'node:assert/strict';
import net from 'node:net';
import { test } from 'node:test';
import { createOpenAiProvider } from '../../../src/core/worlds/language/client/client.ts';
import type { ChatMessage } from '../../../src/core/worlds/language/client/provider.ts';
import { checkReply } from '../../../src/core/worlds/language/reply/checkReply.ts';
import type { Fault } from '../../cassettes/faults.ts';
import { dialects } from '../../cassettes/wire.ts';
import { complaintsAboutSentence } from '../../faults/sentence.ts';
import { complete, endOf, messages, observed, ofType, setUp, textOf } from '../../unit/language/clientTools.ts';

const never = new AbortController().signal;
const limits = { firstByteMs: 600, idleMs: 600, probeMs: 600 };

/** Each fault that a request does not survive, and the code that it ends with. */
const fatal: readonly [fault: Fault, code: string, says?: RegExp][] = [
  [{ kind: 'status', status: 400 }, 'bad-request', /It went wrong/],
  [{ kind: 'status', status: 400, body: 'flat' }, 'bad-request', /It went wrong/],
  [{ kind: 'status', status: 400, body: 'plain' }, 'bad-request', /It went wrong/],
  [{ kind: 'status', status: 400, body: 'text' }, 'bad-request', /It went wrong/],
  [
    { kind: 'status', status: 400, body: { raw: '{"detail":[{"msg":"No such field"}]}' } },
    'bad-request',
    /No such field/,
  ],
  [{ kind: 'status', status: 401 }, 'key-refused', /set the key/],
  [{ kind: 'status', status: 403, body: 'html' }, 'key-refused'],
  [{ kind: 'status', status: 402 }, 'no-quota'],
  [{ kind: 'status', status: 404, message: 'The model `x` does not exist.' }, 'model-unknown', /Qwen-AgentWorld/],
  [{ kind: 'status', status: 404, body: 'html' }, 'path-unknown', /v1/],
  [{ kind: 'status', status: 413 }, 'prompt-too-long'],
  [
    { kind: 'status', status: 429, body: { raw: '{"error":{"code":"insufficient_quota","message":"No."}}' } },
    'no-quota',
  ],
  [{ kind: 'status', status: 500, message: 'TypeError: x is undefined\n  at run (a.js:1:2)' }, 'server-error'],
  [{ kind: 'status', status: 500, body: 'empty' }, 'server-error'],
  [{ kind: 'status', status: 529, body: 'html' }, 'server-error'],
  [{ kind: 'redirect', to: 'https://elsewhere.example/v1' }, 'redirected', /elsewhere\.example/],
  [{ kind: 'html' }, 'not-a-model-server'],
  [{ kind: 'cut', afterChunks: 3 }, 'cut-off'],
  [{ kind: 'end', afterChunks: 3 }, 'cut-off'],
  [{ kind: 'garbage', afterChunks: 3, lines: 'data: {"choices": [{"del\n\n' }, 'garbled'],
  [{ kind: 'stream-error', afterChunks: 3, status: 500, message: 'CUDA out of memory.' }, 'server-error', /CUDA/],
  [{ kind: 'stream-error', afterChunks: 0, status: 400, message: 'Bad template.' }, 'bad-request', /Bad template/],
  [{ kind: 'hang', at: 'headers' }, 'no-answer'],
  [{ kind: 'hang', at: 'body' }, 'no-answer'],
  [{ kind: 'hang', at: 'middle' }, 'stalled'],
  [{ kind: 'empty-choices' }, 'empty-reply'],
  [{ kind: 'tool-call' }, 'empty-reply'],
];

for (const [fault, code, says] of fatal) {
  test(`${JSON.stringify(fault)} ends as ${code}`, async (context) => {
    const dialectsToTry = fault.kind === 'hang' || fault.kind === 'stream-error' ? (['vllm'] as const) : dialects;
    for (const dialect of dialectsToTry) {
      const { provider, server } = await setUp(
        context,
        { dialect, replies: [observed], faults: [fault, fault, fault, fault] },
        fault.kind === 'hang' ? { limits } : {},
      );
      const events = await complete(provider);
      assert.equal(endOf(events), code, `${dialect}: ${JSON.stringify(events.at(-1))}`);
      const last = events.at(-1);
      if (says && last?.type === 'failed') assert.match(last.message, says);
      // A 400 that says nothing at all may be about stream_options.
      assert.equal(server.completions().length, 1, `${dialect} was asked again`);
    }
  });
}

test('lines that are no part of the protocol are passed over', async (context) => {
  const lines = ': keep-alive\n\nid: 7\nretry: 10\nwhat is this\n\nevent: ping\ndata: {}\n\n';
  const { provider } = await setUp(context, {
    dialect: 'vllm',
    replies: [observed],
    faults: [{ kind: 'garbage', afterChunks: 3, lines }],
  });
  const events = await complete(provider);
  assert.equal(textOf(events, 'content'), observed);
  assert.equal(endOf(events), 'finished stop');
});

test('a busy server is waited for as long as it asks, in seconds or as a date', async (context) => {
  const now = Date.parse('2026-01-05T10:00:00Z');
  const { provider, waits } = await setUp(
    context,
    {
      dialect: 'sglang',
      replies: [observed],
      faults: [
        { kind: 'status', status: 429, retryAfter: '2' },
        { kind: 'status', status: 503, retryAfter: 'Mon, 05 Jan 2026 10:00:07 GMT' },
        { kind: 'status', status: 502, body: 'html' },
      ],
    },
    { now: () => now },
  );
  const events = await complete(provider);
  assert.equal(endOf(events), 'finished stop');
  assert.deepEqual(waits, [2000, 7000, 2000]);
  assert.equal(ofType(events, 'sent').length, 4);
});

test('a busy server is not waited for without end', async (context) => {
  const busy: Fault = { kind: 'status', status: 503 };
  const { provider, server, waits } = await setUp(context, { dialect: 'vllm', faults: Array(9).fill(busy) });
  assert.equal(endOf(await complete(provider)), 'busy');
  assert.equal(server.completions().length, 4);
  assert.deepEqual(waits, [500, 1000, 2000]);
  const { provider: patient, waits: none } = await setUp(context, {
    dialect: 'vllm',
    faults: [{ kind: 'status', status: 429, retryAfter: '3600' }],
  });
  assert.equal(endOf(await complete(patient)), 'busy');
  assert.deepEqual(none, []);
});

test('a connection that breaks before the first byte is tried again', async (context) => {
  for (const dialect of dialects) {
    const { provider, server } = await setUp(context, { dialect, replies: [observed], faults: [{ kind: 'reset' }] });
    const events = await complete(provider);
    assert.equal(endOf(events), 'finished stop', JSON.stringify(events.at(-1)));
    assert.equal(textOf(events, 'content'), observed);
    assert.equal(server.completions().length, 2);
  }
  const { provider } = await setUp(context, { dialect: 'vllm', faults: Array(9).fill({ kind: 'reset' }) });
  assert.equal(endOf(await complete(provider)), 'cut-off');
});

test('a slow first byte within the limit is no fault', async (context) => {
  const faults: Fault[] = [{ kind: 'slow', firstByteMs: 150 }];
  const { provider } = await setUp(
    context,
    { dialect: 'llama.cpp', replies: [observed], faults },
    { limits: { firstByteMs: 5000 } },
  );
  assert.equal(endOf(await complete(provider)), 'finished stop');
});

test('a model that is still loading is waited for', async (context) => {
  const loading: Fault = { kind: 'status', status: 503, message: 'Loading model' };
  const { provider, waits } = await setUp(context, {
    dialect: 'llama.cpp',
    replies: [observed],
    probeFaults: [loading, loading],
  });
  const events = await complete(provider);
  assert.equal(endOf(events), 'finished stop');
  assert.equal(waits.length, 2);
  const { provider: stuck } = await setUp(context, { dialect: 'llama.cpp', probeFaults: Array(9).fill(loading) });
  assert.equal(endOf(await complete(stuck)), 'loading');
  const status = await stuck.status(never);
  assert.ok(!status.ok && status.code === 'loading');
});

const long = (words: number): ChatMessage[] => [{ role: 'user', content: 'files and folders '.repeat(words) }];

test('a request that does not fit is sent once more with the room that is left', async (context) => {
  for (const dialect of ['vllm', 'sglang'] as const) {
    // The list says more than the server has, as behind a gateway.
    const { provider, server } = await setUp(
      context,
      { dialect, contextTokens: 8192, replies: [observed] },
      {
        fetch: async (input, init) => {
          const response = await fetch(input, init);
          if (!String(input).endsWith('/models')) return response;
          return new Response((await response.text()).replaceAll('8192', '262144'), { headers: response.headers });
        },
      },
    );
    const events = await complete(provider, {}, never, long(500));
    assert.equal(endOf(events), 'finished stop', JSON.stringify(events.at(-1)));
    const [first, second] = server.completions();
    assert.equal(first?.body?.['max_tokens'], 32_768);
    const prompt = Number(ofType(events, 'usage')[0]?.usage.promptTokens);
    assert.ok(Number(second?.body?.['max_tokens']) + prompt <= 8192);
    assert.ok(Number(second?.body?.['max_tokens']) > 4000);
  }
});

test('a prompt that does not fit by itself is refused with the sizes and a next step', async (context) => {
  for (const dialect of dialects) {
    const { provider, server } = await setUp(context, { dialect, contextTokens: 4096, replies: [observed] });
    const events = await complete(provider, {}, never, long(3000));
    const last = events.at(-1);
    assert.equal(endOf(events), dialect === 'ollama' ? 'prompt-truncated' : 'prompt-too-long', JSON.stringify(last));
    assert.ok(last?.type === 'failed');
    assert.match(last.message, /4,096/);
    assert.match(last.message, /max-model-len|context-length|ctx-size|OLLAMA_CONTEXT_LENGTH|larger context/);
    assert.ok(server.completions().length <= 1);
  }
});

test('Ollama tells its context once the model is loaded, and a prompt that it would cut is not sent', async (context) => {
  const { provider, server } = await setUp(context, { dialect: 'ollama', contextTokens: 4096, replies: [observed] });
  assert.equal(endOf(await complete(provider)), 'finished stop');
  assert.equal(endOf(await complete(provider, {}, never, long(3000))), 'prompt-too-long');
  assert.equal(server.completions().length, 1);
  const status = await provider.status(never);
  assert.ok(status.ok && status.contextTokens === 4096 && status.warnings.length === 0);
});

test('the wordings of an overflow are known when the size was not told before', async (context) => {
  const raws: readonly [raw: string, maxTokens: number | undefined][] = [
    [
      '{"error":{"message":"This model\'s maximum context length is 16384 tokens. However, you requested 34000 tokens (2000 in the messages, 32000 in the completion). Please reduce the length of the messages or completion.","code":"context_length_exceeded"}}',
      14_376,
    ],
    [
      '{"error":{"message":"This model\'s maximum context length is 16384 tokens and your request has 6000 input tokens (64000 > 16384 - 6000).","code":400}}',
      10_376,
    ],
    [
      '{"object":"error","message":"The input (20000 tokens) is longer than the model\'s context length (16384 tokens).","code":400}',
      undefined,
    ],
    [
      '{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error","n_prompt_tokens":14429,"n_ctx":8192}}',
      undefined,
    ],
    [
      '{"error":{"message":"max_tokens is too large: 32768. This model supports at most 16384 completion tokens, whereas you provided 32768."}}',
      16_384,
    ],
    ['{"error":{"message":"Range of max_tokens should be [1, 8192]"}}', 8192],
    ['{"error":{"message":"Invalid max_tokens: expected a value <= 4096, but got 32768"}}', 4096],
  ];
  for (const [raw, maxTokens] of raws) {
    const { provider, server } = await setUp(context, {
      dialect: 'ollama',
      replies: [observed],
      faults: [{ kind: 'status', status: 400, body: { raw } }],
    });
    const events = await complete(provider);
    if (maxTokens === undefined) assert.equal(endOf(events), 'prompt-too-long', raw);
    else {
      assert.equal(endOf(events), 'finished stop', raw);
      assert.equal(server.completions()[1]?.body?.['max_tokens'], maxTokens, raw);
    }
  }
});

test('a second overflow is not answered with a third request', async (context) => {
  const raw =
    '{"error":{"message":"This model\'s maximum context length is 16384 tokens. However, you requested 34000 tokens (2000 in the messages, 32000 in the completion)."}}';
  const fault: Fault = { kind: 'status', status: 400, body: { raw } };
  const { provider, server } = await setUp(context, { dialect: 'vllm', faults: [fault, fault, fault] });
  assert.equal(endOf(await complete(provider)), 'bad-request');
  assert.equal(server.completions().length, 2);
});

test('a reply that ended while the model was thinking is no empty prediction', async (context) => {
  for (const dialect of dialects) {
    for (const inline of [undefined, 'tags', 'no-opening-tag'] as const) {
      const { provider } = await setUp(context, {
        dialect,
        replies: [{ content: observed, reasoning: 'on and on', ...(inline ? { inline } : {}) }],
        faults: [{ kind: 'truncated-thinking' }],
      });
      const events = await complete(provider);
      assert.equal(endOf(events), 'finished length');
      const problem = checkReply({
        content: textOf(events, 'content'),
        reasoning: textOf(events, 'reasoning'),
        reason: 'length',
      });
      assert.equal(problem?.code, 'budget-spent-thinking');
    }
  }
});

test('the key is in no event, even when the server repeats it', async (context) => {
  const apiKey = 'sk-test-0123456789abcdefghijklmnop';
  const key = async () => apiKey;
  for (const dialect of dialects) {
    const { provider, server } = await setUp(
      context,
      {
        dialect,
        apiKey,
        replies: [{ content: `${observed} ${apiKey}`, pieceLength: 200 }],
        faults: [
          undefined,
          { kind: 'echo-key', status: 400 },
          { kind: 'echo-key', status: 503 },
          { kind: 'echo-key', status: 401 },
        ],
      },
      { apiKey: key },
    );
    const asked = [...messages, { role: 'user' as const, content: `echo ${apiKey}` }];
    const all = [await complete(provider, {}, never, asked), await complete(provider), await complete(provider)];
    assert.ok(!JSON.stringify([...all, await provider.status(never)]).includes(apiKey));
    assert.match(JSON.stringify(all), /redacted: API key/);
    assert.equal(endOf(all[0] ?? []), 'finished stop');
    assert.ok(server.completions().every(({ headers }) => headers.authorization === `Bearer ${apiKey}`));
    assert.ok(!JSON.stringify(server.completions().map(({ body }) => body)).includes(apiKey));
  }
  const { provider } = await setUp(
    context,
    { dialect: 'vllm', probeFaults: [{ kind: 'echo-key', status: 401 }] },
    { apiKey: key },
  );
  const status = await provider.status(never);
  assert.ok(!status.ok && status.code === 'key-refused' && !status.message.includes(apiKey));
});

test('a key that cannot be read or sent is a failure, not an exception', async (context) => {
  const unreadable = async () => {
    throw new Error('locked');
  };
  for (const [apiKey, code] of [
    [unreadable, 'key-unavailable'],
    [async () => 'two\nlines', 'key-refused'],
    [async () => 'schlüssel', 'key-refused'],
  ] as const) {
    const { provider, server } = await setUp(context, { dialect: 'vllm' }, { apiKey });
    assert.equal(endOf(await complete(provider)), code);
    assert.equal((await provider.countTokens(messages, never)).exact, false);
    assert.equal(server.requests.length, 0);
  }
});

test('a server that is not there, or something else, is one sentence', async (context) => {
  const silent = net.createServer((socket) => socket.on('error', () => {}));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const talker = net.createServer((socket) => socket.on('error', () => {}).end('SSH-2.0-OpenSSH_9.6\r\n'));
  await new Promise<void>((resolve) => talker.listen(0, '127.0.0.1', resolve));
  context.after(() => {
    silent.close();
    talker.close();
  });
  const portOf = (server: net.Server) => (server.address() as net.AddressInfo).port;
  const cases: readonly [baseUrl: string, code: RegExp][] = [
    ['http://127.0.0.1:1/v1', /^unreachable$/],
    ['http://no-such-host.invalid.test/v1', /^(unknown-host|unreachable)$/],
    [`http://127.0.0.1:${portOf(silent)}`, /^no-answer$/],
    [`http://127.0.0.1:${portOf(talker)}`, /^not-a-model-server$/],
    [`https://127.0.0.1:${portOf(talker)}`, /^(tls|cut-off)$/],
    ['', /^no-url$/],
    ['ftp://127.0.0.1', /^bad-url$/],
  ];
  for (const [baseUrl, code] of cases) {
    const provider = createOpenAiProvider({ baseUrl, limits });
    const status = await provider.status(never);
    assert.ok(!status.ok);
    assert.match(status.code, code, baseUrl);
    assert.deepEqual(complaintsAboutSentence(status.message), []);
    assert.match(endOf(await complete(provider)), code);
  }
});

test('a failed probe is not kept, and a wrong model names those that are served', async (context) => {
  const { provider } = await setUp(context, { dialect: 'vllm', probeFaults: [{ kind: 'status', status: 500 }] });
  assert.equal((await provider.status(never)).ok, false);
  assert.equal((await provider.status(never)).ok, true);
  const { provider: wrong } = await setUp(context, { dialect: 'vllm', models: ['a/b', 'c/d'] }, { model: 'gpt-4' });
  const status = await wrong.status(never);
  assert.ok(!status.ok && status.code === 'model-unknown');
  assert.match(status.message, /gpt-4; choose one of those that it serves: a\/b, c\/d\./);
});
