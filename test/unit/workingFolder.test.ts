import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findNamedPrograms } from '../../src/core/context/gather/scriptPrograms.ts';
import { gitCommandOf } from '../../src/core/programs/gitCommand.ts';
import { findStaticPrograms } from '../../src/core/programs/staticPrograms.ts';
import { workingFolder } from '../../src/core/programs/workingFolder.ts';

test('a program works where its options say, and only there where they mean a folder', () => {
  for (const [call, folder] of [
    ['git -C a status', '/w/a'],
    ['git -c x=y -C a -C b log', '/w/a/b'],
    ['git grep -C 3 needle', '/w'],
    ['git commit -C HEAD', '/w'],
    ['git --no-pager -C /a log', '/a'],
    ['make -C a all', '/w/a'],
    ['make all -Ca', '/w/a'],
    ['make --directory=a', '/w/a'],
    ['npm --prefix a run build', '/w/a'],
    ['npm run build --prefix=a', '/w/a'],
    ['npm run build -- --prefix a', '/w'],
    ['pnpm -C a build', '/w/a'],
    ['yarn --cwd a build', '/w/a'],
    ['terraform -chdir=a plan', '/w/a'],
    ['grep -C 3 needle file', '/w'],
    ['diff -C 3 a b', '/w'],
    ['ls -C a', '/w'],
  ] as const) {
    assert.equal(workingFolder(call.split(' '), '/w'), folder, call);
  }
});

test('a call of git is taken apart', () => {
  for (const [call, command, words, globals, folder] of [
    ['git status', 'status', '', '', '/w'],
    ['git -C a -c x=y -C b log -C', 'log', '-C', '-c x=y', '/w/a/b'],
    ['/usr/bin/git --no-pager --git-dir x switch -C new', 'switch', '-C new', '--no-pager --git-dir x', '/w'],
    ['git --version', '', '', '--version', '/w'],
  ] as const) {
    const read = gitCommandOf(call.split(' '), '/w');
    assert.deepEqual(
      [read?.command, read?.words.join(' '), read?.globals.join(' '), read?.cwd],
      [command, words, globals, folder],
      call,
    );
  }
  assert.equal(gitCommandOf(['make', '-C', 'a'], '/w'), undefined);
});

test('what a script names is read once, for prompts and for the verdict alike', () => {
  const place = { cwd: '/w', home: '/h' };
  for (const [script, last, there = true] of [
    ['stdbuf -o L cat a', 'cat a'],
    ['sudo -r admin cat x', 'cat x'],
    ['sudo -nu bob cat x', 'cat x'],
    ['timeout -k 5 10 cat x', 'cat x'],
    ['rm {1..3}', 'rm 1 2 3'],
    ['rm x{01..3}', 'rm x01 x02 x03'],
    ['strace -f -o out cat x', 'cat x'],
    ['flock -w 3 lock cat x', 'cat x'],
    ['xargs -I % -P 4 cat %', 'cat %'],
    ['find . -exec cat x ;', 'cat x'],
    ['bash -euxc "cat x"', 'cat x'],
    ['su bob -c "cat x"', 'cat x'],
    ['f() { cat "$1"; }; f x', 'cat x'],
    ['docker exec web cat x', 'cat x', false],
    ['ssh host sudo cat x', 'cat x', false],
    ['kubectl exec pod -- cat x', 'cat x', false],
  ] as const) {
    const statics = findStaticPrograms(script.replace(/ ;$/, ' \\;'), { ...place, env: {} });
    assert.equal(statics.at(-1)?.argv.join(' '), last, script);
    const named = findNamedPrograms(script.replace(/ ;$/, ' \\;'), place);
    assert.equal(
      named.some(({ name }) => last.startsWith(name)),
      there,
      script,
    );
  }
});
