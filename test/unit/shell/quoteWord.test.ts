import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { quoteCall, quoteWord, showCall } from '../../../src/core/shell/quoteWord.ts';
import { shebangProgram, shellOf } from '../../../src/core/shell/shells.ts';

const words = [
  '',
  'plain',
  'a b',
  "it's",
  '"$X" `id` $(id)',
  '\\',
  "\\'",
  'C:\\dir\\',
  '~',
  '~/x',
  '=ls',
  'A=b',
  '%1',
  '!!',
  '#',
  '*.c',
  '{a,b}',
  '[ab]?',
  '-n',
  'a\nb',
  'a\tb',
  ';',
  '&&',
  '<x',
  'é ü',
];

for (const shell of ['bash', 'sh', 'zsh', 'fish']) {
  const { dialect } = shellOf(shell) ?? {};
  test(`${shell} reads back each quoted word`, (context) => {
    const script = `/usr/bin/printf '%s\\0' ${words.map((word) => quoteWord(word, dialect)).join(' ')}`;
    const { stdout, error } = spawnSync(shell, ['-c', script], { encoding: 'utf8', env: { PATH: '/usr/bin:/bin' } });
    if (error) return context.skip(`${shell} is not installed`);
    assert.deepEqual(stdout.split('\0').slice(0, -1), words);
  });
}

test('the first word of a call is a program, whatever it looks like', () => {
  for (const name of ['A=b', 'if', '{', '!', 'time', 'done', 'a b']) {
    const script = `command_not_found_handle() { printf '%s' "$1"; }; PATH=/nonexistent; ${quoteCall([name, 'x'])}`;
    assert.equal(spawnSync('/bin/bash', ['-c', script], { encoding: 'utf8' }).stdout, name);
  }
  assert.equal(quoteCall(['env', 'A=b', 'rm', 'x y']), "env A=b rm 'x y'");
});

test('a call is shown on one line that bash reads back', () => {
  const argv = ['printf', '%s\\0', 'a\nb', "\u001b'\\", '\u0007é'];
  assert.doesNotMatch(showCall(argv), /[\n\u001b]/);
  assert.equal(spawnSync('bash', ['-c', showCall(argv)], { encoding: 'utf8' }).stdout, `${argv.slice(2).join('\0')}\0`);
});

test('Windows shells have their own quotes', () => {
  assert.equal(quoteWord("it's", 'powershell'), "'it''s'");
  assert.equal(quoteWord('@x', 'powershell'), "'@x'");
  assert.equal(quoteWord('a "b"', 'cmd'), '"a ""b"""');
});

test('a shell is known by its name, its path, and as a login shell', () => {
  assert.deepEqual(
    ['bash', '/bin/dash', '-zsh', 'C:\\x\\pwsh.exe', 'ksh', 'fish', 'node'].map((name) => shellOf(name)?.language),
    ['bash', 'sh', 'zsh', 'pwsh', undefined, 'fish', undefined],
  );
  assert.deepEqual(
    ['#!/bin/sh', '#! /usr/bin/env -S bash -e', '#!/usr/bin/env A=b python3.12\n', 'echo', '#!'].map(shebangProgram),
    ['sh', 'bash', 'python', undefined, undefined],
  );
});
