import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReplyStream } from '../../../src/core/worlds/language/client/replyStream.ts';
import { observationMarker } from '../../../src/core/worlds/language/prompt/turns/turnText.ts';
import { checkReply } from '../../../src/core/worlds/language/reply/checkReply.ts';
import { parseReply } from '../../../src/core/worlds/language/reply/parseReply.ts';
import { cpuMs } from '../../cpuMs.ts';
import { complaintsAboutSentence } from '../../faults/sentence.ts';
import { naiveParse } from './parseReplyNaive.ts';

/** Mulberry32: the same numbers on every machine. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const alphabet = [
  '<think>',
  '</think>',
  '<predicted_observation>',
  '</predicted_observation>',
  '<THINK>',
  '</Think>',
  '<Predicted_Observation>',
  '</PREDICTED_observation>',
  observationMarker,
  '**environment observation:**',
  '<thi',
  'nk>',
  '</',
  '<',
  '**',
  '<predicted_',
  'observation>',
  '\n',
  '\n\n',
  ' ',
  '\t\r\n',
  '\u00a0\u2003',
  '\u001c\u0085',
  '\ufeff',
  'a',
  'total 24',
  'K',
  'ſ',
  'é',
  '東京',
  '👩‍👩‍👧',
  '\ud83d',
  '$&',
  '',
];

function textsFrom(seed: number, count: number): string[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, () => {
    const length = Math.floor(random() ** 2 * 24);
    return Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
  });
}

test('a reply is read as the rules say, on 10,000 generated texts', () => {
  const rules = new Map<string, number>();
  for (const text of textsFrom(4, 10_000)) {
    const { observation, rule } = parseReply(text);
    assert.deepEqual({ observation, rule }, naiveParse(text), JSON.stringify(text));
    rules.set(rule, (rules.get(rule) ?? 0) + 1);
  }
  // The generator reaches every rule often enough to mean something.
  for (const rule of ['tagged', 'unclosed', 'untagged', 'empty', 'nothing'])
    assert.ok((rules.get(rule) ?? 0) > 100, rule);
});

test('the rules, one by one', () => {
  const says = (text: string) => parseReply(text).observation;
  assert.equal(says(''), 'No output');
  assert.equal(says('<think>only this'), 'No output');
  assert.equal(says('<think>a</think>\n\nls\nREADME.md\n'), 'ls\nREADME.md');
  assert.equal(says('thinking without a beginning</think> ok'), 'ok');
  assert.equal(says('<think>never ends <predicted_observation>x</predicted_observation>'), 'x');
  assert.equal(says('<think>a<think>b</think>c</think>d'), 'd');
  assert.equal(
    says('<predicted_observation>1</predicted_observation><predicted_observation>2</predicted_observation>'),
    '2',
  );
  assert.equal(says('<predicted_observation>cut he'), 'cut he');
  assert.equal(says(`<predicted_observation>\n${observationMarker}\n$ pwd\n</predicted_observation>`), '$ pwd');
  assert.equal(says(`a ${observationMarker} b ${observationMarker}`), 'a  b');
  assert.deepEqual(parseReply('<think>no</think>yes'), {
    observation: 'yes',
    rule: 'untagged',
    marker: 'none',
    thinkingLength: 17,
  });
});

test('hostile texts take linear time', () => {
  const texts = (count: number) => [
    '<think>'.repeat(count),
    '</think>'.repeat(count),
    '<think></think>'.repeat(count),
    '<think>'.repeat(count) + '</think>'.repeat(count),
    '<predicted_observation>'.repeat(count),
    '<think><predicted_observation>'.repeat(count),
    '</predicted_observation>'.repeat(count),
    observationMarker.repeat(count),
    `x${observationMarker}`.repeat(count),
    ' '.repeat(count * 10),
    `<${' '.repeat(count * 10)}`,
    '<predicted_'.repeat(count),
  ];
  const durationOf = (text: string) => {
    const startedAt = cpuMs();
    parseReply(text);
    const stream = createReplyStream();
    for (let at = 0; at < text.length; at += 97) stream.content(text.slice(at, at + 97));
    return cpuMs() - startedAt;
  };
  for (const text of texts(2000)) durationOf(text);
  for (const [index, text] of texts(50_000).entries()) {
    const durationMs = durationOf(text);
    // Linear is some 100 ms; quadratic would be minutes.
    assert.ok(durationMs < 30_000, `text ${index}: ${durationMs.toFixed(0)} ms`);
  }
});

/** Feeds a text in pieces of random lengths; gives the progress after each. */
function follow(text: string, random: () => number, reasoning = '') {
  const stream = createReplyStream();
  const steps = reasoning === '' ? [] : [stream.reasoning(reasoning)];
  for (let at = 0; at < text.length; ) {
    const length = 1 + Math.floor(random() * 9);
    steps.push(stream.content(text.slice(at, at + length)));
    at += length;
  }
  return { steps, result: stream.finish() };
}

test('a reply that was followed ends as the whole is read, on 10,000 generated texts', () => {
  const random = randomFrom(5);
  for (const text of textsFrom(6, 10_000)) {
    const { result } = follow(text, random);
    const { observation, rule } = result;
    assert.deepEqual({ observation, rule }, naiveParse(text), JSON.stringify(text));
    assert.equal(result.content, text);
  }
});

test('what is shown of an ordinary reply only grows, and is a beginning of its observation', () => {
  const random = randomFrom(7);
  const observations = [
    'ok',
    'a\n  b < c\n\n**bold**\n',
    '<html>\n<th>1</th>\n',
    '東京 👩‍👩‍👧\n\n\nend',
    '***',
    'x '.repeat(200),
  ];
  const forms = [
    (text: string) => ({ content: `<predicted_observation>\n${text}\n</predicted_observation>\n`, reasoning: 'so' }),
    (text: string) => ({
      content: `<think>\nI see <predicted_observation>\n</think>\n\n<predicted_observation>${text}</predicted_observation>`,
      reasoning: '',
    }),
    (text: string) => ({ content: `thus\n</think>\n\n<predicted_observation>${text}`, reasoning: '' }),
    (text: string) => ({ content: `${observationMarker}\n${text}`, reasoning: '' }),
    (text: string) => ({ content: `\n\n${text}\n`, reasoning: 'the server sent it apart' }),
    (text: string) => ({ content: `<think>inline</think>\n${observationMarker}\n${text}\n`, reasoning: '' }),
  ];
  for (const text of observations) {
    for (const form of forms) {
      const { content, reasoning } = form(text);
      const { steps, result } = follow(content, random, reasoning);
      assert.equal(result.observation, text.trim());
      let shown = '';
      for (const { observation } of steps) {
        assert.ok(observation.startsWith(shown), JSON.stringify({ content, shown, observation }));
        assert.ok(result.observation.startsWith(observation), JSON.stringify({ content, observation }));
        shown = observation;
      }
      assert.ok(shown.length >= result.observation.length - 30, `only ${shown.length} of ${text.length} were shown`);
    }
  }
});

test('thinking is shown apart, wherever it stands', () => {
  const all = (pieces: string[]) => {
    const stream = createReplyStream();
    return pieces.map((piece) => stream.content(piece)).at(-1);
  };
  assert.equal(all(['<thi', 'nk>I thi', 'nk</think>', '<predicted_observation>x'])?.thought, 'I think');
  assert.equal(all(['it would ', 'fail</thi', 'nk>\n'])?.thought.trim(), 'it would fail');
  assert.equal(all(['it would ', 'fail</thi', 'nk>\n'])?.observation, '');
  assert.equal(all(['<predicted_observation>x</predicted_observation> and so on'])?.phase, 'done');
});

test('a reply without an observation is never taken for one', () => {
  const problem = (content: string, reasoning: string, reason: 'stop' | 'length') =>
    checkReply({ content, reasoning, reason, maxOutputTokens: 4096 });
  assert.equal(problem('', 'on and on', 'length')?.code, 'budget-spent-thinking');
  assert.equal(problem('<think>on and on', '', 'length')?.code, 'budget-spent-thinking');
  assert.equal(problem('raw thinking, no parser', '', 'length')?.code, 'budget-spent-thinking');
  assert.equal(problem('leftover\n</think>', 'on and on', 'length')?.code, 'budget-spent-thinking');
  assert.equal(problem('<predicted_observation>a\nb', 'so', 'length')?.code, 'observation-cut');
  assert.equal(problem('a\nb', 'so', 'length')?.code, 'observation-cut');
  assert.equal(problem('<predicted_observation>a</predicted_observation>', 'so', 'length'), undefined);
  assert.equal(problem('a', '', 'stop'), undefined);
  assert.equal(problem('<predicted_observation></predicted_observation>', '', 'stop'), undefined);
  assert.equal(problem('<think>x</think>', '', 'stop')?.code, 'empty-reply');
  for (const [content, reasoning, reason] of [
    ['', 'x', 'length'],
    ['<predicted_observation>a', '', 'length'],
    ['', '', 'stop'],
  ] as const) {
    assert.deepEqual(complaintsAboutSentence(problem(content, reasoning, reason)?.message), []);
  }
});
