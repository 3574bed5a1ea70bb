import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownFolder } from '../../src/core/worlds/confined/shell/ownFolder.ts';

test('files of ours lie where the user may write', () => {
  assert.equal(
    ownFolder(() => true),
    '/dev/shm',
  );
  assert.equal(
    ownFolder((path) => path !== '/dev/shm'),
    '/tmp',
  );
  assert.equal(
    ownFolder(() => false),
    '/dev/shm',
  );
});
