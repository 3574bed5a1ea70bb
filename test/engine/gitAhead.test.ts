import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { absentObjects } from '../../src/core/loss/git/absentObjects.ts';
import { repositoryFinder } from '../../src/core/loss/git/findRepositories.ts';
import { askStateAhead } from '../../src/core/loss/git/stateAhead.ts';
import { lostByWords } from '../../src/core/prediction/lostByWords.ts';
import { findStaticPrograms } from '../../src/core/programs/staticPrograms.ts';
import { commitAll, gitSettings } from '../gitSettings.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { plainLooker, run } from './plainLooker.ts';

// What is asked of git before it is known whether anybody wants to know, and what git need not be asked at all.

function repository(): string {
  const root = temporaryFolder('ahead');
  for (let at = 0; at < 30; at++) fs.writeFileSync(path.join(root, `f${at}`), `${at}\n`);
  commitAll(root);
  return root;
}

const git = (root: string, ...args: string[]) =>
  execFileSync('git', args, { cwd: root, env: { ...process.env, ...gitSettings }, encoding: 'utf8' });

const objectsOf = (root: string) =>
  git(root, 'cat-file', '--batch-all-objects', '--batch-check=%(objectname)').trim().split('\n');

const strangers = (count: number) =>
  Array.from({ length: count }, (_, at) => createHash('sha1').update(`${at}`).digest('hex'));

for (const count of [10, 500]) {
  test(`objects that git does not have: loose, packed, both, asked for ${count}`, () => {
    const root = repository();
    const folder = path.join(root, '.git');
    const check = () => {
      const here = objectsOf(root);
      assert.deepEqual([...absentObjects(folder, [...here, ...strangers(count)])], strangers(count));
    };
    check();
    git(root, 'repack', '-qad');
    check();
    fs.writeFileSync(path.join(root, 'more'), 'more\n');
    git(root, 'add', 'more');
    check();
  });
}

test('where only git can tell, none is said to be absent', () => {
  const asked = strangers(3);
  const cases: [string, (root: string) => void][] = [
    ['objects of others', (root) => fs.writeFileSync(path.join(root, '.git/objects/info/alternates'), '/nowhere\n')],
    ['a common index', (root) => git(root, 'multi-pack-index', 'write')],
    ['a pack without an index', (root) => rename(root, '.idx', '.kept')],
    ['an index that is cut', (root) => truncate(root)],
    [
      'a FIFO for an index',
      (root) => run(`${root}/.git/objects/pack`, 'rm -f *.idx; mkfifo $(ls *.pack | sed s/pack$/idx/)'),
    ],
    ['no folder of packs', (root) => fs.rmSync(path.join(root, '.git/objects/pack'), { recursive: true })],
  ];
  for (const [what, change] of cases) {
    const root = repository();
    git(root, 'repack', '-qad');
    assert.equal(absentObjects(path.join(root, '.git'), asked).size, 3, what);
    change(root);
    assert.equal(absentObjects(path.join(root, '.git'), asked).size, 0, what);
  }
  const sha256 = createHash('sha256').update('x').digest('hex');
  assert.equal(absentObjects(path.join(repository(), '.git'), [sha256]).size, 0);
});

function packFile(root: string, ending: string): string {
  const folder = path.join(root, '.git/objects/pack');
  return path.join(folder, fs.readdirSync(folder).find((name) => name.endsWith(ending)) ?? '');
}

function rename(root: string, from: string, to: string): void {
  fs.renameSync(packFile(root, from), packFile(root, from).replace(from, to));
}

function truncate(root: string): void {
  const file = packFile(root, '.idx');
  fs.chmodSync(file, 0o644);
  fs.truncateSync(file, 1200);
}

test('what was asked ahead answers for its paths alone', async () => {
  const root = repository();
  const { repository: found } = await repositoryFinder(new Set(), new Set()).place(root);
  assert.ok(found);
  const runner = { looker: plainLooker(), signal: new AbortController().signal };
  const paths = ['f1', 'f2'].map((name) => path.join(root, name));
  const ahead = askStateAhead(runner, paths);
  const state = await ahead.of(found, new Set([...paths].reverse()));
  assert.equal(state?.tracked('f1')?.id, git(root, 'rev-parse', 'HEAD:f1').trim());
  assert.ok(await ahead.of(found, new Set(paths.slice(1))));
  assert.equal(await ahead.of(found, new Set([...paths, path.join(root, 'f3')])), undefined);
  assert.equal(await ahead.of({ ...found, root: `${root}/other` }, new Set(paths)), undefined);
  const whole = await askStateAhead(runner, [root]).of(found, new Set([...paths, path.join(root, 'f3')]));
  assert.equal(whole?.tracked('f3')?.id, git(root, 'rev-parse', 'HEAD:f3').trim());
});

test('files that words destroy', () => {
  const root = repository();
  fs.mkdirSync(path.join(root, 'folder'));
  fs.symlinkSync('folder', path.join(root, 'link'));
  fs.writeFileSync(path.join(root, 'folder/inner'), 'x');
  fs.writeFileSync(path.join(root, 'empty'), '');
  const lost = (script: string) =>
    lostByWords(findStaticPrograms(script, { cwd: root, home: '/nonexistent', env: {} })).map((one) =>
      path.relative(root, one),
    );
  assert.deepEqual(lost('rm -f f1 f2 missing'), ['f1', 'f2']);
  assert.deepEqual(lost('rm -r folder && true'), ['folder']);
  assert.deepEqual(lost('rm link/inner'), ['folder/inner']);
  assert.deepEqual(lost("sed -i 's/1/2/' f1"), ['f1']);
  assert.deepEqual(lost('echo x > f1; echo y >> f2; cat < f3 > new'), ['f1']);
  assert.deepEqual(lost('mv f1 f2; cp f3 f4'), ['f2', 'f4']);
  assert.deepEqual(lost('mv -t folder f1; cp --target-directory=folder f3; mv f1 folder'), ['folder']);
  assert.deepEqual(lost('rm f1; git status; git diff f2'), ['f1']);
  assert.deepEqual(lost('rm f1; git clean -fd'), ['']);
  assert.deepEqual(lost('cd folder && git reset -q --hard'), ['']);
  assert.deepEqual(lost('rm f1; git add f2'), []);
  assert.deepEqual(lost('rm $(cat f1) *.txt empty; ls f1; cat f2'), []);
});

test('a worktree beside others, whose index is elsewhere, is no reason to ask ahead, nor to fail', () => {
  const root = repository();
  const beside = path.join(temporaryFolder('ahead-beside'), 'tree');
  git(root, 'worktree', 'add', '-q', '--detach', beside);
  const asked = (cwd: string) =>
    lostByWords(findStaticPrograms('git clean -fdx', { cwd, home: '/nonexistent', env: {} }));
  assert.deepEqual(asked(root), [fs.realpathSync(root)]);
  assert.deepEqual(asked(beside), []);
  assert.deepEqual(asked(path.join(root, 'f1', 'gone')), []);
});
