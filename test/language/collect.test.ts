import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { collectTruth } from '../bench/collectTruth.ts';
import { readCases } from '../truth/cases.ts';
import { seededRandom } from '../truth/fixtureText.ts';
import { identities } from '../truth/identity.ts';

/** A sample of the truth suite's commands; `node test/bench.mjs collect --verify` takes all of them. */
function sample(count: number, seed: number) {
  const random = seededRandom(seed);
  return readCases('test/truth/cases')
    .map((one) => ({ one, at: random() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, count)
    .map(({ one }) => one);
}

for (const identity of identities('both')) {
  test(`as ${identity.name}, every collected step equals a real run, at the shell tool and at a real terminal`, async () => {
    assert.ok(existsSync('dist/cli.js'), 'run `npm run build` first');
    process.umask(0o022);
    const cases = sample(16, identity.uid === 0 ? 5 : 11).filter(
      (one) => one.only === undefined || one.only === identity.name,
    );
    const result = await collectTruth({ cases, identity, cli: 'dist/cli.js', form: 'both', jobs: 4, verifies: true });
    assert.deepEqual(result.wrong, []);
    assert.ok(result.reordered <= 1, `${result.reordered} in another order`);
    assert.equal(result.compared, result.counts.trueSteps);
    assert.ok(
      result.counts.trueSteps > 15,
      `only ${result.counts.trueSteps} true steps: ${JSON.stringify(result.counts.inexact)}`,
    );
  });
}
