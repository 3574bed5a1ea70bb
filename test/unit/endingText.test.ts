import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Doubt } from '../../src/core/facts/doubt.ts';
import type { Failure } from '../../src/core/facts/failure.ts';
import { PredictionEvent } from '../../src/core/prediction/event.ts';
import { inWords } from '../../src/core/prediction/factEvent.ts';
import { emptyPrediction, fold } from '../../src/core/prediction/fold.ts';

const action = { kind: 'command', script: 'npm test', cwd: '/w', shell: 'bash' } as const;

test('what could not be claimed leaves a prediction as kind, data and one sentence', () => {
  const said: readonly [doubt: Doubt, at: string, reason: string][] = [
    [
      { kind: 'assumption', argv: ['npm', 'test'], assumes: [{ kind: 'exits', exitCode: 0 }], unknown: ['output'] },
      'npm test',
      'What `npm test` prints and returns is not known.',
    ],
    [
      { kind: 'assumption', script: 'make', assumes: [{ kind: 'changesNothing' }] },
      'make',
      'What it changes is not known.',
    ],
    [
      { kind: 'changedMeanwhile', path: '/w/a', others: 0 },
      '/w/a',
      'Somebody else changed /w/a while this was predicted; predict again.',
    ],
    [
      { kind: 'changedMeanwhile', path: '/w/a', others: 2 },
      '/w/a',
      'Somebody else changed /w/a and 2 more paths while this was predicted; predict again.',
    ],
    [{ kind: 'outputCut' }, 'output', 'The output is longer than the limit and was cut.'],
    [
      { kind: 'door', call: 'writesDevice', path: '/dev/sda' },
      '/dev/sda',
      'It writes to the device /dev/sda; in a rehearsal nothing of it arrives there.',
    ],
    [{ kind: 'modelUnknown', of: 'date', says: '' }, 'date', 'The model says that it cannot know.'],
    [{ kind: 'modelUnknown', of: 'date', says: 'no clock.' }, 'date', 'The model says that it cannot know: no clock.'],
  ];
  for (const [doubt, at, reason] of said) {
    const event = inWords({ type: 'abstained', doubt, durationMs: 1 });
    assert.deepEqual(event, { type: 'abstained', reason, at, doubt, durationMs: 1 });
    assert.deepEqual(PredictionEvent.parse(event), event);
    const { endingReason, doubt: folded } = fold(emptyPrediction(action), event);
    assert.deepEqual([endingReason, folded], [reason, doubt]);
  }
});

test('why there is no prediction leaves it as kind, data, code and one sentence', () => {
  const said: readonly [failure: Failure, code: string, message: string][] = [
    [
      { kind: 'timeLimit', limitMs: 10_000 },
      'time-limit',
      'It was still running after 10 s and was stopped; raise the time limit to see more.',
    ],
    [{ kind: 'stopped', because: '' }, 'stopped', 'It was stopped: no reason given.'],
    [{ kind: 'told', code: 'no-shell', message: 'fish is not installed.' }, 'no-shell', 'fish is not installed.'],
  ];
  for (const [failure, code, message] of said) {
    const event = inWords({ type: 'failed', failure, durationMs: 1 });
    assert.deepEqual(event, { type: 'failed', code, message, failure, durationMs: 1 });
    assert.deepEqual(PredictionEvent.parse(event), event);
    assert.deepEqual(fold(emptyPrediction(action), event).failed, failure);
  }
});

test('why the gate stopped a program stands beside its clause', () => {
  const program = { id: 1, argv: ['node', 'x.js'], cwd: '/w' };
  const prediction = emptyPrediction(action);
  fold(prediction, { type: 'program', ...program, basis: 'assumed' });
  fold(prediction, inWords({ type: 'gated', ...program, because: { kind: 'openLibrary', path: '/w/x.so' } }));
  const [stopped] = prediction.programs;
  assert.equal(stopped?.gatedBecause, 'it would load /w/x.so, a library that can be changed without being root');
  assert.deepEqual(stopped?.gate, { kind: 'openLibrary', path: '/w/x.so' });
});

test('what the reader should know besides leaves a prediction as kind, data and words', () => {
  const prediction = emptyPrediction(action);
  const facts = [
    { kind: 'computedRest', isCut: true },
    { kind: 'replaces', matches: 1, files: 2 },
  ] as const;
  for (const fact of facts) fold(prediction, PredictionEvent.parse(inWords({ type: 'notice', fact })));
  assert.deepEqual(prediction.notices, [
    'What was not run is computed from the words of the command and the files that are here. There is more of it than is listed.',
    '1 match in 2 files would be replaced.',
  ]);
  assert.deepEqual(prediction.noticed, facts);
});
