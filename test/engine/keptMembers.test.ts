import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { goingOf } from '../../src/core/loss/going.ts';

test('an archive is edited where most of what is in it stays, however it is packed', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-members-'));
  const run = (script: string) => execFileSync('bash', ['-c', script], { cwd: folder });
  try {
    run('seq 900 > most; seq 90 > some; seq 9 > few; tar cf a.tar most some few; cp a.tar b.tar; cp a.tar c.tar');
    run('tar --delete -f b.tar some; tar --delete -f c.tar most; zip -q a.zip most some few; cp a.zip b.zip');
    run('cp a.zip c.zip; zip -qd b.zip some; zip -qd c.zip most; seq 5 > few; cp a.zip d.zip; zip -q d.zip few');
    const going = (before: string, after: string) => {
      const [old, now] = [before, after].map((name) => fs.readFileSync(path.join(folder, name)));
      return old && now && goingOf(old, now, []);
    };
    for (const [before, after, expected] of [
      ['a.tar', 'b.tar', 'edited'],
      ['a.tar', 'c.tar', 'replaced'],
      ['a.zip', 'b.zip', 'edited'],
      ['a.zip', 'c.zip', 'replaced'],
      ['a.zip', 'd.zip', 'edited'],
      ['a.zip', 'a.tar', 'replaced'],
    ] as const)
      assert.equal(going(before, after), expected, `${before} ${after}`);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
});
