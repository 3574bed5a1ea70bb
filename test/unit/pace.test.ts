import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawn, limitS, Pace, usualS } from '../pace.mjs';

const everything = Object.keys(usualS);
const drawnRings = ['engine', 'panel', 'truth', 'supervision', 'consented', 'language', 'hostile', 'host'];

/** A whole run on a machine so many times as slow as usual: the share of each ring, and how long it takes, in seconds. */
function wholeRun(times: number, rings: readonly string[] = everything) {
  let nowS = 0;
  const pace = new Pace(rings, () => nowS);
  const shares = new Map<string, number>();
  for (const name of rings) {
    const share = drawnRings.includes(name) ? pace.share(name) : 1;
    shares.set(name, share);
    const tookS = (usualS[name] ?? 0) * share * times;
    nowS += tookS;
    pace.ended(name, tookS);
  }
  return { shares, tookS: nowS, times: pace.times };
}

test('a usual machine runs everything, and a fast one', () => {
  for (const times of [0.5, 1]) {
    const { shares, tookS } = wholeRun(times);
    assert.deepEqual(new Set(shares.values()), new Set([1]));
    assert.ok(tookS <= limitS);
  }
});

test('a slow machine draws from every ring that can be drawn from, and ends in time', () => {
  for (const times of [2, 3, 4.4, 6]) {
    const run = wholeRun(times);
    const of = drawnRings.map((name) => run.shares.get(name) ?? 0);
    assert.ok(Math.max(...of) < 1 && Math.min(...of) > 0.05, `${times}: ${of}`);
    // What is seen at the beginning goes on, so no ring has to pay for those before it.
    assert.ok(Math.max(...of) - Math.min(...of) < 0.01, `${times}: ${of}`);
    assert.ok(run.tookS <= limitS + 1, `${times}: ${run.tookS}`);
    assert.ok(Math.abs(run.times - times) < 0.01);
  }
});

test('a drawn part tells nothing of the pace, whatever it took', () => {
  const pace = new Pace(everything, () => limitS * 0.6);
  const before = pace.share('engine');
  assert.ok(before < 1);
  pace.ended('engine', 10_000);
  assert.equal(pace.times, 1);
});

test('what became late takes little of everything that is still to come, and never nothing', () => {
  const pace = new Pace(everything, () => limitS * 2);
  for (const name of drawnRings) assert.equal(pace.share(name), 0.05);
});

test('one ring that is asked for alone runs whole', () => {
  assert.equal(new Pace(['hostile'], () => 0).share('hostile'), 1);
});

test('fewer commands are drawn, down to a bound', () => {
  const pace = new Pace(everything, () => limitS * 2);
  assert.equal(pace.fewer('truth', 300, 100), 100);
  assert.equal(pace.rarer('hostile', 16, 128), 128);
  const quick = new Pace(everything, () => 0);
  assert.equal(quick.fewer('truth', 300, 100), 300);
  assert.equal(quick.rarer('hostile', 16, 128), 16);
});

test('a share of a list is spread over it, and every part of it has its turn', () => {
  const list = Array.from({ length: 30 }, (_, index) => index);
  for (const share of [1, 0.5, 0.3, 0.1, 0.001]) {
    const seen = new Set<number>();
    for (let seed = 0; seed < 30; seed += 1) {
      const some = drawn(list, share, seed);
      assert.equal(some.length, Math.max(1, Math.round(30 * share)));
      assert.deepEqual(
        some,
        some.toSorted((one, other) => one - other),
      );
      for (const one of some) seen.add(one);
    }
    assert.equal(seen.size, 30, `${share}`);
  }
  assert.deepEqual(drawn([], 0.5, 3), []);
});
