import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWayBack } from '../../src/core/facts/recovery.ts';
import { type Outcome, outcomeOf } from './gitProject.ts';
import { run, throwAway } from './plainLooker.ts';

/** A repository without a remote, with two branches, and what a shell makes of it besides. */
function alone(more = ''): string {
  const base = throwAway();
  run(
    base,
    `set -e; git init -q -b main p; cd p; seq 9 > a; git add a; git commit -qm One; seq 12 > a; git commit -qam Two
git checkout -qb side; seq 3 > s; git add s; git commit -qm Side; git checkout -q main; ${more}`,
  );
  return base;
}

const inProject = (base: string, script: string) => outcomeOf(base, script, 'p');
const told = ({ commits }: Outcome) => commits.map(({ why, recoverable }) => `${why}: ${recoverable}`);
const everything = '3 commits in a repository without a remote: “Two”, “Side”, “One”: no';

test('commits go with the objects that they are made of, by whatever name these go', async () => {
  assert.deepEqual(told(await inProject(alone(), 'rm -rf .git/objects')), [everything]);
  assert.deepEqual(told(await inProject(alone(), 'rm -rf .git/objects .git/refs')), [everything]);
  assert.deepEqual(told(await inProject(alone(), 'rm -rf .git/objects/??')), [everything]);
  assert.deepEqual(told(await inProject(alone(), 'find .git/objects -type f -delete')), [everything]);
  assert.deepEqual(told(await inProject(alone('git gc -q'), 'rm -f .git/objects/pack/*.pack')), [everything]);
  assert.deepEqual(told(await inProject(alone('git gc -q'), 'rm -f .git/objects/pack/*.idx')), [everything]);
  assert.deepEqual(told(await inProject(alone('git gc -q'), 'rm -rf .git/objects/pack')), [everything]);
});

test('what branches need is not called unreachable', async () => {
  const one = await inProject(alone(), 'id=$(git rev-parse side); rm -f .git/objects/${id:0:2}/${id:2}');
  assert.deepEqual(told(one), ['1 commit in a repository without a remote: “Side”: no']);
  assert.ok(one.details.includes('removes 1 object that branches, tags or stashes need, 1 commit among them'));
  const tree = await inProject(alone(), "id=$(git rev-parse 'side^{tree}'); rm -f .git/objects/${id:0:2}/${id:2}");
  assert.deepEqual(told(tree), []);
  assert.ok(tree.details.includes('removes 1 object that branches, tags or stashes need'));
  const both = 'git branch -q -D side; git reflog expire --expire=now --all; git gc -q --prune=now';
  const gone = await inProject(alone('seq 4 > b; git add b'), both);
  assert.ok(gone.details.includes('removes 3 unreachable objects for good, 1 commit among them'), `${gone.details}`);
});

test('commits that a clone or a remote has come back from there', async () => {
  const base = alone();
  const mirrored = await inProject(base, 'git clone -q --mirror . ../copy.git && rm -rf .git/objects');
  assert.deepEqual(told(mirrored), [
    `the repository; every commit is in another one beside it: yes, from ${base}/copy.git (git clone)`,
  ]);
  const [loss] = mirrored.commits;
  assert.ok(loss && isWayBack(loss.recovery) && loss.recovery.command);
  run('/', loss.recovery.command.replaceAll(mirrored.pair.real, mirrored.pair.copy));
  assert.equal(run(mirrored.pair.copy, 'cd p; git log --format=%s; git status --porcelain -uno'), 'Two\nOne\n');
  const pushed = alone(`git init -q --bare .git/hub; git remote add origin /nowhere/hub; git push -q .git/hub --all
git fetch -q .git/hub 'refs/heads/*:refs/remotes/origin/*'`);
  assert.deepEqual(told(await inProject(pushed, 'rm -rf .git/objects')), [
    'the repository; every commit is on a remote: yes, from /nowhere/hub as of the last fetch (git clone)',
  ]);
});

test('names that go without git come back as long as git has what they stood at', async () => {
  for (const script of [
    'rm -rf .git/refs',
    'rm .git/HEAD',
    'rm -rf .git/refs .git/HEAD',
    'git pack-refs --all; rm -rf .git/refs .git/packed-refs',
  ]) {
    const outcome = await inProject(alone('seq 5 > a; git stash -q'), script);
    const ways = outcome.commits.map(({ recovery }) => (isWayBack(recovery) ? recovery.command : undefined));
    const mend = ways[0] ?? /(?:^|; )mended by (.+)$/m.exec(outcome.details.join('\n'))?.[1];
    assert.ok(mend, `${script}: ${outcome.details}`);
    run('/', mend.replaceAll(outcome.pair.real, outcome.pair.copy));
    assert.equal(
      run(outcome.pair.copy, 'cd p; git log --format=%s side; git stash list; git status --porcelain'),
      run(outcome.pair.real, 'cd p; git log --format=%s side; git stash list; git status --porcelain'),
      script,
    );
    assert.equal(run(outcome.pair.copy, 'cd p; git symbolic-ref HEAD'), 'refs/heads/main\n');
  }
});

test('a repository is broken as well where only empty folders go', async () => {
  const packed = 'seq 5 > a; git stash -q; git gc -q; git pack-refs --all';
  for (const script of [
    'find . -empty -delete',
    'find . -depth -type d -empty -exec rmdir {} \\;',
    'rm -rf .git/refs',
  ]) {
    const outcome = await inProject(alone(packed), script);
    assert.deepEqual(told(outcome), [], script);
    const mend = /(?:^|; )mended by (.+)$/m.exec(outcome.details.join('\n'))?.[1];
    assert.ok(mend, `${script}: ${outcome.details}`);
    assert.doesNotMatch(mend, /update-ref/);
    run('/', mend.replaceAll(outcome.pair.real, outcome.pair.copy));
    assert.equal(
      run(outcome.pair.copy, 'cd p; git log --format=%s side; git stash list; git status --porcelain'),
      run(outcome.pair.real, 'cd p; git log --format=%s side; git stash list; git status --porcelain'),
      script,
    );
  }
  const loose = await inProject(alone(), 'find . -empty -delete');
  assert.ok(!loose.details.some((detail) => detail.includes('cannot read')), `${loose.details}`);
});
