import assert from 'node:assert/strict';
import http from 'node:http';
import { describe, type TestContext, test } from 'node:test';
import type { EnvironmentOptions } from '../../../src/core/loop/environmentOptions.ts';
import { type ServiceOptions, startService } from '../../../src/core/loop/service.ts';
import type { ServerOptions } from '../../cassettes/server.ts';
import { openLoop, seen } from './loopFixture.ts';
import { ask } from './serviceClient.ts';

async function open(
  context: TestContext,
  world: Partial<ServerOptions>,
  options: Partial<EnvironmentOptions> = {},
  serving: Partial<ServiceOptions> = {},
) {
  const loop = await openLoop(context, world, options);
  const service = await startService({ environment: loop.environment, ...serving });
  context.after(() => service.close(0));
  return { ...loop, service };
}

const action = [{ keystrokes: 'ls\n', duration: 1 }];

describe('the service', () => {
  test('a session from its start to its end', async (context) => {
    const { service } = await open(context, { replies: [seen('a.txt')] });
    const started = await ask(service, '/start', { domain: 'terminal' });
    assert.equal(started.status, 200);
    const { id } = started.json;
    assert.match(String(started.json['observation']), /\$$/);
    const stepped = await ask(service, '/step', { id, action });
    assert.deepEqual([stepped.status, stepped.json['observation'], stepped.json['turn']], [200, 'a.txt', 1]);
    assert.equal((await ask(service, '/state', { id })).json['turn'], 1);
    assert.equal((await ask(service, '/reset', { id })).json['ok'], true);
    assert.equal((await ask(service, '/state', { id })).json['turn'], 0);
    assert.equal((await ask(service, '/close', { id })).status, 200);
    assert.equal((await ask(service, '/step', { id, action })).status, 404);
    const health = await ask(service, '/health', undefined, { method: 'GET' });
    const counts = { sessions: 0, mostSessions: 20_000, waiting: 0, asked: 1 };
    assert.deepEqual(health.json, { ok: true, status: 'healthy', ...counts });
  });

  test('who may not ask is refused, and garbage is named', async (context) => {
    const { service } = await open(context, {}, {}, { mostBodyBytes: 1000 });
    const refused = async (...given: [string, unknown, Parameters<typeof ask>[3]?]) => {
      const told = await ask(service, ...given);
      assert.equal(told.json['ok'], false);
      assert.match(told.json.error?.message ?? '', /^[A-Z].*\.$/s);
      return `${told.status} ${told.json.error?.code}`;
    };
    const start = { domain: 'terminal' };
    assert.equal(await refused('/start', start, { headers: { authorization: 'Bearer x' } }), '401 unauthorized');
    assert.equal(await refused('/start', start, { headers: { host: 'evil.example:80' } }), '403 forbidden');
    assert.equal(await refused('/start', start, { headers: { origin: 'http://localhost' } }), '403 forbidden');
    assert.equal(await refused('/start', start, { headers: { 'sec-fetch-site': 'same-origin' } }), '403 forbidden');
    assert.equal(await refused('/start', start, { headers: { 'content-type': 'text/plain' } }), '415 not-json');
    assert.equal(await refused('/start', start, { method: 'PUT' }), '405 method');
    assert.equal(await refused('/elsewhere', start), '404 no-such-path');
    assert.equal(await refused('/constructor', start), '404 no-such-path');
    assert.equal(await refused('/start', { domain: 'terminal', task: 'x'.repeat(2000) }), '413 too-large');
    for (const raw of [
      '',
      '{',
      '[]',
      '"x"',
      'null',
      '\u0000',
      '{"domain":["terminal"]}',
      '{"domain":"terminal","tools":1}',
    ])
      assert.equal(await refused('/start', undefined, { raw }), '400 bad-request', raw);
    // Without an id it is a step of OpenEnv.
    assert.equal(await refused('/step', undefined, { raw: '{}' }), '422 bad-request');
    for (const raw of ['{"id":1,"action":[]}', '{"id":"x"}', '{"id":{"$ne":""},"action":1}'])
      assert.equal(await refused('/step', undefined, { raw }), '400 bad-request', raw);
    assert.equal(await refused('/state', { id: '__proto__' }), '404 no-session');
  });

  test('too much at once is put off, with the time to wait', async (context) => {
    const { service } = await open(
      context,
      { answer: () => new Promise((resolve) => setTimeout(() => resolve(seen('x')), 100)) },
      { concurrency: 1, mostWaiting: 0, mostSessions: 2 },
    );
    const ids = [];
    for (let count = 0; count < 2; count += 1)
      ids.push((await ask(service, '/start', { domain: 'terminal' })).json['id']);
    const many = await ask(service, '/start', { domain: 'terminal' });
    assert.deepEqual([many.status, many.headers['retry-after']], [429, '30']);
    const answers = await Promise.all(ids.map((id) => ask(service, '/step', { id, action })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 429]);
    assert.equal(answers.find(({ status }) => status === 429)?.headers['retry-after'], '1');
  });

  test('ends gracefully: what is under way is answered, nothing new is taken', async (context) => {
    const { service } = await open(context, {
      answer: () => new Promise((resolve) => setTimeout(() => resolve(seen('late')), 150)),
    });
    const { id } = (await ask(service, '/start', { domain: 'terminal' })).json;
    const step = ask(service, '/step', { id, action });
    await new Promise((resolve) => setTimeout(resolve, 50));
    const closed = service.close();
    assert.equal((await step).json['observation'], 'late');
    await closed;
    await assert.rejects(ask(service, '/state', { id }));
  });

  test('who goes away ends the question to the model', async (context) => {
    const { service, world } = await open(context, {
      answer: () => new Promise((resolve) => setTimeout(() => resolve(seen('x')), 3_000).unref()),
    });
    const { id } = (await ask(service, '/start', { domain: 'terminal' })).json;
    const request = http.request(`${service.url}/step`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
    });
    request.on('error', () => {});
    request.end(JSON.stringify({ id, action }));
    while (world.completions().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    request.destroy();
    while (world.completions()[0]?.abortedAtMs === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
    const health = await ask(service, '/health', undefined, { method: 'GET' });
    assert.equal(health.json['waiting'], 0);
  });
});
