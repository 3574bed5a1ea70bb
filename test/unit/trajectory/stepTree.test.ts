import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  followersOf,
  insertBehind,
  newStepId,
  pathTo,
  type TreeStep,
  treeOf,
} from '../../../src/core/trajectory/step/stepTree.ts';
import { seeded } from '../language/seeded.ts';

const step = (id: string, after?: string, more: Partial<TreeStep> = {}): TreeStep => ({
  ...{ id, trajectory: 't', after, hasPrediction: true, hasObservation: true, ...more },
});
const ids = (steps: readonly (TreeStep | undefined)[]) => treeOf(steps).rows.map(({ step: { id } }) => id);

test('branches stand below the step that they fork from, and the first branch goes on below them', () => {
  const tree = treeOf([step('1'), step('2', '1'), step('3', '2'), step('2b', '1'), step('3b', '2b'), step('2c', '1')]);
  assert.deepEqual(
    tree.rows.map(({ step: { id }, turn, depth, isFork }) => [id, turn, depth, isFork]),
    [
      ['1', 1, 0, false],
      ['2b', 2, 1, true],
      ['3b', 3, 1, false],
      ['2c', 2, 1, true],
      ['2', 2, 0, false],
      ['3', 3, 0, false],
    ],
  );
  const place = tree.byId.get('3b');
  assert.ok(place);
  assert.deepEqual(
    pathTo(place).map(({ step: { id } }) => id),
    ['1', '2b', '3b'],
  );
  const first = tree.byId.get('1');
  assert.ok(first);
  assert.deepEqual(
    followersOf(first).map(({ step: { id } }) => id),
    ['2b', '3b', '2c', '2', '3'],
  );
  assert.equal(insertBehind(first), 5);
});

test('steps that come after nothing, after themselves, in a ring or twice are all somewhere, once', () => {
  assert.deepEqual(ids([step('2', 'gone'), undefined, step('1', '1'), step('2', '1')]), ['2', '1']);
  assert.deepEqual(ids([step('a', 'c'), step('b', 'a'), step('c', 'b'), step('x')]), ['a', 'b', 'c', 'x']);
  const { below } = seeded(7);
  for (let round = 0; round < 300; round++) {
    const count = 1 + below(12);
    const steps = Array.from({ length: count }, (_, at) => step(`${at}`, `${below(count + 2)}`));
    assert.deepEqual([...ids(steps)].sort(), steps.map(({ id }) => id).sort());
  }
});

test('what was made before an edit rests on it, and what was made after does not', () => {
  const steps = [
    step('1', undefined, { editedObservation: '2026-01-05' }),
    step('2', '1', { at: '2026-01-04', observedAt: '2026-01-01' }),
    step('3', '2', { at: '2026-01-06', observedAt: '2026-01-06' }),
    step('2b', '1', { hasPrediction: false }),
    step('other'),
  ];
  const seen = Object.fromEntries(
    treeOf(steps).rows.map((place) => [place.step.id, [place.restsOnEdited, place.observationIsOld]]),
  );
  assert.deepEqual(seen, {
    '1': [false, false],
    '2': [true, true],
    '3': [false, false],
    '2b': [false, true],
    other: [false, false],
  });
  const [own] = treeOf([step('1', undefined, { editedAction: '2026-01-05', at: '2026-01-04' })]).rows;
  assert.deepEqual([own?.restsOnEdited, own?.observationIsOld], [true, true]);
});

test('a tree of a long trajectory is made without recursion', () => {
  const steps = Array.from({ length: 20_000 }, (_, at) => step(`${at}`, at === 0 ? undefined : `${at - 1}`));
  assert.equal(treeOf(steps).rows.at(-1)?.turn, 20_000);
});

test('the id of a fork is new and short', () => {
  assert.equal(newStepId(new Set(['3']), '3'), '3.2');
  assert.equal(newStepId(new Set(['3', '3.2']), '3.2'), '3.3');
});
