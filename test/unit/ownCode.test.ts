import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOwnCode } from '../../src/core/programs/ownCode.ts';

test('code stands in the words of a command, where a shell may have filled in plain words', () => {
  const own: [code: string, script: string, isRead?: boolean][] = [
    ['print(1)', "python3 -c 'print(1)'"],
    ['print(len("ab"))', 'python3 -c "print(len(\\"ab\\"))"'],
    ['print(3 + 4)', 'n=3; python3 -c "print($n + 4)"'],
    ['open("a/b.txt").read()', 'for f in a/*; do python3 -c "open(\\"$f\\").read()"; done'],
    ['import os\nprint(os.sep)\n', 'python3 <<E\nimport os\nprint(os.sep)\nE\n', true],
    ['print(1)\nprint(2)\n', '{ echo "print(1)"; echo "print(2)"; } | python3', true],
    ['a = 1\nprint(a)\n', "printf 'a = %s\\nprint(a)\\n' 1 | python3", true],
    ['print(7)', 'bash -c \'python3 -c "print($1)"\' x 7'],
  ];
  for (const [code, script, isRead = false] of own) assert.ok(isOwnCode(code, script, { isRead }), script);
  const others: [code: string, script: string, isRead?: boolean][] = [
    ['import os; os.remove("a")', 'python3 -c "$(cat x.py)"'],
    ['print(1); import x', 'n=1; python3 -c "print($n)"'],
    ['print(os.remove("a"))', 'python3 -c "print($n)"'],
    ['print(1)\nprint(9)\n', '{ echo "print(1)"; cat x.py; } | python3', true],
  ];
  for (const [code, script, isRead = false] of others) assert.ok(!isOwnCode(code, script, { isRead }), script);
});

test('of letters that a shell could have filled in in countless ways it is said at once', () => {
  const code = `${'a='.repeat(9_000)}!`;
  const script = `python3 -c "$a=$b=$c=$d=$e=$f=$g=a"; ${'echo $a=$b=$c=$d=$e=a; '.repeat(50)}`;
  assert.equal(isOwnCode(code, script, { isRead: true }), false);
});
