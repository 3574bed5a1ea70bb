import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onlyWaited } from '../../src/core/worlds/confined/runWork.ts';

const none = { ticks: 100, readyMs: 50, isHeld: false };

test('who uses no processor and wants none waits', () => {
  assert.ok(onlyWaited(none, none, 500));
  assert.ok(onlyWaited(none, { ...none, ticks: 102, readyMs: 60 }, 500), 'a little now and then');
  assert.ok(!onlyWaited(none, { ...none, ticks: 110 }, 500));
});

test('who gets no processor, no disk or no answer on a busy machine does not wait', () => {
  assert.ok(!onlyWaited(none, { ...none, readyMs: 400 }, 500));
  assert.ok(!onlyWaited(none, { ...none, isHeld: true }, 500));
});
