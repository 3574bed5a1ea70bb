import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findStaticPrograms } from '../../src/core/programs/staticPrograms.ts';
import { scriptWords } from '../../src/core/worlds/confined/scriptWords.ts';

test('the words of a script are evaluated once a prediction, and only when they are asked for', () => {
  for (const script of ['for f in *; do cat "$f"; done', 'ls -l a', 'rm -rf a', 'cp a b; ls -l', 'x=1; mv a "b$x"']) {
    let evaluations = 0;
    const action = { kind: 'command', script, shell: 'bash', cwd: '/w' } as const;
    const words = scriptWords({ action, cwd: '/w', home: '/home/me', interactive: false }, (...given) => {
      evaluations++;
      return findStaticPrograms(...given);
    });
    assert.equal(evaluations, 0, script);
    for (let round = 0; round < 2; round++) [words.willShowStatus(), words.isSteady(), words.onlyRead()];
    assert.equal(evaluations, 1, script);
  }
});

test('a script that changes names, modes, owners and times alone, or packs files, suits supervision', () => {
  const suits = (script: string) => {
    const action = { kind: 'command', script, shell: 'bash', cwd: '/w' } as const;
    return scriptWords({ action, cwd: '/w', home: '/home/me', interactive: false }).suitsSupervision();
  };
  const some = ['mv a b', 'chmod -R o-r a', 'cd d && touch x', 'find d -type f -exec touch {} +', 'mkdir -p a/b'];
  some.push('tar czf a.tgz d', 'cd d && tar -cf ../a.tar .', 'zip -r a.zip d', 'tar cf a.tar d && chmod 600 a.tar');
  for (const script of some) assert.equal(suits(script), true, script);
  // What writes, what only looks, and what may come out otherwise the next time.
  const others = [
    'cp a b',
    'mv a b; cp b c',
    'find d -delete',
    'rm -rf d',
    'ls',
    'cd d',
    'touch "$RANDOM"',
    'touch a > b',
    'tar xzf a.tgz',
    'tar tf a.tgz',
    'tar czf a.tgz d && rm -rf d',
  ];
  for (const script of others) assert.equal(suits(script), false, script);
});

test('what find asks for decides whether it needs the real status of files', () => {
  const shows = (script: string) => {
    const action = { kind: 'command', script, shell: 'bash', cwd: '/w' } as const;
    return scriptWords({ action, cwd: '/w', home: '/home/me', interactive: false }).willShowStatus();
  };
  for (const words of ['-type f -exec sed -i s/a/b/ {} +', "-name '*.o' -delete", '! -path "*/x/*" -exec touch {} ;'])
    assert.equal(shows(`find d ${words.replace(';', '\\;')}`), false, words);
  for (const test of [
    '-size +1k',
    '-user me',
    '-links 2',
    '-newer a',
    '-newermt 2020-01-01',
    '-perm 600',
    '-xdev',
    '-inum 3',
  ])
    assert.equal(shows(`find d ${test} -delete`), true, test);
  assert.equal(shows('find d -type f -exec ls -l {} + > list'), true);
});
