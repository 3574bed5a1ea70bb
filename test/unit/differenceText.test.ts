import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differenceText } from '../../src/core/words/differenceText.ts';

const called = (...names: string[]) => names.map((name) => ({ argv: [name] }));

test('what would be different is told in this order, each program once', () => {
  const nothing = { notRun: [], alsoRun: [] };
  assert.equal(differenceText(nothing, 1), 'exit code 1');
  assert.equal(
    differenceText({ notRun: called('a', 'b', 'c', 'd', 'a'), alsoRun: called('e') }, 0),
    '`a`, `b`, `c` and 1 more would not run; `e` would run; exit code 0',
  );
  assert.equal(
    differenceText({ ...nothing, filesChanged: 1, printsElse: true }, 2),
    '1 file would change; it would print something else; exit code 2',
  );
  assert.equal(differenceText({ ...nothing, filesChanged: 0 }, 2), 'no file would change; exit code 2');
});
