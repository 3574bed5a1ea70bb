import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileKeepsKeys, keepsKeys } from '../../src/host/typedLine/keepsKeys.ts';

const programs = new Set(['git', 'ls', 'npm', 'grep', 'cat', 'env', 'bash']);
const keeps = (line: string) => keepsKeys(line, (name) => programs.has(name));

test('programs and a few builtins leave the keys of a shell as they are', () => {
  const lines = [
    ...['', 'git status', 'ls -la | grep x', 'cd docs && npm test', 'FOO=1 npm run build; echo $FOO', './run.sh'],
    ...["git commit -m 'set -o vi; bind x'", 'echo "bind x" > a.txt', 'npm test 2>&1 | cat', 'X=1', '# set -o vi'],
    ...['export PATH=/a:/b', "set -gx GREETING 'a b'", 'set -x LANG C', 'export A B=1'],
    ...['ls (cat a.txt)', 'ls $(git ls-files | cat)', 'set -gx A (cat (ls))', 'echo "$HOME"', 'ls (cat "a b" c)'],
    ...["alias tidy='rm -rf'", 'alias ll=ls', "alias zap 'rm -rf'", 'cd docs; alias x-y="ls -l"'],
  ];
  for (const line of lines) assert.ok(keeps(line), line);
});

test('what may have changed the keys, or is not understood, is not taken for harmless', () => {
  const lines = [
    ...['set -o vi', 'bindkey -v', 'fish_vi_key_bindings', `bind '"\\C-e": "docs"'`, '. ./keys', 'source keys'],
    ...[
      'ls (bind x y)',
      '(cat a.txt) x',
      '$(cat a.txt)',
      'ls (cat (vimode))',
      'f() ls',
      '"$x" -o vi',
      'ls "$(vimode)"',
    ],
    ...['eval "$x"', 'ls; set -o vi', 'ls && . keys', 'ls\nset -o vi', 'X=1 set -o vi', 'vimode', 'exec bash'],
    ...[
      'f() { set -o vi; }',
      'if true; then set -o vi; fi',
      'ls $(set -o vi)',
      'ls `x`',
      '{ set -o vi; }',
      '"set" -o vi',
    ],
    ...["'set' -o vi", '\\set -o vi', 'cat <(x)', 'builtin set -o vi', 'ls & set -o vi', 'command . keys'],
    ...['set -g fish_key_bindings fish_vi_key_bindings', 'set -gx fish_key_bindings x', 'export -f f', 'set -o vi A'],
    ...[
      'alias ls=vimode',
      'alias cd=q',
      "alias cd 'bind x y'",
      "alias fish_prompt 'bind x y'",
      'alias source=q',
      'alias -g x=y',
      'alias',
      'alias x',
      'alias tidy=ls; tidy',
    ],
  ];
  for (const line of lines) assert.ok(!keeps(line), line);
});

test('a virtual environment of Python that a fish reads in leaves its keys as they are', () => {
  const activate = readFileSync('test/fixtures/activate.fish', 'utf8');
  assert.ok(fileKeepsKeys(activate));
  const more = [
    ...[
      'bind \\ce docs',
      'set -g fish_key_bindings fish_vi_key_bindings',
      'vimode',
      'source other.fish',
      'function ls; end',
    ],
    ...[
      'function commandline',
      'eval $x',
      'set x (vimode)',
      'test "$(vimode)"',
      'set x (vimode); bind',
      'test 1 = 1; and bind x y',
      'function fish_prompt; bind; end',
    ],
  ];
  for (const line of more) assert.ok(!fileKeepsKeys(`${activate}\n${line}\n`), line);
  const isKept = (file: string) => file === 'v/bin/activate.fish';
  const known = (line: string) => keepsKeys(line, (name) => programs.has(name), isKept);
  for (const line of ['source v/bin/activate.fish', 'cd docs; . v/bin/activate.fish']) assert.ok(known(line), line);
  for (const line of ['source other.fish', 'source', 'cat x | source', '. v/bin/activate.fish x'])
    assert.ok(!known(line), line);
});
