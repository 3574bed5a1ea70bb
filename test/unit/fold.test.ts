import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CommandAction } from '../../src/core/action/action.ts';
import type { Level } from '../../src/core/facts/level.ts';
import { PredictionEvent } from '../../src/core/prediction/event.ts';
import { emptyPrediction, fold, worseLevel } from '../../src/core/prediction/fold.ts';

const action: CommandAction = { kind: 'command', script: 'true', shell: 'bash', cwd: '/w' };

function folded(events: PredictionEvent[]) {
  return events.reduce((prediction, event) => fold(prediction, PredictionEvent.parse(event)), emptyPrediction(action));
}

test('output of one kind is joined, output of another stream or basis is not', () => {
  const { output } = folded([
    { type: 'output', stream: 'stdout', text: 'a', basis: 'rehearsed' },
    { type: 'output', stream: 'stdout', text: 'b', basis: 'rehearsed' },
    { type: 'output', stream: 'stderr', text: 'c', basis: 'rehearsed' },
    { type: 'output', stream: 'stderr', text: 'd', basis: 'assumed' },
    { type: 'output', stream: 'stderr', text: 'e', basis: 'assumed', volatile: true },
    { type: 'output', stream: 'stderr', base64: '/w==', basis: 'assumed' },
  ]);
  assert.deepEqual(
    output.map((piece) => piece.text ?? piece.base64),
    ['ab', 'c', 'd', 'e', '/w=='],
  );
});

test('a program gets its exit code and the reason of its gate; of two with one id the later one', () => {
  const { programs } = folded([
    { type: 'program', id: 1, argv: ['a'], cwd: '/w', basis: 'rehearsed' },
    { type: 'program', id: 2, parent: 1, argv: ['b'], cwd: '/w', basis: 'assumed' },
    { type: 'gated', id: 2, argv: ['b'], cwd: '/w', reason: 'unknown' },
    { type: 'programEnded', id: 1, exitCode: 3 },
  ]);
  assert.deepEqual(programs, [
    { id: 1, argv: ['a'], cwd: '/w', basis: 'rehearsed', exitCode: 3 },
    { id: 2, parent: 1, argv: ['b'], cwd: '/w', basis: 'assumed', gatedBecause: 'unknown' },
  ]);
});

test('a question stands until something is printed', () => {
  const asking = folded([{ type: 'asks', prompt: 'overwrite?' }]);
  assert.equal(asking.asks, 'overwrite?');
  fold(asking, { type: 'output', stream: 'stdout', text: 'y', basis: 'rehearsed' });
  assert.equal(asking.asks, undefined);
});

const risk = (level: Level, reason: string, evidence: string[] = []): PredictionEvent => ({
  ...{ type: 'risk', level, kind: 'onlyReads', fact: { kind: 'onlyReads' }, reason, evidence },
});

test('the verdict is the worst of its reasons, in any order', () => {
  const { verdict } = folded([risk('caution', 'one'), risk('danger', 'two', ['/w/a']), risk('safe', '')]);
  assert.equal(verdict.level, 'danger');
  assert.deepEqual(
    verdict.reasons.map((reason) => reason.text),
    ['one', 'two'],
  );
  assert.equal(worseLevel(undefined, 'safe'), 'safe');
  assert.equal(worseLevel('danger', 'safe'), 'danger');
});

test('each ending is kept with its sentence, and progress ends with it', () => {
  const failed = folded([
    { type: 'progress', text: 'running' },
    { type: 'failed', code: 'time-limit', message: 'Too long.', durationMs: 5 },
  ]);
  assert.deepEqual(
    [failed.ending, failed.endingReason, failed.failureCode, failed.progress],
    ['failed', 'Too long.', 'time-limit', undefined],
  );
  const cancelled = folded([
    { type: 'progress', text: 'running', printed: 'one\n' },
    { type: 'cancelled', durationMs: 5 },
  ]);
  assert.equal(cancelled.progress?.printed, 'one\n');
  const abstained = folded([{ type: 'abstained', reason: 'It rests on something.', at: 'npm', durationMs: 5 }]);
  assert.deepEqual([abstained.ending, abstained.endingReason], ['abstained', 'It rests on something.']);
});
