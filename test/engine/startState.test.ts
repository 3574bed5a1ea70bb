import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { throwAwayForetell } from '../throwAwayForetell.ts';

/** What the start files of an interactive bash define counts however a script comes to it, and is read where it may be called. */

const { folder, workspace, predicted } = throwAwayForetell('start', { keepsShells: true });
const many = Array.from({ length: 300 }, (_, at) => `_unused${at}() { local x=${at}; echo "$x"; }\n`).join('');
const startFiles = {
  '.bashrc': `${many}shopt -s extglob nullglob
export FROM_FILE='a "b" $c' EDITOR=vi
alias say='greet politely' sayer=say count='wc -l <'
greet() { echo "hello $*"; }
outer() { greet outer; }
command_not_found_handle() { printf 'no %s here\\n' "$1"; return 127; }
`,
  'files/one.txt': '1\n',
  'files/two.log': '2\n',
};
const home = workspace(startFiles);
const env = { HOME: home, PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', TOKEN: 'given-from-outside' };

function predict(script: string, hasTerminal = false) {
  const terminal = hasTerminal ? { terminal: { columns: 200, rows: 24 } } : {};
  return predicted(script, home, env, { interactive: true, ...terminal });
}

for (const script of [
  'greet you; outer',
  'say it; sayer it',
  'echo $(greet inside); echo "$(outer)"',
  'g=greet; $g by a variable',
  'X=1 $SHELL_NAME greet',
  'eval "gre""et" by eval',
  'gr"ee"t in pieces; \\greet past aliases',
  'nosuch-command; echo $?',
  'printenv FROM_FILE EDITOR TOKEN',
  'ls -d files/!(*.log) nothing*; echo done',
  'declare -F greet; type -t say; command -v outer',
  'for f in greet outer; do $f loop; done',
  'if greet quietly >/dev/null; then echo yes; fi',
  'trap outer EXIT; echo before',
  'count files/one.txt',
  'ls -1 files; cat files/one.txt | wc -l',
])
  test(script, async () => {
    const real = spawnSync('setsid', ['-w', 'bash', '-i', '-c', script], { cwd: home, env, encoding: 'utf8' });
    const { output, exitCode, ending, endingReason } = await predict(script);
    assert.equal(ending, 'done', endingReason);
    const text = output.filter(({ stream }) => stream === 'stdout').map((piece) => piece.text);
    assert.deepEqual([text.join(''), exitCode], [real.stdout, real.status]);
    const complaints = output.filter(({ stream }) => stream === 'stderr').map((piece) => piece.text);
    assert.doesNotMatch(complaints.join(''), /job control|process group/);
    const atTerminal = await predict(script, true);
    const shown = atTerminal.output
      .map((piece) => piece.text)
      .join('')
      .replaceAll('\r\n', '\n');
    assert.deepEqual([shown, atTerminal.exitCode], [real.stdout, real.status]);
  });

test('nothing that was only given is written down, and what nobody calls is not read', async () => {
  await predict('cat files/one.txt');
  await predict('greet you');
  const storage = path.join(folder, 'storage');
  const texts = fs.readdirSync(storage).map((name) => fs.readFileSync(path.join(storage, name), 'utf8'));
  assert.equal(texts.filter((text) => text.includes('given-from-outside')).length, 0);
  const sizes = texts.map((text) => text.length).sort((a, b) => a - b);
  assert.ok((sizes[0] ?? 0) < 4_000 && (sizes.at(-1) ?? 0) > 15_000, sizes.join(' '));
});
