import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findStaticPrograms } from '../../../src/core/programs/staticPrograms.ts';

/** The words of `rm`, as far as they are known; `?` before one of which only the shell knows what it becomes. */
function wordsOfRm(script: string, shell?: string): string[] {
  const programs = findStaticPrograms(script, { cwd: '/w', home: '/h', env: {}, shell });
  const rm = programs.find(({ argv }) => argv[0] === 'rm');
  return rm?.fields.slice(1).map(({ text, isOpen }) => `${isOpen ? '?' : ''}${text}`) ?? [];
}

test('braces are words where the shell that reads them makes words of them', () => {
  for (const [script, ...words] of [
    ['rm {a,b}', 'a', 'b'],
    ["bash -c 'rm {a,b}'", 'a', 'b'],
    ["dash -c 'rm {a,b}'", '{a,b}'],
    ["dash -c 'cd . && eval rm {a,b}'", '{a,b}'],
    ["sh -c 'rm {a,b} c'", '?{a,b}', 'c'],
    ["busybox sh -c 'rm {a,b}'", '?{a,b}'],
    [`dash -c "bash -c 'rm {a,b}'"`, 'a', 'b'],
    ["dash -c 'rm {a,b}'; rm c", '{a,b}'],
  ] as const)
    assert.deepEqual(wordsOfRm(script), words, script);
});

test('the shell that reads the whole script counts as well', () => {
  for (const [shell, ...words] of [
    [undefined, 'a', 'b'],
    ['/bin/bash', 'a', 'b'],
    ['zsh', 'a', 'b'],
    ['/bin/dash', '{a,b}'],
    ['sh', '?{a,b}'],
  ] as const)
    assert.deepEqual(wordsOfRm('rm {a,b}', shell), words, shell);
  assert.deepEqual(wordsOfRm("bash -c 'rm {a,b}'", 'dash'), ['a', 'b']);
});
