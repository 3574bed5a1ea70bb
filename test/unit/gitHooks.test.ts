import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { findStaticPrograms } from '../../src/core/programs/staticPrograms.ts';
import { mayRunHooks } from '../../src/core/worlds/confined/gitHooks.ts';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'hooks-'));
after(() => fs.rmSync(root, { recursive: true }));

function repository(name: string, config: string, hooks: readonly string[]): string {
  const git = path.join(root, name, '.git');
  fs.mkdirSync(path.join(git, 'hooks'), { recursive: true });
  fs.mkdirSync(path.join(root, name, 'src'));
  fs.writeFileSync(path.join(git, 'config'), config);
  for (const hook of hooks) fs.writeFileSync(path.join(git, 'hooks', hook), '');
  return path.join(root, name);
}

const mayRun = (script: string, cwd: string) =>
  mayRunHooks(findStaticPrograms(script, { cwd, home: '/nonexistent', env: {} }), cwd);

test('git may run the hooks of the repository where the command is, and those that its settings name', () => {
  const hooked = repository('hooked', '[core]\n\tbare = false\n', ['pre-commit', 'pre-push.sample']);
  const named = repository('named', '[core]\n\thooksPath = .husky\n', []);
  for (const script of ['git commit -qm x', 'ls && git -c a.b=c push', `cd / && cd ${hooked} && git merge x`])
    assert.ok(mayRun(script, hooked), script);
  assert.ok(mayRun('git commit', path.join(hooked, 'src')));
  assert.ok(mayRun('git -C . commit', named));
});

test('git runs no hooks where there are none, or where it only looks', () => {
  const bare = repository('bare', '[core]\n\tbare = false\n', ['pre-commit.sample']);
  const hooked = repository('other', '', ['pre-commit']);
  assert.ok(!mayRun('git commit -m x', bare));
  for (const script of ['git status', 'git log', 'git --version', 'git -C commit', 'commit', 'rm a'])
    assert.ok(!mayRun(script, hooked), script);
  assert.ok(!mayRun('git commit', path.join(root, 'nowhere')));
});
