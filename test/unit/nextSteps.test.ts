import assert from 'node:assert/strict';
import test from 'node:test';
import { nextStepsOf } from '../../src/host/engine/nextSteps.ts';

test('wherever nothing can be rehearsed there is a next step, and imagining is offered as far as it can be', () => {
  const platforms = ['darwin', 'win32', 'linux', 'freebsd'] as const;
  for (const because of ['otherSystem', 'launcherMissing', 'confinement', undefined] as const) {
    for (const platform of platforms) {
      assert.ok(nextStepsOf(because, { platform, hasModel: false }).includes('connectModel'));
      assert.ok(nextStepsOf(because, { platform, hasModel: true }).includes('imagine'));
    }
  }
});

test('Windows leads to its Linux, other systems to what works there, a broken engine to its status', () => {
  const hasModel = false;
  assert.equal(nextStepsOf('otherSystem', { platform: 'win32', hasModel })[0], 'reopenInWsl');
  assert.deepEqual(nextStepsOf('otherSystem', { platform: 'darwin', hasModel }), ['connectModel', 'takeTour']);
  assert.equal(nextStepsOf('launcherMissing', { platform: 'linux', hasModel })[0], 'showStatus');
  assert.equal(nextStepsOf('confinement', { platform: 'linux', hasModel })[0], 'showStatus');
});
