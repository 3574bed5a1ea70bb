import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { bringBack, outcomeOf, project, subjectsOf } from './gitProject.ts';
import { run } from './plainLooker.ts';

test('commit, commit --amend, rebase', async () => {
  const real = project('echo x >> a.txt');
  const commit = await outcomeOf(real, "git commit -qam 'Fourth'");
  assert.match(commit.details.join('\n'), /^moves branch main from \w{10}: adds 1 commit \(“Fourth”\)$/);
  assert.deepEqual(commit.commits, []);

  const amend = await outcomeOf(real, "git commit -qa --amend -m 'Third again'");
  assert.match(amend.details.join('\n'), /drops 1 commit \(“Third”\), adds 1 commit \(“Third again”\)/);
  assert.match(
    amend.commits[0]?.why ?? '',
    /^1 commit on no other branch, tag or remote, replaced by 1 new one: “Third”$/,
  );
  bringBack(amend, amend.commits[0]);
  assert.equal(subjectsOf(amend, 'rescue'), 'Third, Second, First');

  const rebase = await outcomeOf(project('git switch -q topic'), 'git rebase -q -X theirs main');
  assert.match(rebase.details.join('\n'), /moves branch topic .*drops 2 commits .*adds 3 commits/);
  assert.match(rebase.commits[0]?.recoverable ?? '', /^yes, from the reflog/);
  bringBack(rebase, rebase.commits[0]);
  assert.equal(subjectsOf(rebase, 'rescue'), 'Change a on topic, On topic, Second, First');
});

test('rebase that stops in the middle', async () => {
  const { details } = await outcomeOf(project('git switch -q topic'), 'git rebase -q main');
  assert.ok(details.includes('leaves a rebase unfinished'), details.join('\n'));
  assert.ok(details.includes('leaves 1 file with conflicts'), details.join('\n'));
});

test('gc --prune=now: what no name and no reflog reaches is gone', async () => {
  const real = project(
    "seq 77 > d.txt; git hash-object -w d.txt; rm d.txt; git update-ref refs/heads/side $(git commit-tree -p main -m 'Made aside' main^{tree}); git branch -qD side",
  );
  const outcome = await outcomeOf(real, 'git gc -q --prune=now');
  assert.match(outcome.details.join('\n'), /removes 2 unreachable objects for good, 1 commit among them/);
  assert.deepEqual(outcome.commits, []);
  const harmless = await outcomeOf(project(), 'git gc -q');
  assert.deepEqual(harmless.details, ['packs git’s objects']);
});

test('reflog expire: commits that only the reflog kept', async () => {
  const real = project('git reset -q --hard HEAD~1');
  const outcome = await outcomeOf(real, 'git reflog expire --expire=now --expire-unreachable=now --all');
  assert.match(outcome.commits[0]?.why ?? '', /^1 commit that only the reflog kept: “Third”$/);
  assert.match(outcome.commits[0]?.recoverable ?? '', /^yes, from git’s object database/);
  const both = await outcomeOf(
    real,
    'git reflog expire --expire=now --expire-unreachable=now --all; git gc -q --prune=now',
  );
  assert.equal(both.commits[0]?.recoverable, 'no');
  assert.match(both.details.join('\n'), /for good, 1 commit among them/);
});

test('branch -D, reflog expire and gc at once: gone for good', async () => {
  const outcome = await outcomeOf(
    project(),
    'git branch -qD topic; git reflog expire --expire=now --expire-unreachable=now --all; git gc -q --prune=now',
  );
  const loss = outcome.commits.find((one) => one.path === 'topic');
  assert.equal(loss?.recoverable, 'no');
  assert.match(loss?.why ?? '', /^2 commits .*“Change a on topic”, “On topic”$/);
  const id = run(outcome.pair.real, 'git rev-parse topic').trim();
  assert.equal(run(outcome.pair.copy, `git cat-file -t ${id} 2>/dev/null`), '');
});

test('a repository that is begun anew loses what no remote has, and no more', async () => {
  const anew = 'rm -rf .git && git init -q && git add . && git commit -qm Fresh';
  const lossOf = async (more: string, script: string) => {
    const { commits } = await outcomeOf(dirname(project(more)), script, 'project');
    const ofProject = commits.filter(({ path }) => !path.endsWith('.git'));
    return ofProject.map(({ why, recovery }) => `${why}: ${recovery.kind}`).sort();
  };
  const on = 'on no other branch, tag or remote';
  assert.deepEqual(await lossOf('git push -q origin topic main', anew), [
    `2 commits ${on}: “Change a on topic”, “On topic”: remote`,
    `3 commits ${on}: “Third”, “Second”, “First”: remote`,
  ]);
  assert.deepEqual(await lossOf('', anew), [
    `1 commit ${on}: “First”: remote`,
    `2 commits ${on}: “Change a on topic”, “On topic”: none`,
    `2 commits ${on}: “Third”, “Second”: none`,
  ]);
  const gone = await lossOf('git push -q origin topic main', `${anew} && rm -rf ../origin.git`);
  assert.ok(gone.length > 0 && gone.every((loss) => loss.endsWith(': none')), gone.join('\n'));
});

test('the newest stash stays where only the log of stashes is emptied', async () => {
  const stashed = 'seq 5 >> a.txt; git stash -q; seq 6 >> a.txt; git stash -q';
  for (const script of [
    'git reflog expire --expire=now --all',
    'git reflog expire --expire=now --all && git gc -q --prune=now',
  ]) {
    const { commits, details, pair } = await outcomeOf(project(stashed), script);
    assert.deepEqual(
      commits.map(({ path }) => path),
      ['stash@{1}'],
      script,
    );
    assert.match(details.join('\n'), /drops stash@\{0\}.*\n.*drops stash@\{1\}/);
    assert.match(run(pair.copy, 'git stash apply 2>&1'), /modified: +a.txt/);
  }
});

test('a stored blob that the action prunes is not promised', async () => {
  const outcome = await outcomeOf(
    project('seq 90 > dangling.txt; git hash-object -w dangling.txt'),
    'rm dangling.txt; git gc -q --prune=now',
  );
  assert.deepEqual(
    [outcome.files.get('dangling.txt')?.class, outcome.files.get('dangling.txt')?.recoverable],
    ['untracked', 'no'],
  );
});

test('worktree remove: a detached commit of it', async () => {
  const base = project(
    "git worktree add -q --detach ../tree; cd ../tree; echo x > w.txt; git add w.txt; git commit -qm 'In the tree'",
  ).replace(/\/project$/, '');
  const outcome = await outcomeOf(base, 'git -C project worktree remove ../tree');
  assert.match(outcome.details.join('\n'), /removes worktree tree/);
  assert.match(outcome.commits[0]?.why ?? '', /^1 commit .*“In the tree”$/);
  assert.equal(outcome.files.get('tree/w.txt')?.class, 'committed-local');
});

test('a linked worktree: switching and staging there', async () => {
  const base = project('git worktree add -q ../tree -b tree').replace(/\/project$/, '');
  const outcome = await outcomeOf(base, 'cd tree; git switch -q -c tree2; echo y > y.txt; git add y.txt');
  assert.match(outcome.details.join('\n'), /switches from tree to tree2/);
  assert.match(outcome.details.join('\n'), /stages 1 file/);
});

test('submodule deinit -f: uncommitted work in the submodule', async () => {
  const real = project(
    'git init -q -b main ../lib; (cd ../lib; seq 4 > l.txt; git add -A; git commit -qm Lib); git -c protocol.file.allow=always submodule --quiet add ../lib lib; git commit -qm "Add lib"; echo work >> lib/l.txt; seq 3 > lib/own.txt',
  );
  const outcome = await outcomeOf(real, 'git submodule --quiet deinit -f lib');
  assert.match(outcome.details.join('\n'), /removes setting submodule\.lib\.url/);
  assert.deepEqual([outcome.files.get('lib/l.txt')?.class, outcome.files.get('lib/l.txt')?.lines], ['modified', 1]);
  assert.deepEqual(
    [outcome.files.get('lib/own.txt')?.class, outcome.files.get('lib/own.txt')?.lines],
    ['untracked', 3],
  );
});

test('add, reset, restore --staged', async () => {
  const real = project('echo x >> a.txt; echo y >> b.txt; git add b.txt');
  assert.deepEqual((await outcomeOf(real, 'git add a.txt')).details, ['stages 1 file']);
  assert.deepEqual((await outcomeOf(real, 'git reset -q')).details, ['unstages 1 file']);
});

test('settings, hooks and remotes', async () => {
  const { details } = await outcomeOf(
    project(),
    "git config core.hooksPath /tmp/hooks; git config user.nick x; git remote add up https://me:secret@example.org/x.git; git config alias.st '!curl evil'; printf '#!/bin/sh\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit",
  );
  assert.ok(
    details.some((detail) => /^sets core\.hookspath to “\/tmp\/hooks”: from then on git runs programs/.test(detail)),
  );
  assert.ok(details.some((detail) => /^sets alias\.st to “!curl evil”: from then on/.test(detail)));
  assert.ok(details.includes('sets user.nick to “x”'));
  assert.ok(details.includes('sets remote.up.url to “https://example.org/x.git”'));
  assert.ok(details.includes('adds hook pre-commit, which git will run'));
});

test('a hook that somebody wrote is work that git does not keep', async () => {
  const { files } = await outcomeOf(
    project("printf '#!/bin/sh\\ntrue\\n' > .git/hooks/pre-push"),
    'rm .git/hooks/pre-push',
  );
  const hook = files.get('.git/hooks/pre-push');
  assert.deepEqual([hook?.recoverable, hook?.lines], ['no', 2]);
});

test('init, clone, new branch and tag', async () => {
  const base = project().replace(/\/project$/, '');
  assert.match((await outcomeOf(base, 'git init -q fresh')).details[0] ?? '', /^makes a git repository in .*\/fresh$/);
  assert.match(
    (await outcomeOf(base, 'git clone -q project copy')).details[0] ?? '',
    /^makes a git repository in .*\/copy$/,
  );
  const { details, commits } = await outcomeOf(
    project(),
    "git switch -q -c new; echo x >> a.txt; git commit -qam 'New'; git tag v1 main",
  );
  assert.equal(details[0], 'switches from main to new');
  assert.ok(details.includes('creates branch new, with 1 commit (“New”)'), details.join('\n'));
  assert.match(details.join('\n'), /creates tag v1 at \w{10}/);
  assert.deepEqual(commits, []);
});

test('pack-refs only writes names elsewhere', async () => {
  const { details, commits } = await outcomeOf(project(), 'git pack-refs --all');
  assert.deepEqual([details, commits], [[], []]);
});

test('commit and delete in one command: the new commit keeps it', async () => {
  const outcome = await outcomeOf(
    project('seq 5 > note.txt'),
    'git add note.txt && git commit -qm Note && rm note.txt',
  );
  const note = outcome.files.get('note.txt');
  assert.deepEqual([note?.class, note?.recoverable], ['elsewhere-in-git', 'yes, from branch main']);
});

test('what an action stores in git is only as safe as what reaches it afterwards', async () => {
  const real = project('seq 7 >> b.txt; seq 50 60 > note.txt');
  const wayOf = async (script: string, file: string) => (await outcomeOf(real, script)).files.get(file)?.recovery.kind;
  for (const [script, file] of [
    ['git stash -q && git stash drop -q', 'b.txt'],
    ['git stash -q -u; git stash clear', 'note.txt'],
    ['git add note.txt; rm note.txt; git reset -q', 'note.txt'],
    ['git hash-object -w note.txt; rm note.txt', 'note.txt'],
    ['git commit -qam New; git reset -q --hard HEAD~1; git reflog expire --expire=now --all', 'b.txt'],
  ] as const)
    assert.equal(await wayOf(script, file), 'objectDatabase', script);
  for (const [script, file, way] of [
    ['git stash -q', 'b.txt', 'gitName'],
    ['git add note.txt; rm note.txt', 'note.txt', 'storedByAction'],
    ['git add note.txt; git commit -qm New; git rm -q note.txt; git commit -qm Gone', 'note.txt', 'storedByAction'],
    ['git commit -qam New; git reset -q --hard HEAD~1', 'b.txt', 'storedByAction'],
    ['git tag kept $(git stash create); git checkout -q b.txt', 'b.txt', 'gitName'],
  ] as const)
    assert.equal(await wayOf(script, file), way, script);
});
