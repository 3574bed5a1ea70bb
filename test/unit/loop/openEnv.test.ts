import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, type TestContext, test } from 'node:test';
import type { EnvironmentOptions } from '../../../src/core/loop/environmentOptions.ts';
import { type ServiceOptions, startService } from '../../../src/core/loop/service.ts';
import type { ServerOptions } from '../../cassettes/server.ts';
import { openLoop, seen } from './loopFixture.ts';
import { ask } from './serviceClient.ts';
import { connect, frame } from './socketClient.ts';

async function open(
  context: TestContext,
  world: Partial<ServerOptions> = {},
  options: Partial<EnvironmentOptions> = {},
  serving: Partial<ServiceOptions> = {},
) {
  const loop = await openLoop(context, world, options);
  const service = await startService({ environment: loop.environment, usual: { domain: 'terminal' }, ...serving });
  context.after(() => service.close(0));
  return { ...loop, service };
}

const typed = (keystrokes: string) => ({ keystrokes: [{ keystrokes, duration: 1 }] });

describe('the protocol of OpenEnv on a socket', () => {
  test('reset, step, state and close, field by field', async (context) => {
    const { service, environment } = await open(context, { replies: [seen('a.txt')] });
    const { answer, key, say, closedWith, socket } = await connect(context, service);
    const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
    assert.match(answer ?? '', /^HTTP\/1\.1 101 /);
    assert.ok(answer?.includes(`Sec-WebSocket-Accept: ${accept}`));
    assert.deepEqual(await say({ type: 'state' }), { type: 'state', data: { episode_id: null, step_count: 0 } });
    const reset = await say({ type: 'reset', data: { seed: 7, episode_id: 'one', task: null } });
    assert.equal(reset.type, 'observation');
    assert.deepEqual(Object.keys(reset.data), ['observation', 'reward', 'done']);
    const first = reset.data['observation'] as Record<string, unknown>;
    assert.deepEqual([first['turn'], first['episode_id'], reset.data['done']], [0, 'one', false]);
    assert.deepEqual(
      (first['tools'] as { type: string; function: { name: string } }[]).map((tool) => [tool.type, tool.function.name]),
      [
        ['function', 'type_keys'],
        ['function', 'finish'],
      ],
    );
    const step = await say({ type: 'step', data: typed('ls\n') });
    assert.deepEqual(step, {
      type: 'observation',
      data: {
        observation: {
          ...{ text: 'a.txt', turn: 1, exit_code: null, basis: 'imagined', why: null },
          ...{ episode_id: 'one', rules: [] },
        },
        reward: null,
        done: false,
      },
    });
    const state = await say({ type: 'state' });
    assert.deepEqual([state.data['episode_id'], state.data['step_count']], ['one', 1]);
    assert.equal(environment.counts().sessions, 1);
    socket.write(frame(1, Buffer.from('{"type":"close"}')));
    assert.equal(await closedWith(), 1000);
    while (environment.counts().sessions > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  test('what is unknown is an observation; what is wrong has one of the codes', async (context) => {
    const { service } = await open(
      context,
      { replies: [seen('[[unknown: the clock is not shown]]')] },
      { mostSessions: 1 },
    );
    const { say } = await connect(context, service);
    const unknown = await say({ type: 'step', data: typed('date\n') });
    const { basis, why } = unknown.data['observation'] as Record<string, unknown>;
    assert.deepEqual([unknown.type, basis], ['observation', 'unknown']);
    assert.match(String(why), /clock/);
    const codeOf = async (message: unknown) => {
      const told = await say(message);
      assert.equal(told.type, 'error');
      assert.match(String(told.data['message']), /^[A-Z].*\.$/s);
      return told.data['code'];
    };
    assert.equal(await codeOf('{'), 'INVALID_JSON');
    for (const message of [{ type: 'fly' }, {}, [], null, 1]) assert.equal(await codeOf(message), 'UNKNOWN_TYPE');
    assert.equal(await codeOf({ type: 'step', data: [] }), 'VALIDATION_ERROR');
    assert.equal(await codeOf({ type: 'step', data: {} }), 'VALIDATION_ERROR');
    assert.equal(await codeOf({ type: 'reset', data: { domain: 'moon' } }), 'VALIDATION_ERROR');
    assert.equal(await codeOf({ type: 'reset', data: { seed: -1 } }), 'VALIDATION_ERROR');
    assert.equal((await say({ type: 'reset', data: {} })).type, 'observation');
    const other = await connect(context, service);
    const full = await other.say({ type: 'reset', data: {} });
    assert.deepEqual(
      [full.data['code'], full.data['active_sessions'], full.data['max_sessions']],
      ['CAPACITY_REACHED', 1, 1],
    );
  });

  test('only who knows the token comes in, and no page of a browser', async (context) => {
    const { service } = await open(context);
    const status = async (path: string, headers: string[] = []) =>
      Number(/^HTTP\/1\.1 (\d+)/.exec((await connect(context, service, path, headers)).answer ?? '')?.[1]);
    assert.equal(await status('/ws'), 401);
    assert.equal(await status('/wrong/ws'), 401);
    assert.equal(await status('/ws', [`Authorization: Bearer ${service.token}`]), 101);
    assert.equal(await status(`/${service.token}/ws`, ['Origin: http://localhost']), 403);
    assert.equal(await status(`/${service.token}/elsewhere`), 404);
  });

  test('frames in every form, and broken ones end the connection with the code for that', async (context) => {
    const { service } = await open(context, {}, {}, { mostBodyBytes: 100_000 });
    const { socket, next } = await connect(context, service);
    const state = Buffer.from('{"type":"state"}');
    socket.write(frame(1, state.subarray(0, 5), false));
    socket.write(frame(9, Buffer.from('hi')));
    assert.deepEqual(await next(), { opcode: 10, payload: Buffer.from('hi') });
    for (const byte of frame(0, state.subarray(5))) socket.write(Buffer.from([byte]));
    assert.match((await next())?.payload.toString() ?? '', /"step_count":0/);
    socket.write(frame(1, Buffer.from(`{"type":"state","data":{"x":"${'x'.repeat(70_000)}"}}`)));
    assert.match((await next())?.payload.toString() ?? '', /"step_count":0/);
    const unmasked = Buffer.from([0x81, 0x01, 0x78]);
    for (const [bytes, code] of [
      [unmasked, 1002],
      [frame(2, state), 1003],
      [frame(0, state), 1002],
      [frame(3, state), 1002],
      [frame(9, Buffer.alloc(126)), 1002],
      [frame(1, Buffer.from([0xff, 0xfe])), 1007],
      [frame(1, Buffer.alloc(100_001, 120)), 1009],
      [frame(8, Buffer.alloc(0)), 1000],
    ] as const) {
      const one = await connect(context, service);
      one.socket.write(bytes);
      assert.equal(await one.closedWith(), code);
    }
  });

  test('the service ends, and so do its sockets', async (context) => {
    const { service } = await open(context);
    const { say, closedWith } = await connect(context, service);
    await say({ type: 'reset', data: {} });
    const closed = service.close(0);
    assert.equal(await closedWith(), 1001);
    await closed;
  });
});

describe('the protocol of OpenEnv without a socket', () => {
  test('episodes are named, and a step without a name is an episode of its own', async (context) => {
    const { service, environment } = await open(context, { replies: [seen('x')] });
    const reset = await ask(service, '/reset', { episode_id: 'one', task: 'look' });
    assert.deepEqual([reset.status, Object.keys(reset.json)], [200, ['observation', 'reward', 'done']]);
    const step = await ask(service, '/step', {
      action: typed('ls\n'),
      episode_id: 'one',
      request_id: 'r',
      timeout_s: 30,
    });
    assert.equal((step.json['observation'] as { turn: number }).turn, 1);
    const state = await ask(service, '/state?episode_id=one', undefined, { method: 'GET' });
    assert.deepEqual([state.json['step_count'], state.json['task']], [1, 'look']);
    const alone = await ask(service, '/step', { action: typed('ls\n') });
    assert.equal((alone.json['observation'] as { turn: number }).turn, 1);
    assert.equal(environment.counts().sessions, 1);
    await ask(service, '/reset', { episode_id: 'one' });
    assert.equal(environment.counts().sessions, 1);
    const bare = await fetch(`${service.url}/${service.token}/reset`, { method: 'POST' });
    assert.deepEqual(
      [bare.status, Object.keys((await bare.json()) as object)],
      [200, ['observation', 'reward', 'done']],
    );
    const missing = await ask(service, '/step', { action: typed('ls\n'), episode_id: 'two' });
    assert.deepEqual([missing.status, typeof missing.json['detail']], [404, 'string']);
    assert.equal((await ask(service, '/step', { action: 'ls' })).status, 422);
    assert.equal((await ask(service, '/reset', { domain: 'moon' })).status, 422);
  });

  test('schemas, metadata and health', async (context) => {
    const { service } = await open(context);
    const get = async (route: string, headers: Record<string, string> = {}) =>
      (await ask(service, route, undefined, { method: 'GET', headers })).json;
    assert.deepEqual(Object.keys(await get('/schema')), ['action', 'observation', 'state']);
    assert.equal((await get('/metadata'))['name'], 'foretell');
    assert.equal((await get('/health'))['status'], 'healthy');
    const living = await fetch(`${service.url}/health`);
    assert.deepEqual([living.status, await living.json()], [200, { ok: true, status: 'healthy' }]);
    assert.equal((await fetch(`${service.url}/schema`)).status, 401);
  });

  test('a service behind a proxy answers to the names that it was given', async (context) => {
    const { service } = await open(context, {}, {}, { names: ['gym.example'] });
    const status = async (host: string) =>
      (await ask(service, '/start', { domain: 'terminal' }, { headers: { host } })).status;
    assert.deepEqual(
      [await status('gym.example:9000'), await status('GYM.example'), await status('other.example')],
      [200, 200, 403],
    );
  });
});
