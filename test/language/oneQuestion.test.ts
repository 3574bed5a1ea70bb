import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toJson } from '../../src/core/prediction/json.ts';
import { callsIn, commandIn, filesIn, messagesIn, replyWithLook, tagged } from './promptReading.ts';
import { envelope } from './replyTable.ts';
import { openWorkbench, printed, type Saying, table } from './workbench.ts';

/** How many questions a program takes, what one reply tells, and what is asked apart. */

const bench = openWorkbench();
type Predicted = Awaited<ReturnType<typeof bench.predict>>;
const purposes = ({ prediction }: Predicted) => prediction.questions.map(({ purpose }) => purpose);

/** A model that says this of the look behind every program. */
const behind =
  (look: string, reply = printed('done\n')): Saying =>
  (_words, call) =>
    commandIn(call).words.startsWith('git status') ? printed(look) : reply;

test('installing and testing take one question each, and nothing below node_modules is asked for', async () => {
  bench.says(behind(' M package.json\n?? package-lock.json\n      1 ./package-lock.json\n    312 ./node_modules/\n'));
  for (const script of ['npm i', 'npm i 2>&1 | tail -20', 'npm i && ls && echo ok', 'cd . && npm i']) {
    const asked = await bench.predict(script);
    assert.deepEqual(purposes(asked), ['output'], script);
    assert.deepEqual(asked.files, ['created node_modules', 'created package-lock.json', 'modified package.json']);
    assert.equal(asked.prediction.ending, 'done', asked.prediction.endingReason);
    assert.ok(asked.prediction.notices.some((text) => text.startsWith('312 files in node_modules ')));
  }
  bench.says(behind('      4 ./.pytest_cache/\n', printed('3 passed\n')));
  const tests = await bench.predict('pytest -q');
  assert.deepEqual(purposes(tests), ['output']);
  assert.deepEqual(tests.files, ['created .pytest_cache']);
});

test('a build of two programs takes at most four questions, also where a later command reads what they wrote', async () => {
  const written = { 'dist/app.js': 'app();\n', 'dist/app.css': 'a{}\n', 'dist/index.html': '<p>\n' };
  bench.says(table({ 'npm ci': printed('added 312 packages\n'), 'node build.js': printed('built\n') }, written));
  const asked = await bench.predict('npm ci && node build.js && cat dist/app.js');
  assert.ok(asked.prediction.questions.length <= 4, purposes(asked).join(', '));
  assert.match(asked.stdout, /^added 312 packages\nbuilt\napp\(\);\n$/);
});

test('what nobody was asked is no claim: the change has no digest, and JSON says so', async () => {
  bench.says(behind('?? out.txt\n      1 ./out.txt\n'));
  const asked = await bench.predict('node make.js', { hash: true });
  const [file] = toJson(asked.prediction, 'x').files;
  assert.deepEqual(
    [file?.change, file?.content, file?.sha256, file?.basis],
    ['created', 'notAsked', undefined, 'imagined'],
  );
});

test('contents are asked for where a later command, or a loss, depends on them', async () => {
  const files = { 'one.txt': '1\n', 'two.txt': '2\n' };
  bench.says(table({ '*': printed('') }, files));
  for (const script of [
    'node make.js; cat one.txt',
    'node make.js; wc -c < two.txt',
    'node make.js; mv one.txt a',
    'make all',
  ]) {
    const asked = await bench.predict(script);
    assert.ok(asked.prediction.questions.length <= 2 || script === 'make all', purposes(asked).join(', '));
    assert.ok(
      asked.prediction.files.every(({ content }) => content === undefined),
      script,
    );
  }
  // Of drafts/note.md git has nothing: whether something of it is lost, its new content decides.
  bench.says((words, call) => {
    if (call.name === 'read_file') return 'new\n';
    return words.startsWith('git status') ? printed('?? drafts/note.md\n      1 ./drafts/note.md\n') : printed('');
  });
  const kept = await bench.predict('node make.js', { read: ['drafts/note.md'] });
  assert.deepEqual(purposes(kept), ['output', 'content']);
  assert.equal(kept.contents.get('drafts/note.md'), 'new\n');
});

test('a model that answers only the first part is asked for the rest', async () => {
  for (const reply of [printed('done\n', 3), printed('done\n=== 000000 exit 0\n', 3)]) {
    bench.says((words) => (words === 'node make.js' ? { whole: { content: tagged(reply) } } : printed('?? a.txt\n')));
    const asked = await bench.predict('node make.js; echo "after $?"');
    assert.deepEqual(purposes(asked), ['output', 'changes']);
    assert.match(asked.stdout, /after 3\n$/);
    assert.deepEqual(asked.files, ['created a.txt']);
  }
});

test('a list without its end is not taken for whole', async () => {
  bench.says((words, call) => {
    const asked = commandIn(call).behind;
    if (words !== 'node make.js' || !asked) return printed('');
    const whole = replyWithLook(printed('done\n'), printed('?? a.txt\n'), asked);
    return { whole: { content: tagged(whole.replace(`${asked.end}\n`, '')) } };
  });
  const asked = await bench.predict('node make.js');
  assert.deepEqual(purposes(asked), ['output', 'changes']);
  assert.deepEqual(asked.files, []);
});

test('the end that stands behind the program counts, and may not contradict the other', async () => {
  const say = (exit: string, code: string, signal = '(none)') =>
    bench.says((words, call) => {
      const { behind: asked } = commandIn(call);
      if (words !== 'node make.js' || !asked) return printed('');
      return { whole: { content: tagged(envelope(`x\n${asked.exit} ${code}\n${asked.end}`, { exit, signal })) } };
    });
  const cases: [exit: string, code: string, signal: string | undefined, stdout: string, ending: string][] = [
    ['3', '3', undefined, 'x\nafter 3\n', 'done'],
    ['0', '3', undefined, 'x\nafter 3\n', 'done'],
    ['(none)', '137', 'SIGKILL', 'x\nafter 137\n', 'done'],
    ['3', '0', undefined, 'after 0\n', 'abstained'],
    ['(none)', '1', 'SIGKILL', 'after 0\n', 'abstained'],
    ['still running', '0', undefined, 'after 0\n', 'abstained'],
    ['0', '$code', undefined, 'after 0\n', 'abstained'],
    ['0', '300', undefined, 'after 0\n', 'abstained'],
  ];
  for (const [exit, code, signal, stdout, ending] of cases) {
    say(exit, code, signal);
    const asked = await bench.predict('node make.js; echo "after $?"');
    assert.equal(asked.stdout, stdout, `${exit} ${code}`);
    assert.equal(asked.prediction.ending, ending, `${exit} ${code}`);
    if (ending !== 'done') assert.equal(asked.prediction.assumptions[0]?.fault?.kind, 'bad-exit-code');
  }
});

test('what is printed without a line break at its end is known as that', async () => {
  bench.says((words, call) => {
    const { behind: asked } = commandIn(call);
    if (words !== 'node make.js' || !asked) return printed('');
    return { whole: { content: tagged(envelope(`no end${asked.exit} 0\n${asked.end}`)) } };
  });
  const asked = await bench.predict('node make.js; echo "|"');
  assert.equal(asked.stdout, 'no end|\n');
});

test('a model that cannot know what changes says so, and the rest of its reply counts', async () => {
  bench.says((words, call) => {
    const { behind: asked } = commandIn(call);
    if (words !== 'node make.js' || !asked) return printed('');
    return {
      whole: {
        content: tagged(
          envelope(`x\n${asked.exit} 2\n[[unknown: it depends on the registry]]\n${asked.end}`, { exit: '2' }),
        ),
      },
    };
  });
  const asked = await bench.predict('node make.js; echo "after $?"');
  assert.equal(asked.stdout, 'x\nafter 2\n');
  assert.deepEqual(purposes(asked), ['output']);
  const [assumption] = asked.prediction.assumptions;
  assert.equal(assumption?.assumed, 'changes nothing');
  assert.match(assumption?.why ?? '', /it depends on the registry/);
});

test('samples that agree how a program ends and not in what it changes say no more', async () => {
  let count = 0;
  bench.says((words) => {
    if (words.startsWith('git status')) return printed(`?? ${count++}.txt\n`);
    return printed('built\n', 4);
  });
  const asked = await bench.predict('node make.js; echo "after $?"', { language: { samples: 3 } });
  assert.equal(asked.stdout, 'built\nafter 4\n');
  assert.deepEqual(asked.files, []);
  assert.equal(asked.prediction.assumptions[0]?.assumed, 'changes nothing');
  assert.equal(asked.prediction.assumptions[0]?.fault?.kind, 'disagreement');
});

test('all samples are asked at once', async () => {
  const waiting: (() => void)[] = [];
  bench.says(async () => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 3) for (const go of waiting) go();
    });
    return { whole: { content: tagged(printed('x\n')) } };
  });
  const asked = await bench.predict('node check.js', { language: { samples: 3, mostQuestions: 3 } });
  assert.equal(asked.prediction.questions.length, 3);
});

test('the contents of several files are one question, and what it lacks is asked for alone', async () => {
  bench.says((words, call) => {
    if (call.name === 'read_file') return 'alone\n';
    return words.startsWith('git status') ? printed('?? a.txt\n?? b.txt\n?? c.txt\n') : printed('');
  });
  const whole = await bench.predict('node make.js; cat a.txt b.txt c.txt');
  assert.equal(whole.stdout, 'alone\nalone\nalone\n');
  assert.deepEqual(purposes(whole), ['output', 'content']);
  const asked = callsIn(messagesIn(JSON.parse(bench.prompts().at(-1) ?? ''))).at(-1);
  assert.deepEqual(asked && filesIn(asked)?.names, ['a.txt', 'b.txt', 'c.txt']);
});
