import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { findStaticPrograms } from '../../src/core/programs/staticPrograms.ts';
import { mayRefreshIndex } from '../../src/core/worlds/confined/racyIndex.ts';
import { gitSettings } from '../gitSettings.ts';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'racy-'));
after(() => fs.rmSync(root, { recursive: true }));

const env = { PATH: process.env['PATH'] ?? '', HOME: root, ...gitSettings };
const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, env });

/** Files of the given ages, in seconds before the index was written. */
function repository(name: string, ages: readonly number[]): string {
  const cwd = path.join(root, name);
  fs.mkdirSync(cwd);
  git(cwd, 'init', '-q');
  const written = 1_700_000_000;
  for (const [at, age] of ages.entries()) {
    const file = path.join(cwd, `${'long'.repeat(at)}name`);
    fs.writeFileSync(file, 'text\n');
    fs.utimesSync(file, written - age, written - age);
  }
  git(cwd, 'add', '.');
  fs.utimesSync(path.join(cwd, '.git/index'), written, written);
  return cwd;
}

const mayRefresh = (script: string, cwd: string) =>
  mayRefreshIndex(findStaticPrograms(script, { cwd, home: '/nonexistent', env: {} }), cwd);

const writes = (cwd: string) => {
  const index = path.join(cwd, '.git/index');
  const before = fs.statSync(index).mtimeMs;
  git(cwd, 'status');
  return fs.statSync(index).mtimeMs !== before;
};

test('git status writes an index that is no younger than its files, as git itself does', () => {
  for (const ages of [
    [5, 9, 60, 7],
    [5, 9, 0, 7, 60],
    [3, 0],
  ]) {
    const cwd = repository(ages.join('-'), ages);
    assert.equal(mayRefresh('git status --short', cwd), ages.includes(0), cwd);
    assert.equal(writes(cwd), ages.includes(0), cwd);
  }
});

test('what neither shows the working tree nor stands in a repository writes none', () => {
  const cwd = repository('others', [0]);
  assert.ok(mayRefresh('ls && git -c a.b=c diff', cwd));
  for (const script of ['git log', 'git show HEAD', 'cat status', 'echo git status'])
    assert.ok(!mayRefresh(script, cwd), script);
  assert.ok(!mayRefresh('git status', root));
});
