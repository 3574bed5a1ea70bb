import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { test } from 'node:test';
import type { Loss } from '../../src/core/facts/loss.ts';
import { isLostForGood } from '../../src/core/facts/recovery.ts';
import { analyseLoss } from '../../src/core/loss/analyseLoss.ts';
import { mayHaveRemoteNames } from '../../src/core/loss/git/remoteNames.ts';
import { historyFolderName } from '../../src/core/loss/recovery/localHistory.ts';
import type { Looker } from '../../src/core/view/view.ts';
import { withLossText } from '../../src/core/words/lossText.ts';
import { everyKind } from './lossFixture.ts';
import { inCopy, pairChanges, pairView, plainLooker, rehearse, run, throwAway } from './plainLooker.ts';

interface More {
  localHistoryFolders?: string[];
  unsavedPaths?: string[];
  looker?: Looker & { looks: string[][] };
}

async function lossOf(real: string, script: string, more: More = {}) {
  const pair = rehearse(real, script);
  const looker = more.looker ?? plainLooker();
  const found = await analyseLoss({
    files: pairChanges(pair),
    view: pairView(pair),
    looker,
    inView: plainLooker((place) => inCopy(pair, place)),
    ...(more.localHistoryFolders ? { localHistoryFolders: more.localHistoryFolders } : {}),
    ...(more.unsavedPaths ? { unsavedPaths: more.unsavedPaths } : {}),
    signal: new AbortController().signal,
  });
  const losses = found.map(withLossText);
  const byName = new Map(losses.map((loss) => [loss.path.slice(real.length + 1), loss]));
  return { losses, byName, looks: looker.looks.length };
}

function kind(loss: Loss | undefined): (string | number | undefined)[] {
  return [loss?.class, loss?.recoverable, loss?.lines];
}

function repository(script: string): string {
  const base = throwAway();
  run(base, `set -e; git init -q -b main p; cd p; ${script}`);
  return `${base}/p`;
}

const fixture = everyKind();

test('each kind of content is told apart when everything is deleted', async () => {
  const { byName, losses, looks } = await lossOf(
    fixture,
    'find . -mindepth 1 -maxdepth 1 ! -name .git -exec rm -rf {} +',
  );
  const classes = Object.fromEntries([...byName].map(([name, loss]) => [name, loss.class]));
  assert.deepEqual(classes, {
    '"quoted"': 'committed-pushed',
    '.env': 'ignored',
    '.gitignore': 'committed-pushed',
    'blob.bin': 'untracked',
    'both.txt': 'modified',
    'branch.txt': 'elsewhere-in-git',
    'dangling.txt': 'elsewhere-in-git',
    'data.sqlite': 'ignored',
    'debug.log': 'leftover',
    'dist/out.js': 'reproducible',
    link: 'committed-pushed',
    'local.txt': 'committed-local',
    'modified.txt': 'modified',
    'new\nline': 'committed-pushed',
    'node_modules/a/i.js': 'reproducible',
    'notes/deep/a': 'untracked',
    'package-lock.json': 'committed-pushed',
    'package.json': 'committed-pushed',
    'pushed.txt': 'committed-pushed',
    'raw\udcff': 'committed-pushed',
    'src/pushed.txt': 'modified',
    'staged.txt': 'index',
    'stashed.txt': 'elsewhere-in-git',
    'untracked.txt': 'untracked',
    'with space ': 'committed-pushed',
    ümlaut: 'committed-pushed',
  });
  assert.match(byName.get('stashed.txt')?.recoverable ?? '', /^yes, from stash@\{0\}$/);
  assert.match(byName.get('branch.txt')?.recoverable ?? '', /^yes, from branch topic$/);
  const files = losses.filter((loss) => isLostForGood(loss) && loss.class !== 'commits' && loss.class !== 'stash');
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
  assert.equal(files.length, 9);
  assert.equal(sum(files.map(({ sizeBytes }) => sizeBytes)), 981);
  assert.equal(sum(files.map(({ lines = 0 }) => lines)), 148);
  assert.ok(looks <= 7, `${looks} looks`);
});

test('few looks: none without destruction, two for what is clean, three for what is not', async () => {
  assert.equal(
    (await lossOf(fixture, 'echo new > new.txt; chmod 600 pushed.txt; mkdir d; echo x >> untracked.txt')).looks,
    0,
  );
  assert.equal((await lossOf(fixture, 'mv untracked.txt renamed.txt')).looks, 0);
  const pushed = repository(
    'git init -q --bare ../o.git; git remote add o ../o.git; seq 3 > a; git add a; git commit -qm a; git push -qu o main; seq 3 > b',
  );
  const fresh = await lossOf(pushed, 'rm a');
  // The settings of a repository are asked once.
  assert.equal(fresh.looks, 2);
  assert.equal((await lossOf(pushed, 'rm b')).looks, 3);
});

test('git is asked for names of remotes where it may have some, however it keeps them', async () => {
  const commits = 'seq 3 > a; git add a; git commit -qm a; seq 4 > b; git add b; git commit -qm b';
  const alone = await lossOf(repository(commits), 'rm a');
  assert.equal(alone.byName.get('a')?.class, 'committed-local');
  assert.equal(alone.looks, 2);
  const remote =
    'git init -q --bare ../o.git; git remote add o ../o.git; git push -q o main~1:refs/heads/main; git fetch -q o';
  for (const kept of ['', 'git pack-refs --all; rm -rf .git/refs/remotes']) {
    const pushed = await lossOf(repository(`${commits}; ${remote}; ${kept}`), 'rm a b');
    assert.equal(pushed.byName.get('a')?.class, 'committed-pushed', kept);
    assert.equal(pushed.byName.get('b')?.class, 'committed-local', kept);
  }
  const elsewhere = throwAway();
  run(elsewhere, 'mkdir refs reftable; echo "this repository uses the reftable format" > refs/heads');
  assert.ok(await mayHaveRemoteNames(elsewhere));
});

test('outside any repository: lost, unless a tool makes it again', async () => {
  const base = throwAway();
  run(
    base,
    'seq 5 > a; mkdir -p node_modules/x build sub/__pycache__; echo 1 > node_modules/x/y; echo {} > package.json; echo 1 > build/z; echo 1 > sub/m.py; echo 1 > sub/__pycache__/m.pyc',
  );
  const { byName } = await lossOf(base, 'rm -rf a node_modules build sub/__pycache__');
  assert.deepEqual(kind(byName.get('a')), ['outside-repository', 'no', 5]);
  assert.equal(byName.get('node_modules/x/y')?.class, 'reproducible');
  assert.equal(byName.get('sub/__pycache__/m.pyc')?.class, 'reproducible');
  // People write in folders called build, so without git's word it counts as work.
  assert.equal(byName.get('build/z')?.class, 'outside-repository');
});

test('beside files that nothing makes again, one that a tool makes is found all the same', async () => {
  const base = throwAway();
  run(base, 'mkdir p; for n in a b c; do echo 1 > p/$n; done; echo 1 > p/b.py; echo 1 > p/b.pyc');
  const { byName } = await lossOf(`${base}/p`, 'rm a b b.pyc c');
  assert.deepEqual(
    [...byName].map(([name, { class: kind }]) => [name, kind]),
    [
      ['a', 'outside-repository'],
      ['b', 'outside-repository'],
      ['b.pyc', 'reproducible'],
      ['c', 'outside-repository'],
    ],
  );
});

test('a file called .env is never reproducible, and node_modules is not when its manifest goes too', async () => {
  const real = repository(
    "printf '.env\\nnode_modules\\n' > .gitignore; git add .; git commit -qm x; echo S=1 > .env; echo flask > requirements.txt; mkdir node_modules; echo {} > package.json; echo 1 > node_modules/a",
  );
  const { byName } = await lossOf(real, 'rm -rf .env node_modules package.json');
  assert.deepEqual(kind(byName.get('.env')), ['ignored', 'no', 1]);
  assert.deepEqual(kind(byName.get('node_modules/a')), ['ignored', 'no', 1]);
  assert.equal((await lossOf(real, 'rm -rf node_modules')).byName.get('node_modules/a')?.class, 'reproducible');
});

test('a workspace behind a symbolic link, and a link inside the repository', async () => {
  const base = throwAway();
  run(
    base,
    'git init -q -b main p; ln -s p link; cd p; mkdir real; ln -s real inner; seq 3 > real/a; seq 4 > real/u; git add inner real/a; git commit -qm x',
  );
  const change = (path: string) =>
    ({ path, change: 'deleted', type: 'file', mode: '0644', sizeBytes: 6, volatile: false }) as const;
  const losses = await analyseLoss({
    files: [change(`${base}/link/real/a`), change(`${base}/link/inner/u`)],
    view: pairView({ real: base, copy: '/nonexistent' }),
    looker: plainLooker(),
    signal: new AbortController().signal,
  });
  assert.deepEqual(
    losses.map((loss) => [loss.path.slice(base.length), loss.class]),
    [
      ['/link/inner/u', 'untracked'],
      ['/link/real/a', 'committed-local'],
    ],
  );
});

test('before the first commit', async () => {
  const { byName } = await lossOf(repository('seq 3 > staged; git add staged; seq 4 > loose'), 'rm staged loose');
  assert.equal(byName.get('staged')?.class, 'index');
  assert.deepEqual(kind(byName.get('loose')), ['untracked', 'no', 4]);
});

test('nested repositories and submodules each answer for their own files', async () => {
  const base = throwAway();
  run(
    base,
    `set -e; git init -q -b main lib; (cd lib; seq 3 > l; git add l; git commit -qm l)
git init -q -b main p; cd p; printf 'vendor/\\n' > .gitignore; git add .; git commit -qm x
git -c protocol.file.allow=always submodule --quiet add ../lib sub; git commit -qm sub; seq 5 > sub/new
mkdir vendor; git clone -q ../lib vendor/lib; echo own >> vendor/lib/l
git init -q nested; (cd nested; seq 6 > n; git add n; git commit -qm n)`,
  );
  const { byName } = await lossOf(`${base}/p`, 'rm sub/l sub/new vendor/lib/l nested/n');
  assert.equal(byName.get('sub/l')?.class, 'committed-pushed');
  assert.deepEqual(kind(byName.get('sub/new')), ['untracked', 'no', 5]);
  assert.deepEqual(kind(byName.get('vendor/lib/l')), ['modified', 'no', 1]);
  assert.equal(byName.get('nested/n')?.class, 'committed-local');
  const all = await lossOf(base, 'rm -rf p');
  assert.equal(all.byName.get('p/sub/l')?.class, 'committed-pushed');
  const whole = await lossOf(`${base}/p`, 'rm -rf nested');
  assert.deepEqual(kind(whole.byName.get('nested/n')), ['committed-local', 'no', 6]);
});

test('a sparse checkout, a broken .git, a bare repository', async () => {
  const sparse = repository(
    'mkdir a b; seq 3 > a/x; seq 3 > b/y; git add .; git commit -qm x; git sparse-checkout set a; mkdir -p b; seq 9 > b/y',
  );
  const { byName } = await lossOf(sparse, 'rm a/x b/y');
  assert.equal(byName.get('a/x')?.class, 'committed-local');
  assert.deepEqual(kind(byName.get('b/y')), ['modified', 'no', 6]);

  const outer = repository('seq 3 > a; git add a; git commit -qm x; mkdir -p in/.git; seq 4 > in/b');
  assert.equal((await lossOf(outer, 'rm in/b')).byName.get('in/b')?.class, 'untracked');

  const base = throwAway();
  run(
    base,
    'git init -q --bare b.git; git init -q p; cd p; seq 3 > a; git add a; git commit -qm a; git push -q ../b.git HEAD:refs/heads/main',
  );
  assert.deepEqual((await lossOf(base, 'rm -rf b.git/objects b.git/refs/heads/main')).losses, []);
});

test('carriage returns that git takes away', async () => {
  const real = repository(
    "git config core.autocrlf true; printf 'a\\r\\nb\\r\\n' > t; git add t; git commit -qm t; touch -d '1 hour ago' t",
  );
  assert.equal((await lossOf(real, 'rm t')).byName.get('t')?.class, 'committed-local');
});

test('a repository with SHA-256', async () => {
  const base = throwAway();
  run(
    base,
    'git init -q --object-format=sha256 p; cd p; seq 3 > a; git add a; git commit -qm a; seq 4 > b; git hash-object -w b',
  );
  const { byName } = await lossOf(`${base}/p`, 'rm a b');
  assert.equal(byName.get('a')?.class, 'committed-local');
  assert.equal(byName.get('b')?.class, 'elsewhere-in-git');
});

test('nothing that the repository names is run', async () => {
  const base = throwAway();
  const trap = `${base}/trap`;
  const real = repository(
    `seq 3 > a; printf 'a filter=evil diff=evil\\n' > .gitattributes; git add .; git commit -qm x
for key in filter.evil.clean filter.evil.smudge filter.evil.process core.fsmonitor core.sshCommand diff.external diff.evil.command diff.evil.textconv core.pager pager.log gpg.program core.editor; do git config $key 'touch ${trap}; cat'; done
git config log.showSignature true; mkdir hooks; printf '#!/bin/sh\\ntouch ${trap}\\n' > hooks/post-index-change; chmod +x hooks/*; git config core.hooksPath hooks; seq 4 > a; seq 9 > u`,
  );
  fs.rmSync(trap, { force: true });
  const { byName } = await lossOf(real, 'rm a u');
  assert.equal(fs.existsSync(trap), false);
  // Only the filter could say what git would keep of it.
  assert.deepEqual(kind(byName.get('a')), ['unknown', 'not known', 4]);
});

test('git is not installed, or says no', async () => {
  const base = plainLooker();
  const looker: Looker & { looks: string[][] } = {
    looks: [],
    look: async (argv, options) =>
      argv[0] === 'sh'
        ? base.look(['/bin/sh', ...argv.slice(1)], { ...options, env: { ...options.env, PATH: '/nonexistent' } })
        : { exitCode: -1, stdout: new Uint8Array(), stderr: '' },
  };
  const real = repository('seq 3 > a; git add a; git commit -qm x');
  const { byName } = await lossOf(real, 'rm a', { looker });
  assert.deepEqual([byName.get('a')?.class, byName.get('a')?.recoverable], ['unknown', 'not known']);
  assert.match(byName.get('a')?.why ?? '', /git is not installed/);

  const broken = repository('seq 3 > a; git add a; git commit -qm x; echo "[core" >> .git/config');
  assert.match((await lossOf(broken, 'rm a')).byName.get('a')?.why ?? '', /git said “fatal: bad config/);
});

test('local history of VS Code, and an editor with unsaved changes', async () => {
  const real = repository('seq 20 > note.txt; seq 30 > old.txt; seq 5 > open.txt');
  const history = throwAway();
  const keep = (path: string, text: string) => {
    const address = `file://${path}`;
    const folder = `${history}/${historyFolderName(address)}`;
    fs.mkdirSync(folder);
    fs.writeFileSync(`${folder}/abcd.txt`, text);
    fs.writeFileSync(
      `${folder}/entries.json`,
      JSON.stringify({ version: 1, resource: address, entries: [{ id: 'abcd.txt', timestamp: 1700000000000 }] }),
    );
  };
  keep(`${real}/note.txt`, run(real, 'cat note.txt'));
  keep(`${real}/old.txt`, run(real, 'head -n 12 old.txt'));
  const { byName } = await lossOf(real, 'rm note.txt old.txt open.txt', {
    localHistoryFolders: [history, '/nonexistent'],
    unsavedPaths: [`${real}/open.txt`],
  });
  assert.deepEqual(kind(byName.get('note.txt')), [
    'local-history',
    'yes, from VS Code’s local history (saved 2023-11-14T22:13:20.000Z)',
    undefined,
  ]);
  assert.deepEqual(kind(byName.get('old.txt')), ['untracked', 'no', 18]);
  assert.equal(byName.get('open.txt')?.class, 'unsaved');
  // Known from microsoft/vscode's own hash.
  assert.equal(historyFolderName('file:///a'), expectedHash('file:///a'));
});

function expectedHash(text: string): string {
  let hash = BigInt(149417);
  for (const c of text) hash = BigInt.asIntN(32, hash * 31n + BigInt(c.charCodeAt(0)));
  return hash.toString(16);
}

test('large and binary files have no lines; a large file that git has is found', async () => {
  const real = repository(
    'seq 600000 > big; head -c 3000000 /dev/urandom > bin; seq 500000 > kept; git hash-object -w kept; seq 3 > small',
  );
  const { byName } = await lossOf(real, 'rm big bin kept small');
  assert.deepEqual(kind(byName.get('big')), ['untracked', 'no', undefined]);
  assert.deepEqual(kind(byName.get('bin')), ['untracked', 'no', undefined]);
  assert.equal(byName.get('kept')?.class, 'elsewhere-in-git');
  assert.deepEqual(kind(byName.get('small')), ['untracked', 'no', 3]);
});

for (const [git, setUp] of [
  ['loose objects', ''],
  ['packed objects', 'git gc -q;'],
  [
    'more objects than are listed',
    `seq 6000 | awk '{ text = "m " $1; printf "blob\\ndata %d\\n%s\\n", length(text), text }' | git fast-import --quiet;`,
  ],
] as const) {
  test(`many files that git never saw, and some that it has: ${git}`, async () => {
    const real = repository(
      `mkdir d; echo kept > kept; printf 'a\\r\\nb\\r\\n' > dos; git config core.autocrlf true; git add .; git commit -qm x
git hash-object -w --stdin <<< stored; ${setUp}
for i in $(seq 250); do echo "line $i" > d/$i; done; cp kept dos d; echo stored > d/stored`,
    );
    const { byName, losses } = await lossOf(real, 'rm -rf d');
    assert.equal(losses.length, 253);
    for (const name of ['d/kept', 'd/dos', 'd/stored']) assert.equal(byName.get(name)?.class, 'elsewhere-in-git', name);
    assert.deepEqual(kind(byName.get('d/7')), ['untracked', 'no', 1]);
  });
}

test('what exists only in an earlier prediction cannot be lost', async () => {
  const base = throwAway();
  const losses = await analyseLoss({
    files: [{ path: `${base}/never`, change: 'deleted', type: 'file', mode: '0644', sizeBytes: 3, volatile: false }],
    view: { read: async () => Buffer.from('abc'), close: async () => {} },
    looker: plainLooker(),
    signal: new AbortController().signal,
  });
  assert.deepEqual(losses, []);
});

test('several unpushed commits, no upstream, a remote that is behind', async () => {
  const base = throwAway();
  run(
    base,
    'git init -q --bare o.git; git init -q -b main p; cd p; git remote add o ../o.git; seq 3 > a; seq 3 > b; seq 3 > c; git add .; git commit -qm 1; git push -q o main; seq 4 > b; git commit -qam 2; seq 5 > b; seq 9 > c; git commit -qam 3; seq 3 > c; git commit -qam 4; git checkout -q -b other',
  );
  const { byName } = await lossOf(`${base}/p`, 'rm a b c');
  assert.equal(byName.get('a')?.class, 'committed-pushed');
  assert.equal(byName.get('b')?.class, 'committed-local');
  assert.equal(byName.get('c')?.class, 'committed-pushed');
});

test('of an edit, the lines that stand neither in git nor in the file any more are counted', async () => {
  const real = repository(
    `seq 10 > f; seq 10 > g; git add .; git commit -qm one; echo mine >> f; sed -i 5,7d g; printf 'own\\nmore\\n' >> g`,
  );
  const lines = async (script: string, name: string) => (await lossOf(real, script)).byName.get(name)?.lines;
  assert.equal(await lines('sed -i s/3/three/ f', 'f'), 0, 'git has the line that is changed');
  assert.equal(await lines('sed -i /mine/d f', 'f'), 1);
  assert.equal(await lines('sed -i s/more/less/ g', 'g'), 1);
  assert.equal(await lines('printf "own\\n" > g', 'g'), 1);
  const { byName } = await lossOf(real, 'git checkout -q -- f');
  assert.equal(byName.get('f')?.going, 'replaced', 'what goes back to the version of git is no edit');
});

test('what HEAD has under another path is no object that waits for a gc', async () => {
  const real = repository(
    'seq 9 > a; mkdir d; seq 5 > d/e; git add .; git commit -qm x; cp a copy; cp d/e "d/o ther"; seq 7 > own',
  );
  const ways = async (script: string) => {
    const { byName } = await lossOf(real, script);
    return Object.fromEntries([...byName].map(([name, { recoverable }]) => [name, recoverable.split(' (')[0]]));
  };
  assert.deepEqual(await ways('rm copy'), { copy: 'yes, from HEAD, as a' });
  assert.deepEqual(await ways('rm "d/o ther" own'), { 'd/o ther': 'yes, from HEAD, as d/e', own: 'no' });
  const gone = 'git rm -q a; git commit -qm y; rm copy';
  assert.match((await ways(gone))['copy'] ?? '', /next gc/);
});
