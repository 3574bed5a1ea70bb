import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { foldAll } from '../../src/core/foretell.ts';
import { compareFiles } from '../../src/host/panel/compareFiles.ts';
import { byEachEngine } from '../byEachEngine.ts';

/** A real run that writes a file as it was before is as predicted, however the copy is made; any other writing is told. */
byEachEngine('alike', ({ foretell, workspace }) => {
  test('a table that is sorted again', async (t) => {
    const cwd = workspace({ 'ports.csv': 'b\na\n', 'sorted.csv': 'a\nb\n' });
    const action = { kind: 'command', script: 'sort ports.csv > sorted.csv', shell: 'bash', cwd } as const;
    const { events, view } = foretell.predict({ action, signal: new AbortController().signal });
    const prediction = await foldAll(action, events);
    t.after(() => view.close());
    assert.deepEqual(prediction.files, []);
    const table = path.join(cwd, 'sorted.csv');
    const told = async (text: string, name = table) => {
      fs.writeFileSync(name, text);
      return (await compareFiles(prediction, view, new Map([[name, 'modified']]), new Map())).length;
    };
    // Times of files count in ticks of the clock, of 10 ms at most; nobody runs a command for real so soon after its rehearsal.
    await setTimeout(25);
    const count = await told('a\nb\n');
    const own = await view.status?.(table, 'after');
    assert.equal(
      count,
      0,
      `${own?.type} of ${own?.mtimeNs}, really of ${fs.statSync(table, { bigint: true }).mtimeNs}`,
    );
    assert.equal(await told('a\nc\n'), 1);
    // Nothing of the prediction wrote the other one: it is as it really is by now, which tells nothing.
    assert.equal(await told('b\na\n', path.join(cwd, 'ports.csv')), 1);
  });
});
