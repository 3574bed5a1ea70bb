import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseReply } from '../../../src/core/worlds/language/reply/parseReply.ts';
import { dialects, wires } from '../../cassettes/wire.ts';
import { complete, endOf, messages, observed, ofType, setUp, textOf } from '../../unit/language/clientTools.ts';

const model = 'Qwen/Qwen-AgentWorld-35B-A3B';
const never = new AbortController().signal;

for (const dialect of dialects) {
  test(`${dialect}: is recognised, with its models, context and tokenizer`, async (context) => {
    const { provider, server } = await setUp(context, {
      dialect,
      models: ['other-model', 'Qwen-AgentWorld-35B-A3B', 'text-embedding-3'],
      contextTokens: 65_536,
    });
    const status = await provider.status(never);
    assert.ok(status.ok);
    assert.match(
      status.name,
      new RegExp(`^(vLLM|SGLang|llama\\.cpp|Ollama|LM Studio) at 127\\.0\\.0\\.1:${server.port}$`),
    );
    assert.equal(status.model, 'Qwen-AgentWorld-35B-A3B');
    assert.equal(status.models.length, 3);
    const hasContext = dialect !== 'ollama' && dialect !== 'lmstudio';
    if (hasContext) assert.equal(status.contextTokens, 65_536);
    assert.equal(status.countsExactly, ['vllm', 'sglang', 'llama.cpp'].includes(dialect));
    assert.equal(status.warnings.length, dialect === 'ollama' ? 1 : 0);
    const asked = server.requests.length;
    await Promise.all([provider.status(never), provider.status(never)]);
    assert.equal(server.requests.length, asked, 'it is asked once');
  });

  test(`${dialect}: content, reasoning and tokens come as they were sent`, async (context) => {
    const content = `<predicted_observation>\n$ ls\nREADME.md  日本語.txt 👩‍👩‍👧\n</predicted_observation>`;
    const reasoning = 'The directory has a “README”. 東京…';
    const { provider } = await setUp(context, {
      dialect,
      replies: [{ content, reasoning, usage: { cached: 17 } }, { content: 'ok' }],
    });
    const events = await complete(provider);
    assert.equal(textOf(events, 'content'), content);
    assert.equal(textOf(events, 'reasoning'), reasoning);
    assert.equal(endOf(events), 'finished stop');
    assert.equal(events[0]?.type, 'sent');
    const [usage] = ofType(events, 'usage');
    assert.equal(usage?.usage.exact, true);
    assert.ok((usage?.usage.promptTokens ?? 0) > 30);
    assert.equal(usage?.usage.cachedTokens, dialect === 'ollama' || dialect === 'lmstudio' ? undefined : 17);
    assert.equal(endOf(await complete(provider)), 'finished stop');
  });

  test(`${dialect}: inline thinking stays in the content, with and without its first tag`, async (context) => {
    const { provider } = await setUp(context, {
      dialect,
      replies: [
        { content: observed, reasoning: 'so be it', inline: 'tags' },
        { content: observed, reasoning: 'so be it', inline: 'no-opening-tag' },
      ],
    });
    for (const start of ['<think>', 'so be it']) {
      const content = textOf(await complete(provider), 'content');
      assert.ok(content.startsWith(start), content);
      assert.equal(parseReply(content).observation, '/app');
    }
  });

  test(`${dialect}: gets only parameters that it takes, and the others are named`, async (context) => {
    const { provider, server } = await setUp(context, { dialect, replies: [observed] });
    const parameters = { seed: 7, thinking: 'off', thinkingBudgetTokens: 4096 } as const;
    const events = await complete(provider, parameters);
    const [sent] = ofType(events, 'sent');
    assert.deepEqual(sent?.body, server.completions()[0]?.body, 'what is shown is what was sent');
    const standard = ['model', 'messages', 'stream', 'stream_options', 'temperature', 'top_p', 'max_tokens'];
    const extra = Object.keys(sent?.body ?? {}).filter((name) => !standard.includes(name));
    for (const name of extra) assert.ok(wires[dialect].takes.includes(name), `${name} was sent`);
    for (const { name, why } of sent?.dropped ?? []) {
      assert.ok(!wires[dialect].takes.includes(name), `${name} was dropped`);
      assert.ok(why.length > 10);
    }
    assert.equal(sent?.body['temperature'], 0.6);
    assert.equal(sent?.body['top_p'], 0.95);
    assert.equal(sent?.body['max_tokens'], 32_768);
    const isOff = ['ollama', 'lmstudio'].includes(dialect)
      ? sent?.body['reasoning_effort'] === 'none'
      : JSON.stringify(sent?.body['chat_template_kwargs']) === '{"enable_thinking":false}';
    assert.ok(isOff, 'thinking is off');
  });

  test(`${dialect}: bytes may be cut anywhere, and lines may end in any way`, async (context) => {
    const content = `${observed} 日本語 👩‍👩‍👧`;
    for (const newline of ['\n', '\r\n', '\r'] as const) {
      for (const splitBytes of [1, 7]) {
        const framing = { newline, splitBytes, blankLines: newline !== '\r' };
        const { provider } = await setUp(context, {
          dialect,
          replies: [{ content, reasoning: 'é', pieceLength: 20 }],
          framing,
        });
        const events = await complete(provider);
        assert.equal(textOf(events, 'content'), content);
        assert.equal(textOf(events, 'reasoning'), 'é');
        assert.equal(ofType(events, 'usage')[0]?.usage.exact, true);
      }
    }
  });

  test(`${dialect}: counts tokens itself or is estimated, and says which`, async (context) => {
    const { provider } = await setUp(context, { dialect });
    const counted = await provider.countTokens(messages, never);
    assert.equal(counted.exact, ['vllm', 'sglang', 'llama.cpp'].includes(dialect));
    assert.ok(counted.tokens > 30 && counted.tokens < 80, String(counted.tokens));
  });
}

test('the thinking budget goes to the servers that can hold one', async (context) => {
  const names: Record<string, string | undefined> = {
    vllm: 'thinking_token_budget',
    'llama.cpp': 'thinking_budget_tokens',
  };
  for (const dialect of dialects) {
    const { provider } = await setUp(context, { dialect, replies: [observed] });
    const [sent] = ofType(await complete(provider, { thinkingBudgetTokens: 2048 }), 'sent');
    const name = names[dialect];
    if (name) assert.equal(sent?.body[name], 2048);
    else assert.deepEqual(sent?.dropped.find((dropped) => dropped.name === 'thinking_budget')?.name, 'thinking_budget');
  }
});

test('a server of which nothing is known gets what the OpenAI API has', async (context) => {
  const { provider } = await setUp(
    context,
    { dialect: 'lmstudio', replies: [observed] },
    {
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        if (!String(input).endsWith('/models')) return response;
        const list = JSON.stringify({ data: [{ id: model, owned_by: 'somebody', context_length: 40_000 }] });
        return String(input).endsWith('/v1/models') && !String(input).includes('/api/')
          ? new Response(list, { headers: { 'content-type': 'application/json' } })
          : new Response('', { status: 404 });
      },
    },
  );
  const status = await provider.status(never);
  assert.ok(status.ok);
  assert.match(status.name, /^The server at/);
  assert.equal(status.contextTokens, 40_000);
  const [sent] = ofType(await complete(provider, { seed: 1, topK: 5, thinking: 'off' }), 'sent');
  const names = Object.keys(sent?.body ?? {}).toSorted();
  assert.deepEqual(names, [
    'max_tokens',
    'messages',
    'model',
    'seed',
    'stream',
    'stream_options',
    'temperature',
    'top_p',
  ]);
  assert.deepEqual(
    sent?.dropped.map(({ name }) => name),
    ['top_k', 'reasoning_effort'],
  );
});

test('a gateway that lists what it takes is believed', async (context) => {
  const list = {
    data: [
      { id: model, context_length: 131_072, supported_parameters: ['temperature', 'max_tokens', 'seed', 'reasoning'] },
    ],
  };
  const { provider } = await setUp(
    context,
    { dialect: 'vllm', replies: [observed] },
    {
      fetch: async (input, init) => (String(input).endsWith('/v1/models') ? Response.json(list) : fetch(input, init)),
    },
  );
  const events = await complete(provider, { thinking: 'off' });
  const [sent] = ofType(events, 'sent');
  assert.deepEqual(sent?.body['reasoning'], { effort: 'none' });
  assert.deepEqual(
    sent?.dropped.map(({ name }) => name),
    ['top_p', 'top_k'],
  );
  assert.equal(endOf(events), 'finished stop');
});

test('what the user set for the provider holds, unless a request says otherwise', async (context) => {
  const { provider } = await setUp(
    context,
    { dialect: 'vllm', replies: [observed] },
    {
      parameters: { temperature: 0.1, maxOutputTokens: 13_000 },
    },
  );
  const [sent] = ofType(await complete(provider, { temperature: 0 }), 'sent');
  assert.equal(sent?.body['temperature'], 0);
  assert.equal(sent?.body['max_tokens'], 13_000);
});

test('the reply is clipped to what the prompt leaves of the context, with a warning when that is little', async (context) => {
  const { provider, server } = await setUp(context, { dialect: 'vllm', contextTokens: 8192, replies: [observed] });
  const events = await complete(provider);
  const [sent] = ofType(events, 'sent');
  const { tokens } = await provider.countTokens(messages, never);
  assert.equal(sent?.body['max_tokens'], 8192 - tokens - 8);
  assert.equal(sent?.warnings.length, 1);
  assert.equal(endOf(events), 'finished stop');
  assert.equal(server.completions().length, 1);
  const [quiet] = ofType(await complete(provider, { thinking: 'off' }), 'sent');
  assert.equal(quiet?.warnings.length, 0, 'without thinking it is enough');
});

test('a server that does not stream is read all the same', async (context) => {
  const { provider } = await setUp(context, {
    dialect: 'vllm',
    replies: [{ content: observed, reasoning: 'so' }],
    faults: [{ kind: 'whole' }],
  });
  const events = await complete(provider);
  assert.equal(textOf(events, 'content'), observed);
  assert.equal(textOf(events, 'reasoning'), 'so');
  assert.equal(endOf(events), 'finished stop');
});

test('a server without usage is estimated, and that is said', async (context) => {
  const { provider } = await setUp(context, { dialect: 'ollama', replies: [{ content: observed, usage: false }] });
  const [usage] = ofType(await complete(provider), 'usage');
  assert.equal(usage?.usage.exact, false);
  assert.ok((usage?.usage.promptTokens ?? 0) > 30);
  assert.ok((usage?.usage.completionTokens ?? 0) > 5);
});

test('stream_options are left out for a server that refuses them, and only then', async (context) => {
  const { provider, server } = await setUp(context, {
    dialect: 'vllm',
    replies: [observed],
    faults: [{ kind: 'no-stream-options' }],
  });
  const events = await complete(provider);
  assert.equal(endOf(events), 'finished stop');
  assert.equal(server.completions().length, 2);
  assert.equal(ofType(events, 'sent')[1]?.body['stream_options'], undefined);
});

test('the key is sent as a header and nothing else about this machine is', async (context) => {
  process.env['OPENAI_ORG_ID'] = 'org-of-the-environment';
  process.env['OPENAI_API_KEY'] = 'key-of-the-environment';
  process.env['OPENAI_CUSTOM_HEADERS'] = 'x-custom: of-the-environment';
  context.after(() => {
    for (const name of ['OPENAI_ORG_ID', 'OPENAI_API_KEY', 'OPENAI_CUSTOM_HEADERS']) delete process.env[name];
  });
  const { provider, server } = await setUp(context, { dialect: 'vllm', replies: [observed] });
  await complete(provider);
  for (const { headers } of server.requests) {
    assert.ok(!JSON.stringify(headers).includes('environment'), JSON.stringify(headers));
    assert.equal(headers.authorization, undefined);
    assert.equal(headers['user-agent'], 'foretell');
    assert.ok(!Object.keys(headers).some((name) => name.startsWith('x-')), JSON.stringify(headers));
  }
});

test('older SGLang counts prompts only, so its count is no exact one', async (context) => {
  const { provider } = await setUp(context, { dialect: 'sglang', countsPromptsOnly: true });
  const counted = await provider.countTokens(messages, never);
  assert.equal(counted.exact, false);
  assert.ok(counted.tokens > 30);
});

for (const [dialect, field] of [
  ['vllm', 'structured_outputs'],
  ['sglang', 'ebnf'],
  ['llama.cpp', 'grammar'],
] as const) {
  test(`a grammar goes to ${dialect}, and once it was refused the model is asked in words`, async (context) => {
    const { server, provider } = await setUp(context, {
      dialect,
      replies: ['yes'],
      faults: [undefined, { kind: 'status', status: 400, message: 'Failed to parse grammar' }],
    });
    const grammar = 'root ::= "yes"';
    for (let round = 0; round < 3; round += 1) {
      const request = { messages, grammar, signal: new AbortController().signal };
      for await (const event of provider.complete(request)) if (event.type === 'failed') assert.fail(event.message);
    }
    const held = dialect === 'vllm' ? { grammar } : grammar;
    // The second is refused and sent again; the third goes without at once.
    assert.deepEqual(
      server.completions().map(({ body }) => body?.[field]),
      [held, held, undefined, undefined],
    );
  });
}

test('no grammar goes to a server that is not known to take one', async (context) => {
  const { server, provider } = await setUp(context, { dialect: 'ollama', replies: ['yes'] });
  const request = { messages, grammar: 'root ::= "yes"', signal: new AbortController().signal };
  for await (const event of provider.complete(request)) if (event.type === 'failed') assert.fail(event.message);
  assert.ok(server.completions().every(({ body }) => !JSON.stringify(body).includes('root ::=')));
});
