import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Failure, isFailure } from '../../../src/core/loop/failure/failure.ts';

const facts = (text: string, exitCode?: number) => ({
  output: [{ stream: 'stderr' as const, text, basis: 'rehearsed' as const }],
  ...(exitCode === undefined ? {} : { exitCode }),
});

const cases: [name: string, failure: Failure, text: string, exitCode: number | undefined, is: boolean][] = [
  ['the line, and any exit code but 0', { text: 'no such file' }, 'cat: a: no such file\n', 1, true],
  ['no failure', { text: 'no such file' }, 'no such file\n', 0, false],
  ['an exit code that nobody knows', { text: 'no such file' }, 'no such file\n', undefined, false],
  ['another exit code', { text: 'x', exitCode: 2 }, 'x\n', 1, false],
  ['the exit code alone', { text: '', exitCode: 2 }, 'whatever\n', 2, true],
  ['lines in their order', { text: 'one\ntwo' }, 'one\nbetween\ntwo\n', 1, true],
  ['lines in another order', { text: 'one\ntwo' }, 'two\none\n', 1, false],
  ['the same line twice is wanted twice', { text: 'one\none' }, 'one\n', 1, false],
  ['two lines are not one', { text: 'a\nb' }, 'a b\n', 1, false],
  ['dots stand for any lines', { text: 'first\n…\n...\nlast' }, 'first\nx\ny\nlast', 1, true],
  ['letters count', { text: 'No such file' }, 'no such file\n', 1, false],
];

for (const [name, failure, text, exitCode, is] of cases)
  test(`${is ? 'it is' : 'it is not'}: ${name}`, () => assert.equal(isFailure(failure, facts(text, exitCode)), is));
