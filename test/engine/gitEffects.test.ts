import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bringBack, outcomeOf, project, subjectsOf } from './gitProject.ts';
import { run } from './plainLooker.ts';

test('git status: fresh times in the index are nothing, and nobody is asked', async () => {
  const real = project();
  const { details, commits, looks } = await outcomeOf(real, 'touch b.txt; git status');
  assert.deepEqual(details, []);
  assert.deepEqual(commits, []);
  assert.equal(looks, 0);
});

test('reset --hard HEAD~1: the commit and the uncommitted lines', async () => {
  const real = project("echo mine >> b.txt; sed -i '1d' a.txt; seq 3 > new.txt; git add new.txt");
  const outcome = await outcomeOf(real, 'git reset -q --hard HEAD~1');
  assert.match(outcome.details.join('\n'), /moves branch main from \w{10} to \w{10}: drops 1 commit \(“Third”\)/);
  assert.equal(outcome.commits.length, 1);
  assert.match(outcome.commits[0]?.recoverable ?? '', /^yes, from the reflog/);
  const modified = outcome.files.get('b.txt');
  assert.deepEqual([modified?.class, modified?.recoverable, modified?.lines], ['modified', 'no', 1]);
  assert.equal(outcome.files.get('new.txt')?.class, 'elsewhere-in-git');
  bringBack(outcome, outcome.commits[0]);
  assert.equal(subjectsOf(outcome, 'rescue'), 'Third, Second, First');
  const id = /cat-file -p (\w+)/.exec(outcome.files.get('new.txt')?.recoverable ?? '')?.[1];
  assert.equal(run(outcome.pair.copy, `git cat-file -p ${id}`), '1\n2\n3\n');
});

test('reset --hard to where the remote is: two commits, both in the reflog', async () => {
  const outcome = await outcomeOf(project('git branch -qD topic'), 'git reset -q --hard origin/main');
  assert.match(outcome.commits[0]?.why ?? '', /^2 commits on no other branch, tag or remote: “Third”, “Second”$/);
  bringBack(outcome, outcome.commits[0]);
  assert.equal(subjectsOf(outcome, 'rescue'), 'Third, Second, First');
});

test('clean -fdx: untracked and ignored files', async () => {
  const real = project(
    'seq 5 > note.txt; echo S=1 > .env; mkdir node_modules; echo x > node_modules/x; echo {} > package-lock.json; git add package-lock.json; git commit -qm lock',
  );
  const { files, details } = await outcomeOf(real, 'git clean -qfdx');
  assert.deepEqual(details, []);
  assert.deepEqual(
    [...files].map(([path, loss]) => [path, loss.class, loss.recoverable === 'no']),
    [
      ['.env', 'ignored', true],
      ['node_modules/x', 'reproducible', false],
      ['note.txt', 'untracked', true],
    ],
  );
});

test('checkout -- . and restore .: only uncommitted lines', async () => {
  for (const command of ['git checkout -q -- .', 'git restore .']) {
    const real = project("sed -i 's/^3$/three/' b.txt; rm a.txt");
    const { files, details } = await outcomeOf(real, command);
    assert.deepEqual(details, [], command);
    assert.deepEqual([...files.keys()], ['b.txt']);
    assert.equal(files.get('b.txt')?.lines, 1);
  }
});

test('switch to another branch: everything stays in git', async () => {
  const outcome = await outcomeOf(project(), 'git switch -q topic');
  assert.deepEqual(outcome.details, ['switches from main to topic']);
  assert.deepEqual(outcome.commits, []);
  assert.equal(outcome.files.get('a.txt')?.class, 'committed-local');
  assert.equal(run(outcome.pair.copy, 'git show main:a.txt'), run(outcome.pair.real, 'cat a.txt'));
});

test('switch that overwrites an ignored file', async () => {
  const real = project(
    "git checkout -q topic; git add -f --intent-to-add x 2>/dev/null || true; echo tracked > .env; git add -f .env; git commit -qm env; git checkout -q main; printf 'mine\\nalso\\n' > .env",
  );
  const { files } = await outcomeOf(real, 'git switch -q topic');
  const env = files.get('.env');
  assert.deepEqual([env?.class, env?.recoverable, env?.lines], ['ignored', 'no', 2]);
});

test('switch --detach, then a commit, then back: the commit is only in the reflog', async () => {
  const real = project("git switch -q --detach; echo x >> a.txt; git commit -qam 'Floating'");
  const outcome = await outcomeOf(real, 'git switch -q main 2>/dev/null');
  assert.match(outcome.details[0] ?? '', /^switches from the detached commit \w{10} to main$/);
  assert.match(outcome.commits[0]?.why ?? '', /^1 commit .*“Floating”$/);
  bringBack(outcome, outcome.commits[0]);
  assert.equal(subjectsOf(outcome, 'rescue'), 'Floating, Third, Second, First');
});

test('a detached HEAD: the commit is named where it was there before', async () => {
  const named = await outcomeOf(project(), 'git checkout -q HEAD~2');
  assert.match(named.details[0] ?? '', /^detaches HEAD from main at \w{10}$/);
  const made = await outcomeOf(project(), 'git commit -q --allow-empty -m New; git checkout -q --detach');
  assert.match(made.details.find((text) => text.startsWith('detaches')) ?? '', /^detaches HEAD from main$/);
});

test('stash: what is put there is not lost', async () => {
  const outcome = await outcomeOf(project('echo mine >> b.txt; seq 5 > note.txt'), 'git stash push -q -u -m Later');
  assert.deepEqual(outcome.details, ['puts changes into the stash (“On main: Later”)']);
  assert.deepEqual(
    [...outcome.files.values()].map((loss) => [loss.class, loss.recoverable]),
    [
      ['elsewhere-in-git', 'yes, from stash@{0}'],
      ['elsewhere-in-git', 'yes, from stash@{0}'],
    ],
  );
  run(outcome.pair.copy, 'git stash pop -q');
  assert.equal(run(outcome.pair.copy, 'tail -n 1 b.txt; cat note.txt'), 'mine\n1\n2\n3\n4\n5\n');
});

test('stash drop and stash clear: until the next gc', async () => {
  const more = 'echo one >> b.txt; git stash push -q -m One; echo two >> b.txt; git stash push -q -m Two';
  for (const [command, count] of [
    ['git stash drop -q stash@{1}', 1],
    ['git stash clear', 2],
  ] as const) {
    const outcome = await outcomeOf(project(more), command);
    assert.equal(outcome.commits.length, count, command);
    const loss = outcome.commits.at(-1);
    assert.deepEqual([loss?.class, loss?.path, loss?.why], ['stash', 'stash@{1}', 'stashed changes: “On main: One”']);
    bringBack(outcome, loss);
    assert.equal(run(outcome.pair.copy, 'tail -n 1 b.txt'), 'one\n');
  }
});

test('stash pop: applied, not lost', async () => {
  const outcome = await outcomeOf(project('echo one >> b.txt; git stash push -q -m One'), 'git stash pop -q');
  assert.deepEqual(outcome.details, ['applies stash@{0} to the files and drops it (“On main: One”)']);
  assert.deepEqual(outcome.commits, []);
});

test('a stash that is dropped is not applied, whatever else is written to its files', async () => {
  const stashed = 'echo one >> b.txt; git stash push -q -m One';
  const losing = [
    'git stash push -q -m Two && git stash drop -q stash@{1}',
    'git stash -q; git stash clear',
    'git checkout -q b.txt; git stash drop -q',
    'git reset -q --hard; git stash drop -q',
    'seq 3 > b.txt; git stash drop -q',
    'git stash drop -q; git checkout -q HEAD~1 -- b.txt',
    'git checkout -q b.txt; git stash pop -q; git checkout -q HEAD~1 -- b.txt',
    'rm b.txt; git stash drop -q',
  ];
  for (const script of losing) {
    const { details, commits } = await outcomeOf(project(`${stashed}; echo two >> b.txt`), script);
    assert.match(details.join('\n'), /drops stash@\{0\} \(“On main: One”\)/, script);
    assert.deepEqual(
      commits.filter((loss) => loss.class === 'stash').map((loss) => loss.path),
      ['stash@{0}'],
      script,
    );
  }
  const filter =
    "echo '*.txt filter=up' > .git/info/attributes; git config filter.up.clean 'tr A-Z a-z'; git config filter.up.smudge 'tr a-z A-Z'; touch -d 2020-01-01 *.txt; git checkout -q HEAD -- .";
  const filtered = await outcomeOf(
    project(`${filter}; ${stashed}; echo two >> b.txt`),
    'git stash push -q -m Two && git stash drop -q stash@{1}',
  );
  assert.match(filtered.details.join('\n'), /drops stash@\{0\} \(“On main: One”\)/);
  const applying: [string, string][] = [
    [`${filter}; ${stashed}`, 'git stash pop -q'],
    [`git config core.autocrlf true; rm b.txt; git checkout -q b.txt; ${stashed}`, 'git stash pop -q'],
    [
      `git config core.autocrlf true; rm b.txt; git checkout -q b.txt; ${stashed}`,
      "sed -i '1i top' b.txt; git commit -qam top; git stash pop -q",
    ],
    ["printf '\\0a' > c.txt; git stash push -q -m One", 'git stash pop -q'],
    [
      `${stashed}; echo three >> b.txt; git commit -qam three`,
      'git stash pop; git checkout -q --theirs b.txt; git stash drop -q',
    ],
    [stashed, 'git stash branch other'],
    [stashed, "sed -i '1i top' b.txt; git commit -qam top; git stash pop -q"],
    [stashed, 'git stash pop -q; echo more >> b.txt'],
    ["sed -i '$d' b.txt; git stash push -q -m One", 'git stash pop -q'],
    ['rm b.txt; git stash push -q -m One', 'git stash pop -q'],
    ['echo new > new.txt; echo one >> b.txt; git stash push -q -u -m One', 'git stash pop -q'],
    ['chmod +x b.txt; git stash push -q -m One', 'git stash pop -q'],
    ['ln -sf a.txt b.txt; git stash push -q -m One', 'git stash pop -q'],
  ];
  for (const [prepare, script] of applying) {
    const { details, commits } = await outcomeOf(project(prepare), script);
    assert.match(details.join('\n'), /applies stash@\{0\} to the files and drops it/, `${prepare}; ${script}`);
    assert.ok(commits.every((loss) => loss.class !== 'stash'));
  }
});

test('branch -D: commits on no other branch', async () => {
  const outcome = await outcomeOf(project(), 'git branch -qD topic');
  assert.match(
    outcome.details[0] ?? '',
    /^deletes branch topic \(was \w{10}, with 2 commits \(“Change a on topic”, “On topic”\) on nothing else\)$/,
  );
  assert.equal(outcome.commits[0]?.path, 'topic');
  assert.match(outcome.commits[0]?.recoverable ?? '', /^yes, from the reflog/);
  bringBack(outcome, outcome.commits[0]);
  assert.equal(subjectsOf(outcome, 'rescue'), 'Change a on topic, On topic, Second, First');
});

test('branch -d of a merged branch and deleting a tag: nothing is lost', async () => {
  const outcome = await outcomeOf(
    project('git branch done HEAD~1; git tag v1 HEAD~1'),
    'git branch -qd done; git tag -d v1',
  );
  assert.equal(outcome.details.length, 2);
  assert.deepEqual(outcome.commits, []);
});

test('branch -D of commits that were fetched, never checked out: no reflog keeps them', async () => {
  const real = project(
    "git branch -q side main; git update-ref refs/heads/side $(git commit-tree -p main -m 'Made aside' main^{tree})",
  );
  const outcome = await outcomeOf(real, 'git branch -qD side');
  assert.match(outcome.commits[0]?.recoverable ?? '', /^yes, from git’s object database until the next gc/);
  bringBack(outcome, outcome.commits[0]);
  assert.equal(subjectsOf(outcome, 'rescue -1'), 'Made aside');
});

test('push --force to a remote on this machine: the remote loses the commit', async () => {
  const base = project('git push -q origin main topic').replace(/\/project$/, '');
  const outcome = await outcomeOf(
    base,
    'git -C project reset -q --hard HEAD~1; git -C project push -q --force origin main',
  );
  const inOrigin = outcome.details.filter((detail) => detail.includes('origin.git'));
  assert.match(
    inOrigin.join('\n'),
    /moves branch main from \w{10} to \w{10}: drops 1 commit \(“Third”\) in .*origin\.git/,
  );
  assert.ok(outcome.commits.length >= 1);
});

test('merge with conflicts', async () => {
  const outcome = await outcomeOf(project(), 'git merge -q topic');
  assert.deepEqual(outcome.details.sort(), [
    'leaves 1 file with conflicts',
    'leaves a merge unfinished',
    'stages 1 file',
  ]);
  // Between the marks our lines are all there.
  assert.equal(outcome.files.get('a.txt'), undefined);
  assert.deepEqual(outcome.commits, []);
});

test('merge that works, merge --abort', async () => {
  const real = project(
    'git checkout -q -b other main; seq 3 > o.txt; git add o.txt; git commit -qm Other; git checkout -q main',
  );
  const merged = await outcomeOf(real, 'git merge -q --no-edit --no-ff other');
  assert.match(
    merged.details.join('\n'),
    /moves branch main from \w{10}: adds 2 commits \(“Merge branch 'other'”, “Other”\)/,
  );
  const half = project('git merge -q topic || true');
  const aborted = await outcomeOf(half, 'git merge --abort');
  assert.deepEqual(aborted.details.sort(), ['ends a merge', 'marks 1 conflict as resolved', 'unstages 1 file']);
});

test('rm -rf .git: commits on no remote, stashes', async () => {
  const outcome = await outcomeOf(project('echo one >> b.txt; git stash push -q -m One'), 'rm -rf .git');
  assert.match(outcome.details[0] ?? '', /^deletes the git repository in /);
  assert.deepEqual(
    outcome.commits.map((loss) => [loss.class, loss.recoverable]),
    [
      ['commits', 'no'],
      ['stash', 'no'],
    ],
  );
  assert.match(outcome.commits[0]?.why ?? '', /^4 commits on no remote: /);
  assert.equal(run(outcome.pair.copy, 'git log 2>/dev/null'), '');
});

test('rm -rf of a whole project: what is pushed comes back, the rest does not', async () => {
  const base = project('seq 5 > note.txt').replace(/\/project$/, '');
  const outcome = await outcomeOf(base, 'rm -rf project');
  const kinds = Object.fromEntries(
    [...outcome.files].map(([path, loss]) => [path.slice(8), [loss.class, loss.recoverable.slice(0, 16)]]),
  );
  assert.deepEqual(kinds, {
    '.gitignore': ['committed-pushed', 'yes, from commit'],
    'a.txt': ['committed-local', 'no'],
    'b.txt': ['committed-pushed', 'yes, from commit'],
    'c.txt': ['committed-local', 'no'],
    'note.txt': ['untracked', 'no'],
  });
  assert.equal(outcome.commits[0]?.recoverable, 'no');
  run(outcome.pair.copy, 'git clone -q origin.git again');
  assert.equal(run(outcome.pair.copy, 'ls -A again'), '.git\n.gitignore\na.txt\nb.txt\n');
});

test('rm -rf of a whole project: of a changed file the lines are gone that no remote has', async () => {
  const base = project('seq 21 > b.txt; seq 99 110 >> a.txt').replace(/\/project$/, '');
  const linesOf = async (script: string) => {
    const { files } = await outcomeOf(base, script);
    return ['a.txt', 'b.txt'].map((name) => files.get(`project/${name}`)?.lines);
  };
  assert.deepEqual(await linesOf('rm -rf project'), [24, 1]);
  run(`${base}/project`, 'git push -q origin main');
  assert.deepEqual(await linesOf('rm -rf project'), [12, 1]);
  assert.deepEqual(await linesOf('rm -rf project origin.git'), [24, 21]);
});

test('rm -rf of project and remote: nothing is pushed anywhere', async () => {
  const base = project().replace(/\/project$/, '');
  const outcome = await outcomeOf(base, 'rm -rf project origin.git');
  assert.ok([...outcome.files.values()].every((loss) => loss.class === 'committed-local' && loss.recoverable === 'no'));
});

test('a project that is moved loses nothing', async () => {
  const base = project('seq 5 > note.txt').replace(/\/project$/, '');
  const outcome = await outcomeOf(base, 'mv project elsewhere');
  assert.deepEqual(outcome.commits, []);
  assert.deepEqual([...outcome.files], []);
});

test('a repository that is moved out of its folder, or whose records are, is said to be', async () => {
  const place = (details: readonly string[], real: string) => details.map((text) => text.replaceAll(real, '…')).sort();
  for (const [script, ...expected] of [
    ['mv .git away', 'moves the git repository to …/away: … is no repository any more'],
    ['mv .git away && git init -q', 'moves the git repository to …/away: … is another repository then'],
    [
      'mv .git away && git init -q -b main && git add -A && git commit -qm New',
      'moves the git repository to …/away: … is another repository then',
    ],
    ['cp -r .git kept && git gc -q --prune=now', 'makes a git repository in …/kept', 'packs git’s objects in …'],
    ['mv p q', 'makes a git repository in …/q'],
    ['mv .git store && ln -s store .git'],
    ['git init -q --separate-git-dir=store'],
    ['mv .git/refs/heads/topic kept', 'deletes branch topic (was …'],
    ['mv .git/index kept', 'stages the removal of 4 files'],
    ['mv .git/hooks/pre-commit.sample .git/hooks/pre-commit', 'adds hook pre-commit, which git will run'],
  ] as const) {
    const real = project('git init -q p; git -C p commit -q --allow-empty -m Inner');
    const { details, commits } = await outcomeOf(real, script);
    const told = place(details, real).map((text) => text.replace(/ \(was .*/, ' (was …'));
    const mine = told.filter((text) => text !== 'makes a git repository in …/store');
    assert.deepEqual(mine, expected, script);
    if (!script.includes('refs')) assert.deepEqual(commits, [], script);
  }
});

test('the way back of what only git has makes links, programs and folders again', async () => {
  const real = project(
    'ln -s a.txt link; mkdir -p new/deep; echo 1 > new/deep/run.sh; chmod +x new/deep/run.sh; echo 2 > new/one',
  );
  const outcome = await outcomeOf(real, 'git stash -q -u && git stash drop -q');
  const list =
    "find link new -type l -printf '%p %l\\n' -o -type f -printf '%p %m\\n' | sort; cat new/deep/run.sh new/one";
  const before = run(real, list);
  for (const name of ['link', 'new/one', 'new/deep/run.sh']) {
    const { recovery } = outcome.files.get(name) ?? {};
    assert.equal(recovery?.kind, 'objectDatabase', name);
    run(outcome.pair.copy, (recovery.command ?? '').replaceAll(real, outcome.pair.copy));
  }
  assert.equal(run(outcome.pair.copy, list), before);
});

test('only commits that the action makes replace those that it drops', async () => {
  const reasonsOf = async (more: string, script: string) => {
    const { commits } = await outcomeOf(project(more), script);
    return commits.map(({ path, because }) => [
      path,
      because.kind === 'unreachable' ? because.replacedBy : because.kind,
    ]);
  };
  assert.deepEqual(await reasonsOf('', 'git branch -f topic main'), [['topic', 0]]);
  assert.deepEqual(await reasonsOf('git branch -D topic; git branch keep HEAD~1', 'git reset -q --hard keep'), [
    ['main', 0],
  ]);
  const ahead = `git clone -q ../origin.git ../other; cd ../other; echo o > o; git add o; git commit -qm Other; git push -q
cd ../project; git fetch -q; git branch -qD topic`;
  assert.deepEqual(await reasonsOf(ahead, 'git reset -q --hard origin/main'), [['main', 0]]);
  assert.deepEqual(await reasonsOf(ahead, 'git rebase -q origin/main'), [['main', 2]]);
  assert.deepEqual(await reasonsOf('', 'git commit -q --amend -m Again'), [['main', 1]]);
});

test('the settings of a branch go with it, and are not told by themselves', async () => {
  const renamed = await outcomeOf(project(), 'git branch -m main trunk');
  assert.deepEqual(renamed.details, ['switches from main to trunk', 'renames branch main to trunk']);
  const deleted = await outcomeOf(project('git push -q -u origin topic'), 'git branch -q -D topic');
  assert.match(deleted.details.join('\n'), /^deletes branch topic \(was \w+\)$/);
  const remote = await outcomeOf(project(), 'git remote remove origin');
  assert.match(remote.details.join('\n'), /removes setting branch\.main\.remote/);
});

test('a branch without any commit is said to have none', async () => {
  const { details } = await outcomeOf(project(), 'git symbolic-ref HEAD refs/heads/new');
  assert.deepEqual(details, ['switches from main to new (which has no commit)']);
});

test('what was fetched from a remote that is removed is still there', async () => {
  const ahead = `git clone -q ../origin.git ../other; cd ../other; echo o > o; git add o; git commit -qm Other; git push -q
cd ../project; git fetch -q; git reset -q --hard HEAD`;
  const { commits } = await outcomeOf(project(ahead), 'git remote remove origin');
  assert.deepEqual(
    commits.map(({ path, recoverable }) => [path, recoverable]),
    [['origin/main', 'yes, from ../origin.git as of the last fetch (git fetch)']],
  );
});

test('a repository whose commits a clone beside it has is not lost for good', async () => {
  const real = project(`git init -q --bare hub.git; git init -q a; cd a; seq 3 > x; git add x; git commit -qm One
git remote add origin ../hub.git; git push -q origin HEAD:refs/heads/main; git tag t; git push -q origin t; cd ..`);
  const clone = (where: string) => `yes, from ${real}/${where} (git clone)`;
  const all = async (script: string) => {
    const { commits } = await outcomeOf(real, script);
    return commits.map(({ recoverable }) => recoverable);
  };
  assert.deepEqual(await all('rm -rf hub.git'), [clone('a')]);
  assert.deepEqual(await all('rm -rf hub.git a'), ['no', 'no']);
  run(
    `${real}/a`,
    'seq 4 > x; git commit -qam Two; git push -q origin HEAD:refs/heads/main; git reset -q --hard HEAD~1',
  );
  run(`${real}/a`, 'git update-ref -d refs/remotes/origin/main');
  assert.deepEqual(await all('rm -rf hub.git'), ['no']);
});

test('what git shows in the place of an object is no new name like others', async () => {
  const real = project();
  const { details } = await outcomeOf(real, 'git replace HEAD HEAD~1');
  assert.equal(details.length, 1);
  assert.match(details[0] ?? '', /^shows another object in the place of \w{10} wherever git reads it$/);
});
