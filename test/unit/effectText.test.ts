import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Effect, type EffectFact, type EffectKind } from '../../src/core/facts/effect.ts';
import { inWords } from '../../src/core/prediction/factEvent.ts';

const said: readonly [fact: EffectFact, effect: EffectKind, detail: string][] = [
  [{ kind: 'connects', to: 'tcp 1.2.3.4:80' }, 'network', 'would connect to tcp 1.2.3.4:80'],
  [{ kind: 'listens', on: 'tcp 0.0.0.0:80' }, 'network', 'would listen on tcp 0.0.0.0:80'],
  [
    { kind: 'signals', signal: 'SIGKILL', pid: 7, command: 'sleep 9' },
    'signal',
    'sends SIGKILL to process 7 (sleep 9)',
  ],
  [{ kind: 'signals', signal: 'SIGTERM', command: 'every process' }, 'signal', 'sends SIGTERM to every process'],
  [{ kind: 'timesOnly', count: 1, first: '/w/a' }, 'timestamp', 'changes only the time of /w/a'],
  [{ kind: 'attributes', count: 1, first: '/w/a' }, 'permission', 'changes access lists or attributes of /w/a'],
  [{ kind: 'timesOnly', count: 3, first: '/w/a' }, 'timestamp', 'changes only the time of 3 files, such as /w/a'],
  [{ kind: 'writesKernel', path: '/proc/x' }, 'privilege', 'would write to /proc/x, which belongs to the kernel'],
  [{ kind: 'waits', durationMs: 3_600_000 }, 'waits', 'waits 1 h (skipped here)'],
  [{ kind: 'neverEnds' }, 'waits', 'does not end by itself'],
  [{ kind: 'neverEnds', argv: ['npm', 'start'] }, 'waits', 'npm start does not end by itself'],
  [
    { kind: 'goesOn', argv: ['npm', 'start'], afterMs: 3500 },
    'waits',
    'npm start was still running after 3.5 s, and waited',
  ],
];

test('an effect leaves a prediction as kind, data and words', () => {
  for (const [fact, effect, detail] of said) {
    const { type, ...event } = inWords({ type: 'effect', basis: 'rehearsed', fact });
    assert.equal(type, 'effect');
    assert.deepEqual(event, { effect, detail, basis: 'rehearsed', fact });
    assert.deepEqual(Effect.parse(event), event);
  }
});

test('what a table of known programs or a recording says of an effect needs no fact', () => {
  const plain = { effect: 'network', detail: 'sends commits', basis: 'assumed' };
  assert.deepEqual(Effect.parse(plain), plain);
});
