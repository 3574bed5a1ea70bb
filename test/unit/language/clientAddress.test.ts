import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBaseUrl } from '../../../src/core/worlds/language/client/clientAddress.ts';
import { findServers } from '../../../src/core/worlds/language/client/servers.ts';
import { startServer } from '../../cassettes/server.ts';
import { dialects } from '../../cassettes/wire.ts';
import { complaintsAboutSentence } from '../../faults/sentence.ts';

test('a base URL is read as people write it', () => {
  const cases: readonly [written: string, baseUrl: string, rootUrl?: string][] = [
    ['http://127.0.0.1:8000/v1', 'http://127.0.0.1:8000/v1', 'http://127.0.0.1:8000'],
    ['http://127.0.0.1:8000', 'http://127.0.0.1:8000/v1', 'http://127.0.0.1:8000'],
    [' http://localhost:8000/v1/// ', 'http://localhost:8000/v1'],
    ['localhost:11434', 'http://localhost:11434/v1'],
    ['localhost:11434/api', 'http://localhost:11434/v1'],
    ['192.168.1.20:1234', 'http://192.168.1.20:1234/v1'],
    ['[::1]:8080', 'http://[::1]:8080/v1'],
    ['gpu-box:8000', 'http://gpu-box:8000/v1'],
    ['api.openai.com', 'https://api.openai.com/v1'],
    ['https://openrouter.ai/api/v1', 'https://openrouter.ai/api/v1', 'https://openrouter.ai/api'],
    ['https://openrouter.ai/api', 'https://openrouter.ai/api/v1'],
    [
      'https://host.example/proxy/vllm/v1/chat/completions',
      'https://host.example/proxy/vllm/v1',
      'https://host.example/proxy/vllm',
    ],
    ['https://host.example/v1beta/openai/', 'https://host.example/v1beta/openai', 'https://host.example'],
    ['http://host.docker.internal:8000', 'http://host.docker.internal:8000/v1'],
  ];
  for (const [written, baseUrl, rootUrl] of cases) {
    const reading = readBaseUrl(written);
    assert.ok(reading.ok, written);
    assert.equal(reading.address.baseUrl, baseUrl);
    if (rootUrl) assert.equal(reading.address.rootUrl, rootUrl);
  }
});

test('a base URL that would leak or cannot be one is explained in one sentence', () => {
  const cases = [
    '',
    '   ',
    'http://',
    'http://api.openai.com/v1',
    'http://8.8.8.8:8000',
    'http://172.32.0.1',
    'https://user:secret@host.example/v1',
    'https://host.example/v1?key=secret',
    'file:///etc/passwd',
    'javascript://x',
    'http://exa mple',
    'http://127.0.0.1.example.com',
  ];
  for (const written of cases) {
    const reading = readBaseUrl(written);
    assert.ok(!reading.ok, written);
    assert.deepEqual(complaintsAboutSentence(reading.message), []);
    assert.ok(!reading.message.includes('secret'));
  }
});

test('servers on this machine are found with their models', async (context) => {
  const servers = await Promise.all(
    dialects.map((dialect) => startServer({ dialect, models: [`${dialect}-model`], contextTokens: 32_768 })),
  );
  const locked = await startServer({ dialect: 'vllm', apiKey: 'secret-secret' });
  const other = await startServer({ dialect: 'vllm', probeFaults: [{ kind: 'html' }] });
  context.after(() => Promise.all([...servers, locked, other].map((server) => server.close())));
  const ports = [...servers, locked, other].map(({ port }) => port);
  const found = await findServers(new AbortController().signal, { ports: [...ports, 1] });
  assert.deepEqual(
    found.map(({ kind, models }) => [kind, models[0]]),
    [...dialects.map((dialect) => [dialect, `${dialect}-model`]), ['unknown', undefined]],
  );
  assert.match(found.at(-1)?.problem ?? '', /API key/);
  assert.deepEqual(await findServers(AbortSignal.abort(), { ports }), []);
});

test('servers with a path or a name of their own are found where they usually are', async () => {
  const asked: string[] = [];
  // What Docker Model Runner and `transformers serve` answer; nothing else listens.
  const lists: Readonly<Record<string, unknown>> = {
    'http://127.0.0.1:12434/engines/v1/models': { object: 'list', data: [{ id: 'ai/qwen3', owned_by: 'docker' }] },
    'http://127.0.0.1:8000/v1/models': { object: 'list', data: [{ id: 'Qwen/Qwen3-4B', owned_by: 'Qwen' }] },
  };
  const fetch = async (input: string | URL | Request) => {
    const url = String(input instanceof Request ? input.url : input);
    asked.push(url);
    const port = /:(\d+)\//.exec(url)?.[1];
    if (port !== '12434' && port !== '8000') throw new TypeError('fetch failed');
    const found = lists[url];
    return new Response(JSON.stringify(found ?? { detail: 'Not Found' }), { status: found ? 200 : 404 });
  };
  const found = await findServers(new AbortController().signal, { fetch });
  assert.deepEqual(
    found.map(({ kind, baseUrl, models }) => [kind, baseUrl, models[0]]),
    [
      ['unknown', 'http://127.0.0.1:8000/v1', 'Qwen/Qwen3-4B'],
      ['docker', 'http://127.0.0.1:12434/engines/v1', 'ai/qwen3'],
    ],
  );
  assert.match(found[1]?.name ?? '', /^Docker Model Runner at /);
  assert.ok(!asked.includes('http://127.0.0.1:12434/v1/models'));
});
