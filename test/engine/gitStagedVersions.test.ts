import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWayBack } from '../../src/core/facts/recovery.ts';
import { type Outcome, outcomeOf } from './gitProject.ts';
import { run, throwAway } from './plainLooker.ts';

/** A repository in which only the index has one version of `a`: it was staged, then written anew. */
function staged(more = ''): string {
  const base = throwAway();
  run(base, `set -e; git init -q -b main; seq 20 > a; seq 5 > b; git add .; git commit -qm One; ${more}`);
  return base;
}

const another = 'seq 100 140 > a; git add a; seq 300 320 > a';
const dropped = ({ commits, pair }: Outcome) =>
  commits.flatMap(({ because, path, going, recovery }) =>
    because.kind === 'stagedVersion' ? [`${path.slice(pair.real.length + 1)} ${going} ${recovery.kind}`] : [],
  );

test('a version that only the index had, and that goes from there, is told', async () => {
  const base = staged(another);
  for (const script of [
    'git reset -q',
    'git reset -q a',
    'git restore --staged a',
    'git add a',
    'git commit -qam Two',
    'git rm -q --cached -f a',
    'git read-tree HEAD',
    'git update-index --force-remove a',
    'git checkout -q HEAD a',
    'git reset -q --hard',
  ])
    assert.deepEqual(dropped(await outcomeOf(base, script)), ['a replaced objectDatabase'], script);
  assert.deepEqual(dropped(await outcomeOf(base, 'rm .git/index')), ['a replaced objectDatabase']);
  assert.deepEqual(dropped(await outcomeOf(base, 'git reset -q; git prune')), ['a replaced none']);
  assert.deepEqual(dropped(await outcomeOf(base, 'rm -rf .git')), ['a replaced none']);
});

test('its way back puts the same version into the index again', async () => {
  for (const more of [another, `${another}; chmod +x a; git add --chmod=+x a; seq 400 420 > a`]) {
    const base = staged(more);
    const before = run(base, 'git ls-files -s; git diff --cached');
    const { commits, pair } = await outcomeOf(base, 'git reset -q');
    const way = commits.find(({ because }) => because.kind === 'stagedVersion')?.recovery;
    assert.ok(way && isWayBack(way) && way.command);
    run('/', way.command.replaceAll(pair.real, pair.copy));
    assert.equal(run(pair.copy, 'git ls-files -s; git diff --cached'), before);
  }
});

test('what is still in the file, in a commit, a stash or the index is not gone', async () => {
  for (const [more, script] of [
    [another, 'git status'],
    [another, 'git commit -qm Two'],
    [another, 'git stash -q'],
    [another, 'git add b; git commit -qm Two'],
    [another, 'git mv -f a c'],
    [another, 'git commit -qm Two; git reset -q --hard HEAD~1'],
    [`${another}; git stash -q; git stash apply -q --index`, 'git reset -q'],
    ['seq 100 140 > a; git add a', 'git reset -q'],
    ['seq 100 140 > a; git add a; seq 100 150 > a', 'git add a'],
    ['seq 100 140 > a; git add a; seq 100 150 > a', 'git reset -q'],
    ['seq 9 > a; git commit -qam Two; git checkout -q HEAD~1 -- a; seq 40 60 > a', 'git reset -q'],
    ['git config core.autocrlf input; printf "x\\r\\ny\\r\\n" > a; git add a 2>&1', 'git reset -q'],
    ['chmod +x a; git add a; seq 7 > a', 'git reset -q'],
    ['git add -N a; seq 7 > n; git add -N n', 'git reset -q'],
  ] as const)
    assert.deepEqual(dropped(await outcomeOf(staged(more), script)), [], `${more} | ${script}`);
});

test('an edited version is said to be edited, one without a file to be gone; so before the first commit', async () => {
  const edited = staged('seq 100 140 > a; git add a; sed -i 3s/1/x/ a');
  assert.deepEqual(dropped(await outcomeOf(edited, 'git add a')), ['a edited objectDatabase']);
  const alone = staged('seq 3 > "n w"; git add .; rm "n w"');
  assert.deepEqual(dropped(await outcomeOf(alone, 'git reset -q')), ['n w deleted objectDatabase']);
  const unborn = throwAway();
  run(unborn, 'git init -q; seq 100 140 > a; git add a; seq 300 320 > a');
  assert.deepEqual(dropped(await outcomeOf(unborn, 'git rm -q --cached -f a')), ['a replaced objectDatabase']);
  assert.deepEqual((await outcomeOf(unborn, 'git rm -q --cached -f a')).details, ['unstages 1 file']);
});
