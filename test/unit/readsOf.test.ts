import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NamedPath } from '../../src/core/prediction/rehearsal.ts';
import { namesOwnTime, readsOf } from '../../src/core/worlds/confined/certainty/readsOf.ts';
import type { Listing } from '../../src/core/worlds/confined/wire/launcher.ts';
import { emptyRecord } from '../../src/core/worlds/confined/wire/runRecord.ts';

const startedAt = new Date('2026-11-30T12:00:00Z');
const named = (path: string, wasThere = false): NamedPath => {
  return { path, isOpened: true, isMoved: false, isLinked: false, isDisk: false, wasThere };
};
const record = emptyRecord();
const reading = { ...emptyRecord(), reads: { paths: [named('/w/a')], isComplete: true } };

test('what was read is that of the run in which it was written down', () => {
  assert.equal(readsOf({ record, other: reading }), reading.reads);
  assert.equal(readsOf({ record: reading, other: record }), reading.reads);
  assert.equal(readsOf({ record, other: record }), undefined);
});

test('a path that is made of the clock is another one in the run that is shown', () => {
  const runs = { record, other: reading };
  const isOfTime = (path: string, wasThere = false) => namesOwnTime(runs, [named(path, wasThere)], startedAt);
  // The clock of the other run is 25 hours ahead.
  const paths = ['/w/log-2026-12-01', '/w/20261201.txt', '/w/1.12.2026/a', '/w/01.12.2026/a', '/w/2026/12/01/x'];
  assert.deepEqual(
    paths.map((path) => isOfTime(path)),
    [true, true, false, true, true],
  );
  const seconds = Math.floor(startedAt.getTime() / 1000) + 90_061;
  assert.ok(isOfTime(`/tmp/run.${seconds}`));
  assert.ok(isOfTime(`/tmp/run.${seconds}123`));
  assert.ok(!isOfTime('/w/log-2026-11-30'));
  assert.ok(!isOfTime('/w/1234567890'));
  assert.ok(!namesOwnTime({ record: reading, other: record }, [named('/w/log-2026-12-01')], startedAt));
});

test('what the other run made is nothing that it read', () => {
  const otherListing = { changes: [{ path: '/w/log-2026-12-01' }] } as unknown as Listing;
  const runs = { record, other: reading, otherListing };
  assert.ok(!namesOwnTime(runs, [named('/w/log-2026-12-01')], startedAt));
  assert.ok(namesOwnTime(runs, [named('/w/log-2026-12-01', true)], startedAt));
});
