import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineOf } from '../../src/host/typedLine/acceptedLine.ts';

const buffer = (text: string) => Buffer.from(`${text}\0left over\0`);

test('while a command runs, readline holds the whole line', () => {
  assert.equal(lineOf(buffer('sleep 1; seq 2'), 'sleep 1', false), 'sleep 1; seq 2');
  assert.equal(lineOf(buffer(' echo a>b'), 'echo a > b', false), ' echo a>b');
});

test('where the next prompt stands already, only the first byte is gone', () => {
  assert.equal(lineOf(buffer('\0leep 1; seq 2'), 'sleep 1', true), 'sleep 1; seq 2');
  assert.equal(lineOf(buffer('\0cho one two'), 'echo one two', true), 'echo one two');
});

test('what is not certainly that line is none', () => {
  // The last line of several, an alias, the next line, which is being typed, a line that was emptied by a blank.
  assert.equal(lineOf(buffer('done'), 'for x in 1 2', false), undefined);
  assert.equal(lineOf(buffer('ll; rm a'), 'ls -l', false), undefined);
  assert.equal(lineOf(buffer('sleep 1'), 'sleep 1', true), undefined);
  assert.equal(lineOf(buffer('\0leep 1'), 'sleep 1', false), undefined);
  assert.equal(lineOf(buffer('\0echo secret'), 'echo secret', true), undefined);
});
