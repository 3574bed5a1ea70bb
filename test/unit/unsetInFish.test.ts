import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readScript } from '../../src/core/shell/script.ts';
import { findUnsetVariables } from '../../src/core/shell/unsetVariables.ts';
import { turnsHistoryOff } from '../../src/core/verdict/historyOff.ts';

const unset = (script: string, isFish: boolean) => findUnsetVariables(script, {}, isFish).map(({ name }) => name);

test('fish gives variables their values by set, read, for and the arguments of functions', () => {
  for (const script of [
    'set x a; rm -rf $x',
    'set -l x a; rm -rf $x',
    'read -P "name? " x; rm -rf $x',
    'for x in *.txt; rm $x; end',
    'function f -a x; rm $x; end',
    'rm $argv',
  ])
    assert.deepEqual(unset(script, true), [], script);
  assert.deepEqual(unset('set y a; rm -rf $x', true), ['x']);
  // Elsewhere `set` gives the arguments theirs.
  assert.deepEqual(unset('set x a; rm -rf $x', false), ['x']);
});

test('a shell in which somebody goes on keeps no history where its file is nothing', () => {
  const isOff = (script: string) => readScript(script).commands.some(turnsHistoryOff);
  for (const script of ['HISTFILE=/dev/null bash', 'HISTFILE= zsh -i', 'HISTSIZE=0 bash -l', 'HISTFILE='])
    assert.equal(isOff(script), true, script);
  for (const script of [
    'HISTFILE=/dev/null bash -c ls',
    'HISTFILE=/dev/null bash a.sh',
    'HISTFILE=~/.h bash',
    'HISTFILE= ls',
  ])
    assert.equal(isOff(script), false, script);
});
