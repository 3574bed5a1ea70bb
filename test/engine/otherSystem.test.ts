import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { createForetell, foldAll } from '../../src/core/foretell.ts';
import { launcherPath } from '../../src/core/launcherPath.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

/** What is said where no launcher can be started. */
async function predictedOn(options: { platform?: NodeJS.Platform; launcher: string }, script: string) {
  const folder = temporaryFolder('other-system');
  await mkdir(path.join(folder, 'notes'));
  await writeFile(path.join(folder, 'notes/today.md'), 'one\ntwo\n');
  const foretell = createForetell(options);
  try {
    const action = { kind: 'command' as const, script, shell: 'bash' as const, cwd: folder };
    const { signal } = new AbortController();
    const prediction = await foldAll(action, foretell.predict({ action, signal }).events);
    return { prediction, status: await foretell.status() };
  } finally {
    await foretell.dispose();
  }
}

for (const platform of ['darwin', 'win32', 'freebsd'] as const) {
  test(`on ${platform} nothing is rehearsed, and the words of a command still tell what it would lose`, async () => {
    const launcher = launcherPath('/opt/foretell/dist', platform);
    const { prediction, status } = await predictedOn({ platform, launcher }, 'rm -r notes');
    assert.deepEqual(prediction.failed, { kind: 'otherSystem', platform });
    assert.equal(prediction.verdict.level, 'danger');
    assert.deepEqual(
      prediction.loss.map((one) => path.basename(one.path)),
      ['today.md'],
    );
    assert.ok(prediction.files.every(({ basis }) => basis === 'assumed'));
    assert.equal(status.available, false);
    assert.equal(status.because, 'otherSystem');
    assert.equal(prediction.endingReason, status.sentence);
  });
}

test('a launcher that is missing is named, and is no accident that goes away by itself', async () => {
  const { prediction, status } = await predictedOn({ launcher: '/nowhere/confine' }, 'ls');
  assert.deepEqual(prediction.failed, { kind: 'launcherMissing', path: '/nowhere/confine' });
  assert.equal(status.because, 'launcherMissing');
  assert.match(prediction.endingReason ?? '', /install the extension again/);
});
