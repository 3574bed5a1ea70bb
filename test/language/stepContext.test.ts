import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { createForetell } from '../../src/core/foretell.ts';
import { launcherPath } from '../../src/core/launcherPath.ts';
import { stepContext } from '../../src/core/trajectory/step/stepContext.ts';

test('the digest of a workspace is the same as long as nothing in it changes, but for the file it is written to', async () => {
  const workspace = fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-context-'));
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...words], { cwd: workspace, encoding: 'utf8' });
  const write = (name: string, text: string) => fs.writeFileSync(path.join(workspace, name), text);
  write('a.txt', 'one\n');
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'first');
  const foretell = createForetell({ launcher: launcherPath(path.resolve('dist')), spareLaunchers: 0 });
  try {
    const { signal } = new AbortController();
    const { looker } = foretell;
    const look = () => stepContext({ looker, workspace, cwd: workspace, ignores: 'rec.trajectory.jsonl', signal });
    const first = await look();
    assert.equal(first.commit, git('rev-parse', 'HEAD').trim());
    assert.equal((await look()).digest, first.digest);
    write('rec.trajectory.jsonl', 'a step\n');
    assert.equal((await look()).digest, first.digest);
    write('a.txt', 'two\n');
    const changed = await look();
    assert.notEqual(changed.digest, first.digest);
    write('b.txt', 'new\n');
    assert.notEqual((await look()).digest, changed.digest);
  } finally {
    await foretell.dispose();
    fs.rmSync(workspace, { recursive: true });
  }
});
