import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findStaticPrograms } from '../../src/core/programs/staticPrograms.ts';
import { onlyReads } from '../../src/core/worlds/confined/look/onlyReads.ts';

const place = { cwd: '/w', home: '/nonexistent', env: {} };

test('commands that only read by their words', () => {
  for (const script of [
    'true',
    'ls -la',
    'cat a | grep -c b',
    'git log --oneline && wc -l a',
    'grep -r x . | sort',
    'cd d && git status',
  ])
    assert.ok(
      onlyReads(script, '/w', () => findStaticPrograms(script, place)),
      script,
    );
});

test('commands that may write, grow, or run what is not known', () => {
  const scripts = [
    'rm a',
    'ls > a',
    'cat $(find .)',
    'while :; do :; done',
    ':(){ :|:& };:',
    'ls &',
    './run.sh',
    'npm test',
    'git commit -qam x',
    'git add a',
    'mkdir d',
    'touch a',
  ];
  for (const script of [...scripts, `cat ${'a'.repeat(500)}`, 'sudo cat a', 'curl example.org'])
    assert.ok(!onlyReads(script, '/w', () => findStaticPrograms(script, place)), script);
});
