import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { foldAll } from '../../src/core/foretell.ts';
import { longestAgeMs, type MemoryUse } from '../../src/core/worlds/remembered/memoryStore.ts';
import { byEachEngine, type Made } from '../byEachEngine.ts';

/** Programs that the command itself writes, and then starts with the user's consent: what runs is what was written. */

const program = '#!/usr/bin/perl\nprint "new @ARGV\\n"; open my $f, ">", "proof"; print $f "x"; exit 3';
const write = `cat > tool <<'E'\n${program}\nE\nchmod +x tool`;

async function predictIn({ foretell, folder }: Made, place: string, script: string) {
  const memory: MemoryUse = {
    ...{ folder: path.join(folder, 'memory'), version: 'test', mostBytes: 50e6, mostAgeMs: longestAgeMs },
  };
  const env = { PATH: '/usr/bin:/bin', HOME: folder };
  const action = { kind: 'command', script, shell: 'bash', cwd: place } as const;
  const consent = { folder: place, programs: 'all' } as const;
  const signal = new AbortController().signal;
  const { events, view } = foretell.predict({ action, env, consent, memory, signal });
  const prediction = await foldAll(action, events);
  await view.close();
  return prediction;
}

byEachEngine('fresh', (made) => {
  const { workspace } = made;
  const predict = (place: string, script: string) => predictIn(made, place, script);
  for (const [name, files, script] of [
    ['a script that is new', {}, `${write}; ./tool a b`],
    ['one in the place of an older one', { tool: '#!/bin/sh\necho old' }, `${write}; ./tool a b`],
    ['one that was moved', { tool: '#!/bin/sh\necho old' }, `${write}; mkdir bin; mv tool bin/it; bin/it a b`],
    ['one that is found by its name', {}, `${write}; PATH=$PWD:$PATH; tool a b`],
    ['a copy of a system’s program', {}, `cp /usr/bin/perl own; ./own -e '${program.split('\n')[1]}' a b`],
    ['one behind a link', { tool: '#!/bin/sh\necho old' }, `${write}; ln -s tool link; ./link a b`],
  ] as const) {
    test(name, async (t) => {
      const place = workspace({ kept: '', ...files });
      // What was changed less than a tick before a run may have been changed during it.
      await new Promise((resolve) => setTimeout(resolve, 60));
      const prediction = await predict(place, script);
      if (prediction.ending === 'failed') return t.skip(prediction.endingReason);
      assert.equal(prediction.output.map(({ text = '' }) => text).join(''), 'new a b\n');
      assert.deepEqual([prediction.exitCode, prediction.ending], [3, 'done'], prediction.endingReason);
      assert.ok(prediction.files.some((file) => file.path === path.join(place, 'proof')));
      assert.equal(fs.existsSync(path.join(place, 'proof')), false);
      const again = await predict(place, script);
      assert.deepEqual([again.engine, again.output[0]?.text], ['remembered', 'new a b\n']);
      return undefined;
    });
  }
});
