import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { throwAwayForetell } from '../throwAwayForetell.ts';

/** What the start files of an interactive zsh define counts where nobody saw the one at the prompt. */

const skip = fs.existsSync('/usr/bin/zsh') ? false : 'there is no zsh';
const { workspace, predicted } = throwAwayForetell('startZsh', { keepsShells: true });
const home = workspace({
  '.zshenv': 'export FROM_ENV=env\n',
  '.zshrc': `setopt extendedglob nullglob
export FROM_FILE='a "b" $c' EDITOR=vi
alias say='greet politely' sayer=say count='wc -l <'
alias -g L='| wc -l'
alias -s txt=cat
hash -d files=$HOME/files
path+=($HOME/bin)
fpath+=($HOME/functions)
autoload -Uz later
greet() { print -r -- "hello $*" }
outer() { greet outer; print -l -- ^*.log(N) }
chpwd() { print -r -- "in \${PWD:t}" }
command_not_found_handler() { print -r -- "no $1 here"; return 127 }
`,
  'files/one.txt': '1\n',
  'files/two.log': '2\n',
  'functions/later': 'print -r -- later $1\n',
  'bin/tool': '#!/bin/sh\necho tool\n',
});
const env = { HOME: home, PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', TOKEN: 'given-from-outside', TERM: 'dumb' };

function predict(script: string, given = env) {
  return predicted(script, home, given, { shell: 'zsh', interactive: true });
}

for (const script of [
  'greet you; outer',
  'say it; sayer it',
  'echo $(greet inside); echo "$(outer)"',
  'g=greet; $g by a variable',
  'eval "gre""et" by eval; \\greet past aliases',
  'nosuch-command; echo $?',
  'printenv FROM_ENV FROM_FILE EDITOR TOKEN',
  'print -l files/^*.log nothing*; echo done',
  'ls -1 files L',
  'files/one.txt',
  'count ~files/two.log',
  'cd files && ls',
  'tool; later x; tool() { echo own }; tool',
  'whence -w greet say later; alias -g',
  'unalias say; say; greet() { echo new }; greet',
])
  test(script, { skip }, async () => {
    const real = spawnSync('setsid', ['-w', 'zsh', '-i', '-c', script], { cwd: home, env, encoding: 'utf8' });
    const { output, exitCode, ending, endingReason } = await predict(script);
    assert.equal(ending, 'done', endingReason);
    const text = output.filter(({ stream }) => stream === 'stdout').map((piece) => piece.text);
    assert.deepEqual([text.join(''), exitCode], [real.stdout, real.status]);
  });

test('start files that do not come to an end are said to be unread', { skip }, async () => {
  const other = workspace({ '.zshrc': 'exit 3\n' });
  const { ending, endingReason } = await predict('echo a', { ...env, HOME: other });
  assert.equal(ending, 'abstained');
  assert.match(endingReason ?? '', /zsh/);
});

test('nothing that it was given lies in the file that it begins with', { skip }, async () => {
  await predict('greet');
  const storage = path.join(path.dirname(home), 'storage');
  const files = fs
    .readdirSync(storage, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.zshenv'));
  assert.ok(files.length > 0);
  for (const file of files) assert.ok(!fs.readFileSync(path.join(storage, file), 'utf8').includes(env.TOKEN));
});
