import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { foldAll } from '../../src/core/foretell.ts';
import { createObservedCalls } from '../../src/core/hooks/observedCalls.ts';
import type { Prediction } from '../../src/core/prediction/prediction.ts';
import { afterReal } from '../../src/core/worlds/remembered/afterReal.ts';
import { longestAgeMs, type MemoryUse } from '../../src/core/worlds/remembered/memoryStore.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

const { foretell, folder, workspace } = throwAwayForetell('remembered-real', { spareLaunchers: 2 });

const memory: MemoryUse = {
  ...{ folder: path.join(folder, 'memory'), version: 'test', mostBytes: 50e6, mostAgeMs: longestAgeMs },
};

async function predict(script: string, cwd: string, hasConsent = true): Promise<Prediction> {
  const action = { kind: 'command', script, shell: 'bash', cwd } as const;
  const env = { PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`, HOME: folder };
  const consent = hasConsent ? ({ folder: cwd, programs: 'all' } as const) : undefined;
  const { events, view } = foretell.predict({ action, env, consent, memory, signal: new AbortController().signal });
  const prediction = await foldAll(action, events);
  await view.close();
  return prediction;
}

/** What was changed less than a clock tick of the file system before a run may have been changed during it. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 60));

/** What is said of the memory: when it was really run, or that a real run came out otherwise. */
const really = ({ noticed = [] }: Prediction) =>
  noticed.flatMap((fact) => {
    if (fact.kind === 'contradicted') return ['contradicted', fact.at];
    return fact.kind === 'remembered' ? ['remembered', fact.reallyAt] : [];
  });
const at = new Date();

test('a real run that came out the same is told with what is remembered; behind one that did not nothing is', async () => {
  const place = workspace({ 'say.js': 'console.log("said"); require("fs").writeFileSync("out.txt", "x");' });
  await settle();
  const script = 'node say.js';
  const first = await predict(script, place);
  const seen = {
    exitCode: 0,
    output: [{ stream: 'terminal' as const, text: 'said\r\n' }],
    files: [{ agrees: true }],
  };
  afterReal(memory.folder, { script, cwd: place, prediction: first, seen, at });
  assert.deepEqual(really(await predict(script, place, false)), ['remembered', at.toISOString()]);
  const again = await predict(script, place);
  afterReal(memory.folder, { script, cwd: place, prediction: again, seen: { ...seen, exitCode: 1 }, at });
  for (let round = 0; round < 2; round += 1) {
    const fresh = await predict(script, place);
    assert.deepEqual([fresh.exitBasis, ...really(fresh)], ['rehearsed', 'contradicted', at.toISOString()]);
  }
  assert.equal((await predict(script, place, false)).ending, 'abstained');
});

test('a line that really came out otherwise is no more answered from what is kept of its program', async () => {
  const place = workspace({ 'say.js': 'console.log("said")' });
  await settle();
  await predict('node say.js 2>&1 | tail -3', place);
  const script = 'node say.js 2>&1 | tail -2';
  const prediction = await predict(script, place, false);
  assert.deepEqual([prediction.exitBasis, ...really(prediction)], ['remembered', 'remembered', undefined]);
  const seen = { exitCode: 0, output: [{ stream: 'stdout' as const, text: 'other\n' }], files: [] };
  afterReal(memory.folder, { script, cwd: place, prediction, seen, at });
  for (const next of [script, 'node say.js 2>&1 | tail -1', 'node say.js 2>&1 | tail -3'])
    assert.equal((await predict(next, place, false)).ending, 'abstained', next);
  assert.equal((await predict('node say.js 2>&1 | tail -1', place)).exitBasis, 'rehearsed');
});

test("what came of an agent's call confirms or corrects as well", async () => {
  const place = workspace({ 'say.js': 'console.log("said"); console.error("and"); process.exit(2);' });
  await settle();
  const calls = createObservedCalls(path.join(folder, 'hook'), { folder: memory.folder, cwd: place });
  const call = { deed: { kind: 'command', script: 'node say.js' }, cwd: place, id: 'one' } as const;
  const make = async (text: string) => {
    calls.predicted(call, await predict('node say.js', place), at.getTime());
    const output = [
      { stream: 'stdout' as const, text },
      { stream: 'stderr' as const, text: 'and\n' },
    ];
    await calls.made(call, { exitCode: 2, output }, at.getTime());
    return really(await predict('node say.js', place));
  };
  assert.deepEqual(await make('said\n'), ['remembered', at.toISOString()]);
  assert.deepEqual(await make('something else\n'), ['contradicted', at.toISOString()]);
});
