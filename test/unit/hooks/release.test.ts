import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReleases } from '../../../src/core/hooks/release.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

const offer = { digest: 'ab12cd'.padEnd(64, '0'), folder: '/w', title: 'rm -rf x', verdict: 'DANGER' };

test('what the user lets through counts once, for the hooks of one call', () => {
  const releases = createReleases(temporaryFolder('releases'));
  assert.equal(releases.take(offer.digest, 'one', 1_000), false);
  const code = releases.offer(offer, 1_000);
  assert.equal(code, 'ab12cd');
  assert.equal(releases.release('ab12ce', 2_000), undefined);
  assert.equal(releases.release('ab12cd', 2_000)?.title, 'rm -rf x');
  // A code is used up by it.
  assert.equal(releases.release('ab12cd', 2_000), undefined);
  assert.equal(releases.take('cd'.padEnd(64, '0'), 'one', 3_000), false);
  assert.equal(releases.take(offer.digest, 'one', 3_000), true);
  // Another hook is told of the same call; another call is not.
  assert.equal(releases.take(offer.digest, 'one', 3_100), true);
  assert.equal(releases.take(offer.digest, 'two', 3_100), false);
  assert.equal(releases.take(offer.digest, undefined, 3_100), false);
  assert.equal(releases.take(offer.digest, 'one', 9_000), false);
});

test('a call that has been made is over, also where the next one has the same name', () => {
  const releases = createReleases(temporaryFolder('releases'));
  releases.offer(offer, 1_000);
  releases.release('ab12cd', 1_000);
  assert.equal(releases.take(offer.digest, 'session {"command":"rm -rf x"}', 1_000), true);
  releases.made('session {"command":"rm -rf x"}');
  assert.equal(releases.take(offer.digest, 'session {"command":"rm -rf x"}', 1_500), false);
  releases.made(undefined);
  releases.made('never asked');
});

test('a release counts for ten minutes', () => {
  const releases = createReleases(temporaryFolder('releases'));
  releases.offer(offer, 1_000);
  releases.release('ab12cd', 1_000);
  assert.equal(releases.take(offer.digest, 'one', 1_000 + 600_000), false);
});
