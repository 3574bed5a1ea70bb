import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  lchownSync,
  linkSync,
  lutimesSync,
  mkdirSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { projectBinaries, projectScripts, projectTexts } from './fixtureText.ts';
import { type BytePath, hashBytes, keepContent, type Pristine, pathBytes, readTree, restoreTree } from './tree.ts';

/** Who runs the commands: numbers of user and group, and the names that the environment carries. */
export interface Identity {
  name: 'user' | 'root';
  uid: number;
  gid: number;
  login: string;
}

/** Seconds since 1970 to which every fixture file's time is near: 2024-05-05 12:00:00 UTC. */
const baseTime = Date.UTC(2024, 4, 5, 12) / 1000;

/** Non-UTF-8 name: `caf\xe9.txt` in Latin-1. */
const latin1Name = Buffer.from('caf\xe9.txt', 'latin1');

/**
 * Builds the tree that truth commands run in, below `root` (which must exist and be empty):
 * `project` (about 600 files, a git repository), `remote.git` (its origin), `conflict` (a repository in the middle of a
 * merge), `tree` (a linked worktree), `home` and `tmp`.
 *
 * Deterministic: contents, modes, whole-second times and commit ids are the same every time.
 */
export function buildFixture(root: string, identity: Identity): void {
  const project = join(root, 'project');
  for (const folder of ['project', 'home', 'tmp']) mkdirSync(join(root, folder));
  writeFileSync(
    join(root, 'home/.gitconfig'),
    '[user]\n\tname = Truth Tester\n\temail = truth@example.com\n[init]\n\tdefaultBranch = main\n[alias]\n\tst = status --short\n\tlast = log -1 --format=%s\n\tcount = !git rev-list --count HEAD\n[advice]\n\tdetachedHead = false\n[pack]\n\tthreads = 1\n',
  );
  writeFileSync(join(root, 'home/notes.txt'), 'in the home directory\n');
  writeFileSync(join(root, 'home/.bash_history'), 'ls\ncd project\n');
  buildShared(root);
  for (const [path, text] of Object.entries(projectTexts())) write(join(project, path), text);
  for (const [path, text] of Object.entries(projectScripts)) write(join(project, path), text, 0o755);
  chmodSync(join(project, 'scripts/lib.sh'), 0o644);
  for (const [path, bytes] of Object.entries(projectBinaries())) write(join(project, path), bytes);
  chmodSync(join(project, 'lib/tool.py'), 0o755);
  writeFileSync(Buffer.concat([Buffer.from(`${project}/names/`), latin1Name]), 'latin1 name\n');
  mkdirSync(join(project, 'deep/empty'), { recursive: true });
  buildDatabase(project, truthEnvironment(root, identity));
  // Before git sees them: an index entry younger than its index would be "racy" forever.
  setTimes(root);
  buildHistory(root, identity);
  buildArchives(project, identity);
  buildLinks(project);
  buildPermissions(project);
  setTimes(root);
  if (process.getuid?.() === 0) giveAway(root, identity);
  settleIndexes(root, identity);
}

function write(path: string, content: string | Buffer, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content, { mode });
}

/** The environment of fixture building and of every command: fixed locale, time zone, dates and search path. */
export function truthEnvironment(root: string, identity: Identity): Record<string, string> {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: join(root, 'home'),
    TMPDIR: join(root, 'tmp'),
    USER: identity.login,
    LOGNAME: identity.login,
    SHELL: '/bin/bash',
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    EDITOR: 'true',
    GIT_AUTHOR_DATE: '2024-06-01T12:00:00+0000',
    GIT_COMMITTER_DATE: '2024-06-01T12:00:00+0000',
    GIT_CONFIG_NOSYSTEM: '1',
  };
}

/** Folders of somebody else, beside the project: one that everybody may write, and one where only owners may remove. */
function buildShared(root: string): void {
  for (const [folder, mode] of [
    ['shared', 0o777],
    ['shared-sticky', 0o1777],
  ] as const) {
    write(join(root, folder, 'theirs.txt'), 'belongs to somebody else\n');
    write(join(root, folder, 'theirs-writable.txt'), 'everybody may write this\n', 0o666);
    write(join(root, folder, 'mine.txt'), 'belongs to the user\n');
    chmodSync(join(root, folder, 'theirs-writable.txt'), 0o666);
    chmodSync(join(root, folder), mode);
  }
}

/** Runs a building step; `set -e`, so the first failing line is an error. */
function step(cwd: string, script: string, env: Record<string, string>): void {
  execFileSync('bash', ['-euc', script], { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
}

/** A small shop, where sqlite3 is installed. */
function buildDatabase(project: string, env: Record<string, string>): void {
  step(
    project,
    `command -v sqlite3 > /dev/null || exit 0
    sqlite3 data/shop.db "
      create table items(id integer primary key, name text not null, price real);
      create table customers(id integer primary key, name text, city text);
      create table orders(id integer primary key, item int, customer int, quantity int);
      insert into items values (1,'tea',3.5),(2,'coffee',6.25),(3,'cake',4.0),(4,'naïve café mug',12.9),(5,'spoon',null);
      insert into customers values (1,'Ada','London'),(2,'José','Madrid'),(3,'Yuki','Tōkyō');
      insert into orders(item,customer,quantity) values (1,1,2),(2,1,1),(3,2,5),(4,3,1),(1,3,7),(5,2,3);"`,
    env,
  );
}

/** History with three branches, tags, a stash, and staged, modified, untracked and ignored files. */
function buildHistory(root: string, identity: Identity): void {
  const env = truthEnvironment(root, identity);
  const commit = `commit() { GIT_AUTHOR_DATE="$2T10:00:00+0000" GIT_COMMITTER_DATE="$2T10:00:00+0000" git commit -q -m "$1"; }\n`;
  step(
    root,
    `${commit}
    git init -q --bare remote.git
    cd project
    git init -q
    git remote add origin ../remote.git
    git add README.md LICENSE .gitignore package.json
    commit 'Begin' 2024-01-01
    git tag v1.0.0
    git add src lib
    commit 'Add the sources' 2024-01-05
    git add docs scripts
    GIT_AUTHOR_NAME='Zoë Núñez' GIT_AUTHOR_EMAIL=zoe@example.com commit 'Document it

The guide has one page a step.

Refs: #12' 2024-01-09
    git switch -q -c feature
    printf '\\nexport const feature = true;\\n' >> src/main.ts
    echo 'feature notes' > docs/feature.md
    git add docs/feature.md src/main.ts
    commit 'Begin the feature' 2024-01-12
    git mv docs/faq.md docs/questions.md
    commit 'Rename the questions' 2024-01-13
    git switch -q main
    git switch -q -c experiment
    sed -i '1s/^/\\/\\/ experimental\\n/' src/main.ts
    git commit -q -am 'An experiment that conflicts'
    git switch -q main
    git add data text mk patches Makefile tsconfig.json .editorconfig
    commit 'Add data' 2024-02-01
    git tag -a v1.1.0 -m 'Version 1.1.0'
    git merge -q --no-ff -m 'Merge feature' feature
    git add tests many names deep bin
    commit 'Add tests and names' 2024-02-10
    git add -f text/keep.log
    git commit -q --allow-empty -m 'Keep a log'
    git rm -q --cached many/file-200.txt
    echo 'more' >> CHANGELOG.md
    git add CHANGELOG.md
    commit 'Changelog' 2024-03-01
    git push -q -u origin main feature
    git push -q --tags
    echo '- local work' >> CHANGELOG.md
    git commit -q -am 'Not pushed yet'
    git branch merged-topic HEAD~2
    git -c pack.threads=1 gc -q
    echo 'work in progress' >> README.md
    echo 'new and stashed' > stashed.txt
    git stash push -q -u -m 'half an idea' README.md stashed.txt
    sed -i 's/localhost/127.0.0.1/' data/config.ini
    echo 'int sub(int a, int b);' >> lib/math.h
    git rm -q lib/legacy.js
    echo 'staged new file' > src/staged.ts
    touch -d 2024-04-01 lib/math.h
    git add src/staged.ts lib/math.h
    echo 'modified after staging' >> lib/math.h
    echo 'unfinished' > src/untracked.ts
    mkdir drafts; echo 'draft one' > drafts/one.md; echo 'draft two' > drafts/two.md
    rm docs/api/style.css
    chmod 755 docs/guide.md
    git worktree add -q ../tree feature
    git config core.excludesFile /dev/null
    cd ..
    git init -q conflict
    cd conflict
    printf 'one\\ntwo\\nthree\\n' > file.txt; echo base > other.txt; git add .
    commit 'base' 2024-01-01
    git switch -q -c theirs; printf 'one\\nTHEIRS\\nthree\\n' > file.txt; git rm -q other.txt; git add -A
    commit 'theirs' 2024-01-02
    git switch -q main; printf 'one\\nOURS\\nthree\\n' > file.txt; echo changed > other.txt; git add -A
    commit 'ours' 2024-01-03
    git merge -q theirs || true
    `,
    env,
  );
}

/** Archives of every kind that Debian's base tools read; whole ones, a broken one and one with dangerous names. */
function buildArchives(project: string, identity: Identity): void {
  step(
    project,
    `mkdir archives
    find lib docs scripts -exec touch -h -d '2024-04-01 00:00:00 UTC' {} +
    t() { tar --sort=name --owner=0 --group=0 --numeric-owner --format=ustar "$@"; }
    t -cf archives/src.tar lib scripts
    t -cf - docs | gzip -n > archives/docs.tar.gz
    t -cf - lib | bzip2 > archives/lib.tar.bz2
    t -cf - lib | xz > archives/lib.tar.xz
    if command -v zstd > /dev/null; then t -cf - lib | zstd -q > archives/lib.tar.zst; fi
    gzip -nc data/users.csv > archives/users.csv.gz
    head -c 300 archives/docs.tar.gz > archives/broken.tar.gz
    tar -cPf archives/absolute.tar --owner=0 --group=0 --mtime='2024-04-01 UTC' --transform='s,^lib,../escape,' lib/math.h
    if command -v zip > /dev/null; then find docs lib | LC_ALL=C sort | zip -q -X archives/docs.zip -@; fi
    if command -v ar > /dev/null; then ar rcD archives/texts.a text/old.txt text/new.txt; fi
    echo 'not an archive' > archives/fake.zip
    gzip -nc logs/app.log.1 > logs/app.log.2.gz`,
    truthEnvironment(dirname(project), identity),
  );
}

function buildLinks(project: string): void {
  const links = join(project, 'links');
  mkdirSync(links);
  symlinkSync('../README.md', join(links, 'readme'));
  symlinkSync(join(project, 'LICENSE'), join(links, 'absolute'));
  symlinkSync('missing-target', join(links, 'broken'));
  symlinkSync('loop-b', join(links, 'loop-a'));
  symlinkSync('loop-a', join(links, 'loop-b'));
  symlinkSync('../docs', join(links, 'docs'));
  symlinkSync('docs', join(links, 'chain'));
  symlinkSync('..', join(links, 'up'));
  symlinkSync('with space', join(links, 'to space'));
  write(join(links, 'with space'), 'target with a space\n');
  write(join(links, 'hard1'), 'three names, one file\n');
  linkSync(join(links, 'hard1'), join(links, 'hard2'));
  linkSync(join(links, 'hard1'), join(links, 'hard3'));
  execFileSync('mkfifo', ['-m', '644', join(links, 'pipe')]);
}

function buildPermissions(project: string): void {
  const folder = join(project, 'perms');
  const files: Record<string, number> = {
    'readonly.txt': 0o444,
    'private.txt': 0o600,
    'none.txt': 0,
    'write-only.txt': 0o200,
    'exec-only.sh': 0o111,
    'group.txt': 0o664,
    'all.txt': 0o666,
    'script.sh': 0o755,
    'setuid.txt': 0o4755,
    'locked/inside.txt': 0o644,
    'closed/secret.txt': 0o644,
    'list-only/seen.txt': 0o644,
    'sticky/mine.txt': 0o644,
    'setgid/shared.txt': 0o664,
  };
  for (const [name, mode] of Object.entries(files)) {
    const text = name.endsWith('.sh') ? '#!/bin/sh\necho ran\n' : `${name}\n`;
    write(join(folder, name), text);
    chmodSync(join(folder, name), mode);
  }
  chmodSync(join(folder, 'locked'), 0o555);
  chmodSync(join(folder, 'closed'), 0);
  chmodSync(join(folder, 'list-only'), 0o444);
  chmodSync(join(folder, 'sticky'), 0o1777);
  chmodSync(join(folder, 'setgid'), 0o2775);
  if (process.getuid?.() === 0) {
    write(join(folder, 'foreign.txt'), 'belongs to somebody else\n');
    write(join(folder, 'foreign-private.txt'), 'nobody else reads this\n', 0o600);
    write(join(folder, 'foreign/file.txt'), 'in a foreign directory\n');
  }
}

const foreign = /^project\/perms\/foreign|^shared(?!.*\/mine)/;

/** Gives every file below `root` to the identity, but the foreign ones: they belong to root, or to 1234 when root runs. */
function giveAway(root: string, identity: Identity): void {
  for (const [path, node] of readTree(root)) {
    const isForeign = foreign.test(path);
    const owner = isForeign ? (identity.uid === 0 ? 1234 : 0) : identity.uid;
    const bytes = pathBytes(root, path);
    lchownSync(bytes, owner, isForeign ? owner : identity.gid);
    // chown(2) clears the set-user-id and set-group-id bits.
    if (node.type !== 'symlink') chmodSync(bytes, node.mode);
  }
}

/** Sets whole-second times that depend on the path alone, all before `baseTime`. */
function setTimes(root: string): void {
  for (const path of [...readTree(root).keys()].reverse()) {
    const age = Number.parseInt(hashBytes(Buffer.from(path)).slice(0, 6), 16) % 4_000_000;
    lutimesSync(pathBytes(root, path), baseTime - age, baseTime - age);
  }
}

/** The repositories of the fixture, below its root, each with the path of its index. */
const repositories: Readonly<Record<string, BytePath>> = {
  project: 'project/.git/index',
  conflict: 'conflict/.git/index',
  tree: 'project/.git/worktrees/tree/index',
};

/**
 * Makes git's cached file status right after files were made anew, so that `git status` has nothing to rewrite.
 * The index gets a time after all files, or git would think of races.
 */
export function settleIndexes(root: string, identity: Identity): void {
  const env = truthEnvironment(root, identity);
  const credentials = process.getuid?.() === 0 ? { uid: identity.uid, gid: identity.gid } : {};
  for (const [folder, index] of Object.entries(repositories)) {
    // Unlike `update-index --refresh`, it also writes what it learnt about files that are modified.
    spawnSync('git', ['status', '--short'], { cwd: join(root, folder), env, ...credentials });
    utimesSync(join(root, index), baseTime + 86_400, baseTime + 86_400);
    const directory = dirname(join(root, index));
    const age = 3_600;
    utimesSync(directory, baseTime - age, baseTime - age);
  }
}

/** Sets the fixture right again after a command touched these paths. */
export function restoreFixture(pristine: Pristine, touched: readonly BytePath[], identity: Identity): void {
  if (touched.length === 0) return;
  restoreTree(pristine, touched);
  const remade = touched.some((path) => pristine.tree.get(path)?.type === 'file');
  if (!remade) return;
  settleIndexes(pristine.root, identity);
  for (const index of Object.values(repositories)) keepContent(pristine, index);
  pristine.tree = readTree(pristine.root);
}
