import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyPrediction } from '../../src/core/prediction/fold.ts';
import { createHistory } from '../../src/host/predict/history.ts';

function memento() {
  const kept = new Map<string, unknown>();
  return {
    get: (key: string) => kept.get(key) as never,
    update: async (key: string, value: unknown) => void kept.set(key, JSON.parse(JSON.stringify(value))),
  };
}

const ended = (script: string, cwd = '/w', ending: 'done' | 'failed' = 'done') => {
  const action = { kind: 'command', script, shell: 'bash', cwd } as const;
  return {
    action,
    prediction: { ...emptyPrediction(action), ending, verdict: { level: 'danger' as const, reasons: [] } },
  };
};

test('commands of before survive the window, the latest first, each once in a folder', async () => {
  const storage = memento();
  const history = createHistory(storage);
  for (const script of ['ls', 'rm a', 'ls']) await history.take(ended(script));
  await history.take(ended('ls', '/other'));
  await history.take(ended('broken', '/w', 'failed'));
  const wanted = [
    ['ls', '/other'],
    ['ls', '/w'],
    ['rm a', '/w'],
  ];
  assert.deepEqual(
    (await history.past()).map(({ script, cwd }) => [script, cwd]),
    wanted,
  );
  const past = await createHistory(storage).past();
  assert.deepEqual(
    past.map(({ script, cwd }) => [script, cwd]),
    wanted,
  );
  assert.deepEqual(
    past.map(({ headline }) => headline),
    ['danger', 'danger', 'danger'],
  );
  assert.equal(new Set(past.map(({ atMs }) => atMs)).size, 3);
});

test('a command with a secret is stored nowhere', async () => {
  const storage = memento();
  const history = createHistory(storage);
  const key = ['ghp', 'R4nd0mLooking1234567890abcdefghijKLMN'].join('_');
  await history.take(ended(`curl -H "Authorization: Bearer ${key}" https://example.com`));
  await history.take(ended('ls'));
  assert.equal((await history.past()).length, 2);
  assert.deepEqual(
    (await createHistory(storage).past()).map(({ script }) => script),
    ['ls'],
  );
});

test('what is stored by something else is nothing', async () => {
  const storage = memento();
  await storage.update('foretell.pastCommands', [{ script: 1 }]);
  assert.deepEqual(await createHistory(storage).past(), []);
});
