import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { readBenchRow } from '../../../src/core/bench/run/benchRow.ts';
import { readRowWords } from '../../../src/core/bench/run/rowWords.ts';
import { renderPrompt } from '../../../src/core/worlds/language/prompt/prompt.ts';
import { domains } from '../../../src/core/worlds/language/prompt/turns/turn.ts';

const folder = path.resolve('test/fixtures/agentworldbench');
const text = readdirSync(folder)
  .filter((name) => name.endsWith('_test.jsonl'))
  .map((name) => readFileSync(path.join(folder, name), 'utf8'))
  .join('');

test('a benchmark asks in its own words: a first turn is laid out as its row is, letter by letter', () => {
  const words = readRowWords(text);
  assert.deepEqual(Object.keys(words.suffixes).sort(), [...domains].sort());
  assert.deepEqual(Object.keys(words.templates).sort(), ['android', 'os', 'terminal', 'web']);
  let compared = 0;
  for (const line of text.trim().split('\n')) {
    const read = readBenchRow(line);
    assert.ok(read.ok);
    const { row, messages, action, domain } = read.row;
    const known = domains.find((one) => one === domain);
    const asked = messages.at(-1)?.content ?? '';
    assert.ok(known && asked.endsWith(words.suffixes[known] ?? '?'), asked);
    if (domain !== 'terminal' || row.turn_idx !== 1) continue;
    const prompt = renderPrompt({
      domain: known,
      style: 'benchmark',
      dialect: 'qwen',
      currentState: /\*\*Current State:\*\*\n([\s\S]*?)\n\n\*\*Action/.exec(asked)?.[1] ?? '',
      turns: [{ action: action.turn, part: 'action' }],
      template: words.templates[known] ?? '',
      suffix: words.suffixes[known],
    });
    assert.ok(prompt.ok);
    assert.deepEqual(prompt.messages, messages);
    compared += 1;
  }
  assert.ok(compared > 0);
});

test('one row alone tells by the fence of its action; what is no row tells nothing', () => {
  const [line = ''] = readFileSync(path.join(folder, 'terminal_test.jsonl'), 'utf8').split('\n');
  assert.match(readRowWords(line).suffixes.terminal ?? '', /^\n\n\w[\s\S]*predicted_observation/);
  assert.deepEqual(readRowWords('{"a": 1}\nno JSON\n'), { templates: {}, suffixes: {} });
});
