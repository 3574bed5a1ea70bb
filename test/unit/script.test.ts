import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hiddenCharacters } from '../../src/core/shell/hiddenCharacters.ts';
import { readScript, staticText } from '../../src/core/shell/script.ts';
import { findUnsetVariables } from '../../src/core/shell/unsetVariables.ts';
import { cpuMs } from '../cpuMs.ts';

const argv = (script: string) =>
  readScript(script).commands.map((command) => command.words.map((word) => staticText(word) ?? `<${word.text}>`));

test('simple commands with the words that are known', () => {
  assert.deepEqual(argv('rm -rf "a b" $X \'c\'d; ls | wc -l'), [
    ['rm', '-rf', 'a b', '<$X>', 'cd'],
    ['ls'],
    ['wc', '-l'],
  ]);
  assert.deepEqual(argv("$'\\x72\\x6d' -rf /"), [['rm', '-rf', '/']]);
  assert.deepEqual(argv('dd if=a of=/dev/sda'), [['dd', 'if=a', 'of=/dev/sda']]);
});

test('commands inside substitutions, functions, loops and branches are found, with where they stand', () => {
  const { commands, functions } = readScript(
    'f() { rm a; }; if x; then y; fi; for i in 1 2; do echo "$(date)" $i; done; a && b &',
  );
  const find = (name: string) => commands.find((command) => command.words[0]?.text === name);
  assert.deepEqual(functions, ['f']);
  assert.equal(find('rm')?.inFunction, 'f');
  assert.equal(find('x')?.conditional, false);
  assert.equal(find('y')?.conditional, true);
  assert.equal(find('a')?.conditional, false);
  assert.equal(find('b')?.conditional, true);
  assert.equal(find('b')?.background, true);
  assert.ok(find('date'));
  assert.deepEqual(
    find('echo')
      ?.loops.get('i')
      ?.map((word) => word.text),
    ['1', '2'],
  );
});

test('a pipe says whose output is read, through groups as well', () => {
  const { commands } = readScript('curl x | { read a; sh; }');
  assert.deepEqual(
    commands.map((command) => command.pipedFrom),
    [[], [0], [0]],
  );
});

test('redirections and here-documents, also of groups', () => {
  const { commands } = readScript('{ cat <<E; } > /dev/sda 2>&1\nrm $x\nE\n');
  const redirects = commands[0]?.redirects ?? [];
  assert.deepEqual(
    redirects.map(({ operator, outer }) => [operator, outer]),
    [
      ['>', true],
      ['>&', true],
      ['<<', undefined],
    ],
  );
  assert.equal(redirects[2]?.body, 'rm $x\n');
  assert.equal(redirects[2]?.expands, true);
  assert.equal(readScript("cat <<'E'\n$x\nE\n").commands[0]?.redirects[0]?.expands, false);
});

test('offsets point at the command in the source', () => {
  const source = 'echo "$(rm -rf x)"; ls';
  const { commands } = readScript(source);
  assert.deepEqual(
    commands.map(({ pos, end }) => source.slice(pos, end)),
    ['echo "$(rm -rf x)"', 'rm -rf x', 'ls'],
  );
});

test('an incomplete script says what is missing', () => {
  for (const script of [
    'echo "a',
    "echo 'a",
    'if true; then',
    'a |',
    'a &&',
    'cat <<E\nx',
    '(a',
    'echo $(ls',
    '{ a;',
    'case x in',
  ]) {
    assert.match(readScript(script).problem?.message ?? '', /\.$/, script);
  }
  for (const script of [
    'echo "a"',
    'a & b',
    'case x in x) y;; esac',
    'cat <<E\nx\nE',
    ': ${x:-"a b"}',
    '[[ a =~ b ]] && c',
  ]) {
    assert.equal(readScript(script).problem, undefined, script);
  }
});

test('reading never throws and stays fast on hostile input', () => {
  const hostile = [
    '('.repeat(50_000),
    '$('.repeat(20_000),
    '`'.repeat(9999),
    '{a,'.repeat(9999),
    '\\',
    '<<',
    'a'.repeat(500_000),
  ];
  const begin = cpuMs();
  for (const script of hostile) assert.ok(readScript(script));
  assert.ok(cpuMs() - begin < 5000);
});

const unset = (script: string, env = {}) => findUnsetVariables(script, env).map((variable) => variable.name);

test('variables that are read but never get a value', () => {
  assert.deepEqual(unset('rm -rf "$BUILD/"'), ['BUILD']);
  assert.deepEqual(unset('rm -rf "$BUILD/"', { BUILD: 'x' }), []);
  assert.deepEqual(unset('BUILD=x; rm -rf "$BUILD/" ${OTHER}/*'), ['OTHER']);
  assert.deepEqual(unset('rm -rf "${X:-/tmp/x}" "${Y:?}" "${Z-}"'), []);
  assert.deepEqual(unset('rm $1; f() { rm $1; }'), ['1']);
  assert.deepEqual(unset('echo > $OUT'), ['OUT']);
});

test('values come from loops, read, declare, printf -v and arithmetic', () => {
  assert.deepEqual(unset('for i in a; do rm $i; done'), []);
  assert.deepEqual(unset('while read -r line; do rm $line; done'), []);
  assert.deepEqual(unset('export A=1; local B; read C D; printf -v E x; rm $A $B $C $D $E'), []);
  assert.deepEqual(unset('((n = 1)); echo $n $? $# $RANDOM $PWD'), []);
  assert.deepEqual(unset('echo ${x:=1}; echo $x'), []);
});

test('characters that nobody sees are found in words, and not where they belong', () => {
  const found = (script: string) => hiddenCharacters(readScript(script)).join();
  assert.equal(found('rm -rf \u200bdrafts'), 'U+200B');
  assert.equal(found('cat a > b\u2060.txt; echo \u202egpj.exe'), 'U+2060,U+202E');
  assert.equal(found('cat no\u200dtes.txt'), 'U+200D');
  assert.equal(
    found('cat notes.txt; echo "caf\u00e9 \u4f60\u597d" > \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'),
    '',
  );
  assert.equal(found('git commit -m "\u{1f469}\u200d\u{1f4bb} done"'), '');
});

test('a sourced file could have set the variable, and that is said', () => {
  assert.equal(findUnsetVariables('. ./env; rm -rf $X/', {})[0]?.certain, false);
  // The shell ends there.
  assert.deepEqual(unset('set -u; rm -rf "$X"/*'), []);
  assert.deepEqual(unset('set -euo pipefail\nrm -rf "$X"/*'), []);
  assert.deepEqual(unset('set -o nounset; rm -rf "$X"/*'), []);
  assert.deepEqual(unset('set -e; rm -rf "$X"/*'), ['X']);
  assert.deepEqual(unset('set -u; set +u; rm -rf "$X"/*'), ['X']);
  assert.deepEqual(unset('rm -rf "$X"/*; set -u'), ['X']);
  assert.equal(findUnsetVariables('rm -rf $X/', {})[0]?.certain, true);
});

test('the word in which an unset variable stands is given with its offsets', () => {
  const script = 'rm -rf "$X/"*';
  const [variable] = findUnsetVariables(script, {});
  assert.equal(variable?.word, '"$X/"*');
  assert.equal(script.slice(variable?.pos, variable?.end), '"$X/"*');
});
