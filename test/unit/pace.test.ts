import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pace, usualS } from '../pace.mjs';

const after = (...times: readonly number[]) => {
  const pace = new Pace();
  for (const [index, name] of ['unit', 'engine'].slice(0, times.length).entries())
    pace.ended(name, (usualS[name] ?? 0) * (times[index] ?? 1));
  return pace;
};

test('where nothing has ended, or where it took less than usual, shares are as usual', () => {
  for (const pace of [after(), after(0.5), after(1, 1)]) {
    assert.equal(pace.times, 1);
    assert.equal(pace.fewer(300, 150), 300);
    assert.equal(pace.rarer(16, 64), 16);
  }
});

test('where it took longer, fewer commands are drawn, down to a bound', () => {
  assert.equal(after(1.5, 1.5).fewer(300, 150), 200);
  assert.equal(after(2, 2).rarer(16, 64), 32);
  assert.equal(after(9, 9).fewer(300, 150), 150);
  assert.equal(after(9, 9).rarer(16, 64), 64);
});

test('what has no usual time tells nothing; what draws fewer commands has none', () => {
  const pace = after(2, 2);
  for (const drawn of ['truth', 'supervision', 'consented', 'language', 'edits', 'hostile']) pace.ended(drawn, 1);
  assert.equal(pace.times, 2);
});
