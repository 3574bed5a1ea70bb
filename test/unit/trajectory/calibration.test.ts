import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { emptyPrediction } from '../../../src/core/prediction/fold.ts';
import type { Prediction } from '../../../src/core/prediction/prediction.ts';
import {
  type CalibrationEntry,
  calibrate,
  calibrationEntry,
  hitRate,
  noModel,
  readCalibration,
} from '../../../src/core/trajectory/calibration.ts';
import { createCalibrationStore } from '../../../src/core/trajectory/calibrationStore.ts';

const at = '2026-11-18T10:00:00.000Z';

function prediction(more: Partial<Prediction> = {}): Prediction {
  return {
    ...emptyPrediction({ kind: 'command', script: 'SECRET=hunter2 make', shell: 'bash', cwd: '/home/me' }),
    ending: 'done',
    exitCode: 0,
    exitBasis: 'rehearsed',
    output: [{ stream: 'stdout', text: 'a\nb\n', basis: 'rehearsed' }],
    programs: [
      { id: 1, argv: ['/usr/bin/make', '--token=ghp_0123'], cwd: '/home/me', basis: 'rehearsed' },
      { id: 2, argv: ['/home/me/my tool'], cwd: '/home/me', basis: 'rehearsed' },
      { id: 3, argv: ['make'], cwd: '/home/me', basis: 'rehearsed' },
    ] as Prediction['programs'],
    ...more,
  };
}

test('what is kept is names and hits, and nothing else of the command', () => {
  const entry = calibrationEntry(
    prediction(),
    { exitCode: 0, output: [{ stream: 'terminal', text: 'a\r\nb\r\n' }], files: [] },
    at,
  );
  assert.deepEqual(entry, {
    version: 1,
    at,
    kind: 'command',
    programs: ['make'],
    basis: 'rehearsed',
    output: 'hit',
    exitCode: 'hit',
    files: 'hit',
  });
});

test('misses and what cannot be told are kept apart', () => {
  const file = {
    path: '/x',
    change: 'created',
    type: 'file',
    mode: '0644',
    sizeBytes: 1,
    volatile: false,
    basis: 'imagined',
  };
  const one = prediction({ ending: 'done', files: [file] as Prediction['files'] });
  const seen = calibrationEntry(one, { exitCode: 1, output: [{ stream: 'terminal', text: 'a\nc\n' }], files: [] }, at);
  assert.deepEqual([seen.output, seen.exitCode, seen.files, seen.basis], ['miss', 'miss', 'unknown', 'imagined']);
  const blind = calibrationEntry(prediction({ ending: 'abstained' }), { files: [{ agrees: false }] }, at);
  assert.deepEqual([blind.output, blind.exitCode, blind.files, blind.basis], ['unknown', 'unknown', 'miss', 'assumed']);
  const edit = prediction({ action: { kind: 'edit', changes: [] } });
  const applied = calibrationEntry(edit, { files: [{ agrees: true }] }, at);
  assert.deepEqual(
    [applied.kind, applied.output, applied.exitCode, applied.files],
    ['edit', 'unknown', 'unknown', 'hit'],
  );
});

test('what the prediction called volatile may differ', () => {
  const one = prediction({ output: [{ stream: 'stdout', text: '12:00\n', basis: 'rehearsed', volatile: true }] });
  assert.equal(calibrationEntry(one, { output: [{ stream: 'terminal', text: '12:01\n' }] }, at).output, 'hit');
});

const entry = (more: Partial<CalibrationEntry> = {}): CalibrationEntry => ({
  version: 1,
  at,
  kind: 'command',
  programs: ['git'],
  basis: 'rehearsed',
  output: 'hit',
  exitCode: 'hit',
  files: 'unknown',
  ...more,
});

test('runs are folded into rates by program, basis, model and week', () => {
  const entries = [
    entry(),
    entry({ programs: ['git', 'ls'], output: 'miss' }),
    entry({ at: '2026-11-15T23:59:59.000Z', basis: 'imagined', model: 'm' }),
    entry({ at: 'never', output: 'unknown', exitCode: 'unknown' }),
  ];
  const { all, programs, bases, models } = calibrate(entries);
  assert.equal(all.runs, 4);
  assert.deepEqual([all.parts.whole.hits, all.parts.whole.counted], [2, 3]);
  assert.deepEqual([all.parts.output.hits, all.parts.output.counted], [2, 3]);
  assert.deepEqual([all.parts.exitCode.hits, all.parts.exitCode.counted], [3, 3]);
  assert.equal(all.parts.files.share, undefined);
  assert.deepEqual(
    programs.map(({ name, runs }) => [name, runs]),
    [
      ['git', 4],
      ['ls', 1],
    ],
  );
  assert.deepEqual(
    bases.map(({ name, runs }) => [name, runs]),
    [
      ['rehearsed', 3],
      ['imagined', 1],
    ],
  );
  assert.deepEqual(
    models.map(({ name }) => name),
    [noModel, 'm'],
  );
  assert.deepEqual(
    all.weeks.map(({ week, rate }) => [week, rate.hits, rate.counted]),
    [
      ['2026-11-09', 1, 1],
      ['2026-11-16', 1, 2],
    ],
  );
});

test('intervals are those of Wilson', () => {
  // Newcombe 1998, table I: 81 of 263 gives 0.2553 to 0.3662, 15 of 148 0.0624 to 0.1605, 0 of 20 0 to 0.1611.
  for (const [hits, counted, low, high] of [
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [29, 29, 0.883, 1],
  ] as const) {
    const rate = hitRate(hits, counted);
    assert.ok(
      Math.abs((rate.low ?? -1) - low) < 0.0001 && Math.abs((rate.high ?? -1) - high) < 0.0001,
      JSON.stringify(rate),
    );
  }
  assert.deepEqual(hitRate(0, 0), { hits: 0, counted: 0 });
});

test('a file with anything in it is read, and the store forgets the oldest and everything on request', async () => {
  assert.deepEqual(readCalibration(`oops\n\n{"version":2}\n${JSON.stringify(entry())}\n`), [entry()]);
  const folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-')), 'new');
  const store = createCalibrationStore(folder);
  assert.equal(await store.read(), '');
  await Promise.all([store.add(entry()), store.add(entry({ programs: ['ls'] }))]);
  assert.deepEqual(
    readCalibration(await store.read()).map(({ programs }) => programs[0]),
    ['git', 'ls'],
  );
  const file = path.join(folder, 'calibration.jsonl');
  fs.writeFileSync(file, `${JSON.stringify(entry())}\n`.repeat(5_500));
  await store.add(entry({ programs: ['last'] }));
  const kept = readCalibration(await store.read());
  assert.equal(kept.length, 5_000);
  assert.deepEqual(kept.at(-1)?.programs, ['last']);
  await store.deleteAll();
  await store.deleteAll();
  assert.equal(await store.read(), '');
  fs.rmSync(path.dirname(folder), { recursive: true });
});
