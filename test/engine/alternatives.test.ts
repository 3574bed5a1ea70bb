import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { CommandAction } from '../../src/core/action/action.ts';
import { alternativesIn, compareAlternatives } from '../../src/core/alternatives/compareAlternatives.ts';
import { proveSafer } from '../../src/core/alternatives/proveSafer.ts';
import { foldAll } from '../../src/core/foretell.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

const { foretell, folder, workspace } = throwAwayForetell('alternatives');
const home = path.join(folder, 'home');
fs.mkdirSync(home);
fs.writeFileSync(path.join(home, '.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.com\n');
const env = { PATH: '/usr/bin:/bin', HOME: home };
const signal = new AbortController().signal;
const place = { home, stamp: 'then' };

/** A repository with work that no commit has. */
function repository(): string {
  const cwd = workspace({ 'kept.txt': 'one\n', 'src/main.c': 'int main() {}\n', 'notes.md': 'only here\n' });
  const git = (script: string) => execFileSync('bash', ['-ec', script], { cwd, env, stdio: 'ignore' });
  git('git init -qb main; git add kept.txt src; git commit -qm first; git branch topic');
  git('git switch -q topic; echo two >> kept.txt; git commit -qam "only on topic"; git switch -q main');
  git('echo changed >> kept.txt; echo staged >> src/main.c; git add src; echo stashed >> kept.txt');
  return cwd;
}

const actionIn = (cwd: string) => (script: string) =>
  ({ kind: 'command', script, shell: 'bash', cwd }) satisfies CommandAction;

async function saferThan(script: string, cwd = repository(), options: Parameters<typeof proveSafer>[4] = {}) {
  const action = actionIn(cwd)(script);
  const request = { env, signal, workspaceFolders: [cwd] };
  const { events, view } = foretell.predict({ ...request, action, hash: true });
  const prediction = await foldAll(action, events);
  const safer = await proveSafer(foretell, prediction, request, place, options);
  await view.close();
  return safer.map((one) => one.script);
}

describe('safer commands', () => {
  test('changes of tracked files go into the stash', async () => {
    assert.equal((await saferThan('git reset --hard'))[0], 'git stash push');
    assert.equal((await saferThan('git checkout -- .'))[0], 'git stash push --keep-index');
  });

  test('what is deleted is packed first, or moved away', async () => {
    assert.deepEqual(await saferThan('rm notes.md'), [
      'mkdir -m 700 ~/kept-then && mv -t ~/kept-then -- notes.md',
      'tar -czf ~/kept-then.tgz -- notes.md && rm notes.md',
    ]);
  });

  test('commits that lose their name get another one', async () => {
    assert.equal((await saferThan('git branch -D topic'))[0], 'git branch -m topic kept-then');
  });

  test('a command that goes on keeps its order', async () => {
    const [, second = ''] = await saferThan('rm notes.md; echo done');
    assert.equal(second, 'tar -czf ~/kept-then.tgz -- notes.md && {\nrm notes.md; echo done\n}');
  });

  test('nothing is offered where nothing is lost, nothing is known, or nothing could be proven', async () => {
    const cwd = repository();
    assert.deepEqual(await saferThan('git status', cwd), []);
    assert.deepEqual(await saferThan('rm notes.md; no-such-compiler --all', cwd), [
      'tar -czf ~/kept-then.tgz -- notes.md && {\nrm notes.md; no-such-compiler --all\n}',
    ]);
    assert.deepEqual(await saferThan('rm notes.md; node build.js', cwd), []);
    assert.deepEqual(await saferThan('git push --force', cwd), []);
  });

  test('what would be left out is no safer way: a signal, a second thing that is done', async () => {
    const cwd = repository();
    const kill = `rm notes.md; kill -9 ${process.pid}`;
    for (const script of await saferThan(kill, cwd)) assert.match(script, /kill -9/);
    for (const script of await saferThan('rm notes.md; echo new > other.txt', cwd)) assert.match(script, /other\.txt/);
  });

  test('code that comes through a pipe is kept in a file first, where its run reaches the same', async () => {
    const cwd = workspace({
      'code.b64': 'ZWNobyBoaSA+IGhpLnR4dAo=\n',
      'loss.b64': 'cm0gbm90ZXMubWQK\n',
      'notes.md': 'only here\n',
    });
    const shell = 'base64 -d code.b64 | bash';
    assert.deepEqual(await saferThan(shell, cwd), ['base64 -d code.b64 > ~/kept-then.sh && bash ~/kept-then.sh']);
    for (const script of await saferThan('base64 -d loss.b64 | sh', cwd)) assert.match(script, /^(?:tar|mkdir)/);
    // The shell reads what stands behind the pipe as well, or the state is another one.
    assert.deepEqual(await saferThan('base64 -d code.b64 | bash -s one', cwd), []);
    assert.deepEqual(await saferThan('base64 -d missing.b64 | bash', cwd), []);
    assert.deepEqual(await saferThan('true; base64 -d code.b64 | bash', cwd), []);
  });

  test('nothing stands for a signal: what another one would come to is up to whoever gets it', async () => {
    const cwd = workspace({ 'a.txt': 'a\n' });
    const child = spawn('sleep', ['600']);
    try {
      assert.deepEqual(await saferThan(`kill -9 ${child.pid}`, cwd), []);
      assert.deepEqual(await saferThan(`kill -9 ${child.pid} || true`, cwd), []);
    } finally {
      child.kill();
    }
  });

  test('what others propose has to prove the same', async () => {
    const cwd = repository();
    const others = ['true', 'rm -f notes.md', 'echo only here > notes.md', 'git add notes.md; rm notes.md'];
    const more = others.map((script) => ({ script, keeps: [] }));
    const safer = await saferThan('rm notes.md', cwd, { more });
    assert.deepEqual(
      others.filter((script) => safer.includes(script)),
      [],
    );
  });

  test('a prediction of now proves the same as one that is made again', async () => {
    const cwd = repository();
    const scripts = [
      'rm notes.md',
      'rm -rf src notes.md',
      'git reset --hard',
      'git branch -D topic',
      'rm -rf .git notes.md',
    ];
    for (const script of [...scripts, 'rm kept.txt', 'truncate -s 0 notes.md; false']) {
      const again = await saferThan(script, cwd);
      assert.deepEqual(await saferThan(script, cwd, { isOfNow: true }), again, script);
      assert.deepEqual(await saferThan(script, cwd, { isOfNow: true, enough: 1 }), again.slice(0, 1), script);
    }
  });

  test('the home folder itself is kept elsewhere', async () => {
    const cwd = workspace({ 'a.txt': 'a\n' });
    const own = { ...env, HOME: cwd };
    const action = actionIn(cwd)('rm -rf ~');
    const request = { env: own, signal, workspaceFolders: [cwd] };
    const { events, view } = foretell.predict({ ...request, action });
    const prediction = await foldAll(action, events);
    const safer = await proveSafer(foretell, prediction, request, { home: cwd, stamp: 'then' });
    await view.close();
    for (const { script } of safer) assert.match(script, /\/var\/tmp\/kept-then/);
  });
});

describe('alternatives side by side', () => {
  test('those that reach the state of the first one and lose nothing stand first', async () => {
    const cwd = repository();
    const scripts = ['git reset --hard', 'rm kept.txt', 'git stash', 'git restore --staged --worktree .'];
    const request = { env, signal, workspaceFolders: [cwd] };
    const compared = await compareAlternatives(foretell, scripts.map(actionIn(cwd)), request);
    assert.deepEqual(
      compared.alternatives.map(({ index, group }) => [index, group]),
      [
        [2, 0],
        [0, 0],
        [3, 0],
        [1, 1],
      ],
    );
    assert.equal(compared.best, 2);
    assert.equal(compared.agreeing, 3);
    const [, , , other] = compared.alternatives;
    assert.ok(other?.differences.some((one) => one.kind === 'file' && one.path === path.join(cwd, 'kept.txt')));
    assert.ok(compared.alternatives[1] && compared.alternatives[1].losses.forGood > 0);
  });

  test('what rests on an assumption is not compared', async () => {
    const cwd = workspace({ 'build.js': 'process.exit(1)\n', 'a.txt': 'a\n' });
    const request = { env, signal, workspaceFolders: [cwd] };
    const actions = ['rm a.txt', 'node build.js && rm a.txt'].map(actionIn(cwd));
    const { alternatives, agreeing } = await compareAlternatives(foretell, actions, request);
    assert.equal(agreeing, 1);
    assert.deepEqual(alternatives.find(({ index }) => index === 1)?.because, { kind: 'notKnown' });
  });

  test('a branch, the index and an exit code make another state', async () => {
    const cwd = repository();
    const request = { env, signal, workspaceFolders: [cwd] };
    const actions = ['true', 'git branch other', 'git reset -q', 'false'].map(actionIn(cwd));
    const { alternatives } = await compareAlternatives(foretell, actions, request);
    const kinds = alternatives
      .toSorted((a, b) => a.index - b.index)
      .map(({ differences }) => differences.map((one) => (one.kind === 'git' ? one.what : one.kind)));
    assert.deepEqual(kinds, [[], ['ref'], ['index'], ['exitCode']]);
  });

  test('lines or paragraphs of a text are the alternatives', () => {
    assert.deepEqual(alternativesIn('a\n# no\nb\n'), ['a', 'b']);
    assert.deepEqual(alternativesIn('a\nb\n\n \nc\n'), ['a\nb', 'c']);
  });
});
