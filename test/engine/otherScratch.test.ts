import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { makeForetell } from '../byEachEngine.ts';

const { predicted, workspace } = makeForetell('scratch', 'supervision');
const isThere = fs.existsSync('/dev/shm');

test('the scratch of another launcher, which will be gone, is not among what a command finds', {
  skip: !isThere && 'no /dev/shm',
}, async () => {
  const cwd = workspace({ a: 'a' });
  const own = `/dev/shm/foretell-${process.geteuid?.()}-`;
  // One of a launcher is new, or locked. A folder of another kind has another name.
  const theirs = fs.mkdtempSync(own);
  const others = fs.mkdtempSync(`${own}other-`);
  try {
    const { files, ending, endingReason } = await predicted(`rm -r ${own}*; ls -A /dev/shm`, cwd, {
      PATH: '/usr/bin:/bin',
    });
    assert.equal(ending, 'done', endingReason);
    const told = files.filter(({ path }) => path === theirs || path === others);
    assert.deepEqual(
      told.map(({ path, change }) => ({ path, change })),
      [{ path: others, change: 'deleted' }],
    );
  } finally {
    fs.rmdirSync(theirs);
    fs.rmdirSync(others);
  }
});
