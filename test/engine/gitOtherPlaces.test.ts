import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Loss } from '../../src/core/facts/loss.ts';
import { isWayBack } from '../../src/core/facts/recovery.ts';
import { outcomeOf } from './gitProject.ts';
import { run, throwAway } from './plainLooker.ts';

/** Ways back into a repository that is not the one in which the user stands, and what linked worktrees alone have. */

const made = `set -e; git init -q -b main p; cd p; mkdir docs; echo a > docs/a; printf '#!/bin/sh\\n' > run; chmod +x run
git add -A; git commit -qm One; git branch topic; git worktree add -q ../linked -b side
cd ../linked; echo b > b; git add b; git commit -qm OnSide; echo 'gitdir: ../p/.git/worktrees/linked' > .git; git checkout -q --detach; echo c > c; git add c; git commit -qm Detached; cd ../p
git checkout -q topic; echo t > t; git add t; git commit -qm OnTopic; git checkout -q main`;

function withWorktree(more = 'true'): string {
  const base = throwAway();
  run(base, `${made}; ${more}`);
  return base;
}

/** The ways back of a command, taken in the folder where it was typed, after it has run there. */
async function takenBack(base: string, script: string, folder: string): Promise<Map<string, string>> {
  const outcome = await outcomeOf(base, script, folder);
  const told = new Map<string, string>();
  const losses: Loss[] = [...outcome.files.values(), ...outcome.commits];
  for (const { path, recovery } of losses) {
    const command = isWayBack(recovery) ? recovery.command : undefined;
    if (command === undefined) continue;
    const there = command.replaceAll(base, outcome.pair.copy);
    run(`${outcome.pair.copy}/${folder}`, `{ ${there}; } 2>&1`);
    told.set(path.replace(`${base}/`, ''), there.replaceAll(outcome.pair.copy, 'BASE'));
  }
  return new Map([...told].map(([path, command]) => [path, command.replaceAll(/\b[0-9a-f]{10,40}\b/g, 'ID')]));
}

test('files of another repository come back from there', async () => {
  assert.deepEqual(
    [...(await takenBack(withWorktree(), 'rm ../linked/b', 'p'))],
    [['linked/b', 'git -C BASE/linked checkout ID -- BASE/linked/b']],
  );
  assert.deepEqual(
    [...(await takenBack(withWorktree(), 'rm p/docs/a', ''))],
    [['p/docs/a', 'git -C BASE/p checkout ID -- BASE/p/docs/a']],
  );
  assert.deepEqual(
    [...(await takenBack(withWorktree(), 'rm ../run', 'p/docs'))],
    [['p/run', 'git checkout ID -- BASE/p/run']],
  );
});

test('files of a worktree that goes come back from the objects of its repository', async () => {
  const told = await takenBack(withWorktree(), 'rm -rf ../linked', 'p');
  assert.equal(told.get('linked/b'), 'mkdir -p BASE/linked && git cat-file -p ID > BASE/linked/b');
  assert.equal(
    told.get('linked/run'),
    'mkdir -p BASE/linked && git cat-file -p ID > BASE/linked/run && chmod +x BASE/linked/run',
  );
});

test('commits of another repository are rescued there', async () => {
  assert.deepEqual(
    [...(await takenBack(withWorktree(), 'git -C p branch -D topic', ''))],
    [['topic', 'git -C BASE/p branch rescue ID']],
  );
  const stashed = withWorktree('echo more >> docs/a; git stash -q');
  assert.deepEqual(
    [...(await takenBack(stashed, 'git -C p stash drop', ''))],
    [['stash@{0}', 'git -C BASE/p stash apply ID']],
  );
});

test('a stash is applied also in a linked working tree and in a submodule', async () => {
  const linked = withWorktree('echo more >> docs/a; git stash -q');
  const { details } = await outcomeOf(linked, 'git -C linked stash pop -q', '');
  assert.match(details.join('\n'), /applies stash@\{0\} to the files and drops it/);
  const dropped = await outcomeOf(linked, 'git -C linked stash drop -q; echo x >> linked/docs/a', '');
  assert.match(dropped.details.join('\n'), /drops stash@\{0\}/);
  const sub = throwAway();
  run(
    sub,
    `git init -q s; cd s; seq 3 > a; git add a; git commit -qm s; cd ..; git init -q p; cd p
git -c protocol.file.allow=always submodule --quiet add ../s sub; git commit -qm sub; cd sub; echo x >> a; git stash -q`,
  );
  const inSubmodule = await outcomeOf(sub, 'git -C p/sub stash pop -q', '');
  assert.match(
    inSubmodule.details.join('\n'),
    /applies stash@\{0\} to the files and drops it .* in \S+\/p\/\.git\/modules\/sub$/,
  );
});

test('a detached HEAD of a linked worktree that leaves its commit loses that', async () => {
  for (const script of ['git switch -q side', 'git reset -q --hard side', 'git checkout -q HEAD~1']) {
    const base = withWorktree();
    const { commits, details } = await outcomeOf(base, `cd linked; ${script}`, '');
    assert.deepEqual(
      commits.map(({ path, why }) => [path, why]),
      [['worktrees/linked/HEAD', '1 commit on no other branch, tag or remote: “Detached”']],
      script,
    );
    assert.ok(!details.some((detail) => detail.startsWith('deletes')), details.join());
  }
  const { commits } = await outcomeOf(withWorktree(), 'cd linked; git branch kept; git switch -q side', '');
  assert.deepEqual(commits, []);
});

test('a HEAD that follows a branch again is not deleted', async () => {
  const { details } = await outcomeOf(withWorktree('git checkout -q --detach topic'), 'git switch -q main', 'p');
  assert.deepEqual(
    details.filter((detail) => detail.startsWith('deletes')),
    [],
  );
});

test('what only linked worktrees and notes have goes with the repository', async () => {
  const { commits } = await outcomeOf(withWorktree("git notes add -m 'A note'"), 'rm -rf p/.git', '');
  const [loss] = commits;
  assert.equal(loss?.commits?.count, 5);
});
