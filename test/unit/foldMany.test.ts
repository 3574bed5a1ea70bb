import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FoundLoss, Loss } from '../../src/core/facts/loss.ts';
import type { PredictionEvent } from '../../src/core/prediction/event.ts';
import { emptyPrediction, fold } from '../../src/core/prediction/fold.ts';
import { foldMany, lossEvent } from '../../src/core/prediction/foldMany.ts';
import { PredictedFile } from '../../src/core/prediction/parts.ts';
import { FileChange } from '../../src/core/view/fileChange.ts';
import { withLossText } from '../../src/core/words/lossText.ts';

const action = { kind: 'command', script: 'rm -rf big', shell: 'bash', cwd: '/' } as const;

// A value that only its own name has: what is left out or mixed up shows.
const named = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, `the ${key}`]));

function bothOf(event: unknown) {
  const one = event as PredictionEvent;
  return [fold(emptyPrediction(action), one), foldMany(emptyPrediction(action), one)] as const;
}

test('a file and a loss with every field that there is are folded alike', () => {
  const keysOfFile = Object.keys(FileChange.shape);
  const [file, fileOfMany] = bothOf({ type: 'file', change: named(keysOfFile), basis: 'rehearsed' });
  assert.deepEqual(fileOfMany, file);
  assert.deepEqual(Object.keys(fileOfMany.files[0] ?? {}).sort(), Object.keys(PredictedFile.shape).sort());
  const keysOfLoss = Object.keys(Loss.shape);
  const [loss, lossOfMany] = bothOf({ ...named(keysOfLoss), type: 'loss' });
  assert.deepEqual(lossOfMany, loss);
  assert.deepEqual(Object.keys(lossOfMany.loss[0] ?? {}).sort(), keysOfLoss.sort());
});

test('the event of a loss has every field of it, and its words', () => {
  const keys = Object.keys(Loss.shape).filter((key) => key !== 'why' && key !== 'recoverable');
  const loss = { ...named(keys), because: { kind: 'untracked' }, recovery: { kind: 'none' } } as unknown as FoundLoss;
  assert.deepEqual(lossEvent(loss), { ...withLossText(loss), type: 'loss' });
});

test('each of many losses has its own words', () => {
  const bare = { path: '/a', class: 'untracked', sizeBytes: 1 } as const;
  const [untracked, ignored] = [{ kind: 'untracked' }, { kind: 'ignored' }] as const;
  const [none, unknown] = [{ kind: 'none' }, { kind: 'unknown' }] as const;
  const losses: FoundLoss[] = [
    { ...bare, because: untracked, recovery: none },
    { ...bare, because: untracked, recovery: none, isOpenUnsaved: true },
    { ...bare, because: untracked, recovery: none, lines: 3, going: 'deleted' },
    { ...bare, because: ignored, recovery: none, going: 'deleted' },
    { ...bare, because: ignored, recovery: unknown, isCopyRemoved: true },
    { ...bare, because: ignored, recovery: unknown },
  ];
  const saved = { kind: 'editor' } as const;
  const words = losses.map((loss) => [lossEvent(loss).why, lossEvent(loss).recoverable]);
  assert.deepEqual(words, [
    ['untracked', 'no'],
    ['untracked; open in an editor with unsaved changes', 'no'],
    ['untracked', 'no'],
    ['ignored by git, and nothing says how to make it again', 'no'],
    ['ignored by git, and nothing says how to make it again, and git’s copy is removed too', 'not known'],
    ['ignored by git, and nothing says how to make it again', 'not known'],
  ]);
  assert.match(lossEvent({ ...bare, because: ignored, recovery: saved }).recoverable, /^yes, from the editor/);
});

test('fields that an event does not have are not there afterwards', () => {
  const change = { path: '/a', change: 'deleted', type: 'file', mode: '0644', sizeBytes: 0, volatile: false };
  const [file, fileOfMany] = bothOf({ type: 'file', change, basis: 'rehearsed' });
  assert.deepEqual(fileOfMany, file);
  assert.deepEqual(Object.keys(fileOfMany.files[0] ?? {}).length, 7);
  const bare = {
    path: '/a',
    class: 'untracked',
    because: { kind: 'untracked' },
    recovery: { kind: 'none' },
    sizeBytes: 0,
  };
  const [loss, lossOfMany] = bothOf({ ...bare, why: 'untracked', recoverable: 'no', type: 'loss' });
  assert.deepEqual(lossOfMany, loss);
});

test('every other event is folded as it was', () => {
  const [one, ofMany] = bothOf({ type: 'exit', code: 3, basis: 'rehearsed', cwd: '/w' });
  assert.deepEqual(ofMany, one);
  assert.equal(ofMany.exitCode, 3);
});
