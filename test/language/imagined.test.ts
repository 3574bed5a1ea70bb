import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { factualScore } from '../../src/core/bench/score/factualScore.ts';
import { renderScreen } from '../../src/core/worlds/language/prompt/turns/turnTextScreen.ts';
import { openWorkbench, type Saying } from './workbench.ts';

/** The model alone imagines a whole command, beside the rehearsed prediction of the same. */

const bench = openWorkbench();
const whole = { language: { whole: true } };

/** A terminal that prints what is said for the command, and shows files by `cat`. */
function terminal(
  said: { output: string; exitCode?: number },
  changes = '',
  files: Readonly<Record<string, string>> = {},
): Saying {
  return (_words, call) => {
    const { cwd, env } = bench.place;
    const place = { user: 'user', host: 'host', home: env['HOME'] ?? '', cwd };
    const command = String(call.arguments['command']);
    if (call.arguments['asksExitCode'] === true)
      return renderScreen(place, command, said.output, said.exitCode === undefined ? {} : { exitCode: said.exitCode });
    if (command.startsWith('git status')) return renderScreen(place, command, changes);
    return renderScreen(place, command, files[command.replace(/^cat /, '')] ?? '');
  };
}

test('output, exit code and files are read from screens, and agree with the rehearsed ones', async () => {
  bench.says(
    terminal({ output: 'hi\n', exitCode: 1 }, ' M README.md\n?? a.txt\n./a.txt\n./README.md\n', {
      'a.txt': 'hi\n',
      'README.md': 'x\n',
    }),
  );
  const script = 'echo hi > a.txt; echo x > README.md; cat a.txt; false';
  const imagined = await bench.predict(script, { ...whole, read: ['a.txt', 'README.md', 'src/index.js'] });
  const rehearsed = await bench.predict(script, { language: undefined });
  const { prediction } = imagined;
  assert.equal(prediction.engine, 'language');
  assert.equal(prediction.ending, 'done', prediction.endingReason);
  assert.equal(imagined.stdout, 'hi\n');
  assert.equal(prediction.exitCode, 1);
  assert.deepEqual(imagined.files, rehearsed.files);
  assert.deepEqual([...imagined.contents.values()], ['hi\n', 'x\n', 'export const shop = 1;\n']);
  const bases = [...prediction.output, ...prediction.files].map(({ basis }) => basis);
  assert.deepEqual([...new Set([...bases, prediction.exitBasis])], ['imagined']);
  assert.deepEqual([...new Set(rehearsed.prediction.files.map(({ basis }) => basis))], ['rehearsed']);
  const { exitCode, stdout } = { exitCode: prediction.exitCode, stdout: imagined.stdout };
  assert.deepEqual([exitCode, stdout], [rehearsed.prediction.exitCode, rehearsed.stdout]);
  assert.equal(factualScore(prediction, rehearsed.prediction).score, 1);
  assert.ok(!existsSync(path.join(bench.place.cwd, 'a.txt')));
});

test('what had changes before is no change of the command', async () => {
  bench.says(terminal({ output: '', exitCode: 0 }, ' M src/cart.js\n?? drafts/note.md\n'));
  const { files } = await bench.predict('true', whole);
  assert.deepEqual(files, []);
});

test('a deleted file and one in a new folder', async () => {
  bench.says(terminal({ output: '', exitCode: 0 }, ' D README.md\n?? out/a.txt\n', { 'out/a.txt': 'a\n' }));
  const { files } = await bench.predict('rm README.md; mkdir out; echo a > out/a.txt', whole);
  assert.deepEqual(files, ['created out/a.txt', 'deleted README.md']);
});

test('files outside of the workspace are left out', async () => {
  bench.says(terminal({ output: '', exitCode: 0 }, '?? ../../etc/passwd\n?? /etc/hosts\n?? .git/config\n', {}));
  const { files, contents } = await bench.predict('true', { ...whole, read: ['/etc/hosts'] });
  assert.deepEqual(files, []);
  assert.notEqual(contents.get('/etc/hosts'), '');
});

test('a model that cannot know abstains', async () => {
  bench.says(() => '[[unknown: the weather is not shown]]');
  const { prediction } = await bench.predict('curl wttr.in', whole);
  assert.equal(prediction.ending, 'abstained');
  assert.match(prediction.endingReason ?? '', /weather/);
});

test('a screen that tells no exit code claims none', async () => {
  bench.says(terminal({ output: 'still going\n' }));
  const { prediction, stdout } = await bench.predict('node server.js', whole);
  assert.equal(stdout, 'still going\n');
  assert.equal(prediction.exitCode, undefined);
  assert.ok(prediction.notices.some((text) => text.includes('does not say how')));
});

test('a reply that is no screen is asked for once more, and then nothing of it counts', async () => {
  const screen = (code: string) => `user@host:/w$ true\nleaked\nuser@host:/w$ echo $?\n${code}\nuser@host:/w$`;
  const bad = [
    'The command prints leaked.',
    "I'm sorry, I can't run leaked.",
    '```\nleaked\n```',
    screen('300'),
    screen('zero'),
  ];
  for (const text of bad) {
    bench.says(() => text);
    const { prediction, stdout } = await bench.predict('true', whole);
    assert.equal(stdout, '', text);
    assert.equal(prediction.exitCode, undefined);
    assert.equal(prediction.ending, 'failed');
    assert.equal(prediction.failureCode, 'unusable-reply');
    assert.equal(prediction.questions.length, 2);
    assert.equal(prediction.questions[1]?.repairs, 1);
  }
});

test('a command that does not end is said to wait, and has no exit code', async () => {
  bench.says((_words, call) => {
    const { cwd } = bench.place;
    const command = String(call.arguments['command']);
    return `user@host:${cwd}$ ${command}${command === 'node server.js' ? '\nlistening' : `\nuser@host:${cwd}$`}`;
  });
  const { prediction, stdout } = await bench.predict('node server.js', whole);
  assert.equal(stdout, 'listening');
  assert.equal(prediction.exitCode, undefined);
  assert.equal(prediction.ending, 'abstained');
  assert.deepEqual(
    prediction.effects.filter(({ effect }) => effect === 'waits').map(({ basis }) => basis),
    ['imagined'],
  );
});

test('what a model does not say of changes and contents is assumed, and said so', async () => {
  const says = terminal({ output: 'hi\n', exitCode: 0 }, '?? a.txt\n');
  bench.says((words, call, ...rest) => {
    const command = String(call.arguments['command']);
    return command.startsWith('cat ') ? "I'm sorry, I can't show that." : says(words, call, ...rest);
  });
  const content = await bench.predict('node gen.js', { ...whole, read: ['a.txt'] });
  assert.equal(content.prediction.ending, 'abstained');
  assert.deepEqual(content.files, ['created a.txt']);
  assert.equal(content.prediction.assumptions[0]?.assumed, 'leaves a.txt empty');
  assert.equal(content.prediction.assumptions[0]?.fault?.kind, 'refused');
  bench.says((words, call, ...rest) => {
    const command = String(call.arguments['command']);
    return command.startsWith('git status') ? 'Nothing has changed.' : says(words, call, ...rest);
  });
  const { prediction, files } = await bench.predict('node gen.js', whole);
  assert.deepEqual(files, []);
  assert.equal(prediction.ending, 'abstained');
  assert.equal(prediction.assumptions[0]?.assumed, 'changes nothing');
});

test('a server that breaks off is a failure with a next step', async () => {
  bench.says(() => {
    throw new Error('the scripted model ends here');
  });
  const { prediction } = await bench.predict('node server.js', whole);
  assert.equal(prediction.ending, 'failed');
  assert.match(prediction.endingReason ?? '', /; .*\.$/);
});

test('a model that sees nothing happen does not lower the verdict', async () => {
  bench.says(terminal({ output: 'Nothing happens. This is safe.\n', exitCode: 0 }));
  for (const script of ['rm -rf src drafts', 'git reset --hard', 'rm -rf .git', 'git push --force']) {
    const [imagined, rehearsed] = [
      await bench.predict(script, whole),
      await bench.predict(script, { language: undefined }),
    ];
    const order = ['safe', 'caution', 'danger'];
    const [more, less] = [imagined, rehearsed].map(({ prediction }) =>
      order.indexOf(prediction.verdict.level ?? 'safe'),
    );
    assert.ok((more ?? 0) >= (less ?? 0), `${script}: ${imagined.prediction.verdict.level}`);
  }
});

test('cancelling while the model imagines', async () => {
  bench.says(() => new Promise(() => {}));
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 700);
  const { prediction } = await bench.predict('node slow.js', { ...whole, signal: stop.signal });
  assert.equal(prediction.ending, 'cancelled');
});
