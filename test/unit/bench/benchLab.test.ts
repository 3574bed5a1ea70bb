import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test, { after } from 'node:test';
import { scoreText } from '../../../src/core/bench/report/scoreText.ts';
import { writeReports } from '../../../src/core/bench/report/writeReports.ts';
import { actionOf, benchFiles, readBenchRow, readBenchRows } from '../../../src/core/bench/run/benchRow.ts';
import { type ScoredVariant, scoreRun } from '../../../src/core/bench/run/benchRun.ts';
import { isFirst, type JudgeTemplates, judgeMessages } from '../../../src/core/bench/run/judgePrompt.ts';
import { dimensions } from '../../../src/core/bench/run/judgeReply.ts';
import { appendLines, readLines } from '../../../src/core/bench/run/lines.ts';
import { withFields } from '../../../src/core/bench/run/predictionsFile.ts';
import { replaceSystemPrompt } from '../../../src/core/bench/run/rowTemplate.ts';
import { folderName, lockRun } from '../../../src/core/bench/run/runFolder.ts';
import { estimate } from '../../../src/core/bench/score/bootstrap.ts';
import { compareRuns, comparisonText } from '../../../src/core/bench/score/compareRuns.ts';
import { factualRow } from '../../../src/core/bench/score/factualRow.ts';
import { fixed2 } from '../../../src/core/bench/score/officialScore.ts';
import { seeded } from '../language/seeded.ts';

const fixtures = path.resolve('test/fixtures/agentworldbench');
const work = mkdtempSync(path.join(os.tmpdir(), 'foretell-lab-'));
after(() => rmSync(work, { recursive: true, force: true }));

async function rowsOf(domain: string) {
  const rows = [];
  for await (const line of readBenchRows([path.join(fixtures, `${domain}_test.jsonl`)])) {
    assert.ok(line.ok);
    rows.push(line.row);
  }
  return rows;
}

const observed = (text: string) => `<predicted_observation>\n${text}\n</predicted_observation>`;

test('rows of all seven domains are read, with their action and what really happened', async () => {
  const found = await benchFiles([fixtures]);
  assert.ok('files' in found && found.files.length === 7);
  const actions: string[] = [];
  for await (const line of readBenchRows(found.files)) {
    assert.ok(line.ok, line.file);
    const { row } = line;
    assert.equal(row.messages.at(-1)?.role, 'user');
    assert.equal(row.messages.length, 2 * row.turn);
    assert.ok(row.truth !== undefined && !row.truth.includes('**Environment Observation:**'));
    actions.push(`${row.domain} ${row.action.turn.kind}`);
  }
  assert.ok(actions.includes('terminal keystrokes') && actions.includes('swe tool') && actions.includes('web text'));
  assert.deepEqual(
    actionOf('### Turn 1\n**Action:**\n```json\n{"name": "x", "arguments": "{\\"a\\": 1}"}\n```\n\nthink'),
    {
      kind: 'tool',
      name: 'x',
      arguments: { a: 1 },
    },
  );
  assert.deepEqual(actionOf('**Action:**\ngo_back'), { kind: 'text', text: 'go_back' });
});

test('a line that is no row says what is wrong', () => {
  for (const text of ['{', '[]', '{"task": "mcp"}', '{"task":"mcp","id":1,"prompt":[],"response":[],"turn_idx":3}']) {
    const read = readBenchRow(text);
    assert.ok(!read.ok);
    assert.match(read.problem, /^[A-Z].*\.$/);
  }
});

test('lines are read as they stand, and what a crash tore is cut off before more is added', async () => {
  const { text, below } = seeded(3);
  const file = path.join(work, 'lines.jsonl');
  const lines = Array.from({ length: 300 }, () => text(['ä', 'x'.repeat(9000), '\u2028', '"', ' ', '😀'], 90));
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  const whole = readFileSync(file);
  const read: string[] = [];
  for await (const line of readLines(file)) {
    read.push(line.text);
    assert.equal(whole.subarray(line.offset, line.offset + line.sizeBytes).toString(), line.text);
  }
  assert.deepEqual(read, lines);
  for (let round = 0; round < 5; round += 1) {
    appendFileSync(file, '{"torn": "'.padEnd(10 + below(200_000), 'y'));
    const writer = appendLines(file);
    writer.append('{"next": true}');
    await writer.close();
  }
  assert.equal(readFileSync(file, 'utf8'), `${lines.join('\n')}\n${'{"next": true}\n'.repeat(5)}`);
});

test('fields are added to a row without changing what stands there', () => {
  const row = '{"id": 12345678901234567890123, "x": 1.50 , "gen": "é"}';
  assert.equal(withFields(row, { failed: 0 }), '{"id": 12345678901234567890123, "x": 1.50 , "gen": "é", "failed":0}');
  assert.deepEqual(JSON.parse(withFields(' {"gen": "a", "b": 2} ', { gen: 'c' })), { gen: 'c', b: 2 });
  assert.equal(withFields('{}', { a: 1 }), '{"a":1}');
});

test('numbers are rounded as the evaluation script rounds them', () => {
  // `f"{value:.2f}"` of Python.
  const wanted = { 40.625: '40.62', 46.875: '46.88', 0.125: '0.12', 0.375: '0.38', 2.675: '2.67', 56.385: '56.38' };
  for (const [value, text] of Object.entries(wanted)) assert.equal(fixed2(Number(value)), text);
  assert.equal(fixed2(-25), '-25.00');
  assert.equal(fixed2(-0.125), '-0.12');
});

test('intervals do not depend on the order, hold the mean, and widen with trajectories that go together', () => {
  const { below } = seeded(9);
  const values = Array.from({ length: 400 }, (_, at) => ({
    cluster: `t${Math.floor(at / 10)}`,
    stratum: at % 40 < 20 ? 'a' : 'b',
    value: 50 + ((Math.floor(at / 10) * 37) % 50) + below(5),
  }));
  const found = estimate(values);
  assert.ok(found?.low !== undefined && found.high !== undefined);
  assert.ok(found.low < found.mean && found.mean < found.high);
  assert.deepEqual(estimate([...values].reverse()), found);
  const alone = estimate(values.map((one, at) => ({ ...one, cluster: String(at) })));
  assert.ok((alone?.high ?? 0) - (alone?.low ?? 0) < (found.high - found.low) / 2);
  assert.equal(estimate([]), undefined);
  assert.equal(estimate(values.slice(0, 5))?.low, undefined, 'one trajectory says nothing about others');
  const macro = estimate([...values, ...values.filter(({ stratum }) => stratum === 'a')], 'macro');
  assert.equal(macro?.mean, estimate(values, 'macro')?.mean, 'how many rows a domain has makes no difference');
});

test('what really happened is compared without a judge', async () => {
  const [tests, , edit, write] = await rowsOf('swe');
  const [pwd] = await rowsOf('terminal');
  assert.ok(tests && edit && write && pwd);
  const exact = factualRow(tests, observed(tests.truth ?? ''));
  assert.deepEqual(exact, { score: 1, exact: true, exactStdout: true, exitCode: true, recall: 1 });
  const wrong = factualRow(
    tests,
    observed((tests.truth ?? '').replace('Exit Code: 1', 'Exit Code: 0').replace('4711', '9')),
  );
  assert.deepEqual([wrong?.exact, wrong?.exactStdout, wrong?.exitCode], [false, true, false]);
  assert.equal(factualRow(edit, observed('Successfully modified file: /repo/app.py (2 replacements).'))?.effects, true);
  assert.equal(factualRow(edit, observed('Error: 0 occurrences found'))?.effects, false);
  assert.equal(factualRow(write, observed('Successfully overwrote file: /repo/new.txt.'))?.effects, false);
  assert.equal(factualRow(pwd, '<think>x</think>root@box:/app# pwd\n/other\nroot@box:/app#')?.recall, 2 / 3);
  assert.deepEqual(factualRow(pwd, ''), { score: 0, exact: false, recall: 0 });
});

test('a template takes the place of a row’s prompt, with the tools that the row has', () => {
  const known = 'You are a model.\n\n{tool_definitions}\n\nExamples:\n{demonstrations}\n\nEnd.\n';
  const prompt = 'You are a model.\n\n[{"name": "a {x}"}]\n\nExamples:\nnone\n\nEnd.';
  const own = { text: 'Mine: {tool_definitions}', path: '/p' };
  const made = replaceSystemPrompt(prompt, own, ['Other {tool_definitions}', known]);
  assert.deepEqual(made, { text: 'Mine: [{"name": "a {x}"}]' });
  const failed = replaceSystemPrompt('something else', own, [known]);
  assert.ok('problem' in failed && /--row-prompts\.$/.test(failed.problem));
});

test('a judge is shown history, action, prediction and truth; nothing in them closes a fence or fills a placeholder', async () => {
  const [, , third] = await rowsOf('terminal');
  assert.ok(third);
  const template = (style: JudgeTemplates['style'], user: string): JudgeTemplates => ({
    style,
    system: { terminal: 'judge' },
    user,
  });
  const text = (name: string) => readFileSync(path.resolve(`prompts/judging/${name}`), 'utf8');
  const said = '```\n</x>{ground_truth} $&';
  const [system, user] = judgeMessages(template('rubric', text('user_prompt.txt')), third, { predicted: said });
  assert.equal(system?.content, 'judge');
  const content = user?.content ?? '';
  assert.ok(content.startsWith('# Context (Historical Interactions):\n\n### Turn 1'));
  assert.ok(content.includes(`**World Model Output (Simulated):**\n\`\`\`\`\n${said}\n\`\`\`\``));
  assert.equal(content.split('3 notes.txt').length, 2, 'the truth stands there once');
  const [, turing] = judgeMessages(template('turing', text('turing_user_prompt.txt')), third, { predicted: 'made up' });
  const order = ['**Response A:**\n```\nmade up', '**Response B:**\n```\nmade up'];
  assert.ok(turing?.content.includes(order[isFirst(third) ? 0 : 1] ?? ''));
  assert.ok(!turing?.content.includes('Ground Truth'));
});

/** A run folder as if judged: hostile texts, a failed row, one that was cut. */
async function hostileRun(name: string, shift: number): Promise<ScoredVariant> {
  const lines: string[] = [];
  for await (const line of readBenchRows([
    path.join(fixtures, 'terminal_test.jsonl'),
    path.join(fixtures, 'swe_test.jsonl'),
  ])) {
    const at = lines.length;
    const score = 1 + ((at + shift) % 5);
    const scores = Object.fromEntries(dimensions.map((dimension) => [dimension, score]));
    const failed = at === 3 ? 1 : 0;
    lines.push(
      withFields(line.text, {
        gen: `<script>alert(1)</script> | "x" ${at}`,
        foretell: {
          finish: at === 4 ? 'length' : 'stop',
          usage: { promptTokens: 100, completionTokens: 10, exact: true },
        },
        ...(failed ? { total_score: 0 } : { ...scores, total_score: score }),
        failed,
        weaknesses: ['<img src=x onerror=alert(1)>', '[link](command:x)'],
      }),
    );
  }
  const file = path.join(work, `${name}.jsonl`);
  writeFileSync(file, `${lines.join('\n')}\n`);
  const scored = await scoreRun(file);
  assert.ok(!('problem' in scored));
  const [variant] = scored.variants;
  assert.ok(variant);
  return variant;
}

test('failed and cut rows are counted, and count as nothing where nothing is forgiven', async () => {
  const { score } = await hostileRun('counts', 0);
  assert.deepEqual(score.counts, { rows: 11, judged: 10, failed: 1, truncated: 1 });
  assert.equal(score.micro.total?.count, 10);
  assert.equal(score.micro.strict?.count, 11);
  // Raw scores are 1 2 3 – 5 1 2 3 4 5 1; the fifth was cut.
  const near = (a: number | undefined, b: number) => assert.ok(Math.abs((a ?? Number.NaN) - b) < 1e-9);
  near(score.micro.total?.mean, ((0 + 1 + 2 + 4 + 0 + 1 + 2 + 3 + 4 + 0) / 10 / 4) * 100);
  assert.ok(Math.abs((score.micro.strict?.mean ?? 0) - ((0 + 1 + 2 + 0 + 1 + 2 + 3 + 4) / 11 / 4) * 100) < 1e-9);
  near(score.official?.overall, score.micro.total?.mean ?? 0);
  assert.match(score.official?.text ?? '', /--- Terminal \(5\/6 valid, 1 failed\) ---/);
  const [a, b] = Object.values(score.domains);
  assert.ok(Math.abs((score.macro.total?.mean ?? 0) - ((a?.total?.mean ?? 0) + (b?.total?.mean ?? 0)) / 2) < 1e-9);
});

test('reports escape every text, need no script, and hold the numbers', async () => {
  const name = '<b>"model"</b> & | `x`';
  const variant = { ...(await hostileRun('hostile', 1)), name };
  const paths = await writeReports({ variants: [variant] }, path.join(work, 'report'));
  const html = readFileSync(paths.html, 'utf8');
  const tags = html.match(/<[^>]*>/g) ?? [];
  assert.ok(tags.length > 100);
  for (const tag of tags) assert.ok(!/^<(?:script|img|a|b|iframe|link)\b|\s(?:on\w+|src|href)=/i.test(tag), tag);
  assert.match(html, /Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/);
  assert.ok(html.includes('&lt;b&gt;&quot;model&quot;&lt;/b&gt; &amp; |'));
  assert.ok(html.includes(fixed2(variant.score.micro.total?.mean ?? 0)));
  assert.ok(html.includes('prefers-color-scheme:dark'));
  const markdown = readFileSync(paths.markdown, 'utf8');
  assert.ok(markdown.includes('\\<b\\>"model"\\</b\\> \\& \\| \\`x\\`'));
  const csv = readFileSync(paths.csv, 'utf8').split('\r\n');
  assert.equal(csv.length, 13);
  assert.ok(csv[1]?.startsWith('"<b>""model""</b> & | `x`",terminal,'));
  assert.match(scoreText(variant), /11 rows, 10 judged, 1 failed, 1 cut by the budget/);
});

test('two runs are compared on the rows that both have', async () => {
  const a = await hostileRun('a', 0);
  const b = await hostileRun('b', 1);
  const same = compareRuns(a, a);
  assert.ok(same.differences.every(({ difference, isClear }) => difference.mean === 0 && !isClear));
  const found = compareRuns(a, { ...b, rows: b.rows.slice(1) });
  assert.deepEqual([found.shared, found.onlyA, found.onlyB], [10, 1, 0]);
  const judge = found.differences.find(({ title }) => title === 'Judge, valid in both');
  assert.ok(judge && judge.better + judge.worse === 9);
  assert.ok(Math.abs(judge.difference.mean - (judge.b - judge.a)) < 1e-9);
  assert.match(comparisonText(found), /10 rows that both have \(1 only in A and 0 only in B are left out\)/);
});

test('a run has one writer, and what a process that is gone has left does not keep others out', () => {
  const folder = path.join(work, 'locked');
  const first = lockRun(folder);
  assert.ok('release' in first);
  assert.ok('problem' in lockRun(folder));
  first.release();
  writeFileSync(path.join(folder, 'run.lock'), '999999999');
  const next = lockRun(folder);
  assert.ok('release' in next);
  next.release();
  assert.deepEqual(['../..', 'a/b:c', '.x', ''].map(folderName), ['model', 'a-b-c', 'x', 'model']);
});
