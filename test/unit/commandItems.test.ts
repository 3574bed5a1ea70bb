import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandItems } from '../../src/host/predict/commandItems.ts';

test('what is typed comes first, then what was predicted before and holds it', () => {
  const before = ['git clean -fdx', 'rm -rf dist\nls', 'rm -rf docs'];
  assert.deepEqual(
    commandItems(' rm -rf ', before).map(({ script, isTyped, description }) => [script, isTyped, description]),
    [
      ['rm -rf', true, 'rm -rf'],
      ['rm -rf dist\nls', false, 'rm -rf dist …'],
      ['rm -rf docs', false, 'rm -rf docs'],
    ],
  );
  assert.deepEqual(
    commandItems('', before).map(({ script }) => script),
    before,
  );
});

test('no word of a command is in a label, which VS Code would compare with what is typed', () => {
  const long = "mkdir pier && seq 1 300 | sed 's|^|pier/buoy|' | xargs touch && seq -f 'buoy %g' 1 5000";
  for (const { label } of commandItems(long.slice(0, 60), [long])) assert.match(label, /^\$\([a-z]+\)$/);
});
