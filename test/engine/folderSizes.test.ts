import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import { test } from 'node:test';
import { foldAll } from '../../src/core/foretell.ts';
import { byEachEngine } from '../byEachEngine.ts';

/**
 * The size of a folder in which much was made is known to its file system alone: only what comes of that size is not certain.
 */

/** Others know such a size (tmpfs, Btrfs), or guess the smallest as well: statfs(2). */
const isExt = fs.statfsSync(os.tmpdir()).type === 0xef53;
const skip = !isExt && 'The folder for temporary files is not on ext4.';

const many = 'for i in $(seq 1 600); do > f$i; done';

byEachEngine('folderSizes', ({ foretell, folder, workspace }) => {
  const predict = async (script: string) => {
    const action = { kind: 'command', script, shell: 'bash', cwd: workspace({ a: 'a\n', 'big/b': 'b\n' }) } as const;
    const env = { PATH: '/usr/bin:/bin', HOME: folder };
    const { events, view } = foretell.predict({ action, env, signal: new AbortController().signal });
    const prediction = await foldAll(action, events);
    await view.close();
    return prediction;
  };
  const certain = ({ output }: Awaited<ReturnType<typeof predict>>) =>
    output.filter(({ volatile }) => !volatile).map(({ text }) => text);

  for (const [script, printed] of [
    [`${many}; ls | wc -l`, '602\n'],
    [`${many}; ls -a | tail -1`, 'f99\n'],
    [`${many}; stat -c '%a %F' .`, '755 directory\n'],
    [`${many}; find . -type f | wc -l`, '602\n'],
    [`${many}; [ $(stat -c %s .) -gt 900 ] && echo has`, 'has\n'],
    [`${many}; ls -l big`, undefined],
  ] as const) {
    test(`what no size decides is certain: ${script.replace(many, '…')}`, { skip }, async () => {
      const prediction = await predict(script);
      assert.equal(prediction.ending, 'done', prediction.endingReason);
      if (printed !== undefined) assert.equal(certain(prediction).join(''), printed);
    });
  }

  for (const script of [`${many}; stat -c %s .`, `${many}; du -s --apparent-size .`, `${many}; ls -ld .`])
    test(`the size itself is not: ${script.replace(many, '…')}`, { skip }, async () => {
      const prediction = await predict(script);
      assert.equal(prediction.ending, 'done', prediction.endingReason);
      assert.deepEqual(certain(prediction), []);
    });

  for (const script of [
    `${many}; find . -maxdepth 0 -size +9k`,
    `${many}; [ $(stat -c %s .) -gt 20000 ] && > made; true`,
    `${many}; [ $(stat -c %s .) -gt 20000 ]`,
  ])
    test(`what a size decides is open: ${script.replace(many, '…')}`, { skip }, async () => {
      assert.equal((await predict(script)).ending, 'abstained');
    });
});
