import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProgramFact } from '../../src/core/facts/programFact.ts';
import { judgedInWords } from './judgedInWords.ts';

const place = { workspaceFolders: ['/w'], home: '/home/me', userId: 1000, env: {} };
const nothing = { files: [], effects: [], loss: [], errors: '', exitCode: 0 };

function read(script: string, ...runs: string[][]): string[] {
  const programs = runs.map((argv, at): ProgramFact => ({ id: at, argv, cwd: '/w', basis: 'rehearsed', exitCode: 0 }));
  const action = { kind: 'command', script, shell: 'bash', cwd: '/w' } as const;
  return judgedInWords({ action, ...place, ...nothing, programs })
    .filter(({ kind }) => kind === 'readsSecret')
    .flatMap(({ evidence }) => evidence);
}

test('keys that a program is given by a pattern, a loop or what others print are told to be read', () => {
  assert.deepEqual(read('head -1 .e*', ['head', '-1', '.env']), ['.env']);
  assert.deepEqual(read('find . -type f | xargs cat', ['find', '.', '-type', 'f'], ['cat', './a.txt', './.env']), [
    './.env',
  ]);
  assert.deepEqual(read('for f in *; do grep x "$f"; done', ['grep', 'x', 'server.key']), ['server.key']);
});

test('what prints no content of them, or makes them, does not read them so', () => {
  assert.deepEqual(read('wc -l .e*', ['wc', '-l', '.env']), []);
  assert.deepEqual(read('md5sum *', ['md5sum', 'server.key']), []);
  assert.deepEqual(read('grep -l x *', ['grep', '-l', 'x', 'server.key']), []);
  assert.deepEqual(read('ls *', ['ls', 'server.key']), []);
  assert.deepEqual(read('rm *', ['rm', 'server.key']), []);
  assert.deepEqual(read('tee "$f"', ['tee', 'server.key']), []);
  assert.deepEqual(read('git add *', ['git', 'add', 'server.key']), []);
});

test('who searches all of a home reads its keys', () => {
  for (const script of [
    'grep -r KEY ~',
    'grep -rn KEY $HOME',
    'rg -uu KEY ~/',
    'rg --hidden KEY /home/me',
    'find ~ -type f -exec cat {} +',
    'find ~ -type f | xargs grep KEY',
  ])
    assert.notDeepEqual(read(script), [], script);
  for (const script of [
    'grep -rl KEY ~',
    'grep -r --include="*.py" x ~',
    'rg KEY ~',
    'grep -r KEY ~/project',
    'grep -rn KEY src',
    'find ~ -name "*.log" -exec cat {} +',
    'find ~ -type f -exec wc -l {} +',
    'find ~ -name "*.md"',
    'du -sh ~',
    'ls -R ~',
  ])
    assert.deepEqual(read(script), [], script);
});
