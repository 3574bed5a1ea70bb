import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { foldAll } from '../../src/core/foretell.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

const { foretell, folder } = throwAwayForetell('readMany');

test('many files are read at once as each is by itself, before and after', async () => {
  const place = fs.mkdtempSync(path.join(folder, 'w-'));
  fs.mkdirSync(path.join(place, 'd'));
  for (const [name, text] of [
    ['a', 'before\n'],
    ['b', 'gone\n'],
    ['empty', ''],
    ['large', 'x'.repeat(200_000)],
  ] as const)
    fs.writeFileSync(path.join(place, name), text);
  const action = { kind: 'command', script: 'echo after > a; rm b; echo new > n', shell: 'bash', cwd: place } as const;
  const { events, view } = foretell.predict({ action, signal: new AbortController().signal });
  await foldAll(action, events);
  const paths = ['a', 'b', 'n', 'missing', 'empty', 'd', 'large'].map((name) => path.join(place, name));
  const text = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString();
  for (const moment of ['before', 'after'] as const) {
    const alone = await Promise.all(paths.map((one) => view.read(one, moment, 100_000)));
    const together = (await view.readMany?.(paths, moment, 100_000)) ?? [];
    assert.deepEqual(together.map(text), alone.map(text));
    assert.deepEqual(
      alone.map((bytes) => bytes?.length),
      moment === 'before'
        ? [7, 5, undefined, undefined, 0, undefined, 100_000]
        : [6, undefined, 4, undefined, 0, undefined, 100_000],
    );
  }
  assert.deepEqual(await view.readMany?.([], 'after', 1), []);
  await view.close();
});
