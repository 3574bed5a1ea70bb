import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { dimensions, parseChoice, parseJudgeReply } from '../../../src/core/bench/run/judgeReply.ts';
import { type JudgedFields, officialScore } from '../../../src/core/bench/score/officialScore.ts';
import { parseMarked, parseReply } from '../../../src/core/worlds/language/reply/parseReply.ts';
import { seeded } from '../language/seeded.ts';
import { naiveJudge } from './naiveJudge.ts';

interface Recorded {
  mode: 'judge' | 'reply' | 'choice' | 'score';
  input: unknown;
  result: unknown;
}

const recorded = readFileSync(path.resolve('test/fixtures/agentworldbench/official.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);

/** Recorded cases of the evaluation script, read by us. */
function cases(mode: Recorded['mode'], least: number): Recorded[] {
  const some = recorded.filter((one) => one.mode === mode);
  assert.ok(some.length >= least);
  return some;
}

test('judges’ replies are read as the evaluation script read them', () => {
  for (const { input, result } of cases('judge', 300)) {
    const read = parseJudgeReply(String(input));
    const wanted = result as { success: boolean; scores: Record<string, number | boolean>; total_score: number };
    assert.equal(read.ok, wanted.success, JSON.stringify(input));
    if (!read.ok) continue;
    assert.equal(read.total, wanted.total_score, JSON.stringify(input));
    for (const name of dimensions) assert.equal(read.scores[name], Number(wanted.scores[name]), JSON.stringify(input));
  }
});

test('models’ replies are read as the evaluation script read them', () => {
  for (const { input, result } of cases('reply', 100)) {
    const [marked, observation] = result as [string, string];
    assert.equal(parseMarked(String(input)).marked, marked, JSON.stringify(input));
    assert.equal(parseReply(String(input)).observation, observation, JSON.stringify(input));
  }
});

test('choices are read as the evaluation script read them', () => {
  for (const { input, result } of cases('choice', 100)) {
    assert.equal(parseChoice(String(input)) ?? null, result, JSON.stringify(input));
  }
});

test('scores are printed as the evaluation script printed them', () => {
  for (const { input, result } of cases('score', 40)) {
    const score = officialScore();
    for (const row of input as JudgedFields[]) score.add(row);
    assert.equal(score.text(), result);
  }
});

test('10,000 generated replies are read as a second writing of the rules reads them', () => {
  const { pick, below } = seeded(7);
  const random = () => below(10_000) / 10_000;
  let tidy = 0;
  const blank = () => (random() < tidy ? pick(['', ' ', '\n']) : pick(['', '', ' ', '\t', '\n  ']));
  const value = () =>
    random() < tidy
      ? pick(['1', '2', '3', '4', '5'])
      : pick(['0', '6', '-2', '4.5', '3.5', '2.4', '"4/5"', '" 3 "', '"x"', '"-1"', 'null', '[2]', '1e1', '9']);
  const key = (name: string) => (random() < tidy ? `"${name}"` : pick([`"${name}"`, `'${name}'`, name]));
  const scores = () => {
    const fields = dimensions
      .filter(() => random() < 0.9)
      .map((name) => `${blank()}${key(name)}${blank()}:${blank()}${value()}`);
    return `{${fields.join(',')}${random() < tidy ? '' : pick(['', ','])}${blank()}}`;
  };
  const remark = () => pick(['"good"', '"a {"', '"} \\" {"', '"x, y: z"', '"```"']);
  const object = () => {
    const parts = [`"strengths":[${remark()}]`, `${key('scores')}${blank()}:${blank()}${scores()}`];
    if (random() < 0.4) parts.push(`"weaknesses":[${remark()},${remark()}${random() < tidy ? '' : ','}]`);
    return `{${blank()}${parts.join(`${blank()},`)}${blank()}}`;
  };
  const piece = () => {
    const kind = random();
    if (kind < 0.3) return object();
    if (kind < 0.45) return `\`\`\`json\n${object()}\n\`\`\``;
    if (kind < 0.6) return `<final_evaluation>${object()}</final_evaluation>`;
    return pick([
      ...['<think>', '</think>', '<FINAL_EVALUATION>', '</final_evaluation>', '```', '```json\n', '{', '}', '"'],
      ...['so it is', '\n', '{}', '{"a": 1}', '\\'],
    ]);
  };
  let readable = 0;
  for (let number = 0; number < 10_000; number += 1) {
    tidy = pick([0.3, 0.8, 0.95, 1]);
    const text = Array.from({ length: 1 + below(5) }, piece).join(pick(['', ' ', '\n']));
    const read = parseJudgeReply(text);
    const wanted = naiveJudge(text);
    assert.equal(read.ok, wanted !== undefined, JSON.stringify(text));
    if (!read.ok || !wanted) continue;
    readable += 1;
    assert.deepEqual(
      dimensions.map((name) => read.scores[name] + 0),
      wanted.scores.map((score) => score + 0),
      text,
    );
    assert.equal(read.total, wanted.total, text);
  }
  assert.ok(readable > 3000, `${readable} of them can be read`);
});

test('a reply made of braces ends soon and is no judgement', () => {
  assert.equal(parseJudgeReply('{'.repeat(8000)).ok, false);
  assert.equal(parseJudgeReply(`{"scores": ${'['.repeat(5000)}}`).ok, false);
});
