import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { type Batch, isEngine, startBatch } from '../hostile/batch.ts';
import { type Canaries, makeCanaries } from '../hostile/canaries.ts';
import { availableIdentities, spawnAs } from '../hostile/identity.ts';
import { badInputs } from './badInput.ts';
import { complaintsAboutSentence } from './sentence.ts';

// Bad input: each ends in one sentence, with the engine alive and no process left.
const [identity] = availableIdentities();
// Far beyond every limit of time: an answer that has not come by then never does.
const answersWithinMs = 120_000;

describe('bad input', { skip: identity ? false : 'nobody to be' }, () => {
  let canaries: Canaries;
  let batch: Batch;
  before(async () => {
    if (!identity) return;
    canaries = await makeCanaries(identity);
    batch = startBatch(canaries, 2);
    await batch.ask([{ script: 'true' }]);
  });
  after(async () => {
    await batch.close();
    await canaries.remove();
    fs.rmSync(`${canaries.base}.cache`, { recursive: true, force: true });
  });

  const only = new RegExp(process.env['FORETELL_ONLY'] ?? '');
  for (const [index, input] of badInputs.entries()) {
    if (!only.test(input.name)) continue;
    test(input.name, async () => {
      if (batch.child.exitCode !== null || batch.child.signalCode !== null) batch = startBatch(canaries, 2);
      const folder = `${canaries.base}.input${index}`;
      spawnSync('cp', ['-a', canaries.workspace, folder]);
      if (input.setup && identity)
        spawnSync('/bin/bash', ['-c', input.setup], {
          cwd: folder,
          env: canaries.environment,
          timeout: 60_000,
          ...spawnAs(identity),
        });
      const state = await canaries.state();
      const script = typeof input.script === 'string' ? input.script : input.script();
      const timeLimitMs = input.timeLimitMs ?? (input.ending?.includes('failed') ? 1_500 : 100_000);
      const [answer] = await batch.ask(
        [{ script, cwd: input.cwd ?? folder, timeLimitMs, ...(input.env ? { env: input.env } : {}) }],
        answersWithinMs,
      );
      assert.ok(answer);
      const shown = JSON.stringify({ ...answer, action: undefined }).slice(0, 800);
      assert.ok((input.ending ?? ['done', 'abstained']).includes(answer.ending), shown);
      if (answer.ending !== 'done') assert.deepEqual(complaintsAboutSentence(answer.reason), [], shown);
      assert.equal(input.also?.(answer), undefined, shown);
      assert.deepEqual(await canaries.compare(state, isEngine), []);
      const [next] = await batch.ask([{ script: 'echo alive', cwd: canaries.workspace }], answersWithinMs);
      assert.equal(next?.output?.[0]?.text, 'alive\n', JSON.stringify(next).slice(0, 500));
      spawnSync('chmod', ['-R', 'u+rwX', folder]);
      spawnSync('rm', ['-rf', folder]);
    });
  }
});
