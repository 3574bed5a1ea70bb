import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dependenceOf } from '../../src/core/worlds/confined/certainty/dependence.ts';
import { printsInAnyOrder } from '../../src/core/worlds/confined/certainty/order.ts';
import { emptyRecord } from '../../src/core/worlds/confined/wire/runRecord.ts';

/** What prints in the order of a race is volatile, also where two runs agree by chance. */

function races(script: string, ...programs: string[]): boolean {
  const record = emptyRecord();
  record.programs = programs.map((words, index) => ({
    ...{ id: index + 1, pid: index + 2, argv: words.split(' '), cwd: '/w', realPath: '', unsure: false },
  }));
  return printsInAnyOrder(record, dependenceOf({ kind: 'command', script, shell: 'bash', cwd: '/w' }));
}

test('several children or threads print in any order', () => {
  for (const script of [
    'xargs -P4 -n1 echo',
    'xargs -n1 -P 4 echo',
    'xargs --max-procs=0 echo',
    'rg foo',
    'parallel echo',
    'expect -c x',
  ])
    assert.ok(races(script, script), script);
});

test('one of them, an order that was asked for, and what is sorted afterwards are no race', () => {
  for (const script of [
    'xargs -n1 echo',
    'xargs -P1 echo',
    'xargs -P 1 echo',
    'rg --sort path foo',
    'rg -j 1 foo',
    'parallel -k echo',
    'ls',
  ])
    assert.ok(!races(script, script), script);
  assert.ok(!races('rg foo | sort', 'rg foo', 'sort'));
});
