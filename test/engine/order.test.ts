import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dependenceOf } from '../../src/core/worlds/confined/certainty/dependence.ts';
import {
  hasHashedKeys,
  hasJobs,
  isByChance,
  printsInAnyOrder,
  showsOtherSeed,
} from '../../src/core/worlds/confined/certainty/order.ts';
import { emptyRecord } from '../../src/core/worlds/confined/wire/runRecord.ts';

/** What prints in the order of a race is volatile, also where two runs agree by chance. */

function recordOf(programs: readonly string[]) {
  const record = emptyRecord();
  record.programs = programs.map((words, index) => ({
    ...{ id: index + 1, pid: index + 2, argv: words.split(' '), cwd: '/w', realPath: '', unsure: false },
  }));
  return record;
}

function races(script: string, ...programs: string[]): boolean {
  return printsInAnyOrder(recordOf(programs), dependenceOf({ kind: 'command', script, shell: 'bash', cwd: '/w' }));
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

test('which of two jobs comes first that wait for less than a second and then work is chance', () => {
  const both = ['sleep 0.1', 'sleep 0.2', 'node x.js 1', 'node x.js 2'];
  for (const script of [
    'for i in 3 1 2; do (sleep 0.$i; node x.js $i) & done; wait',
    '(sleep 0.01; node x.js 1 >> log) & (sleep 0.02; node x.js 2 >> log) & wait',
    '{ sleep .1; node x.js 1; } & { sleep .2; node x.js 2; } & wait',
  ])
    assert.ok(isByChance(recordOf(both), script), script);
  assert.ok(!isByChance(recordOf(both), '(sleep 1; node x.js 1) & (sleep 3; node x.js 2) & wait'));
  assert.ok(!isByChance(recordOf(both), '(sleep 0.1; node x.js 1) && (sleep 0.2; node x.js 2)'));
  assert.ok(!isByChance(recordOf(['sleep 0.3', 'node two.js']), '(sleep 0.3; echo late) & node two.js; wait'));
});

test('tests whose order follows from a number that is drawn say so', () => {
  const said = (seed: number) => `Run options: --seed ${seed}\n\n# Running:\n\n..\n`;
  assert.ok(showsOtherSeed(said(41_958), said(34_864)));
  assert.ok(showsOtherSeed('Randomized with seed 1\nok\n', 'Randomized with seed 2\nok\n'));
  assert.ok(!showsOtherSeed(said(1), said(1)));
  assert.ok(!showsOtherSeed('seeding the database\n0.1 s\n', 'seeding the database\n0.2 s\n'));
});

test('tables by hashes, as compilers keep them, come in an order of chance', () => {
  assert.ok(hasHashedKeys('{"outputs":{"17747080675513052775":{"success":true},"7971740275564407648":{}}}'));
  assert.ok(!hasHashedKeys('{"1700000000000":1,"1700000000001":2}'), 'times in milliseconds');
  assert.ok(!hasHashedKeys('{"id":17747080675513052775,"other":7971740275564407648}'));
});

test('jobs of make and the like run beside each other, where there are several and they are more than two', () => {
  const runs = (words: string, jobs = 3) => {
    const record = recordOf([words, ...Array.from({ length: jobs }, () => 'cc -c x.c')]);
    record.programs = record.programs.map((one, index) => (index === 0 ? one : { ...one, parent: 1 }));
    return hasJobs(record);
  };
  for (const words of [
    'make -j2',
    'make -j',
    'make -j 4 all',
    'make -kj8',
    'make --jobs=3',
    'ninja',
    'ctest --parallel 2',
  ])
    assert.ok(runs(words), words);
  for (const words of ['make', 'make -j1', 'make -j 1', 'make --jobs=1 all', 'ninja -j1', 'sh x.sh'])
    assert.ok(!runs(words), words);
  assert.ok(!runs('make -j2', 2));
});
