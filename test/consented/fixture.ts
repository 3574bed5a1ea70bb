import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Identity, truthEnvironment } from '../truth/fixture.ts';
import type { Fixture } from '../truth/place.ts';
import { keepContent, type Pristine, pathBytes, readTree, restoreTree } from '../truth/tree.ts';
import { findTool, fixturesFolder, packageFolders, searchPath } from './tools.ts';

/** 2024-05-05 12:00:00 UTC: every file of the fixture is of this second. */
const baseTime = Date.UTC(2024, 4, 5, 12) / 1000;

const index = 'hooks/.git/index';

/** Projects of many ecosystems, each in a folder of its own; their packages are those of this project and of the suite. */
export const consentedFixture: Fixture = {
  project: 'web',
  environment: (root, identity) => ({
    ...truthEnvironment(root, identity),
    PATH: `${join(root, 'web/node_modules/.bin')}:${searchPath}`,
    GOCACHE: join(root, 'home/go-cache'),
    GOPROXY: 'off',
    GOFLAGS: '-mod=mod',
    // Whoever asks it has no answer, in a rehearsal and for real.
    npm_config_registry: 'https://registry.invalid/',
    npm_config_fetch_retries: '0',
  }),
  build(root, identity) {
    for (const folder of ['home', 'tmp']) mkdirSync(join(root, folder));
    writeFileSync(join(root, 'home/.gitconfig'), '[user]\n\tname = Tester\n\temail = tester@example.invalid\n');
    for (const name of readdirSync(fixturesFolder)) {
      if (!name.includes('.')) cpSync(join(fixturesFolder, name), join(root, name), { recursive: true });
    }
    run('bash', ['-c', 'chmod +x shell/{build,wait}.sh shell/top.pl service/scripts/*.sh perl/slug.pl'], { cwd: root });
    linkPackages(join(root, 'web/node_modules'));
    mkdirSync(join(root, 'mono/node_modules/@mono'), { recursive: true });
    for (const name of ['core', 'api'])
      symlinkSync(`../../packages/${name}`, join(root, 'mono/node_modules/@mono', name));
    run('chmod', ['-R', 'go=rX', root]);
    buildRepository(root, identity);
    if (process.getuid?.() === 0) run('chown', ['-hR', `${identity.uid}:${identity.gid}`, root]);
    warmGo(root, identity);
    for (const path of [...readTree(root).keys()].reverse()) lutimesSync(pathBytes(root, path), baseTime, baseTime);
    settle(root, identity);
  },
  restore(pristine, touched, identity) {
    if (touched.length === 0) return;
    restoreTree(pristine, touched);
    if (!touched.some((path) => path.startsWith('hooks'))) return;
    settle(pristine.root, identity);
    keepIndex(pristine);
  },
};

function run(program: string, words: readonly string[], options: Parameters<typeof execFileSync>[2] = {}): void {
  execFileSync(program, words, { stdio: 'pipe', ...options });
}

function credentials({ uid, gid }: Identity): { uid?: number; gid?: number } {
  return process.getuid?.() === 0 ? { uid, gid } : {};
}

/** As pnpm lays packages out: a folder of links, so that what tools keep beside them stays in the fixture. */
function linkPackages(folder: string): void {
  mkdirSync(join(folder, '.bin'), { recursive: true });
  for (const packages of packageFolders) {
    for (const name of ['typescript', 'esbuild', '@biomejs', 'eslint', 'jest', 'mocha', 'prettier', 'vitest']) {
      if (existsSync(join(packages, name)) && !existsSync(join(folder, name)))
        symlinkSync(join(packages, name), join(folder, name));
    }
    for (const name of ['tsc', 'esbuild', 'biome', 'eslint', 'jest', 'mocha', 'prettier', 'vitest']) {
      const [from, to] = [join(packages, '.bin', name), join(folder, '.bin', name)];
      if (existsSync(from) && !existsSync(to)) symlinkSync(from, to);
    }
  }
}

/** The repository with hooks: one commit, one file that is changed and one that is new, and a remote beside it. */
function buildRepository(root: string, identity: Identity): void {
  const script = `git init -q -b main --bare remote.git; cd hooks; chmod +x .husky/*
    git init -q -b main; git config core.hooksPath .husky; git remote add origin ../remote.git
    git add package.json clean.js check.js .husky; git commit -q --no-verify -m 'feat: first'; git push -q --no-verify origin main
    rm -f .git/made.log; echo 'debugger;' >> clean.js; git -c core.hooksPath=/dev/null commit -q --allow-empty -m 'feat: second'`;
  run('bash', ['-euc', script], { cwd: root, env: truthEnvironment(root, identity) });
}

/** What Go's own packages compile to, as it is on a machine on which Go was used. */
function warmGo(root: string, identity: Identity): void {
  if (!findTool('go', identity)) return;
  const env = { ...consentedFixture.environment(root, identity) };
  const script = 'go build -o /dev/null . && go vet ./... && go test -count=1 ./... > /dev/null';
  for (const folder of ['go', 'goapp'])
    run('bash', ['-euc', script], { cwd: join(root, folder), env, ...credentials(identity) });
}

/** Git's cached status of files is right, and younger than the files. */
function settle(root: string, identity: Identity): void {
  run('git', ['status', '--short'], {
    cwd: join(root, 'hooks'),
    env: truthEnvironment(root, identity),
    ...credentials(identity),
  });
  utimesSync(join(root, index), baseTime + 86_400, baseTime + 86_400);
  utimesSync(join(root, 'hooks/.git'), baseTime, baseTime);
}

function keepIndex(pristine: Pristine): void {
  keepContent(pristine, index);
  pristine.tree = readTree(pristine.root);
}
