// Every state of the built panel as a screen reader finds it. Apart from panel.test.mjs because it takes as long as all of that.
//   node src/tools/buildMedia.mjs && node --test test/panel/accessibility.test.mjs
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { findFaults } from './faults.mjs';
import { harnessOfTests, skip } from './page.mjs';

const harness = await harnessOfTests();

test('axe finds nothing serious in any state', { skip, timeout: 600_000 }, async () => {
  const themes = ['dark', 'light', 'hcDark', 'hcLight'];
  const files = await readdir(new URL('cases/', import.meta.url));
  for (const [index, file] of files.entries()) {
    // Each state in two themes and both shapes; `node test/panel/axe.mjs` looks at all of them in all.
    for (const [theme, width, height] of [
      [themes[index % 4], 1200, 260],
      [themes[(index + 1) % 4], 320, 900],
    ]) {
      assert.deepEqual(
        await findFaults(harness, { name: file.replace('.json', ''), theme, width, height }),
        [],
        `${file} ${theme}`,
      );
    }
  }
});
