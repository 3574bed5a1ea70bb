import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factualScore, outputLines } from '../../../src/core/bench/score/factualScore.ts';
import { emptyPrediction } from '../../../src/core/prediction/fold.ts';
import type { Prediction } from '../../../src/core/prediction/prediction.ts';

type Output = Prediction['output'][number];
type File = Prediction['files'][number];

const printed = (text: string, more: Partial<Output> = {}): Output => ({
  ...{ stream: 'stdout', text, basis: 'rehearsed' },
  ...more,
});
const changed = (path: string, more: Partial<File> = {}): File => ({
  ...{ path, change: 'created', type: 'file', mode: '0644', sizeBytes: 3, volatile: false, basis: 'rehearsed' },
  ...more,
});

function prediction(parts: Partial<Prediction>): Prediction {
  return { ...emptyPrediction({ kind: 'command', script: 'x', shell: 'bash', cwd: '/w' }), ...parts };
}

test('the same prediction is right in everything', () => {
  const one = prediction({
    output: [printed('a\n\nb\n')],
    exitCode: 0,
    files: [changed('/w/a')],
    effects: [{ effect: 'network', detail: 'x', basis: 'rehearsed' }],
  });
  assert.deepEqual(factualScore(one, structuredClone(one)), {
    lines: { truth: 2, matched: 2, extra: 0, recall: 1, exact: true },
    exitCode: { predicted: 0, truth: 0, same: true },
    files: { same: ['/w/a'], different: [], missing: [], extra: [] },
    effects: { same: ['network'], missing: [], extra: [] },
    score: 1,
  });
});

test('lines count as often as they stand in both, in any order', () => {
  const { lines, score } = factualScore(
    prediction({ output: [printed('b\na\na\na\nmade up\n')] }),
    prediction({ output: [printed('a\na\nb\nc\n')] }),
  );
  assert.deepEqual(lines, { truth: 4, matched: 3, extra: 2, recall: 0.75, exact: false });
  assert.equal(score, 6 / 9);
});

test('a line that varies is neither wanted nor wrong', () => {
  const truth = prediction({
    output: [printed('start\n'), printed('09:47:01', { volatile: true }), printed('\nend\n')],
    exitCode: 0,
  });
  const right = factualScore(prediction({ output: [printed('start\n12:00:00\nend\n')], exitCode: 0 }), truth);
  assert.deepEqual(right.lines, { truth: 2, matched: 2, extra: 0, recall: 1, exact: true });
  assert.equal(right.score, 1);
});

test('colours, links and what was written over are not compared', () => {
  const lines = outputLines({
    output: [
      printed('\u001b[1;32mok\u001b[0m  \n10 %\r100 %\nwin\r\n'),
      printed('\u001b]8;;http://x\u0007here\u001b]8;;\u0007'),
      printed('late\n', { stream: 'stderr' }),
      printed('!\n'),
      { stream: 'stdout', base64: 'w6k=', basis: 'rehearsed' },
    ],
  });
  assert.deepEqual(
    lines.map(({ text }) => text),
    ['ok', '100 %', 'win', 'here!', 'é', 'late'],
  );
});

test('files: the same, different, missing, made up', () => {
  const truth = prediction({
    files: [
      changed('/w/same', { sha256: 'a' }),
      changed('/w/content', { sha256: 'a' }),
      changed('/w/size'),
      changed('/w/varies', { volatile: true }),
      changed('/w/gone', { change: 'deleted', sizeBytes: 9 }),
      changed('/w/link', { type: 'symlink', target: 'a' }),
      changed('/w/mode', { change: 'mode', mode: '0755' }),
      changed('/w/missing'),
    ],
  });
  const guess = prediction({
    files: [
      changed('/w/same', { sha256: 'a' }),
      changed('/w/content', { sha256: 'b' }),
      changed('/w/size', { sizeBytes: 4 }),
      changed('/w/varies', { sizeBytes: 99 }),
      changed('/w/gone', { change: 'deleted', sizeBytes: 0 }),
      changed('/w/link', { type: 'symlink', target: 'b' }),
      changed('/w/mode', { change: 'mode', mode: '0700' }),
      changed('/w/extra'),
    ],
  });
  const { files, score } = factualScore(guess, truth);
  assert.deepEqual(files, {
    same: ['/w/gone', '/w/same', '/w/varies'],
    different: ['/w/content', '/w/link', '/w/mode', '/w/size'],
    missing: ['/w/missing'],
    extra: ['/w/extra'],
  });
  assert.equal(score, 6 / 16);
});

test('a mode that changes beside the content counts', () => {
  const before = { type: 'file', mode: '0644', sizeBytes: 3 } as const;
  const more = { change: 'modified', sha256: 'a', sizeBytes: 4, before } as const;
  const truth = prediction({ files: [changed('/w/a', { ...more, mode: '0755' }), changed('/w/b', more)] });
  const guess = prediction({ files: [changed('/w/a', more), changed('/w/b', { ...more, mode: '0600' })] });
  assert.deepEqual(factualScore(guess, truth).files, { same: [], different: ['/w/a', '/w/b'], missing: [], extra: [] });
  assert.deepEqual(factualScore(truth, structuredClone(truth)).files.same, ['/w/a', '/w/b']);
});

test('parts of which both say nothing are left out, and weights hold', () => {
  assert.equal(factualScore(prediction({}), prediction({})).score, 1);
  assert.equal(factualScore(prediction({ exitCode: 1 }), prediction({ exitCode: 0 })).score, 0);
  // An exit code that the truth does not know proves nothing.
  assert.equal(factualScore(prediction({ exitCode: 1 }), prediction({})).score, 1);
  const both = { output: [printed('a\n')] };
  assert.equal(factualScore(prediction({ ...both, exitCode: 1 }), prediction({ ...both, exitCode: 0 })).score, 4 / 6);
  const effect = { effect: 'network', detail: 'other words', basis: 'imagined' } as const;
  const found = factualScore(
    prediction({ effects: [effect] }),
    prediction({ effects: [{ ...effect, effect: 'git' }] }),
  );
  assert.deepEqual(found.effects, { same: [], missing: ['git'], extra: ['network'] });
  assert.equal(found.score, 0);
});

test('it takes linear time, and changes neither', () => {
  const text = Array.from({ length: 200_000 }, (_, index) => `line ${index}\n`).join('');
  const one = prediction({ output: [printed(text)] });
  const before = structuredClone(one);
  const { lines } = factualScore(one, prediction({ output: [printed(text)] }));
  assert.deepEqual(lines, { truth: 200_000, matched: 200_000, extra: 0, recall: 1, exact: true });
  assert.deepEqual(one, before);
});
