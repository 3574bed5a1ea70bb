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

/** The command that is told; where several repositories are concerned, the one that it is for is told behind it. */
const mendOf = (detail = '') => /\((.*)\)(?: in \S+)?$/.exec(detail)?.[1] ?? 'exit 9';

/** Told of git, with the base folder as BASE; what is told to mend is tried, and then git finds all of it again. */
async function mended(script: string, more: string): Promise<string[]> {
  const base = throwAway();
  run(base, `set -e; git init -q -b main p; cd p; echo a > a; git add a; git commit -qm One; ${more}`);
  const { details } = await outcomeOf(base, script);
  const cut = details.filter((detail) => detail.startsWith('leaves'));
  run(base, script);
  for (const detail of cut) run(base, mendOf(detail));
  return cut.map((detail) => detail.replaceAll(base, 'BASE').replace(/ in \S+$/, ''));
}

const addSubmodule =
  'git init -q ../lib; git -C ../lib commit -q --allow-empty -m L; git -c protocol.file.allow=always submodule --quiet add ../lib sub/lib; git commit -qm S';

test('a repository that goes elsewhere leaves its submodules pointing to where it was', async () => {
  for (const script of ['cd p && git init -q --separate-git-dir ../p.git', 'mv p/.git p.git']) {
    const [told, ...others] = await mended(script, addSubmodule);
    assert.match(told ?? '', /^leaves submodule BASE\/p\/sub\/lib pointing to where the repository was \(/, script);
    assert.deepEqual(others, [], script);
  }
  // What goes as a whole keeps its relative pointers.
  assert.deepEqual(await mended('mv p q', addSubmodule), []);
});

test('the copy of a repository has the pointers of its submodules', async () => {
  const base = throwAway();
  const withBoth = `git worktree add -q ../linked -b side; ${addSubmodule}`;
  run(base, `set -e; git init -q -b main p; cd p; echo a > a; git add a; git commit -qm One; ${withBoth}`);
  const byHand = async (script: string) =>
    (await outcomeOf(base, script)).details.filter((detail) => detail.startsWith('changes 1 file of git')).length;
  assert.equal(await byHand('cp -r p copy'), 0);
  assert.equal(await byHand('cp -r p copy && rm -rf p'), 0);
  assert.equal(await byHand('rm p/sub/lib/.gi?'), 1);
  assert.equal(await byHand('mv p/sub/lib/.gi? p/sub/lib/kept'), 1);
  assert.equal(await byHand('mv linked/.gi? g'), 1);
});

test('a submodule that goes elsewhere while its repository stays is told, and not by git mv', async () => {
  for (const [script, to] of [
    ['mv sub/lib other', 'other'],
    ['mv sub/lib sub/lib2', 'sub/lib2'],
    ['mv sub sub2', 'sub2/lib'],
  ] as const) {
    const base = throwAway();
    run(base, `set -e; git init -q -b main p; cd p; echo a > a; git add a; git commit -qm One; ${addSubmodule}`);
    const { details } = await outcomeOf(`${base}/p`, script);
    const told = details.filter((detail) => detail.startsWith('moves submodule'));
    assert.equal(told.length, 1, script);
    assert.match(told[0] ?? '', new RegExp(`^moves submodule ${base}/p/sub/lib to ${base}/p/${to} without`), script);
    run(`${base}/p`, script);
    assert.match(run(`${base}/p`, `git -C ${to} status 2>&1; true`), /fatal/, script);
    run(base, /back by (.*)\)$/.exec(told[0] ?? '')?.[1] ?? 'exit 9');
    assert.equal(run(`${base}/p`, 'git status --porcelain; git -C sub/lib log --format=%s'), 'L\n', script);
  }
  const base = throwAway();
  run(base, `set -e; git init -q -b main p; cd p; echo a > a; git add a; git commit -qm One; ${addSubmodule}`);
  for (const script of ['git mv sub/lib other', 'mv ../p ../q'])
    assert.deepEqual(
      (await outcomeOf(`${base}/p`, script)).details.filter((one) => one.startsWith('moves submodule')),
      [],
      script,
    );
});

test('after the command that is told git finds submodules and worktrees again', async () => {
  const base = throwAway();
  run(base, `set -e; git init -q -b main p; cd p; echo a > a; git add a; git commit -qm One; ${addSubmodule}`);
  const script = 'cd p && git init -q --separate-git-dir ../p.git';
  const { details } = await outcomeOf(base, script);
  run(base, script);
  assert.match(run(base, 'git -C p status --porcelain 2>&1; git -C p/sub/lib log --format=%s 2>&1; true'), /fatal/);
  run(base, mendOf(details.find((one) => one.startsWith('leaves'))));
  assert.equal(run(base, 'git -C p status --porcelain; git -C p/sub/lib log --format=%s'), 'L\n');
});

test('a repository and its worktree that go elsewhere together do not find each other', async () => {
  const more = 'git worktree add -q ../linked -b side; git worktree add -q inside -b third';
  const told = await mended('mkdir box; mv p linked box', more);
  const command = 'git -C BASE/box/p worktree repair BASE/box/p/inside BASE/box/linked';
  assert.deepEqual(told, [
    `leaves worktrees BASE/box/p/inside, BASE/box/linked pointing to where the repository was (${command})`,
  ]);
  assert.deepEqual(await mended('mv p q', 'git worktree add -q inside -b third'), [
    'leaves worktree BASE/q/inside pointing to where the repository was (git -C BASE/q worktree repair BASE/q/inside)',
  ]);
  assert.deepEqual(await mended('mv linked elsewhere', more), []);
});

test('what only the index of a linked worktree had goes with the repository', async () => {
  const staged = 'seq 9 > ../linked/s; git -C ../linked add s; seq 3 > ../linked/s';
  const { real, linked } = withWorktree(staged);
  const base = linked.slice(0, -'/linked'.length);
  for (const script of ['rm -rf p/.git', 'git -C linked reset -q']) {
    const { commits } = await outcomeOf(base, script);
    const lost = commits.filter(({ because }) => because.kind === 'stagedVersion');
    assert.deepEqual(
      lost.map(({ path, lines }) => [path, lines]),
      [[`${linked}/s`, 6]],
      script,
    );
  }
  assert.ok(real);
});

test('what is no worktree any more, or was none, is not told', async () => {
  const told = async (script: string, more?: string) =>
    (await toldOf(script, more)).filter((detail) => detail.startsWith('leaves'));
  assert.deepEqual(await told('rm -rf .git', 'rm -rf ../linked'), []);
  assert.deepEqual(await told('rm -rf .git', 'rm ../linked/.git; git init -q ../linked'), []);
  assert.deepEqual(await told('git worktree remove ../linked'), []);
  assert.deepEqual(await told('git worktree remove ../linked; rm -rf .git'), []);
});
