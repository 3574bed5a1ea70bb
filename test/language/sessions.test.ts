import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../../src/core/loop/service.ts';
import { openLoop, seen } from '../unit/loop/loopFixture.ts';
import { ask } from '../unit/loop/serviceClient.ts';

test('the service holds 1,000 sessions at once', async (context) => {
  const { environment, world } = await openLoop(
    context,
    { answer: (body) => seen(`${(body['messages'] as unknown[]).length}`) },
    { concurrency: 64 },
  );
  const service = await startService({ environment });
  context.after(() => service.close(0));
  const results = await Promise.all(
    Array.from({ length: 1000 }, async (_, index) => {
      const { id } = (await ask(service, '/start', { domain: 'terminal', initialState: `s${index}$` })).json;
      const stepped = await ask(service, '/step', { id, action: [{ keystrokes: `echo ${index}\n` }] });
      return stepped.json['observation'];
    }),
  );
  assert.ok(
    results.every((one) => one === '2'),
    'each has its own turns',
  );
  assert.equal(world.completions().length, 1000);
  const health = await ask(service, '/health', undefined, { method: 'GET' });
  assert.deepEqual(health.json, {
    ...{ ok: true, status: 'healthy', sessions: 1000, mostSessions: 20_000 },
    ...{ waiting: 0, asked: 1000 },
  });
});
