import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outcomeOf } from './gitProject.ts';
import { run, throwAway } from './plainLooker.ts';

/** Uncommitted work that goes because a file goes back to what another commit than HEAD has of it. */

function threeVersions(): string {
  const base = throwAway();
  run(
    base,
    `set -e; git init -q -b main p; cd p; seq 35 > a.txt; git add -A; git commit -qm One; git branch old; seq 40 > a.txt; git commit -qam Two; seq 50 > a.txt`,
  );
  return `${base}/p`;
}

test('what goes back to another commit is thrown away as what goes back to HEAD is', async () => {
  const scripts = [
    'git reset -q --hard HEAD',
    'git reset -q --hard HEAD~1',
    'git restore --source=old a.txt',
    'git checkout -q old -- a.txt',
    'git checkout -qf old',
    'git read-tree -u --reset old',
  ];
  for (const script of scripts) {
    const { files } = await outcomeOf(threeVersions(), script);
    const { going, lines } = files.get('a.txt') ?? {};
    assert.deepEqual({ going, lines }, { going: 'replaced', lines: 10 }, script);
  }
});

test('an edit that the same command stages or commits stays an edit', async () => {
  for (const more of ['git add a.txt', 'git commit -qam Three']) {
    const { files } = await outcomeOf(threeVersions(), `sed -i 45d a.txt; ${more}`);
    assert.equal(files.get('a.txt')?.going, 'edited', more);
  }
});
