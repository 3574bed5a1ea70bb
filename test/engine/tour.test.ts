import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { createForetell } from '../../src/core/foretell.ts';
import { launcherPath } from '../../src/core/launcherPath.ts';
import { trajectoryText } from '../../src/core/trajectory/file/trajectoryFile.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { tourFiles } from '../trajectories/tour.ts';

test('the tour shows what the engine really sees in the sample project (UPDATE_GOLDEN=1 writes it anew)', async () => {
  const folder = path.join(temporaryFolder('tour'), 'harbour');
  const made = spawnSync(process.execPath, ['src/tools/sampleProject.mjs', folder], { encoding: 'utf8' });
  assert.equal(made.status, 0, made.stderr);
  const foretell = createForetell({ launcher: launcherPath(path.resolve('dist')) });
  try {
    const { steps, model } = await tourFiles(foretell, folder);
    const files = {
      'harbour.trajectory.jsonl': trajectoryText(steps),
      'model.json': `${JSON.stringify(model, undefined, 2)}\n`,
    };
    for (const [name, text] of Object.entries(files)) {
      const file = path.resolve('media/tour', name);
      if (process.env['UPDATE_GOLDEN']) {
        await mkdir(path.dirname(file), { recursive: true });
        await writeFile(file, text);
      }
      assert.equal(await readFile(file, 'utf8'), text);
    }
  } finally {
    await foretell.dispose();
  }
});
