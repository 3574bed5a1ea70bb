import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod/mini';
import type { Outgoing } from '../../src/cli/mcp/mcpMessages.ts';
import { createMcpServer } from '../../src/cli/mcp/mcpServer.ts';
import { toolOf } from '../../src/core/toolbox/readInput.ts';
import type { ToolAround } from '../../src/core/toolbox/tool.ts';

/** A message as a client reads it: nobody knows of which kind it is. */
interface Read {
  id?: unknown;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
}

/** A tool that answers at once, or waits until it is called off. */
const echo = toolOf(
  { name: 'echo', title: 'Echo', description: 'Says it again.' },
  z.strictObject({ text: z.string(), waits: z.optional(z.boolean()) }),
  async ({ text, waits }, { progress, signal }) => {
    if (text === 'bad') return { problem: 'bad is not good; say something else.' };
    if (text === 'throw') throw new Error('it broke');
    progress('under way');
    if (waits) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    return { text, structured: { said: text } };
  },
);

function connect() {
  const sent: (Outgoing | Outgoing[])[] = [];
  const server = createMcpServer({
    version: '1.2.3',
    tools: [echo],
    // The tool of this test uses nothing else of what is around it.
    call: (tool, input, around) => tool.call(input, around as ToolAround),
    write: (message) => sent.push(JSON.parse(JSON.stringify(message))),
  });
  const tell = (message: unknown) => server.receive(typeof message === 'string' ? message : JSON.stringify(message));
  async function ask(method: string, params?: object, id: number | string = 7): Promise<Read> {
    tell({ jsonrpc: '2.0', id, method, ...(params ? { params } : {}) });
    await server.settled();
    return sent.at(-1) as Read;
  }
  return { server, sent: sent as Read[], tell, ask };
}

const modern = {
  _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} },
};
const hello = (protocolVersion: unknown) => ({
  protocolVersion,
  capabilities: {},
  clientInfo: { name: 't', version: '0' },
});

test('the legacy era agrees on the version of the client, or on our newest', async () => {
  for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
    const { result } = await connect().ask('initialize', hello(version));
    assert.equal(result?.['protocolVersion'], version);
    assert.deepEqual(result?.['capabilities'], { tools: { listChanged: false } });
    assert.deepEqual(result?.['serverInfo'], { name: 'foretell', title: 'Foretell', version: '1.2.3' });
    assert.equal(result?.['resultType'], undefined);
  }
  const { ask } = connect();
  assert.equal((await ask('initialize', hello('1999-01-01'))).result?.['protocolVersion'], '2025-11-25');
  assert.equal((await ask('initialize', hello(5))).error?.code, -32602);
  assert.deepEqual((await ask('ping')).result, {});
});

test('structured content comes with the versions that know it', async () => {
  for (const [version, hasData] of [
    ['2024-11-05', false],
    ['2025-03-26', false],
    ['2025-06-18', true],
  ] as const) {
    const { ask } = connect();
    await ask('initialize', hello(version));
    const { result } = await ask('tools/call', { name: 'echo', arguments: { text: 'a' } });
    assert.deepEqual(result?.['content'], [{ type: 'text', text: 'a' }]);
    assert.deepEqual(result?.['structuredContent'], hasData ? { said: 'a' } : undefined);
    assert.equal(result?.['isError'], false);
  }
});

test('the modern era needs no handshake: each request names its version', async () => {
  const { ask } = connect();
  const { result: found } = await ask('server/discover', modern);
  assert.deepEqual(found?.['supportedVersions'], ['2026-07-28']);
  assert.equal(found?.['resultType'], 'complete');
  assert.equal(found?.['cacheScope'], 'public');
  const { result: listed } = await ask('tools/list', modern);
  assert.equal(listed?.['resultType'], 'complete');
  assert.equal(typeof listed?.['ttlMs'], 'number');
  const [tool] = (listed?.['tools'] ?? []) as Record<string, unknown>[];
  assert.deepEqual(tool?.['inputSchema'], {
    type: 'object',
    properties: { text: { type: 'string' }, waits: { type: 'boolean' } },
    required: ['text'],
    additionalProperties: false,
  });
  const { result: called } = await ask('tools/call', { ...modern, name: 'echo', arguments: { text: 'a' } });
  assert.deepEqual(called, {
    resultType: 'complete',
    content: [{ type: 'text', text: 'a' }],
    structuredContent: { said: 'a' },
    isError: false,
  });
  for (const method of ['ping', 'initialize']) assert.equal((await ask(method, modern)).error?.code, -32601);
});

test('a version of the modern era that is not known is refused with those that are', async () => {
  const { error } = await connect().ask('tools/list', {
    _meta: { 'io.modelcontextprotocol/protocolVersion': '2031-01-01' },
  });
  assert.equal(error?.code, -32022);
  assert.deepEqual(error?.data, { supported: ['2026-07-28'], requested: '2031-01-01' });
});

test('what cannot be meant is refused with a code and a sentence, and the server goes on', async () => {
  const { ask, tell, sent, server } = connect();
  const refusals: [string, object, number, RegExp][] = [
    ['tools/call', { name: 'other' }, -32602, /^There is no tool other; there are echo\.$/],
    ['tools/call', { name: 'echo' }, -32602, /^echo needs text, which has to be a string; see its schema\.$/],
    [
      'tools/call',
      { name: 'echo', arguments: [] },
      -32602,
      /^The arguments of echo are an object; give text, waits\.$/,
    ],
    [
      'tools/call',
      { name: 'echo', arguments: { txt: 'a' } },
      -32602,
      /^echo has no argument txt; it has text, waits\.$/,
    ],
    ['tools/call', { name: 'echo', arguments: { text: 'bad' } }, -32602, /^bad is not good/],
    ['tools/call', { name: 'echo', arguments: { text: 'throw' } }, -32603, /^it broke$/],
    ['tools/list', { cursor: 'x' }, -32602, /without a cursor/],
    ['tools/list', { _meta: 5 }, -32602, /_meta/],
    ['resources/list', {}, -32601, /^There is no method resources\/list here\.$/],
  ];
  for (const [method, params, code, sentence] of refusals) {
    const { error, id } = await ask(method, params);
    assert.equal(id, 7);
    assert.equal(error?.code, code, method);
    assert.match(error?.message ?? '', sentence);
  }
  const lines: [string, number, unknown][] = [
    ['{"jsonrpc":', -32700, null],
    ['5', -32600, null],
    ['{"jsonrpc":"1.0","id":3,"method":"ping"}', -32600, 3],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, null],
    [`{"jsonrpc":"2.0","id":4,"method":"ping","params":${'['.repeat(100_000)}`, -32600, null],
    ['[]', -32600, null],
  ];
  for (const [line, code, id] of lines) {
    tell(line);
    await server.settled();
    assert.equal(sent.at(-1)?.error?.code, code, line.slice(0, 60));
    assert.equal(sent.at(-1)?.id, id);
  }
  const count = sent.length;
  for (const quiet of [
    '',
    '  ',
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 1, result: {} },
  ])
    tell(quiet);
  await server.settled();
  assert.equal(sent.length, count);
  assert.deepEqual((await ask('ping')).result, {});
});

test('calls go on at the same time; what is called off is not answered', async () => {
  const { ask, tell, sent, server } = connect();
  const call = (id: unknown, text: string, more: object = {}) =>
    tell({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'echo', arguments: { text, ...more } } });
  call(1, 'slow', { waits: true });
  call('1', 'other', { waits: true });
  call(1, 'again');
  tell({ jsonrpc: '2.0', id: 2, method: 'ping' });
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(sent.map(({ id, error }) => [id, error?.code]).sort(), [
    [1, -32600],
    [2, undefined],
  ]);
  tell({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, reason: 'enough' } });
  tell({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 99 } });
  tell({ jsonrpc: '2.0', method: 'notifications/cancelled', params: {} });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(sent.length, 2);
  // The one with the text as its id is another one, and still under way.
  server.cancel();
  await server.settled();
  assert.equal(sent.length, 2);
  assert.equal((await ask('ping', {}, 1)).id, 1);
});

test('progress is told to those who ask for it', async () => {
  const { ask, sent } = connect();
  await ask('tools/call', { name: 'echo', arguments: { text: 'a' }, _meta: { progressToken: 'p' } });
  assert.deepEqual(sent[0], {
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken: 'p', progress: 1, message: 'under way' },
  });
  assert.equal(sent.length, 2);
  await ask('tools/call', { name: 'echo', arguments: { text: 'a' } });
  assert.equal(sent.length, 3);
});

test('one version has several messages in a line', async () => {
  const { ask, tell, sent, server } = connect();
  await ask('initialize', hello('2025-03-26'));
  const two = [
    { jsonrpc: '2.0', id: 1, method: 'ping' },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'nothing' },
  ];
  tell(two);
  await server.settled();
  const answers = sent.at(-1) as unknown as Read[];
  assert.deepEqual(
    answers.map(({ id }) => id),
    [1, 2],
  );
  const later = connect();
  await later.ask('initialize', hello('2025-11-25'));
  later.tell(two);
  await later.server.settled();
  assert.equal(later.sent.at(-1)?.error?.code, -32600);
});
