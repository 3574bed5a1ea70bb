import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { plainEdits } from '../../src/core/programs/inlineCode.ts';

const before: Readonly<Record<string, string>> = {
  'a.txt': 'one = 1\r\ntwo = "2"\none = one + 1\n\ufeffé\n',
  'package.json':
    '{\n  "name": "x",\n  "version": "1.0.0",\n  "scripts": { "test": "t", "10": "n", "2": "m" },\n  "files": ["a"]\n}\n',
};

/** What it would leave, asked for the files that it needs as the engine does. */
function edited(argv: readonly string[], code: string): Record<string, string> | undefined {
  const files = new Map<string, string | null>();
  for (;;) {
    const found = plainEdits(argv, code, files);
    if (!found) return undefined;
    if ('edits' in found) return Object.fromEntries(found.edits.written);
    files.set(found.needs, before[path.posix.normalize(found.needs)] ?? null);
  }
}

const forms: readonly [words: readonly string[], codes: readonly string[]][] = [
  [
    ['-e'],
    [
      "const fs=require('fs');fs.writeFileSync('a.txt',fs.readFileSync('a.txt','utf8').replace('one','three'))",
      "const fs = require('node:fs');\nlet s = fs.readFileSync('a.txt', { encoding: 'utf8' });\ns = s.replace(/one = (\\d)/g, '$& // $1 $$');\nif (!s.includes('two')) throw new Error('gone');\nfs.writeFileSync('a.txt', s, 'utf8');\nconsole.log('done', s.length);",
      "const { readFileSync: read, writeFileSync } = require('fs'); writeFileSync('b.txt', `${read('a.txt').toString()}-${1 + 1}`);",
      "const p = JSON.parse(fs.readFileSync('package.json')); p.version = '2.0.0'; delete p.scripts.test; p.scripts['7'] = 'z'; p.scripts.lint = 'l'; p.files.push('b', 'c'); p.new = { ...p.scripts, a: [1, null, true] }; fs.writeFileSync('package.json', JSON.stringify(p, null, 2) + '\\n')",
      "const p = require('./package.json'); p.private = true; require('fs').writeFileSync('./package.json', JSON.stringify(p))",
      "for (const f of ['a.txt', 'package.json']) { const t = fs.readFileSync(f, 'utf8'); fs.writeFileSync(f, t.replaceAll('one', '$`').trimEnd()); }",
      "let t = fs.readFileSync('a.txt', 'utf-8').split('\\n'); t.splice(1, 1, 'x', 'y'); t.unshift('top'); fs.writeFileSync('a.txt', t.join('\\n'))",
      "fs.appendFileSync('a.txt', 'end\\n'); fs.writeFileSync('c.txt', fs.readFileSync('a.txt', 'utf8').slice(-4).toUpperCase() + (fs.existsSync('a.txt') ? 'y' : 'n'))",
      "var i = fs.readFileSync('a.txt','utf8'); i += 'x'; if (/TWO/i.test(i) && i.indexOf('one') === 0) { fs.writeFileSync('a.txt', i) } else { fs.writeFileSync('a.txt', '') }",
    ],
  ],
  [['-p'], ["fs.writeFileSync('a.txt', fs.readFileSync('a.txt','utf8').replace(/^one.*$/m, ''))"]],
  [
    ['--input-type=module', '-e'],
    [
      "import fs from 'node:fs'; import { join } from 'path'; fs.writeFileSync(join('.', 'a.txt'), 'x')",
      "import { readFile, writeFile } from 'node:fs/promises'; const t = await readFile('a.txt', 'utf8'); await writeFile('a.txt', t + t);",
    ],
  ],
  [['-'], ["const fs = require('fs');\nfs.writeFileSync('a.txt', fs.readFileSync('a.txt', 'utf8').concat('x'));\n"]],
];

test('a plain edit is what Node makes of it', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-edits-'));
  for (const [words, codes] of forms) {
    for (const code of codes) {
      const isInput = words[0] === '-';
      const argv = ['node', ...words, ...(isInput ? [] : [code])];
      const told = edited(argv, code);
      assert.ok(told, code);
      for (const [name, text] of Object.entries(before)) fs.writeFileSync(path.join(folder, name), text);
      const options = { cwd: folder, encoding: 'utf8', ...(isInput ? { input: code } : {}) } as const;
      const run = spawnSync(process.execPath, argv.slice(1), options);
      assert.equal(run.status, 0, run.stderr);
      for (const [name, text] of Object.entries(told))
        assert.equal(fs.readFileSync(path.join(folder, name), 'utf8'), text, code);
    }
  }
  fs.rmSync(folder, { recursive: true });
});

test('anything else is no plain edit', () => {
  const write = "require('fs').writeFileSync('a.txt', 'x')";
  for (const code of [
    "require('fs').readFileSync('a.txt')",
    "const fs = require('fs'); fs.writeFileSync('a.txt', fs.readFileSync('none', 'utf8'))",
    `${write}; process.exit(3)`,
    `${write}; throw new Error('x')`,
    `${write}; undefinedName`,
    `${write}; null.x`,
    `${write}; JSON.parse('{')`,
    `${write}; const q = 1; q = 2`,
    `${write}; while (true) {}`,
    `${write}; const { x } = { x: 1 }; { const x = 2 }`,
    `${write}; require('child_process')`,
    `${write}; require('fs').unlinkSync('a.txt')`,
    `${write}; (() => 1)()`,
    `${write}; import('fs')`,
    "require('fs').writeFileSync('a.txt', 'x', { flag: 'a' })",
    "require('fs').writeFileSync('a.txt', 1)",
    "require('fs').writeFileSync('a.txt', 'x', () => {})",
    "require('fs').writeFile('a.txt', 'x')",
    "require('fs').promises.writeFile('a.txt', 'x')",
    "const s: string = 'x'; require('fs').writeFileSync('a.txt', s)",
    "import fs from 'fs'; fs.writeFileSync('a.txt', 'x')",
    "String.prototype.replace = 1; require('fs').writeFileSync('a.txt', 'x')",
    "const o = {}; o.__proto__ = { a: 1 }; require('fs').writeFileSync('a.txt', JSON.stringify(o))",
    "const o = {}; require('fs').writeFileSync('a.txt', 'x' + o.toString)",
    "require('fs').writeFileSync('a.txt', JSON.stringify({ __proto__: { a: 1 } }))",
    "require('fs').writeFileSync('a.txt', JSON.stringify([1, , 2]))",
    "require('fs').writeFileSync('a.txt', 'x'.replace('x', (m) => m))",
    "console.log(process.argv[2]); require('fs').writeFileSync('a.txt', 'x')",
    "require('fs').writeFileSync('a.txt', 'x'",
  ])
    assert.equal(edited(['node', '-e', code], code), undefined, code);
  assert.equal(edited(['node', '-r', './a.js', '-e', write], write), undefined);
  assert.equal(edited(['node', '--check', '-e', write], write), undefined);
});

test('a pattern that needs long is not followed', () => {
  const code = `require('fs').writeFileSync('a.txt', '${'a'.repeat(60)}!'.replace(/(a+)+$/, ''))`;
  assert.equal(edited(['node', '-e', code], code), undefined);
});
