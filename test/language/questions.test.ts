import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tagged } from './promptReading.ts';
import { openWorkbench, printed, table } from './workbench.ts';

/** What is asked of a model, how often, and what becomes of answers that are none. */

const bench = openWorkbench();
const titles = (predicted: { prediction: { questions: { title: string }[] } }) =>
  predicted.prediction.questions.map(({ title }) => title);

test('what the model cannot know is assumed by name, and the rest is predicted', async () => {
  bench.says(table({ 'node secret.js': '[[unknown: it depends on a remote database]]' }));
  const { prediction, stdout, files } = await bench.predict('echo a; node secret.js && echo b > b.txt; cat b.txt');
  assert.equal(prediction.ending, 'abstained');
  assert.match(prediction.assumptions[0]?.why ?? '', /cannot know: it depends on a remote database/);
  assert.equal(stdout, 'a\nb\n');
  assert.deepEqual(files, ['created b.txt']);
  assert.deepEqual(
    prediction.files.map(({ basis }) => basis),
    ['assumed'],
  );
});

test('a server that breaks off in the middle leaves an assumption with a sentence', async () => {
  let asked = 0;
  bench.says(() => {
    asked += 1;
    if (asked > 2) throw new Error('the scripted model ends here');
    return asked === 1 ? printed('one\n') : printed('');
  });
  const { prediction, stdout } = await bench.predict('node one.js; node two.js; echo end');
  assert.equal(stdout, 'one\nend\n');
  assert.equal(prediction.ending, 'abstained');
  const [assumption] = prediction.assumptions;
  assert.deepEqual(assumption?.argv, ['node', 'two.js']);
  assert.match(assumption?.why ?? '', /^\S.*; .*\.$/);
});

test('a server that breaks off after the output leaves it open what changed, and says so', async () => {
  let asked = 0;
  bench.says(() => {
    asked += 1;
    if (asked > 1) throw new Error('the scripted model ends here');
    // It answers the program, and not the look behind it.
    return { whole: { content: tagged(printed('built\n')) } };
  });
  const { prediction, stdout } = await bench.predict('node build.js');
  assert.equal(stdout, 'built\n');
  assert.equal(prediction.ending, 'abstained');
  assert.equal(prediction.assumptions[0]?.assumed, 'changes nothing');
  assert.deepEqual(prediction.otherwise, []);
});

test('a reply in prose leaves an assumption, and nothing of it is printed', async () => {
  bench.says((words) => (words === 'node odd.js' ? 'It prints something' : printed('')));
  const { prediction, stdout } = await bench.predict('node odd.js && echo on');
  assert.equal(stdout, 'on\n');
  assert.equal(prediction.assumptions[0]?.assumed, 'exits 0, prints nothing, changes nothing');
  assert.equal(prediction.assumptions[0]?.fault?.kind, 'prose');
});

test('a thousand identical calls are asked about once', async () => {
  bench.says(table({ 'node tick.js': printed('tick\n') }));
  const script = 'for ((i = 0; i < 1000; i++)); do node tick.js; done | wc -l';
  const asked = await bench.predict(script, { limits: { wallMs: 60_000 } });
  assert.equal(asked.stdout, '1000\n', asked.prediction.endingReason);
  assert.ok(asked.prediction.questions.length <= 2, titles(asked).join('\n'));
});

test('more different questions than allowed are assumed', async () => {
  bench.says(table({ '*': printed('x\n') }));
  const { prediction, stdout } = await bench.predict('for n in 1 2 3 4 5; do node $n.js; done; echo end', {
    language: { mostQuestions: 4 },
  });
  assert.equal(prediction.questions.length, 4);
  assert.equal(prediction.ending, 'abstained');
  assert.equal(stdout, 'x\nx\nx\nx\nend\n');
  assert.equal(prediction.assumptions.length, 1);
  assert.match(prediction.assumptions[0]?.why ?? '', /^More than 4 questions/);
});

test('standard input of a pipe and of a file is in the prompt', async () => {
  bench.says(table({ '*': printed('') }));
  await bench.predict('printf "first line\\nsecond line\\n" | node read.js; node read.js < data/list.txt');
  const [first = '', second = ''] = bench.prompts();
  assert.match(first, /node read\.js <<'EOF'\\+nfirst line\\+nsecond line\\+nEOF/);
  assert.match(second, /node read\.js <<'EOF'\\+nalpha\\+nbeta\\+ngamma\\+nEOF/);
});

test('a loop that reads lines keeps its input', async () => {
  bench.says(table({ '*': printed('') }));
  const { stdout } = await bench.predict('while read -r word; do node say.js; echo "$word"; done < data/list.txt');
  assert.equal(stdout, 'alpha\nbeta\ngamma\n');
  assert.ok(bench.prompts().every((prompt) => !/say\.js <</.test(prompt)));
});

test('the same call with other variables is another question', async () => {
  bench.says((words, call) =>
    words === 'node deploy.js'
      ? printed(`${/STAGE=(\w+)/.exec(String(call.arguments['command']))?.[1]}\n`)
      : printed(''),
  );
  const { stdout } = await bench.predict('for stage in dev prod; do STAGE=$stage node deploy.js; done');
  assert.equal(stdout, 'dev\nprod\n');
});

test('the same call after a file has changed is another question, also where its size is the same', async () => {
  let count = 0;
  bench.says((words) => {
    if (words !== 'node read.js') return printed('');
    count += 1;
    return printed(`${count}\n`);
  });
  const { stdout } = await bench.predict('echo a > n; node read.js; echo b > n; node read.js; node read.js');
  assert.equal(stdout, '1\n2\n2\n');
});

test('a file with the time in it does not make the same question be asked for each run', async () => {
  bench.says(table({ 'node read.js': printed('read\n') }));
  const asked = await bench.predict('date +%s%N > stamp; node read.js');
  assert.equal(asked.prediction.questions.length, 1, titles(asked).join('\n'));
});

test('what the script has changed already is in the prompt', async () => {
  bench.says(table({ '*': printed('') }));
  await bench.predict('echo \'console.log("made by the script")\' > made.js; node made.js');
  assert.match(bench.prompts()[0] ?? '', /\?\? made\.js/);
});

test('three samples give agreement', async () => {
  const lines = ['same\nyes\n', 'same\nyes\n', 'same\nno\n'];
  let count = 0;
  bench.says((words) => (words === 'node guess.js' ? printed(lines[count++] ?? '') : printed('')));
  const { prediction, stdout } = await bench.predict('node guess.js', { language: { samples: 3 } });
  assert.equal(stdout, 'same\nyes\n');
  const [first, second, third] = prediction.questions;
  assert.deepEqual([first?.sample, second?.sample, third?.sample], [1, 2, 3]);
  const { samples, lines: agreed = [] } = first?.reply?.agreement ?? {};
  assert.equal(samples, 3);
  const observation = (first?.reply?.observation ?? '').split('\n');
  assert.equal(agreed[observation.findIndex((line) => line.endsWith('same'))], 3);
  assert.equal(agreed[observation.indexOf('yes')], 2);
});

test('conditions stand in the system message, and the question names them', async () => {
  bench.says(table({ '*': printed('') }));
  const language = { conditions: ['disk-full'], conditionText: 'It is midnight on the moon.' };
  const { prediction } = await bench.predict('node a.js', { language });
  const body = bench.model.server.completions().at(-1)?.body;
  const [system] = (body?.['messages'] ?? []) as { role: string; content: string }[];
  assert.equal(system?.role, 'system');
  assert.match(system?.content ?? '', /ENOSPC[\s\S]*midnight on the moon/);
  assert.deepEqual(prediction.questions[0]?.conditions, ['Disk full', 'It is midnight on the moon.']);
});

test('messages that the user changed are sent in place of ours', async () => {
  bench.says(table({ '*': printed('') }));
  await bench.predict('node a.js', {
    language: { changedMessages: [{ question: 1, message: 0, content: 'You are a toaster.' }] },
  });
  const [first, second] = bench.prompts();
  assert.match(first ?? '', /You are a toaster\./);
  assert.doesNotMatch(second ?? '', /toaster/);
});

test('a model that thinks longer than a run may last is waited for', async () => {
  bench.says(async (words) => {
    if (words === 'node slow.js') await new Promise((resolve) => setTimeout(resolve, 2_500));
    return printed('slow\n');
  });
  const { prediction, stdout } = await bench.predict('node slow.js; echo end', { limits: { wallMs: 1_500 } });
  assert.equal(stdout, 'slow\nend\n', prediction.endingReason);
});

test('cancelling while the model thinks ends at once and closes the connection', async () => {
  bench.says(() => new Promise(() => {}));
  const stop = new AbortController();
  const running = bench.predict('echo a; node slow.js; echo b', { signal: stop.signal });
  const asked = bench.model.server.completions().length;
  while (bench.model.server.completions().length === asked) await new Promise((resolve) => setTimeout(resolve, 20));
  stop.abort();
  const { prediction } = await running;
  assert.equal(prediction.ending, 'cancelled');
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.ok(bench.model.server.completions().at(-1)?.abortedAtMs);
});
