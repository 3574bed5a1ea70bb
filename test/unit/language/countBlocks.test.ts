import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RecordedTurn } from '../../../src/core/action/action.ts';
import { foldAll } from '../../../src/core/foretell.ts';
import type { PredictionEvent } from '../../../src/core/prediction/event.ts';
import { allInWords } from '../../../src/core/prediction/factEvent.ts';
import type { LanguageProvider } from '../../../src/core/worlds/language/client/provider.ts';
import { imagineTurn } from '../../../src/core/worlds/language/imagine/imagineTurn.ts';
import type { LanguageRequest } from '../../../src/core/worlds/language/imagine/languageRequest.ts';
import { createTextCounts, mostNewTexts } from '../../../src/core/worlds/language/prompt/textCounts.ts';
import type { Turn } from '../../../src/core/worlds/language/prompt/turns/turn.ts';
import { countTokens, dialects } from '../../cassettes/wire.ts';
import { plainLooker } from '../../engine/plainLooker.ts';
import { observed, setUp } from './clientTools.ts';

const never = new AbortController().signal;
const counting = ['vllm', 'sglang', 'llama.cpp'];

for (const dialect of dialects) {
  test(`${dialect}: texts are counted one by one and only once, where the server can`, async (context) => {
    const { provider, server } = await setUp(context, { dialect });
    const texts = ['You are a terminal.', 'ls -la\n', 'You are a terminal.', ''];
    const asked = () => server.requests.filter(({ path }) => path === '/tokenize').length;
    await provider.status(never);
    const before = asked();
    const counts = await provider.countTexts?.(texts, never);
    if (!counting.includes(dialect)) {
      assert.deepEqual(counts, [undefined, undefined, undefined, undefined]);
      assert.equal(asked(), before);
      return;
    }
    const exact = texts.map((text) => (text === '' ? 0 : countTokens(text)));
    assert.deepEqual(counts, exact);
    assert.equal(asked(), before + 2);
    assert.deepEqual(await provider.countTexts?.(texts, never), exact);
    assert.equal(asked(), before + 2, 'what was counted is remembered');
    const last = server.requests.filter(({ path }) => path === '/tokenize').at(-1)?.body ?? {};
    assert.ok(last['add_special_tokens'] === false || last['add_special'] === false, 'no token is added');
  });
}

test('a key in a text is not sent to be counted', async (context) => {
  const key = 'sk-proj-0123456789abcdef';
  const { provider, server } = await setUp(context, { dialect: 'vllm' }, { apiKey: async () => key });
  await provider.countTexts?.([`curl -H ${key}`], never);
  assert.ok(!server.requests.some(({ body }) => JSON.stringify(body ?? '').includes(key)));
});

test('many new texts are left estimated, and one that cannot be counted ends the asking', async () => {
  const counts = createTextCounts();
  let asked = 0;
  const ask = async (text: string) => {
    asked += 1;
    return text.length;
  };
  const many = Array.from({ length: mostNewTexts + 10 }, (_, index) => `text ${index}`);
  const first = await counts.count(many, ask, never);
  assert.equal(first.filter((count) => count === undefined).length, 10);
  assert.equal(asked, mostNewTexts);
  assert.ok(
    (await counts.count(many, ask, never)).every((count) => count !== undefined),
    'the rest comes next time',
  );

  asked = 0;
  const broken = async () => {
    asked += 1;
    throw new Error('gone');
  };
  const failed = await createTextCounts().count(many, broken, never);
  assert.ok(failed.every((count) => count === undefined));
  assert.ok(asked <= 4, String(asked));
  const aborted = await createTextCounts().count(many, ask, AbortSignal.abort());
  assert.ok(aborted.every((count) => count === undefined));
});

const turn: Turn['action'] = { kind: 'tool', name: 'run_shell_command', arguments: { command: 'npm test' } };
const action: RecordedTurn = { kind: 'turn', domain: 'swe', turn };
const turns: Turn[] = [{ action: turn, part: 'action' }];

async function predict(
  provider: LanguageProvider,
  more: Partial<LanguageRequest> = {},
  onEvent: (event: PredictionEvent) => void = () => {},
) {
  const language: LanguageRequest = {
    ...{ provider, templateFolders: [], countsBlocks: true, ...more },
    turn: { turns, template: '# Tools\n{tool_definitions}\n# Rules\nBe exact.\n' },
  };
  const all: PredictionEvent[] = [];
  const { events } = imagineTurn({ language, looker: plainLooker(), signal: never }, action);
  const prediction = await foldAll(action, allInWords(events), (event) => {
    all.push(structuredClone(event));
    onEvent(event);
  });
  return { prediction, types: all.map(({ type }) => type), question: prediction.questions[0] ?? assert.fail() };
}

test('the blocks of a question are counted while its answer is awaited', async (context) => {
  // The answer comes when the counts are there.
  let release = () => {};
  const counted = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { provider } = await setUp(context, {
    dialect: 'vllm',
    answer: () => counted.then(() => observed),
  });
  const { types, question } = await predict(provider, {}, ({ type }) => {
    if (type === 'counted') release();
  });
  assert.deepEqual(types.slice(0, 3), ['started', 'question', 'counted']);
  assert.ok(question.blocks.length >= 4);
  for (const block of question.blocks) {
    const text = question.messages[block.message]?.content.slice(block.start, block.end) ?? '';
    assert.deepEqual([block.exact, block.tokens], [true, countTokens(text)], block.title);
  }
  // The whole is what the server says it read, with its chat template.
  assert.deepEqual(question.tokens, { count: question.reply?.usage?.promptTokens ?? -1, exact: true });
  const uncounted = await predict(provider, { countsBlocks: false });
  assert.ok(!uncounted.types.includes('counted'));
  assert.ok(uncounted.question.blocks.every((block) => block.exact === undefined));
});

test('a tokenizer that hangs delays nothing: the blocks stay estimated, and say so', async (context) => {
  const waiting: (() => void)[] = [];
  const { provider } = await setUp(
    context,
    { dialect: 'vllm', replies: [observed] },
    {
      async fetch(url, init) {
        if (String(init?.body).includes('add_special_tokens')) {
          await new Promise<void>((resolve) => {
            waiting.push(resolve);
          });
        }
        return fetch(url, init);
      },
    },
  );
  const { prediction, types, question } = await predict(provider);
  assert.equal(prediction.ending, 'done');
  assert.ok(!types.includes('counted'));
  assert.ok(waiting.length > 0);
  assert.ok(question.blocks.every((block) => block.exact === undefined && block.tokens > 0));
  for (const end of waiting) end();
});

test('a server without a tokenizer leaves the blocks estimated', async (context) => {
  const { provider } = await setUp(context, { dialect: 'ollama', replies: [observed] });
  const { question } = await predict(provider);
  assert.ok(question.blocks.every((block) => block.exact === undefined));
});
