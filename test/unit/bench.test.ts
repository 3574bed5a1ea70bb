import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { quantile } from '../../src/core/bench/score/statistics.ts';
import { interleave } from '../bench/interleave.ts';
import { summarise } from '../bench/summary.ts';

describe('statistics', () => {
  test('quantiles are interpolated', () => {
    assert.equal(quantile([4, 1, 3, 2], 0.5), 2.5);
    assert.equal(quantile([1, 2, 3], 0), 1);
    assert.equal(quantile([1, 2, 3], 1), 3);
    assert.equal(quantile([7], 0.95), 7);
    assert.ok(Number.isNaN(quantile([], 0.5)));
  });
  test('a summary', () => {
    const values = Array.from({ length: 101 }, (_, index) => index);
    assert.deepEqual(summarise(values), { p50: 50, p95: 95, samples: 101 });
  });
});

describe('interleaving', () => {
  test('ways take turns, warm-ups are not counted, who cannot is not asked again', async () => {
    const order: string[] = [];
    const way = (name: string, result: number | undefined) => ({
      name,
      prepare: () => void order.push(`prepare ${name}`),
      measure: async () => {
        order.push(name);
        return result;
      },
    });
    const samples = await interleave([way('a', 1), { ...way('b', 2), rounds: 1 }, way('c', undefined)], {
      rounds: 2,
      warmUps: 1,
    });
    assert.deepEqual(Object.fromEntries(samples), { a: [1, 1], b: [2], c: [] });
    const rounds = [
      ['prepare a', 'a', 'prepare b', 'b', 'prepare c', 'c'],
      ['prepare a', 'a', 'prepare b', 'b'],
      ['prepare a', 'a'],
    ];
    assert.deepEqual(order, rounds.flat());
  });
});
