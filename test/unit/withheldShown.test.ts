import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileChange } from '../../src/core/view/fileChange.ts';
import { noticeText } from '../../src/core/words/noticeText.ts';
import { withheldShown } from '../../src/core/worlds/confined/certainty/withheldShown.ts';

const withheld = [
  { name: 'API_TOKEN', standIns: ['xxxx1', 'yyyy2'] },
  { name: 'DB_PASSWORD', standIns: ['Xxxxxx', 'Yyyyyy'] },
  { name: 'PIN', standIns: ['1', '2'] },
] as const;

const shown = (printed: string, files: Record<string, string> = {}) =>
  withheldShown(
    {
      record: { output: [{ stream: 'stdout', bytes: Buffer.from(printed) }] as never },
      held: { view: { read: async (path: string) => Buffer.from(files[path] ?? '') } as never },
    },
    Object.keys(files).map((path) => ({ path, change: 'created', type: 'file', volatile: true }) as FileChange),
    withheld,
  );

test('secrets in whose place something made up is shown are named, in the output and in files', async () => {
  assert.deepEqual(await shown('PIN=1\nHOME=/home/me\n'), []);
  assert.deepEqual(await shown('API_TOKEN=xxxx1\n'), [{ kind: 'withheld', names: ['API_TOKEN'] }]);
  assert.deepEqual(await shown('', { '/w/env': 'DB_PASSWORD=Xxxxxx\n' }), [
    { kind: 'withheld', names: ['DB_PASSWORD'] },
  ]);
});

test('what is kept back is said in one sentence', () => {
  assert.equal(
    noticeText({ kind: 'withheld', names: ['API_TOKEN', 'DB_PASSWORD'] }),
    'The value of API_TOKEN and 1 other secret is kept back, because the command does not name it; what stands here is made up.',
  );
});
