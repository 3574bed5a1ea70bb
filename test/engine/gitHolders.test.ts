import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWayBack } from '../../src/core/facts/recovery.ts';
import { type Outcome, outcomeOf } from './gitProject.ts';
import { run, throwAway } from './plainLooker.ts';

/** A repository without a remote, with two branches; what a shell makes of it besides. */
function alone(more = ''): string {
  const base = throwAway();
  run(
    base,
    `set -e; git init -q -b main p; cd p; seq 9 > a; git add a; git commit -qm One; seq 12 > a; git commit -qam Two
git branch side; git checkout -q side; seq 3 > s; git add s; git commit -qm Side; git checkout -q main
${more}`,
  );
  return base;
}

const told = ({ commits }: Outcome) => commits.map(({ path, why, recoverable }) => `${path}: ${why}: ${recoverable}`);
const isLost = ({ commits, files }: Outcome) =>
  [...commits, ...files.values()].some(({ recovery }) => !isWayBack(recovery));

/** Does what the prediction says, in the copy where the command has really run. */
function bringBack({ pair, commits }: Outcome): void {
  const [loss] = commits;
  const command = loss !== undefined && isWayBack(loss.recovery) ? loss.recovery.command : undefined;
  assert.ok(command, loss?.recoverable);
  run('/', command.replaceAll(pair.real, pair.copy));
}

test('a bundle that the action makes keeps the commits of a repository that goes', async () => {
  const base = alone();
  for (const script of [
    'git bundle create -q ../b --all && rm -rf .git',
    'git bundle create -q ../b main side; rm -rf .git',
    'git tag -a t -m x; git bundle create -q all.bundle main side && rm -rf .git',
    'git gc -q; git bundle create -q --version=3 ../b --all && mv ../b ../c && rm -rf .git',
    'git fast-export --all > ../b && rm -rf .git',
    'git fast-export --all | cat > export && rm -rf .git',
  ]) {
    const outcome = await outcomeOf(base, script, 'p');
    assert.ok(!isLost(outcome), `${script}\n${told(outcome).join('\n')}`);
    assert.match(outcome.commits[0]?.why ?? '', /^the repository; every commit is in a file that the action writes/);
    bringBack(outcome);
    assert.equal(run(outcome.pair.copy, 'cd p; git log --format=%s main'), 'Two\nOne\n', script);
    assert.equal(run(outcome.pair.copy, 'cd p; git status --porcelain a'), '', script);
  }
});

test('a bundle keeps the files of a project that goes as a whole, and the newest stash', async () => {
  const base = alone('seq 20 > a; git stash -q; seq 21 > a; git stash -q');
  const whole = await outcomeOf(base, 'git -C p bundle create -q ../b --all && rm -rf p');
  assert.deepEqual(
    whole.commits.map(({ path, recovery }) => [path.replace(base, ''), recovery.kind]),
    [
      ['/p/.git', 'file'],
      ['stash@{0}', 'file'],
      ['stash@{1}', 'none'],
    ],
  );
  assert.match(whole.files.get('p/a')?.recoverable ?? '', /^yes, from .*\/b, which holds it$/);
  const mirrored = await outcomeOf(base, 'git clone -q --mirror p m.git && rm -rf p');
  assert.match(mirrored.files.get('p/a')?.recoverable ?? '', /^yes, from .*\/m\.git \(git clone\)$/);
});

test('what is not whole in it, or is no bundle of these commits, is lost', async () => {
  const base = alone();
  for (const script of [
    'git bundle create -q ../b main && rm -rf .git',
    'git bundle create -q ../b --all ^main~1 && rm -rf .git',
    'git bundle create -q ../b --all && truncate -s -9 ../b && rm -rf .git',
    'git bundle create -q ../b --all && printf x | dd of=../b bs=1 seek=200 conv=notrunc status=none && rm -rf .git',
    'git bundle create -q ../b --all && rm -rf .git ../b',
    'git bundle create -q --filter=blob:none --version=3 ../b --all; rm -rf .git',
    'git fast-export main > ../b && rm -rf .git',
    'git fast-export --all | head -c 300 > ../b && rm -rf .git',
    'git fast-export --no-data --all > ../b && rm -rf .git',
    'git archive -o ../b.tar HEAD && rm -rf .git',
  ]) {
    const outcome = await outcomeOf(base, script, 'p');
    assert.ok(isLost(outcome), `${script}\n${told(outcome).join('\n')}`);
  }
  const part = await outcomeOf(base, 'git bundle create -q ../b main && rm -rf .git', 'p');
  assert.deepEqual(told(part).length, 1);
  assert.match(told(part)[0] ?? '', /1 commit in a repository without a remote: “Side”: no$/);
});

test('bundles that only together have all commits keep a repository that goes', async () => {
  const base = alone('seq 13 > a; git commit -qam Three');
  const script = 'git bundle create -q ../b main && git bundle create -q ../c side && rm -rf .git';
  const outcome = await outcomeOf(base, script, 'p');
  assert.ok(!isLost(outcome), told(outcome).join('\n'));
  assert.match(
    told(outcome)[0] ?? '',
    /every commit is in files that the action writes: yes, from .*\/b and .*\/c, which hold it together$/,
  );
  bringBack(outcome);
  assert.equal(run(outcome.pair.copy, 'cd p; git log --format=%s main side | sort'), 'One\nSide\nThree\nTwo\n');
  assert.equal(run(outcome.pair.copy, 'cd p; git status --porcelain a'), '');
});

test('a repository with more commits than are listed is looked for in its clones too', async () => {
  const many = `for i in $(seq 1200); do printf 'commit refs/heads/main\\ncommitter a <a@b> %d +0000\\ndata 1\\nx\\n' $((1700000000+i)); done | git fast-import --quiet --force; git reset -q --hard`;
  const base = alone(many);
  assert.ok(!isLost(await outcomeOf(base, 'git clone -q p c && rm -rf p/.git')));
  assert.ok(!isLost(await outcomeOf(base, 'git clone -q --mirror p m.git && rm -rf p/.git')));
  assert.ok(!isLost(await outcomeOf(base, 'git -C p bundle create -q ../b --all && rm -rf p/.git')));
  assert.ok(isLost(await outcomeOf(base, 'git clone -q --depth 1 file://$PWD/p c && rm -rf p/.git')));
  assert.ok(
    isLost(await outcomeOf(base, 'git clone -q p c && git -C p commit -q --allow-empty -m z; rm -rf p/.git c')),
  );
  run(`${base}/p`, 'git commit -q --allow-empty -m last');
  run(
    base,
    'git clone -q p beside; cd beside; git reset -q --hard HEAD~1; git update-ref -d refs/remotes/origin/main; git update-ref -d refs/remotes/origin/HEAD',
  );
  assert.ok(isLost(await outcomeOf(base, 'rm -rf p/.git')));
});

test('a clone that left contents with its origin holds nothing', async () => {
  const base = alone('git config uploadpack.allowFilter true');
  const script = 'git clone -q --no-checkout --filter=blob:none file://$PWD/p c && rm -rf p/.git';
  assert.ok(isLost(await outcomeOf(base, script)));
});

test('the way back of a repository in a folder that stays works there', async () => {
  const base = alone();
  const outcome = await outcomeOf(base, 'git clone -q p c && rm -rf p/.git');
  bringBack(outcome);
  assert.equal(run(outcome.pair.copy, 'cd p; git log --format=%s; git status --porcelain'), 'Two\nOne\n');
});

test('the commit that is named stands on the branch of the remote that is named', async () => {
  const base = throwAway();
  run(
    base,
    `set -e; git init -q --bare hub.git; git init -q -b main p; cd p; git remote add origin ../hub.git
seq 3 > a; seq 4 > b; git add .; git commit -qm One; git push -q origin main; git push -q origin main:aside
seq 5 > b; git commit -qam Two; git push -q -u origin main; seq 6 > c; git add c; git commit -qm Three`,
  );
  const { pair, files } = await outcomeOf(base, 'rm a b c', 'p');
  for (const name of ['a', 'b', 'c']) {
    const recoverable = files.get(`p/${name}`)?.recoverable ?? '';
    const [, commit = '', branch] =
      /^yes, from commit (\w+)(?: \(on (\S+) as of the last fetch\))?$/.exec(recoverable) ?? [];
    assert.equal(branch, name === 'c' ? undefined : 'origin/main', recoverable);
    if (branch) run(pair.real, `cd p; git merge-base --is-ancestor ${commit} ${branch}`);
    run(pair.real, `cd p; git diff --quiet ${commit} HEAD -- ${name}`);
  }
});
