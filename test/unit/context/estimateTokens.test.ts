import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { estimateTokens } from '../../../src/core/context/estimateTokens.ts';
import { cpuMs } from '../../cpuMs.ts';

// Counted once with the tokenizer of Qwen 3 (Qwen3-0.6B, tokenizer.json).
const counted: readonly [text: string, tokens: number][] = [
  ['The gate stops every program that is not inert before its first instruction, and hands it over.', 19],
  [
    'export function readScript(source: string): ScriptReading {\n  const reading = { source, commands: [] };\n  return reading;\n}\n',
    27,
  ],
  [
    '{\n  "name": "shop",\n  "version": "1.2.3",\n  "scripts": {\n    "build": "tsc -p .",\n    "test": "node --test"\n  }\n}\n',
    47,
  ],
  [
    "def main(argv):\n    for line in open(argv[1]):\n        print(line.strip().split(',')[0])\n\nif __name__ == '__main__':\n    main(sys.argv)\n",
    35,
  ],
  ['total 24\n-rw-r--r-- 1 user user  512 Jan  5 10:00 Makefile\ndrwxr-xr-x 2 user user 4096 Jan  5 10:00 src\n', 60],
  ['## main...origin/main [ahead 2]\n M src/app.ts\n?? notes/\nA  docs/guide.md\n', 25],
  ['2024-01-05T10:00:00Z ERROR db timeout after 3000 ms (host=10.0.0.12, retry=3)\n', 47],
  ['3a7bd3e2360a3d29eea436fcfb7e44c735d117c42d1c1835420b6b9942dd4f1b', 58],
  ['naïve café, Tōkyō, 東京都, Привет мир\n', 19],
];

test('tokens are estimated within 30 % of the tokenizer of Qwen 3 on short texts of many kinds', () => {
  for (const [text, tokens] of counted) {
    const estimated = estimateTokens(text);
    assert.ok(
      Math.abs(estimated - tokens) <= Math.max(3, tokens * 0.3),
      `${estimated} instead of ${tokens} for ${JSON.stringify(text)}`,
    );
  }
});

test('an empty text has no tokens, and a longer text never has fewer', () => {
  assert.equal(estimateTokens(''), 0);
  const text = readFileSync('src/README.md', 'utf8').slice(0, 2_000);
  let last = 0;
  for (let end = 0; end <= text.length; end++) {
    const now = estimateTokens(text.slice(0, end));
    assert.ok(now >= last - 1, `fell from ${last} to ${now} at ${end}`);
    last = now;
  }
});

test('a megabyte is estimated in well under 100 ms', () => {
  const text = readFileSync('src/README.md', 'utf8').repeat(300).slice(0, 1_000_000);
  estimateTokens(text);
  const start = cpuMs();
  estimateTokens(text);
  const durationMs = cpuMs() - start;
  assert.ok(durationMs < 5_000, `${durationMs.toFixed(1)} ms`);
});
