import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compiledCode } from '../../src/core/programs/compiledCode.ts';

/** What compiled programs tell of their code, in which chance decides what comes first. */

const program = (...parts: string[]) => compiledCode(Buffer.from(`\x7fELF${parts.join('')}\0`, 'latin1'));

test('threads, processes and tables by hashes show in what the compiler made', () => {
  for (const name of ['\0pthread_create\0', '\0fork\0', '_ZNSt6thread15_M_start_thread', '/hashbrown-0.14/src/map.rs'])
    assert.equal(program(name)?.isUnordered, true, name);
  for (const name of ['\0printf\0', '\0pthread_self\0', '\0forkpty\0', '\0rand\0'])
    assert.equal(program(name)?.isUnordered, false, name);
});

test('numbers that are drawn by the second are chance, and those of a number that stands there are not', () => {
  assert.equal(program('\0srand\0time\0rand\0')?.isByTime, true);
  assert.equal(program('\0srand\0rand\0')?.isByTime, false);
  assert.equal(program('\0time\0localtime\0')?.isByTime, false);
});

test('a program of Go names its sources, and a script is no compiled program', () => {
  const found = program('\xff Go buildinf:', '\0/w/main.go\0/w/b.go\0relative.go\0');
  assert.deepEqual([found?.compiler?.name, found?.sources], ['go', ['/w/main.go', '/w/b.go']]);
  assert.deepEqual(program('\0/w/main.go\0')?.sources, []);
  assert.equal(compiledCode(Buffer.from('#!/bin/sh\nfork')), undefined);
});
