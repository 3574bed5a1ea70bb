import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languageFor } from '../../src/cli/language.ts';
import { readOptions } from '../../src/cli/options.ts';

function read(...args: string[]) {
  const options = readOptions([...args, 'ls'], '/w');
  return 'problem' in options ? options : languageFor(options, { extensionFolder: '/extension', cwd: '/w', env: {} });
}

const server = '--model-url=http://localhost:1/v1';

test('how a model is asked is told by the same options wherever one is asked', () => {
  const language = read(
    ...[server, '--budget', '900', '--style=quickstart', '--dialect', 'claude', '--prompts', '/own'],
    ...['--temperature', '0.1', '--top-p=0.5', '--top-k', '3', '--seed', '7', '--max-tokens=512', '--thinking=off'],
    ...['--under', 'disk-full', '--under-text', 'the registry answers with 502'],
  );
  assert.ok(language && !('problem' in language));
  const { provider: _, ...asked } = language;
  assert.deepEqual(asked, {
    budgetTokens: 900,
    style: 'quickstart',
    dialect: 'claude',
    templateFolders: [
      { source: 'configured', path: '/own' },
      { source: 'shipped', path: '/extension/prompts' },
    ],
    parameters: { temperature: 0.1, topP: 0.5, topK: 3, seed: 7, maxOutputTokens: 512, thinking: 'off' },
    conditions: ['disk-full'],
    conditionText: 'the registry answers with 502',
    whole: false,
    samples: 1,
  });
});

test('what no model can be told is said in one sentence', () => {
  for (const [args, sentence] of [
    [['--thinking', 'on'], '--thinking needs a model; give its server with --model-url URL.'],
    [[server, '--budget='], '--budget takes a number of tokens, not an empty text.'],
    [[server, '--temperature=warm'], '--temperature takes a number from 0, not warm.'],
    [[server, '--top-k=1.5'], '--top-k takes a whole number from 0, not 1.5.'],
    [[server, '--thinking=maybe'], '--thinking takes on or off, not maybe.'],
    [[server, '--dialect=codex'], '--dialect takes qwen or claude, not codex.'],
  ] as const) {
    assert.deepEqual(read(...args), { problem: sentence });
  }
  assert.equal(read(), undefined);
});
