import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reply } from '../cassettes/server.ts';
import { callsIn, filesIn, messagesIn, tagged } from './promptReading.ts';
import { badReplies, calledReply, envelope, goodReplies, inTags } from './replyTable.ts';
import { openWorkbench, printed, type Saying, table } from './workbench.ts';

/** What a model replies in the place of an answer, over real sockets: nothing of it becomes a fact. */

const bench = openWorkbench();

/** The model says this of `node killed.js`, each time it is asked, and that nothing has changed. */
const always =
  (reply: Reply): Saying =>
  (words) =>
    words === 'node killed.js' ? { whole: reply } : printed('');
const questionsAbout = ({ prediction }: Awaited<ReturnType<typeof bench.predict>>, purpose: string) =>
  prediction.questions.filter((one) => one.purpose === purpose);
const script = 'node killed.js && rm -rf data; echo "after $?"';

for (const { name, reply, fault } of [
  ...badReplies,
  { name: 'a tool that is called apart', reply: calledReply, fault: 'tool-call' },
]) {
  test(`no fact comes of ${name}`, async () => {
    bench.says(always(reply));
    const asked = await bench.predict(script);
    const { prediction } = asked;
    assert.equal(asked.stdout, 'after 0\n');
    assert.equal(asked.stderr, '');
    const [assumption, ...others] = prediction.assumptions;
    assert.deepEqual(others, []);
    assert.equal(assumption?.assumed, 'exits 0, prints nothing, changes nothing');
    assert.equal(assumption?.cause, 'model-unusable');
    assert.equal(assumption?.fault?.kind, fault);
    assert.match(assumption?.why ?? '', /^the model /);
    assert.equal(prediction.ending, 'abstained');
    // Whatever the program returns, the last word is that of echo.
    assert.equal(prediction.exitBasis, 'computed');
    // What rests on the assumption is shown with its alternative.
    assert.deepEqual(
      prediction.files.map(({ basis }) => basis).filter((basis) => basis !== 'assumed'),
      [],
    );
    const [otherwise] = prediction.otherwise;
    assert.match(otherwise?.detail ?? '', /`rm -rf data` would not run/);
    assert.notEqual(prediction.verdict.level, 'safe');
    // It is asked once more, with what was wrong, and not again.
    const [first, second, ...more] = questionsAbout(asked, 'output');
    assert.deepEqual(more, []);
    assert.equal(second?.repairs, first?.id);
    assert.equal(first?.reply?.observation, undefined);
    assert.equal(first?.reply?.fault?.kind, fault);
    assert.match(second?.messages.at(-1)?.content ?? '', /^Your reply cannot be used: it /);
  });
}

for (const { name, reply, stdout, stderr = '', exitCode = 0 } of goodReplies) {
  test(`a fact comes of ${name}`, async () => {
    bench.says(always(reply));
    const asked = await bench.predict('node killed.js; echo "after $?"');
    assert.equal(asked.prediction.ending, 'done', asked.prediction.endingReason);
    assert.equal(asked.stdout, `${stdout}after ${exitCode}\n`);
    assert.equal(asked.stderr, stderr);
    assert.equal(questionsAbout(asked, 'output').length, 1);
  });
}

test('a program that is killed by a signal has failed', async () => {
  bench.says(always({ content: inTags(envelope('half', { exit: '(none)', signal: 'SIGKILL' })) }));
  const asked = await bench.predict('node killed.js && rm -rf data; echo "after $?"');
  assert.equal(asked.prediction.ending, 'done');
  assert.equal(asked.stdout, 'half\nafter 137\n');
  assert.deepEqual(asked.files, []);
});

test('a program that does not end is neither a success nor a failure', async () => {
  bench.says(always({ content: inTags(envelope('listening', { exit: 'still running' })) }));
  const asked = await bench.predict('node killed.js && rm -rf data');
  const { prediction } = asked;
  assert.equal(asked.stdout, 'listening\n');
  assert.equal(prediction.ending, 'abstained');
  assert.equal(prediction.assumptions[0]?.cause, 'never-ends');
  assert.deepEqual(
    prediction.effects.filter(({ effect }) => effect === 'waits').map(({ detail }) => detail),
    ['node killed.js does not end by itself'],
  );
  assert.deepEqual(asked.files, []);
  assert.equal(prediction.otherwise[0]?.programExit, 0);
  assert.match(prediction.otherwise[0]?.detail ?? '', /`rm -rf data` would run/);
  assert.notEqual(prediction.verdict.level, 'safe');
});

test('an answer that comes at the second question counts, and the first is no part of what follows', async () => {
  let count = 0;
  bench.says((words) => {
    if (words !== 'node killed.js') return printed('');
    count += 1;
    return count === 1 ? { whole: { content: "I'm sorry, I can't." } } : printed('fine\n', 3);
  });
  const asked = await bench.predict('node killed.js; echo "after $?"');
  assert.equal(asked.prediction.ending, 'done', asked.prediction.endingReason);
  assert.equal(asked.stdout, 'fine\nafter 3\n');
  const prompts = bench.prompts();
  assert.match(prompts[1] ?? '', /I'm sorry, I can't\./);
  assert.doesNotMatch(prompts[2] ?? '', /sorry/);
});

test('a connection that is cut in the middle of an answer leaves nothing of it', async () => {
  bench.says(() => {
    throw new Error('the scripted model ends here');
  });
  const asked = await bench.predict(script);
  assert.equal(asked.stdout, 'after 0\n');
  assert.equal(asked.prediction.assumptions[0]?.cause, 'model-failed');
});

test('a reply about what changed that is no listing changes nothing and says so', async () => {
  const odd: (Reply | string)[] = [
    'Nothing was changed by this program.',
    { content: inTags(envelope('?? src/inde')).slice(0, 80), finish: 'length' },
    { content: inTags(envelope(' M README.md\nThe README was rewritten.')) },
    { content: "I'm sorry, I can't see the files." },
    { content: '```json\n{"changed": ["README.md"]}\n```' },
    { content: inTags(envelope('(empty)', { exit: '127' })) },
    { content: inTags(envelope('nothing to commit, working tree clean')) },
  ];
  for (const reply of odd) {
    const whole = typeof reply === 'string' ? { content: tagged(reply) } : reply;
    bench.says((words) => (words === 'node build.js' ? printed('built\n') : { whole }));
    const asked = await bench.predict('node build.js && ls src');
    assert.match(asked.stdout, /^built\ncart\.js/, JSON.stringify(reply));
    assert.deepEqual(asked.files, []);
    assert.equal(asked.prediction.ending, 'abstained');
    assert.equal(asked.prediction.assumptions[0]?.assumed, 'changes nothing');
    assert.equal(asked.prediction.assumptions[0]?.cause, 'model-unusable');
    assert.equal(questionsAbout(asked, 'changes').length, 2);
  }
});

test('a reply about a file that is not its content is not written into it', async () => {
  const odd: (Reply | string)[] = [
    '```json\n{"a": 1}\n```',
    'KEY=[redacted: API key]',
    "I'm sorry, but I can't show that.",
    '{"name": "write_file", "arguments": {"file_path": "out.js", "content": "x"}}',
    'let a;\n// ... rest of the file unchanged',
    { content: '<predicted_observation>\nlet a = 1;\nlet b', finish: 'length' },
    { content: 'let untagged = 1;' },
  ];
  for (const reply of odd) {
    const whole = typeof reply === 'string' ? { content: tagged(reply) } : reply;
    bench.says((words, call) => {
      if (call.name === 'read_file') return { whole };
      return words.startsWith('git status') ? printed('?? out.js\n M README.md\n./out.js\n') : printed('');
    });
    const asked = await bench.predict('node gen.js; cat out.js; head -1 README.md', { read: ['out.js', 'README.md'] });
    assert.equal(asked.stdout, '# Shop\n', JSON.stringify(reply));
    assert.equal(asked.contents.get('out.js'), '');
    assert.equal(asked.prediction.ending, 'abstained');
    assert.equal(asked.prediction.assumptions[0]?.assumed, 'leaves out.js empty, leaves README.md as it is');
    assert.equal(asked.prediction.assumptions[0]?.cause, 'model-unusable');
    assert.ok(asked.prediction.files.every(({ basis }) => basis === 'assumed'));
  }
});

test('a mark that stands for a secret is not printed, and not written', async () => {
  bench.says(table({ 'node show.js': printed('KEY=[redacted: API key]\n') }));
  const asked = await bench.predict('node show.js > .env; cat .env');
  assert.equal(asked.stdout, '');
  assert.equal(asked.prediction.assumptions[0]?.fault?.kind, 'redacted');
});

test('of several samples what most of them say counts, and disagreement is said', async () => {
  const cases: { exits: (number | string)[]; stdout: string; votes: string[]; ending: string }[] = [
    { exits: [0, 1, 1], stdout: '1 after 1\n', votes: ['2 × exits 1', '1 × exits 0'], ending: 'done' },
    { exits: [1, 0, 0], stdout: '0 after 0\n', votes: ['2 × exits 0', '1 × exits 1'], ending: 'done' },
    { exits: [0, 0, 0], stdout: '0 after 0\n', votes: ['3 × exits 0'], ending: 'done' },
    { exits: [0, 1, 2], stdout: 'after 0\n', votes: [], ending: 'abstained' },
    { exits: ['sorry', 1, 1], stdout: '1 after 1\n', votes: ['2 × exits 1'], ending: 'done' },
    { exits: ['sorry', 'sorry', 'sorry'], stdout: 'after 0\n', votes: [], ending: 'abstained' },
  ];
  for (const { exits, stdout, votes, ending } of cases) {
    let count = 0;
    bench.says((words) => {
      if (words !== 'node guess.js') return printed('');
      const exit = exits[count++ % exits.length];
      return typeof exit === 'number' ? printed(`${exit} `, exit) : 'I will not say that.';
    });
    const asked = await bench.predict('node guess.js; echo "after $?"', { language: { samples: 3 } });
    assert.equal(asked.stdout.replace(/^(\d)\s*after/, '$1 after'), stdout);
    assert.equal(asked.prediction.ending, ending, asked.prediction.endingReason);
    const said = asked.prediction.questions.find(({ reply }) => reply?.agreement)?.reply?.agreement?.votes ?? [];
    if (votes.length > 0)
      assert.deepEqual(
        said.map((one) => `${one.count} × ${one.says}`),
        votes,
      );
    assert.equal(
      asked.prediction.notices.some((text) => text.includes('disagree')),
      votes.length > 1,
    );
    if (new Set(exits).size === 3) assert.equal(asked.prediction.assumptions[0]?.fault?.kind, 'disagreement');
  }
});

test('what several samples say of changes is counted too', async () => {
  let count = 0;
  bench.says((words, call) => {
    if (call.name === 'read_file') return 'made\n';
    if (!words.startsWith('git status')) return printed('');
    count += 1;
    return printed(count === 1 ? ' D README.md\n' : '?? made.txt\n');
  });
  const asked = await bench.predict('node make.js', { language: { samples: 3 } });
  assert.deepEqual(asked.files, ['created made.txt']);
});

/** The names of the calls in a prompt, with what each is about. */
function told(prompt: string): string[] {
  return callsIn(messagesIn(JSON.parse(prompt))).map((call) =>
    call.name === 'run_shell_command'
      ? String(call.arguments['command'])
      : `${call.name} ${String(call.arguments['absolute_path'] ?? '')
          .split('/')
          .at(-1)}`,
  );
}

test('in the prompt of a second program, looks that were taken after the first stand behind it', async () => {
  bench.says(table({ 'node first.js': printed('one\n'), 'node second.js': printed('two\n') }));
  await bench.predict('cat README.md; node first.js > check.js; node second.js check.js README.md');
  const prompt = bench.prompts().find((one) => told(one).at(-1)?.includes('second.js')) ?? '';
  const calls = told(prompt);
  const first = calls.findIndex((one) => one.startsWith('node first.js'));
  assert.ok(first > 0, calls.join('\n'));
  assert.ok(calls.indexOf('read_file README.md') < first);
  const replies = callsIn(messagesIn(JSON.parse(prompt))).map(({ reply }) => reply);
  const looks = calls.flatMap((one, index) => (one === 'read_file check.js' ? [index] : []));
  // The shell has emptied the file when the first program starts; behind it there is what that one has left.
  assert.deepEqual(
    looks.map((index) => [index > first, replies[index]?.trim()]),
    [
      [false, ''],
      [true, 'one'],
    ],
  );
});

test('a prompt goes on from the one before it, and says which of its turns are predictions', async () => {
  bench.says(table({ '*': printed('done\n') }));
  await bench.predict('for n in 1 2 3; do node step.js $n; echo $n >> log.txt; done');
  const prompts = bench.prompts().map((text) => messagesIn(JSON.parse(text)));
  assert.equal(prompts.length, 3);
  for (const [index, messages] of prompts.slice(1).entries()) {
    const before = prompts[index] ?? [];
    // All but the turn that was asked for, which had a suffix.
    assert.deepEqual(messages.slice(0, before.length - 1), before.slice(0, -1));
    const ends = told(bench.prompts()[index + 1] ?? '')
      .map((line) => /^node step\.js (\d)/.exec(line)?.[1])
      .filter(Boolean);
    assert.deepEqual(ends, ['1', '2', '3'].slice(0, index + 2));
  }
  // The log grows in the order of time.
  const last = callsIn(prompts[2] ?? []);
  assert.deepEqual(
    last
      .filter(({ arguments: given }) => String(given['absolute_path']).endsWith('/log.txt'))
      .map(({ reply }) => reply),
    ['1\n', '1\n2\n'],
  );
  const suffix = prompts[2]?.at(-1)?.content ?? '';
  const [, numbers = ''] = /The observations of turns ([\d, and to]+) are predictions/.exec(suffix) ?? [];
  const programs = last.flatMap((call, index) =>
    /step\.js [12]/.test(String(call.arguments['command'])) ? [index + 1] : [],
  );
  const isSaid = (number: number) =>
    numbers.split(/, | and /).some((range) => {
      const [from = 0, to = from] = range.split(' to ').map(Number);
      return number >= from && number <= to;
    });
  for (const number of programs) assert.ok(isSaid(number), `${number} of ${numbers}`);
  assert.ok(!isSaid((programs[0] ?? 0) - 1), numbers);
  assert.doesNotMatch(prompts[0]?.at(-1)?.content ?? '', /prediction/);
});

test('a file that is assumed to be empty is not shown as one, nor one that only a model has seen as what is there', async () => {
  bench.says((words, call) => {
    const place = String(call.arguments['absolute_path'] ?? '');
    if (place.endsWith('/gen.js')) return "I'm sorry, I can't show that.";
    if (place.endsWith('/made.js')) return 'let made;\n';
    const looks = words.startsWith('git status');
    return looks ? printed('?? gen.js\n?? made.js\n./gen.js\n./made.js\n') : printed('');
  });
  const asked = await bench.predict('node first.js; node gen.js made.js');
  const prompt = bench.prompts().find((one) => told(one).at(-1)?.includes('node gen.js')) ?? '';
  const calls = callsIn(messagesIn(JSON.parse(prompt)));
  const looks = calls.filter((call) => /\/(?:gen|made)\.js$/.test(String(call.arguments['absolute_path'] ?? '')));
  // Those of the first program's own turns: one is not known, the other is the model's word.
  assert.deepEqual(
    looks.map(({ reply }) => reply),
    ['[[unknown: the model refused]]'],
  );
  const contents = calls.find((call) => filesIn(call));
  assert.match(contents?.reply ?? '', /made\.js\nlet made;\n/);
  const question = asked.prediction.questions.find(({ title }) => title.startsWith('node gen.js'));
  assert.deepEqual(
    question?.leftOut.filter(({ what }) => /^(?:gen|made)\.js$/.test(what)).map(({ why }) => why),
    ['what is in it is not known', 'only a model has said what is in it'],
  );
});

test('a program that nobody predicted stands in the prompt of the next as not known', async () => {
  bench.says((words) => (words === 'node first.js' ? 'no form' : printed('two\n')));
  await bench.predict('echo made > made.txt; node first.js; node second.js');
  const prompt = bench.prompts().find((one) => told(one).at(-1)?.includes('second.js')) ?? '';
  const calls = callsIn(messagesIn(JSON.parse(prompt)));
  const first = calls.find((call) => String(call.arguments['command']).startsWith('node first.js'));
  assert.equal(first?.reply, '[[unknown: the model replied with prose]]');
  // What else there is by then is not known, so only what the script has written is looked at.
  const status = calls.findLast((call) => String(call.arguments['command']).startsWith('git status'));
  assert.match(String(status?.arguments['command']), / -- made\.txt$/);
});
