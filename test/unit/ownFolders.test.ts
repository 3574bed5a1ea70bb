import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import type { NamedPath } from '../../src/core/prediction/rehearsal.ts';
import { ownFoldersRead } from '../../src/core/worlds/confined/certainty/ownFolders.ts';
import { emptyRecord } from '../../src/core/worlds/confined/wire/runRecord.ts';

const named = (path: string, more: Partial<NamedPath> = {}): NamedPath => ({
  path,
  isOpened: false,
  isMoved: false,
  isLinked: false,
  isDisk: false,
  wasThere: false,
  ...more,
});
const doubts = (parts: string[], ...paths: NamedPath[]) =>
  ownFoldersRead({
    record: { ...emptyRecord(), parts },
    other: { ...emptyRecord(), reads: { paths, isComplete: true } },
  });
const [entry] = readdirSync('/run', { withFileTypes: true }).filter((one) => !one.isSocket());

test('what a view shows of its own /run is not claimed', { skip: !entry }, () => {
  const inRun = `/run/${entry?.name}`;
  assert.deepEqual(doubts(['/run'], named('/etc'), named('/run', { isOpened: true })), [
    { kind: 'readsMachine', path: '/run' },
  ]);
  assert.deepEqual(doubts(['/run'], named('/var/run/', { isOpened: true })).length, 1);
  assert.deepEqual(doubts(['/run'], named(inRun)), [{ kind: 'readsMachine', path: inRun }]);
  assert.deepEqual(doubts(['/run'], named(`/var${inRun}`)).length, 1);
});

test('what is not there either, what the command has made, and what no view hides is claimed', { skip: !entry }, () => {
  const inRun = `/run/${entry?.name}`;
  assert.deepEqual(doubts(['/run'], named('/run'), named('/run/none-of-that-name'), named('/runner')), []);
  assert.deepEqual(doubts(['/run'], named(inRun, { wasThere: true })), []);
  assert.deepEqual(doubts([], named('/run', { isOpened: true }), named(inRun)), []);
});
