import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { throwAwayForetell } from '../throwAwayForetell.ts';

/** What a program makes of the answers of a stopped one is known to nobody, and a script that stops there would go on. */

const { predicted, folder } = throwAwayForetell('spokenWith');

// A program that may not run, whatever is installed.
const bin = path.join(folder, 'bin');
fs.mkdirSync(bin, { recursive: true });
fs.symlinkSync(process.execPath, path.join(bin, 'ssh'));
const author = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b' };
const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: folder, LC_ALL: 'C.UTF-8', GIT_CONFIG_NOSYSTEM: '1', ...author };

async function outcomeOf(script: string) {
  const place = fs.mkdtempSync(path.join(folder, 'w-'));
  const make =
    'git init -q -b main; echo a > a; git add a; git commit -qm a; git remote add origin host:x.git; echo b > a; echo n > notes';
  execFileSync('bash', ['-ec', make], { cwd: place, env });
  const prediction = await predicted(script, place, env);
  const lost = prediction.loss.filter(({ recovery }) => recovery.kind === 'none');
  return { prediction, lost: lost.map((loss) => path.relative(place, loss.path)) };
}

for (const script of [
  'git clone host:x.git y',
  'git fetch',
  'git pull --rebase=false',
  'git push origin main',
  'git ls-remote',
])
  test(`no failure for want of an answer is told: ${script}`, async () => {
    const { prediction } = await outcomeOf(script);
    assert.deepEqual([prediction.exitCode, prediction.exitBasis], [undefined, 'unknown']);
    const said = prediction.output.map(({ text = '' }) => text).join('');
    assert.doesNotMatch(said, /fatal|Could not read/);
    assert.ok(prediction.verdict.reasons.every(({ text }) => !/fails/.test(text)));
  });

for (const [script, gone] of [
  ['git fetch && git reset -q --hard HEAD', ['a']],
  ['git pull && rm notes', ['notes']],
  ['git clone host:x.git y && rm -f notes', ['notes']],
  ['set -e; git fetch; git checkout -q -- .', ['a']],
  ['git fetch; rm notes', ['notes']],
  ['git fetch || echo no', []],
  ['git fetch; false && rm notes', []],
  ['if git fetch; then rm notes; fi', ['notes']],
  ['if git fetch; then rm notes; else /bin/true; fi; ls >/dev/null', ['notes']],
  ['if ! git pull; then echo no; elif [ -e notes ]; then git checkout -q -- .; fi', ['a']],
  ['git fetch && rm notes || echo no', ['notes']],
  ['git fetch && rm notes; git status -s || rm a', ['notes']],
  ['{ git fetch && rm notes; }; echo done', ['notes']],
  ['(git fetch && rm notes); true', ['notes']],
  ['f() { git fetch; }; f && rm notes; echo done', ['notes']],
  ['git fetch; if [ $? -eq 0 ]; then rm notes; fi', ['notes']],
  ['git fetch; [ $? = 0 ] && rm notes; true', ['notes']],
  ['git fetch | cat && rm a', ['a']],
  ['if git status -s; then echo yes; else rm notes; fi; git fetch', []],
  ['if git fetch; then git status; fi; false || ls', []],
] as const)
  test(`what a script does behind it is told: ${script}`, async () => {
    const { lost } = await outcomeOf(script);
    assert.deepEqual(lost, gone);
  });

test('who only waits for what it starts is no such program', async () => {
  const { prediction } = await outcomeOf('echo x | env ssh host true; echo done');
  assert.equal(prediction.output.at(-1)?.text, 'done\n');
});
