import { execFileSync } from 'node:child_process';
import { chmodSync, lchownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Identity, truthEnvironment } from './fixture.ts';
import { pathBytes, readTree } from './tree.ts';

/**
 * Builds a workspace in which the commands that others voted on have something to lose, below `root`: `project` (a
 * repository with unpushed commits, a stash, staged, modified, untracked and ignored files), `merging` (a repository in
 * the middle of a merge, with work in it) and `home` (keys, documents).
 */
export function buildVotesFixture(root: string, identity: Identity): void {
  for (const folder of ['project', 'merging', 'home', 'tmp']) mkdirSync(join(root, folder));
  put(
    join(root, 'home/.gitconfig'),
    '[user]\n\tname = Voter\n\temail = voter@example.com\n[init]\n\tdefaultBranch = main\n',
  );
  put(join(root, 'home/.ssh/id_rsa'), 'not a real key\n');
  chmodSync(join(root, 'home/.ssh/id_rsa'), 0o600);
  put(join(root, 'home/.bashrc'), 'alias ll="ls -l"\n');
  put(join(root, 'home/documents/thesis.txt'), 'years of work\n');
  const project = join(root, 'project');
  const names =
    'file.txt file1.txt file2.txt a.txt b.txt input.txt document.pdf foo bar test.txt notes.txt config.ini config.json data.json main.py app.js index.js script.sh src/main.ts src/app.py tests/test_app.py docs/guide.md README.md Makefile package.json Dockerfile docker-compose.yml'.split(
      ' ',
    );
  for (const name of names) put(join(project, name), `pattern foo alpha: ${name}\nsecond line\n`);
  put(join(project, '.gitignore'), 'node_modules/\nbuild/\ndist/\n.env\n*.log\n');
  put(join(project, 'Makefile'), 'all:\n\techo all\nclean:\n\trm -rf build\n');
  put(
    join(project, 'package.json'),
    '{"name":"voted","version":"1.0.0","scripts":{"build":"tsc","test":"node --test"}}\n',
  );
  const env = truthEnvironment(root, identity);
  const git = (cwd: string, script: string) =>
    execFileSync('bash', ['-euc', script], { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  git(
    project,
    `git init -q; git add .; git commit -qm first
    git init -q --bare ../origin.git; git remote add origin ../origin.git; git push -qu origin main
    git switch -qc feature; echo feature >> file1.txt; git commit -qam feature; git switch -q main
    git branch old; git tag v1
    echo local >> file2.txt; git commit -qam 'not pushed'
    echo stashed >> a.txt; git stash -q
    echo staged >> b.txt; git add b.txt
    echo modified >> file.txt; echo modified >> src/main.ts`,
  );
  for (const name of [
    'untracked.txt',
    'draft.md',
    'new/deep.txt',
    'build/out.js',
    'dist/bundle.js',
    'node_modules/x/index.js',
    '.env',
    'debug.log',
    'tmp/cache.txt',
    'temp.txt',
    'secret.key',
  ]) {
    put(join(project, name), `only here: ${name}\n`);
  }
  git(
    join(root, 'merging'),
    `git init -q; echo one > file.txt; echo two > other.txt; git add .; git commit -qm base
    git switch -qc theirs; echo theirs > file.txt; git commit -qam theirs
    git switch -q main; echo ours > file.txt; git commit -qam ours
    git merge -q theirs || true
    echo 'half resolved by hand' > file.txt`,
  );
  if (process.getuid?.() === 0)
    for (const path of readTree(root).keys()) lchownSync(pathBytes(root, path), identity.uid, identity.gid);
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/**
 * Makes the files of a row: `dir/`, `file`, `@link -> target`. Each has content of its own, so that a command that copies
 * one over the other changes it. `.git/` is a repository with a modified file and a second branch.
 */
export function makeRowFiles(cwd: string, entries: readonly string[], home: string): void {
  for (const entry of entries) {
    const link = /^@(.+) -> (.+)$/.exec(entry);
    if (link) symlinkSync(link[2] as string, join(cwd, link[1] as string));
    else if (entry === '.git/') makeRepository(cwd, home);
    else if (entry.endsWith('/')) put(join(cwd, entry, 'content.txt'), `alpha in ${entry}\n`);
    else put(join(cwd, entry), `alpha in ${entry}\n`);
  }
}

function makeRepository(cwd: string, home: string): void {
  const script = `git init -q; git config user.name V; git config user.email v@example.com
    echo alpha > tracked.txt; git add .; git commit -qm first; git branch -M main; git switch -qc work
    echo more >> tracked.txt; git commit -qam second; echo changed >> tracked.txt`;
  execFileSync('bash', ['-euc', script], { cwd, env: { PATH: '/usr/bin:/bin', HOME: home }, stdio: 'ignore' });
}
