import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { StartRequest } from '../../../src/core/loop/environmentTypes.ts';
import { type Service, startService } from '../../../src/core/loop/service.ts';
import { openLoop, seen } from './loopFixture.ts';
import { ask } from './serviceClient.ts';
import { connect } from './socketClient.ts';

const tool = {
  name: 'add',
  description: 'Adds two numbers.',
  parameters: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
};
const inMcp = { name: 'add', description: 'Adds two numbers.', input_schema: tool.parameters };

async function open(context: TestContext, replies: string[] = ['5'], mostSessions = 10, own?: Partial<StartRequest>) {
  const loop = await openLoop(context, { replies: replies.map(seen) }, { mostSessions });
  const usual = own ?? { domain: 'mcp' as const, tools: [tool] };
  const service = await startService({ environment: loop.environment, usual });
  context.after(() => service.close(0));
  return { ...loop, service };
}

/** What a message on a socket is answered with. */
async function socketOf(context: TestContext, service: Service, route: string) {
  const { say } = await connect(context, service, `/${service.token}${route}`);
  return async (message: unknown): Promise<Record<string, unknown>> => ({ ...(await say(message)) });
}

const namesIn = (result: Record<string, unknown> = {}) =>
  (result['tools'] as { name: string }[]).map(({ name }) => name);

const rpc = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 7, method, params });

describe('tools as the clients of OpenEnv call them', () => {
  test('list_tools and call_tool are actions, and their observations have the fields that tell them apart', async (context) => {
    const { service, environment } = await open(context);
    const listed = await ask(service, '/step', { action: { type: 'list_tools' } });
    const first = listed.json['observation'] as Record<string, unknown>;
    assert.deepEqual((first['tools'] as unknown[])[0], inMcp);
    assert.deepEqual([first['turn'], listed.json['reward'], listed.json['done']], [0, null, false]);
    assert.equal(environment.counts().sessions, 0);
    const call = { type: 'call_tool', tool_name: 'add', arguments: { a: 2, b: 3 }, metadata: {} };
    const called = (await ask(service, '/step', { action: call })).json['observation'] as Record<string, unknown>;
    assert.deepEqual([called['tool_name'], called['result'], called['error'], called['turn']], ['add', '5', null, 1]);
    assert.ok(!('tools' in called), 'a client takes an observation with tools for a list of them');
    const plain = await ask(service, '/step', { action: { name: 'add', arguments: {} } });
    assert.ok(!('tools' in (plain.json['observation'] as object)));
  });

  test('JSON-RPC over HTTP: sessions that are created and closed, tools, and what is wrong', async (context) => {
    const { service, environment } = await open(context, ['5'], 1);
    const say = async (body: unknown) => {
      const told = await ask(service, '/mcp', body);
      assert.deepEqual([told.status, told.json['jsonrpc']], [200, '2.0']);
      return told.json as { id: unknown; result?: Record<string, unknown>; error?: { code: number; message: string } };
    };
    const codeOf = async (body: unknown) => (await say(body)).error?.code;
    for (const wrong of [{}, [], 1, { jsonrpc: '2.0', method: 'tools/list', params: [] }])
      assert.equal(await codeOf(wrong), -32600);
    assert.equal((await ask(service, '/mcp', undefined, { raw: '{' })).json.error?.code, -32700);
    assert.equal(await codeOf(rpc('fly')), -32601);
    assert.equal(await codeOf(rpc('tools/call', { arguments: {} })), -32602);
    assert.equal(await codeOf(rpc('tools/call', { name: 'add', session_id: 'nobody' })), -32602);
    assert.equal(await codeOf(rpc('openenv/session/close', {})), -32602);
    const alone = await say(rpc('tools/list'));
    assert.deepEqual([alone.id, namesIn(alone.result)], [7, ['add', 'finish']]);
    assert.equal(environment.counts().sessions, 0);
    const created = await say(rpc('openenv/session/create'));
    const session = created.result?.['session_id'];
    assert.equal(typeof session, 'string');
    assert.equal(await codeOf(rpc('openenv/session/create')), -32000);
    const called = await say(rpc('tools/call', { name: 'add', arguments: { a: 2, b: 3 }, session_id: session }));
    assert.deepEqual([called.result?.['data'], called.result?.['isError']], ['5', false]);
    assert.deepEqual(called.result?.['content'], [{ type: 'text', text: '5' }]);
    const state = await ask(service, `/state?episode_id=${String(session)}`, undefined, { method: 'GET' });
    assert.equal(state.json['step_count'], 1);
    const closed = await say(rpc('openenv/session/close', { session_id: session }));
    assert.deepEqual(closed.result, { session_id: session, closed: true });
    assert.equal(environment.counts().sessions, 0);
  });

  test('JSON-RPC on sockets: inside of a message of OpenEnv, and bare', async (context) => {
    const { service } = await open(context);
    const say = await socketOf(context, service, '/ws');
    const listed = await say({ type: 'mcp', data: rpc('tools/list') });
    assert.deepEqual([listed['type'], (listed['data'] as { id: number }).id], ['mcp', 7]);
    await say({ type: 'mcp', data: rpc('tools/call', { name: 'add', arguments: {} }) });
    const state = (await say({ type: 'state' }))['data'] as { step_count: number; episode_id: string };
    assert.equal(state.step_count, 1);
    const created = (await say({ type: 'mcp', data: rpc('openenv/session/create') }))['data'];
    assert.deepEqual((created as { result: unknown }).result, { session_id: state.episode_id });
    const refused = (await say({ type: 'mcp', data: rpc('openenv/session/close', { session_id: state.episode_id }) }))[
      'data'
    ];
    assert.equal((refused as { error: { code: number } }).error.code, -32600);
    const bare = await socketOf(context, service, '/mcp');
    assert.equal(((await bare('{'))['error'] as { code: number }).code, -32700);
    const called = (await bare(rpc('tools/call', { name: 'add', arguments: {} })))['result'] as { data: string };
    assert.equal(called.data, '5');
  });

  test('the tools that a reset offers are what is called: typing types', async (context) => {
    const { service, world } = await open(context, ['x'], 10, { domain: 'terminal' });
    await ask(service, '/reset', { episode_id: 'one' });
    for (const keystrokes of ['ls -a\n', [{ keystrokes: 'ls -a\n' }]])
      assert.equal(
        (await ask(service, '/step', { episode_id: 'one', action: { name: 'type_keys', arguments: { keystrokes } } }))
          .status,
        200,
      );
    const asked = JSON.stringify(world.completions().at(-1)?.body);
    assert.ok(asked.includes('ls -a') && !asked.includes('type_keys'));
  });

  test('what a validator looks for is there', async (context) => {
    const { service } = await open(context);
    const told = (await ask(service, '/openapi.json', undefined, { method: 'GET' })).json;
    assert.equal(typeof (told['info'] as { version: unknown }).version, 'string');
    const paths = Object.keys(told['paths'] as object);
    for (const path of ['/reset', '/step', '/state', '/schema', '/metadata', '/health', '/mcp'])
      assert.ok(paths.includes(path));
  });
});
