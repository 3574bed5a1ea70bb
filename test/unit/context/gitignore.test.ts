import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { compileIgnore } from '../../../src/core/context/gather/pathPattern.ts';

const files = [
  ...[
    'a.log',
    'keep.log',
    'out',
    'a/out',
    'build',
    'b/build/x.js',
    'build.d/x',
    'doc/a/b/x.txt',
    'doc/x.txt',
    'doc/y.md',
  ],
  ...[
    '#notes',
    '!important',
    'blank ',
    'foo/bar/baz',
    'foo/keep/baz',
    'foo/x',
    'file1',
    'fileA',
    'A.LOG',
    'x[1].txt',
    'a(1).txt',
  ],
  ...['deep/er/.env', '.env', 'vendor/keep/a', 'vendor/other/a', 'q?', 'qq', 'star*', 'stars', 'd/e/f', 'e'],
];
const rules = [
  'node_modules/\n*.log\n!keep.log\n/out\n# no\n',
  'build/\n',
  'doc/**/*.txt\n',
  '**/x.txt\ndoc/*\n!doc/y.md\n',
  '\\#notes\n\\!important\n',
  'blank \n',
  'blank\\ \n',
  'foo/*\n!foo/keep\n',
  '/*\n!/vendor\n/vendor/*\n!/vendor/keep\n',
  'file[0-9]\n',
  'file[!0-9]\n',
  'x\\[1].txt\na(1).txt\n',
  '.env\n',
  'q\\?\nstar\\*\n',
  'd/**\n',
  '**/e/\n',
  '\ufeff*.log\r\nbuild/\r\n',
  'a/\n!a/out\n',
];

test('rules of .gitignore mean what they mean to git', (context) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-ignore-'));
  context.after(() => fs.rmSync(folder, { recursive: true, force: true }));
  const git = (args: string[], input = '') =>
    spawnSync('git', ['-c', 'core.excludesFile=', ...args], { cwd: folder, input, encoding: 'utf8' });
  assert.equal(git(['init', '-q']).status, 0);
  for (const file of files) {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    if (!fs.existsSync(path.join(folder, file))) fs.writeFileSync(path.join(folder, file), '');
  }
  const wrong: string[] = [];
  for (const text of rules) {
    fs.writeFileSync(path.join(folder, '.gitignore'), text);
    const ignored = new Set(git(['check-ignore', '-z', '--stdin'], files.join('\0')).stdout.split('\0'));
    const ours = compileIgnore(text);
    for (const file of files) {
      if ((ours(file) !== undefined) !== ignored.has(file)) wrong.push(`${JSON.stringify(text)}: ${file}`);
    }
  }
  assert.deepEqual(wrong, []);
});
