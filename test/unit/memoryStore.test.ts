import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { emptyPrediction } from '../../src/core/prediction/fold.ts';
import type { Prediction } from '../../src/core/prediction/prediction.ts';
import { afterReal, type RealRun } from '../../src/core/worlds/remembered/afterReal.ts';
import {
  isYoung,
  type KeptRun,
  keepRun,
  keptRunsOf,
  listKept,
  makeMemory,
  usualLimits,
} from '../../src/core/worlds/remembered/memoryStore.ts';

const action = { kind: 'command', script: 'npm test', shell: 'bash', cwd: '/w' } as const;
const printed = { stream: 'stdout', text: 'ok\n', basis: 'rehearsed' } as const;
const prediction: Prediction = { ...emptyPrediction(action), exitCode: 0, exitBasis: 'rehearsed', output: [printed] };
const at = new Date('2026-01-02T14:05:00Z');
const same: RealRun['seen'] = { exitCode: 0, output: [{ stream: 'terminal', text: 'ok\r\n' }] };

/** A memory of four runs: of the command twice, in another folder, and of another command. */
function withRuns(use: (folder: string) => void, others: Partial<KeptRun> = {}): void {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-memory-'));
  try {
    assert.ok(makeMemory(folder));
    const around = { format: 1, workspace: '/w', madeAt: '2026-01-01T00:00:00Z' } as const;
    const nothing = { inputs: [], contents: [], variables: {}, machine: {} };
    const events: KeptRun['events'] = [
      { type: 'output', ...printed },
      { type: 'exit', code: 0, basis: 'rehearsed' },
      { type: 'done', durationMs: 1 },
    ];
    const runs = [
      ['npm test', '/w'],
      ['npm test', '/w/sub'],
      ['npm test', '/w'],
      ['npm run lint', '/w'],
    ] as const;
    for (const [index, [script, cwd]] of runs.entries()) {
      const kept: KeptRun = { ...around, ...nothing, events, ...(index === 2 ? others : {}), script, cwd };
      keepRun({ folder, version: '1', ...usualLimits }, String(index).repeat(64), kept, []);
    }
    use(folder);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

const ofCommand = (folder: string) => keptRunsOf(folder, { script: 'npm test', cwd: '/w' }).map(({ kept }) => kept);

test('what a real run has shown to come out otherwise is not remembered, nor kept again for a day, and nothing else', () => {
  withRuns((folder) => {
    afterReal(folder, { ...action, prediction, seen: { ...same, exitCode: 1 }, at });
    const left = listKept(folder).map(({ script, cwd }) => `${script} in ${cwd}`);
    assert.deepEqual(left.sort(), ['npm run lint in /w', 'npm test in /w/sub']);
    const contradicted = ofCommand(folder);
    assert.equal(contradicted.length, 2);
    for (const { contradictedAt = '', events } of contradicted) {
      assert.deepEqual([contradictedAt, events], [at.toISOString(), []]);
      const { mostAgeMs } = usualLimits;
      const later = (hours: number) => isYoung(contradictedAt, mostAgeMs, at.getTime() + hours * 3_600_000);
      assert.deepEqual([later(23), later(25)], [true, false]);
    }
    // A later run that comes out the same proves nothing: the next may be like the first.
    afterReal(folder, { ...action, prediction, seen: same, at });
    assert.deepEqual(ofCommand(folder), contradicted);
  });
});

test('a real run that comes out the same is noted with what is remembered', () => {
  withRuns((folder) => {
    afterReal(folder, { ...action, prediction, seen: same, at });
    const noted = listKept(folder).flatMap(({ script, cwd, reallyAt }) => (reallyAt ? [[script, cwd, reallyAt]] : []));
    const one = ['npm test', '/w', at.toISOString()];
    assert.deepEqual(noted, [one, one]);
    afterReal(folder, { ...action, prediction, seen: { ...same, output: [] }, at });
    assert.ok(ofCommand(folder).every(({ contradictedAt, reallyAt }) => contradictedAt && reallyAt === undefined));
  });
});

test('nothing is noted of what was not observed, or of a rehearsal that says something else', () => {
  const file = {
    path: '/w/a',
    change: 'created',
    type: 'file',
    sizeBytes: 1,
    mode: '0644',
    basis: 'rehearsed',
    volatile: false,
  } as const;
  const unseen: [Partial<RealRun['prediction']>, RealRun['seen']][] = [
    [{}, { exitCode: 0 }],
    [{}, { output: same.output }],
    [{ files: [file] }, same],
    [{ files: [file] }, { ...same, files: [] }],
    [{ output: [{ ...printed, basis: 'unknown' }] }, same],
  ];
  for (const [part, seen] of unseen)
    withRuns((folder) => {
      const before = ofCommand(folder);
      afterReal(folder, { ...action, prediction: { ...prediction, ...part }, seen, at });
      assert.deepEqual(ofCommand(folder), before);
    });
  const other: KeptRun['events'] = [{ type: 'exit', code: 0, basis: 'rehearsed' }];
  withRuns(
    (folder) => {
      afterReal(folder, { ...action, prediction, seen: same, at });
      const times = ofCommand(folder).map(({ reallyAt }) => reallyAt);
      assert.deepEqual(times.filter(Boolean), [at.toISOString()]);
      afterReal(folder, { ...action, prediction, seen: { ...same, exitCode: 3 }, at });
      // Of the other one nobody knows; it is forgotten.
      assert.deepEqual(
        ofCommand(folder).map(({ contradictedAt }) => contradictedAt),
        [at.toISOString()],
      );
    },
    { events: other },
  );
});
