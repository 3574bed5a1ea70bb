import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outcomeOf } from './gitProject.ts';
import { run, throwAway } from './plainLooker.ts';

/** Linked worktrees whose repository goes, or goes elsewhere. */

function withWorktree(more = 'true'): { real: string; linked: string } {
  const base = throwAway();
  run(
    base,
    `set -e; git init -q -b main p; cd p; echo a > a; git add a; git commit -qm One; git worktree add -q ../linked -b side; ${more}`,
  );
  return { real: `${base}/p`, linked: `${base}/linked` };
}

async function toldOf(script: string, more?: string) {
  const { real, linked } = withWorktree(more);
  const { details } = await outcomeOf(real, script);
  return details.map((detail) => detail.replaceAll(linked, 'LINKED').replaceAll(real, 'REAL'));
}

test('a repository that is deleted leaves its worktrees without one', async () => {
  assert.ok((await toldOf('rm -rf .git')).includes('leaves worktree LINKED without a repository'));
  const more = 'git worktree add -q ../linked2 -b third';
  assert.ok((await toldOf('rm -rf .git', more)).includes('leaves worktrees LINKED, LINKED2 without a repository'));
});

test('what is no worktree any more, or was none, is not told', async () => {
  const told = async (script: string, more?: string) =>
    (await toldOf(script, more)).filter((detail) => detail.startsWith('leaves'));
  assert.deepEqual(await told('rm -rf .git', 'rm -rf ../linked'), []);
  assert.deepEqual(await told('rm -rf .git', 'rm ../linked/.git; git init -q ../linked'), []);
  assert.deepEqual(await told('git worktree remove ../linked'), []);
  assert.deepEqual(await told('git worktree remove ../linked; rm -rf .git'), []);
});
