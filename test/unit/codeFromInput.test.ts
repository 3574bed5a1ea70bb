import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readsCodeFromInput, scriptFileOf } from '../../src/core/programs/codeFromInput.ts';

test('the file that a shell runs is told from its options and its arguments', () => {
  const filesOf: Record<string, string | undefined> = {
    'bash -o pipefail a.sh b.sh': 'a.sh',
    'bash -euo pipefail ./a.sh': './a.sh',
    'sh -s -- -b /usr/local/bin': undefined,
    'bash -s 1.2.3': undefined,
    'sh - a.sh': 'a.sh',
    'bash --rcfile x a.sh': 'a.sh',
    'bash -lc ls': undefined,
    'bash /dev/stdin x': undefined,
    'pwsh -File a.ps1': 'a.ps1',
    'fish -C x a.fish': 'a.fish',
    'python3 a.py': undefined,
  };
  for (const [line, file] of Object.entries(filesOf)) assert.equal(scriptFileOf(line.split(' ')), file, line);
});

test('what is piped is code unless a file or code stands among the words', () => {
  const code = [
    'sh',
    'sh -s -- -c x',
    'bash -x -s a.b',
    'python3 - --version 1.2',
    'node - ./x',
    'perl - A::B',
    'php -- --x=1',
  ];
  const input = [
    'sh a.sh',
    'bash -c cat',
    'bash -sc cat',
    'python3 -m pytest',
    'perl -ne print',
    'node -p x',
    'ruby a.rb -',
  ];
  for (const line of code) assert.equal(readsCodeFromInput(line.split(' ')), true, line);
  for (const line of input) assert.equal(readsCodeFromInput(line.split(' ')), false, line);
});
