import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { perlEdits } from '../../src/core/programs/code/perlEdits.ts';

const before = Buffer.from(
  'def total(rows):\n    return sum(rows)  # é\r\n\n\tx.y = [1, 22, 333];\n$cost = "a@b.c" | {k}\n\xa0\nlast line',
  'latin1',
).toString('latin1');

/** What it would leave, asked for the files that it needs as the engine does. */
function edited(words: readonly string[]): Record<string, string> | undefined {
  const files = new Map<string, string | null>();
  for (;;) {
    const found = perlEdits(['perl', ...words], files);
    if (!found) return undefined;
    if ('edits' in found) return Object.fromEntries(found.edits.written);
    files.set(found.needs, /^[ab]$/.test(found.needs) ? before : null);
  }
}

const codes = [
  's/rows/lines/',
  's/rows/lines/g; s/sum/total/',
  's/(\\w+) = /$1 := /',
  's/^\\s+//',
  's/\\s+$//',
  's/\\s+$/\\n/g',
  's/$/;/',
  's/^/# /',
  's/^/# /mg',
  's/$/;/mg',
  's|\\d+|<$&>|g',
  's#(\\d)(\\d*)#${2}$1#g',
  's,x\\.y,x\\,y,',
  's{total\\(rows\\)}{total(rows, key)}',
  's/\\$cost/\\$price/; s/a\\@b/\\@/',
  's/[^\\s\\w]/_/g',
  's/[a-c]+?/X/gi',
  's/(?:one|last|def) /\\t/',
  's/.*?r/-/s',
  's/def.*\\n/gone\\n/',
  's/return.*333/joined/s',
  's/\\bsum\\b(?=\\()/add/',
  's/x*/-/g',
  's/\\n//g',
  's/\\{k\\}/{}/',
  's/\\d{2,3}/nn/g',
  's/(a)|(d)/[$1$2]/g',
  's/\\S+/"w"/g',
  's/a/\\\\/g',
];
const ways = [
  ['-pi', '-e'],
  ['-0777', '-pi', '-e'],
  ['-0pi', '-e'],
  ['-i.bak', '-pe'],
  ['-p', '-i', '-e'],
];

test('a substitution in place is what Perl makes of it', (context) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-edits-'));
  for (const code of codes) {
    for (const way of ways) {
      const words = [...way, code, 'a', 'b'];
      const told = edited(words);
      assert.ok(told, words.join(' '));
      for (const name of ['a', 'b']) fs.writeFileSync(path.join(folder, name), before, 'latin1');
      const run = spawnSync('perl', words, { cwd: folder, encoding: 'utf8' });
      if (run.error) return context.skip('there is no Perl here');
      assert.equal(run.status, 0, run.stderr);
      for (const [name, text] of Object.entries(told))
        assert.equal(fs.readFileSync(path.join(folder, name), 'latin1'), text, words.join(' '));
    }
  }
  fs.rmSync(folder, { recursive: true });
});

test('anything else is no plain edit', () => {
  for (const words of [
    ['-pi', '-e', 's/a/b/', 'none'],
    ['-pi', '-e', 's/a/b/'],
    ['-p', '-e', 's/a/b/', 'a'],
    ['-ni', '-e', 's/a/b/', 'a'],
    ['-pi', '-e', 's/a/b/', 'a', 'a'],
    ['-pi', '-e', 's/a/b/', '>a'],
    ['-lpi', '-e', 's/a/b/', 'a'],
    ['-Mstrict', '-pi', '-e', 's/a/b/', 'a'],
    ['-pie', 's/a/b/', 'a'],
    ['-00pi', '-e', 's/a/b/', 'a'],
    ...[
      's/a/b/e',
      's/a/b/x',
      's/a/b/r',
      's//b/',
      's/$x/b/',
      's/a@b/c/',
      's/a/$b/',
      's/a/@b/',
      's/a/\\U$&/',
      's/a/$1/',
      's/(a)/$2/',
      's/(a)+/b/',
      's/a++/b/',
      's/(?<=a)b/c/',
      's/(?i)a/b/',
      's/[[:alpha:]]/b/',
      's/[\\w-z]/b/',
      's/\\Qa.b\\E/c/',
      's/(a)\\1/b/',
      's/\\x41/b/',
      's/\\p{L}/b/',
      's/a{,3}/b/',
      's/\\Aa/b/',
      's/(a/b/',
      's/é/e/',
      "s'a'b'",
      's(a)(b)',
      's/a/b',
      's/a/b/ if /c/',
      'tr/a/b/',
      'print "x"; s/a/b/',
      's|a\\|b|c|',
      's/a/$1[0]/',
      's/ ??/-/g',
      's/(?:|r)/-/g',
      's/(a)/$10/',
    ].map((code) => ['-pi', '-e', code, 'a']),
  ])
    assert.equal(edited(words), undefined, words.join(' '));
});
