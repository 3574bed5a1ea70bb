import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { throwAwayForetell } from '../throwAwayForetell.ts';

/** What may hold keys and that git did not know is told when it is added; what others have anyway is not. */

const { predicted, folder, workspace } = throwAwayForetell('trackedSecrets');
const env = { PATH: '/usr/bin:/bin', HOME: folder, LC_ALL: 'C.UTF-8', GIT_CONFIG_NOSYSTEM: '1' };
const author = ['-c', 'user.name=a', '-c', 'user.email=a@b.c'];

function git(cwd: string, ...words: string[]): void {
  execFileSync('git', [...author, ...words], { cwd, env, stdio: 'pipe' });
}

function repository(): string {
  const place = workspace({ 'a.txt': 'a\n', 'old.pem': 'k\n', 'sub/b.txt': 'b\n' });
  git(place, 'init', '-q');
  git(place, 'add', '-A');
  git(place, 'commit', '-qm', 'one');
  return place;
}

async function tracked(script: string, place: string) {
  const prediction = await predicted(script, place, env);
  const facts = prediction.effects.flatMap(({ git: fact }) => (fact?.kind === 'secretsTracked' ? fact.paths : []));
  return { facts: facts.sort(), prediction };
}

function write(place: string, ...names: string[]): string {
  const lines = names.map((name) => `mkdir -p "$(dirname ${name})" && echo K=1 > ${name}`);
  execFileSync('sh', ['-c', lines.join('\n')], { cwd: place });
  return place;
}

const commit = `git ${author.map((word) => `'${word}'`).join(' ')} commit -qm two`;

test('a file that may hold keys is told when git takes it in, and is a caution', async () => {
  for (const version of ['2', '4']) {
    for (const script of ['git add -A', `git add . && ${commit}`, 'git add -f .env sub/server.key', 'git stage .']) {
      const place = write(repository(), '.env', 'sub/server.key', 'plain.txt');
      git(place, 'update-index', '--index-version', version);
      const { facts, prediction } = await tracked(script, place);
      assert.deepEqual(facts, ['.env', 'sub/server.key'], `${script}, version ${version}`);
      assert.equal(prediction.verdict.level, 'caution', script);
    }
  }
});

test('a new repository takes it in too, and a linked worktree', async () => {
  const place = write(workspace({ 'a.txt': 'a\n' }), '.env');
  assert.deepEqual((await tracked('git init -q && git add .', place)).facts, ['.env']);
  const main = repository();
  git(main, 'worktree', 'add', '-q', `${main}-tree`);
  write(`${main}-tree`, 'id_rsa');
  assert.deepEqual((await tracked('git add .', `${main}-tree`)).facts, ['id_rsa']);
});

test('what git knows already, what others have and what is no key is not', async () => {
  const place = repository();
  write(place, 'old.pem', '.env.example', 'id_rsa.pub');
  assert.deepEqual((await tracked('git add -A', place)).facts, []);
  const other = repository();
  git(other, 'switch', '-qc', 'keys');
  write(other, '.env');
  git(other, 'add', '.env');
  git(other, 'commit', '-qm', 'keys');
  git(other, 'switch', '-q', '-');
  assert.deepEqual((await tracked(`git switch -q keys`, other)).facts, []);
  assert.deepEqual((await tracked(`git clone -q . ../copy-of-it`, other)).facts, []);
  write(place, '.env');
  assert.deepEqual((await tracked('git rm -q --cached old.pem', place)).facts, []);
});

test('what is staged to be removed is said to be', async () => {
  const said = async (script: string, place: string) => {
    const { effects } = await predicted(script, place, env);
    return effects.flatMap(({ git: fact, detail }) => (fact?.kind === 'staged' ? [detail] : []));
  };
  const place = repository();
  assert.deepEqual(await said('git rm -rq --cached .', place), ['stages the removal of 3 files']);
  assert.deepEqual(await said('git rm -q --cached a.txt', place), ['stages the removal of 1 file']);
  write(place, 'new.txt');
  assert.deepEqual(await said('git rm -q --cached a.txt && git add new.txt', place), [
    'stages 2 files, 1 of them to be removed',
  ]);
  assert.deepEqual(await said('git add new.txt', place), ['stages 1 file']);
});
