import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutText } from '../../../src/core/context/cutText.ts';
import { focusOf } from '../../../src/core/context/gather/focus.ts';
import { namedScripts } from '../../../src/core/context/gather/namedScripts.ts';
import { compileExcludes, compileGlob, compileIgnore } from '../../../src/core/context/gather/pathPattern.ts';
import { findNamedPrograms, programOf } from '../../../src/core/context/gather/scriptPrograms.ts';
import { sourceReads } from '../../../src/core/context/gather/sourceReads.ts';

const place = { cwd: '/w', home: '/home/me' };
const named = (script: string) =>
  findNamedPrograms(script, place).map(
    (program) => `${program.cwd}: ${program.words.map((word) => word.text).join(' ')}`,
  );

test('the programs of a script are found with their folders and words', () => {
  assert.deepEqual(named('cd src && cat a.txt | grep x; (cd ..; ls)'), [
    '/w: cd src',
    '/w/src: cat a.txt',
    '/w/src: grep x',
    '/w/src: cd ..',
    '/w: ls',
  ]);
  assert.deepEqual(named('f=~/a.txt; cat "$f" {b,c}.md file{1..3}'), [
    '/w: cat /home/me/a.txt b.md c.md file1 file2 file3',
  ]);
  assert.deepEqual(named("bash -c 'cat inner.txt'"), ['/w: bash -c cat inner.txt', '/w: cat inner.txt']);
  assert.deepEqual(named('sudo -u me make all'), ['/w: sudo -u me make all', '/w: make all']);
  assert.deepEqual(named('for f in *.ts; do wc -l "$f"; done'), ['/w: wc -l *.ts']);
  const [program] = findNamedPrograms('sort < in.txt > out.txt 2>&1', place);
  assert.deepEqual(
    program?.inputs.map((word) => word.text),
    ['in.txt'],
  );
  assert.deepEqual(
    program?.outputs.map((word) => word.text),
    ['out.txt'],
  );
});

test('the lines that a program asks for are known from its words', () => {
  const focus = (script: string) => focusOf(findNamedPrograms(script, place)[0] ?? programOf([], '/w'));
  assert.deepEqual(focus('tail -n 5 a').ranges, [{ first: -5, last: -1 }]);
  assert.deepEqual(focus('head -3 a').ranges, [{ first: 1, last: 3 }]);
  assert.deepEqual(focus('sed -n 10,20p a').ranges, [{ first: 10, last: 20 }]);
  assert.deepEqual(focus("grep -in 'foo.*bar' a").patterns.map(String), ['/foo.*bar/i']);
  assert.deepEqual(focus("grep -E '(a+)+b' a").patterns, []);
  assert.deepEqual(focus("awk '/needle/ {print}' a").patterns.map(String), ['/needle/']);
});

test('package scripts and imports are read from the text', async () => {
  const text = JSON.stringify({ scripts: { build: 'cat b', test: 'cat t', install: 'cat i' } });
  const readText = async (path: string) => (path === '/w/package.json' ? text : undefined);
  const script = async (words: string) => {
    const found = await namedScripts(programOf(words.split(' '), '/w'), {
      home: '/h',
      readText,
      isThere: async () => false,
    });
    return found?.programs.map(({ program, why }) => `${program.words.map((word) => word.text).join(' ')}: ${why}`);
  };
  assert.deepEqual(await script('npm run build'), ['cat b: run by npm build']);
  assert.deepEqual(await script('npm -s test'), ['cat t: run by npm test']);
  assert.deepEqual(await script('yarn build'), ['cat b: run by yarn build']);
  assert.deepEqual(await script('npm install'), []);
  assert.equal(await script('cat package.json'), undefined);
  assert.ok(sourceReads('/w/a.ts', "import x from './b.js';").some(({ names }) => names.includes('./b.ts')));
  assert.ok(sourceReads('/w/a.py', 'from .b import c\nopen("d.txt")').some(({ names }) => names.includes('d.txt')));
});

test('globs, excludes and ignore rules match as in the shell, the editor and git', () => {
  assert.ok(
    compileGlob('*.t[sx]').test('a.ts') && !compileGlob('*.ts').test('.ts') && !compileGlob('*.ts').test('a/b.ts'),
  );
  assert.ok(compileGlob('**/*.{js,ts}').test('a/b/c.ts') && compileGlob('file-0[!1]?.txt').test('file-025.txt'));
  const excluded = compileExcludes(['**/private', 'dist/**', '*.log']);
  assert.equal(excluded('a/private/b.txt'), '**/private');
  assert.equal(excluded('dist/a.js'), 'dist/**');
  assert.equal(excluded('src/a.ts'), undefined);
  const ignored = compileIgnore('node_modules/\n*.log\n!keep.log\n/out\n# no\n');
  assert.equal(ignored('a/node_modules/b'), 'node_modules/');
  assert.equal(ignored('a/keep.log'), undefined);
  assert.equal(ignored('out/x'), '/out');
  assert.equal(ignored('a/out'), undefined);
});

test('a long text is cut to what is asked for, with a mark for each gap', () => {
  const text = Array.from({ length: 1_000 }, (_, index) => `line number ${index + 1}\n`).join('');
  const cut = cutText(text, 200, { patterns: [/number 500$/], ranges: [] });
  assert.ok(cut.text.includes('line number 500\n') && cut.text.startsWith('line number 1\n'));
  assert.match(cut.text, /… \d+ lines left out …/);
  const kept = cut.text.split('\n').filter((line) => line.startsWith('line')).length;
  assert.equal(kept + cut.leftOutLines, 1_000);
  const head = cutText(text, 100, { patterns: [], ranges: [{ first: 1, last: 900 }] });
  assert.equal(head.firstLine, 1);
  assert.ok(!head.text.includes('left out'));
  assert.equal(cutText('short\n', 100, { patterns: [], ranges: [] }).leftOutLines, 0);
});
