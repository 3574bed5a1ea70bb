import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyPrediction } from '../../src/core/prediction/fold.ts';
import { forwardPushes } from '../../src/core/prediction/forwardPushes.ts';
import { inCopy, plainLooker, rehearse, run, throwAway } from './plainLooker.ts';

const base = throwAway();
run(
  base,
  `set -e; git init -q --bare o.git; git init -q -b main p; cd p; git remote add o ../o.git
seq 3 > a; git add a; git commit -qm one; git push -q -u o main; git push -q o main:old; git fetch -q o
seq 4 > a; git commit -qam two; git branch topic`,
);
const real = `${base}/p`;

/** Whether the push, after the script was really run in a copy, takes nothing away as far as was fetched. */
async function forwards(push: string[], script = 'true'): Promise<boolean> {
  const pair = rehearse(real, script);
  const prediction = emptyPrediction({ kind: 'command', script, shell: 'bash', cwd: real });
  prediction.programs.push({ id: 1, argv: push, cwd: real, basis: 'rehearsed' });
  const inView = plainLooker((place) => inCopy(pair, place));
  const found = await forwardPushes(prediction, {
    looker: plainLooker(),
    inView,
    signal: new AbortController().signal,
  });
  return found.length > 0;
}

test('a forced push of commits that only go on takes nothing away', async () => {
  for (const push of [
    'git push --force',
    'git push -f o',
    'git push --force o main',
    'git push -f o HEAD',
    'git push --force-with-lease -u o HEAD:main',
    'git push o +main',
    'git push -f o topic:main',
    'git push -f o main:refs/heads/old',
    `git -C ${base}/p push -f`,
  ])
    assert.ok(await forwards(push.split(' ')), push);
});

test('a push that drops commits, or of which nothing is known, is not one', async () => {
  for (const push of [
    'git push',
    'git push o main',
    'git push -f o main:unknown',
    'git push -f elsewhere main',
    'git push -f o HEAD~1~1:main',
    'git push -f --mirror o',
    'git push -f --prune o main',
    'git push -f o :main',
    'git push -f o --delete main',
    'git push -f --tags o',
    'git push -f o refs/heads/*:refs/heads/*',
    'git pull -f',
  ])
    assert.ok(!(await forwards(push.split(' '))), push);
});

test('commits of the same script count, as they will be', async () => {
  const push = ['git', 'push', '--force', 'o', 'main'];
  assert.ok(await forwards(push, 'git commit -q --amend -m new'));
  assert.ok(!(await forwards(push, 'git reset -q --hard HEAD~1; git commit -q --amend -m other')));
  assert.ok(await forwards(push, 'git push -q --force o main'));
  assert.ok(!(await forwards(push, 'git reset -q --hard HEAD~1; git commit -q --amend -m other; git push -qf o main')));
});
