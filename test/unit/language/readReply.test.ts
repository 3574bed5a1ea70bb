import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReplyFault } from '../../../src/core/facts/replyFault.ts';
import { faultClause } from '../../../src/core/words/faultText.ts';
import { renderScreen, typeCommand } from '../../../src/core/worlds/language/prompt/turns/turnTextScreen.ts';
import {
  contentForm,
  listingForm,
  listingScreen,
  screenForm,
  shellForm,
  turnForm,
} from '../../../src/core/worlds/language/reply/answerForms.ts';
import { failureOfFault, readReply } from '../../../src/core/worlds/language/reply/readReply.ts';
import { exitCodeOfEnd } from '../../../src/core/worlds/language/reply/readShellReply.ts';
import type { Reply } from '../../cassettes/server.ts';
import { complaintsAboutSentence } from '../../faults/sentence.ts';
import { badReplies, envelope, goodReplies, inTags } from '../../language/replyTable.ts';

const wording = { dialect: 'qwen', style: 'benchmark' } as const;
const came = ({ content, reasoning = '', finish = 'stop' }: Reply) => ({ raw: content, reasoning, finish, body: {} });
const read = <T>(reply: Reply, form: Parameters<typeof readReply<T>>[1]) =>
  readReply(came(reply), form, { isTagged: true });
const faultOf = <T>(content: string, form: Parameters<typeof readReply<T>>[1], more: Partial<Reply> = {}) => {
  const reading = read({ content, ...more }, form);
  return reading.ok ? undefined : reading.fault.kind;
};

for (const { name, reply, fault } of badReplies) {
  test(`no answer: ${name}`, () => {
    const reading = read(reply, shellForm(wording));
    assert.ok(!reading.ok, JSON.stringify(reading));
    assert.equal(reading.fault.kind, fault);
    assert.ok(ReplyFault.safeParse(reading.fault).success);
    assert.match(faultClause(reading.fault), /^[a-z].*[^.]$/);
    // What the model said is repeated as it is.
    const said = 'said' in reading.fault ? { ...reading.fault, said: 'so' } : reading.fault;
    assert.deepEqual(complaintsAboutSentence(failureOfFault(said).message), []);
  });
}

for (const { name, reply, stdout, stderr = '', exitCode = 0 } of goodReplies) {
  test(`an answer: ${name}`, () => {
    const reading = read(reply, shellForm(wording));
    assert.ok(reading.ok && reading.kind === 'answer', JSON.stringify(reading));
    const { value } = reading;
    assert.equal(value.stdout, stdout);
    assert.equal(value.stderr, stderr);
    assert.equal(value.end && exitCodeOfEnd(value.end), exitCode);
  });
}

test('a program that does not end is said so in several ways, and never exits 0', () => {
  const texts = [
    'still running',
    '(still running)',
    'running',
    '(none) (still running)',
    'does not exit',
    'Process is still running',
  ];
  for (const exit of texts) {
    const reading = read({ content: inTags(envelope('listening', { exit })) }, shellForm(wording));
    assert.ok(reading.ok && reading.kind === 'answer', exit);
    assert.deepEqual(reading.value.end, { how: 'waits' });
  }
  for (const exit of ['not running', 'no longer running', 'running 0']) {
    assert.equal(faultOf(inTags(envelope('x', { exit })), shellForm(wording)), 'bad-exit-code', exit);
  }
});

test('a model that cannot know says so, between tags', () => {
  for (const text of [
    '[[unknown: no source]]',
    '```\n[[unknown: no source]]\n```',
    'Command: x\nOutput: [[unknown: no source]]\nExit Code: 0',
  ]) {
    const reading = read({ content: inTags(text) }, shellForm(wording));
    assert.ok(reading.ok && reading.kind === 'unknown', text);
    assert.equal(reading.reason, 'no source');
  }
});

test("in Claude's dialect what is printed is the reply, and what is plainly none of it is not", () => {
  const form = shellForm({ dialect: 'claude', style: 'benchmark' });
  const outcome = (text: string) => {
    const reading = read({ content: inTags(text) }, form);
    return reading.ok && reading.kind === 'answer'
      ? [reading.value.stdout, reading.value.end]
      : faultOf(inTags(text), form);
  };
  const exits = (code: number) => ({ how: 'exit', code });
  assert.deepEqual(outcome('a\n\tb'), ['a\n\tb\n', exits(0)]);
  assert.deepEqual(outcome(' M README.md'), [' M README.md\n', exits(0)]);
  assert.deepEqual(outcome('{"a": 1}'), ['{"a": 1}\n', exits(0)]);
  assert.deepEqual(outcome('Exit code 7\nI am sorry, I failed'), ['I am sorry, I failed\n', exits(7)]);
  assert.deepEqual(outcome('(Bash completed with no output)'), ['', exits(0)]);
  assert.deepEqual(outcome('Command timed out after 2m 0.0s\nlistening'), ['listening\n', { how: 'waits' }]);
  assert.deepEqual(outcome(envelope('x', { exit: '2' })), ['x\n', exits(2)]);
  assert.equal(outcome('Exit code 3 (error)\nx'), 'bad-exit-code');
  assert.equal(outcome('Exit code -1\nx'), 'bad-exit-code');
  assert.equal(outcome('Exit code 300'), 'bad-exit-code');
  assert.equal(outcome("I'm sorry, I can't run this command."), 'refused');
  assert.equal(outcome('抱歉，我无法执行该命令。'), 'refused');
  assert.equal(outcome('```\nhello\n```'), 'fence');
  assert.equal(outcome('Here is the output:\n\n```\nhello\n```'), 'fence');
  assert.equal(outcome('{"name": "Bash", "arguments": {"command": "x"}}'), 'tool-call');
  assert.equal(outcome('{"stdout": "x", "exit_code": 0}'), 'json');
  assert.equal(outcome('<output>'), 'placeholder');
  assert.equal(outcome('**Output:** x\n**Exit Code:** 0'), 'other-fields');
  assert.equal(outcome(''), 'empty');
});

test('a listing is one only where every line is', () => {
  const form = listingForm(wording, 'status');
  const says = (output: string, more = {}) => {
    const reading = read({ content: inTags(envelope(output, more)) }, form);
    return reading.ok && reading.kind === 'answer' ? reading.value : reading.ok ? 'unknown' : reading.fault.kind;
  };
  assert.equal(says('(empty)'), '');
  assert.equal(says(' M a.txt\n?? b c.txt\n./b c.txt'), ' M a.txt\n?? b c.txt\n./b c.txt\n');
  assert.equal(says('./a', { error: 'fatal: not a git repository' }), './a\n');
  assert.equal(says('Nothing has changed.'), 'no-listing');
  assert.equal(says('nothing to commit, working tree clean'), 'no-listing');
  assert.equal(says(' M a.txt\nThis file was rewritten by the build.'), 'no-listing');
  assert.equal(says('(empty)', { exit: '127', error: 'sh: git: not found' }), 'look-failed');
  assert.equal(says('(empty)', { exit: 'still running' }), 'look-failed');
  assert.equal(faultOf(inTags('No files were changed.'), form), 'prose');
  assert.equal(faultOf('Nothing.', form), 'prose');
  assert.equal(faultOf(inTags(''), form), undefined);
  assert.equal(faultOf('', form), 'empty');
  assert.equal(
    faultOf(`<predicted_observation>\n${envelope(' M a.t').slice(0, 60)}`, form, { finish: 'length' }),
    'cut',
  );
  const files = listingForm(wording, 'files');
  assert.equal(faultOf(inTags(envelope('out/a.js\nout/b.js')), files), undefined);
  assert.equal(faultOf(inTags(envelope('The folder holds two files.')), files), 'no-listing');
});

test('the content of a file is taken as it is, and nothing else is', () => {
  const says = (text: string, file = '/w/a.js', more: Partial<Reply> = {}) => {
    const reading = read({ content: inTags(text), ...more }, contentForm(file));
    return reading.ok ? (reading.kind === 'answer' ? reading.value : reading) : reading.fault.kind;
  };
  const text = (content: string) => ({ kind: 'text', text: content });
  assert.deepEqual(says('a\n'), text('a\n'));
  assert.deepEqual(says('  indented\n\n\nend\n\n'), text('  indented\n\n\nend\n\n'));
  assert.deepEqual(says('     1\ta\n     2\tb'), text('a\nb\n'));
  assert.deepEqual(says('(the file is empty)'), text(''));
  assert.deepEqual(says('# Title\n\n```sh\nnpm ci\n```\n', '/w/README.md'), text('# Title\n\n```sh\nnpm ci\n```\n'));
  assert.deepEqual(
    says('The command is this:\n\n```sh\nnpm ci\n```\n', '/w/README.md'),
    text('The command is this:\n\n```sh\nnpm ci\n```\n'),
  );
  assert.deepEqual(says('{"name": "x", "arguments": {}}', '/w/call.json'), text('{"name": "x", "arguments": {}}\n'));
  assert.deepEqual(
    says('It was built yesterday by somebody.', '/w/notes.txt'),
    text('It was built yesterday by somebody.\n'),
  );
  assert.deepEqual(says('<answer>\n1\n</answer>', '/w/a.xml'), text('<answer>\n1\n</answer>\n'));
  assert.deepEqual(says('[ 1, 2, 3, ... 97 more items ]'), text('[ 1, 2, 3, ... 97 more items ]\n'));
  assert.deepEqual(says('Cannot display content of binary file: a.png', '/w/a.png'), { kind: 'binary' });
  assert.deepEqual(says('File not found: /w/a.js'), { kind: 'unread', said: 'File not found: /w/a.js' });
  assert.equal(says('```json\n{"a": 1}\n```', '/w/a.json'), 'fence');
  assert.equal(says('```js\nlet a;\n```'), 'fence');
  assert.equal(says('```md\n# Title\n```', '/w/README.md'), 'fence');
  assert.equal(says('Here is the content of the file:\n```js\nlet a;\n```'), 'fence');
  assert.equal(says('KEY=[redacted: API key]\n', '/w/.env'), 'redacted');
  assert.equal(says("I'm sorry, but I can't show the contents of this file."), 'refused');
  assert.equal(says('Es tut mir leid, ich kenne den Inhalt nicht.'), 'refused');
  assert.equal(says('The file would contain the bundled code of the project.'), 'prose');
  assert.equal(says('该文件包含构建后的代码。'), 'prose');
  assert.equal(says('let a;\n// ... rest of the file unchanged\n'), 'partial');
  assert.equal(
    says(
      '[File content truncated: showing lines 1-2 of 90 total lines. Use offset/limit parameters to view more.]\na\nb',
    ),
    'partial',
  );
  assert.equal(says(envelope('let a;')), 'other-fields');
  assert.equal(says('<tool_call>{"name": "write_file", "arguments": {}}</tool_call>'), 'tool-call');
  assert.equal(says('<file content>'), 'placeholder');
  assert.equal(faultOf('<predicted_observation>\nlet a;\nlet b', contentForm('/w/a.js'), { finish: 'length' }), 'cut');
  assert.equal(faultOf(`${inTags('a')}\n${inTags('b')}`, contentForm('/w/a.js')), 'several-answers');
});

test('a screen is one only with what was typed, or a prompt', () => {
  const place = { user: 'user', host: 'host', home: '/home/user', cwd: '/w' };
  const { keystrokes } = typeCommand('node a.js', { asksExitCode: true });
  const form = screenForm(keystrokes, 'user@host:/w$', { style: 'benchmark' });
  const says = (text: string) => {
    const reading = read({ content: inTags(text) }, form);
    if (!reading.ok) return reading.fault.kind;
    return reading.kind === 'answer' ? [reading.value.output, reading.value.exitCode, reading.value.waits] : 'unknown';
  };
  assert.deepEqual(says(renderScreen(place, 'node a.js', 'hi\n', { exitCode: 3 })), ['hi\n', 3, false]);
  assert.deepEqual(says(renderScreen(place, 'node a.js', 'hi\n')), ['hi\n', undefined, false]);
  assert.deepEqual(says('user@host:/w$ node a.js\nlistening'), ['listening', undefined, true]);
  for (const code of ['300', '-1', 'zero', '3 (error)', 'NaN'])
    assert.equal(
      says(`user@host:/w$ node a.js\nhi\nuser@host:/w$ echo $?\n${code}\nuser@host:/w$`),
      'bad-exit-code',
      code,
    );
  const { keystrokes: looked } = typeCommand('git status --porcelain; find .');
  const listing = listingScreen(screenForm(looked, 'user@host:/w$', { style: 'benchmark' }), 'status');
  const screen = (output: string) =>
    inTags(`user@host:/w$ git status\n${output}user@host:/w$ echo $?\n0\nuser@host:/w$`);
  assert.equal(faultOf(screen(''), listing), undefined);
  assert.equal(faultOf(screen(' M a.txt\n'), listing), undefined);
  assert.equal(faultOf(screen('Nothing has changed.\n'), listing), 'no-listing');
  assert.equal(says('The program prints hi and ends.'), 'prose');
  assert.equal(says("I'm sorry, I can't do that."), 'refused');
  assert.equal(says('```\nhi\n```'), 'fence');
  assert.equal(says('{"name": "bash", "arguments": {"command": "node a.js"}}'), 'tool-call');
});

test('the observation of any turn may be anything but a refusal, a call, a fence or half an answer', () => {
  const says = (text: string, isShell = false) => faultOf(inTags(text), turnForm(isShell, 'qwen'));
  for (const text of ['ok', '{"events": []}', '[12] link "Tide table"', '', 'Exit Code: 0'])
    assert.equal(says(text), undefined, text);
  assert.equal(says('I cannot help with that request.'), 'refused');
  assert.equal(says('```\nx\n```'), 'fence');
  assert.equal(says('{"name": "search", "arguments": {"query": "x"}}'), 'tool-call');
  assert.equal(says(envelope('x', { exit: '300' }), true), 'bad-exit-code');
  assert.equal(says(envelope('x'), true), undefined);
});

test('hostile replies are read in linear time', () => {
  const open = '<predicted_observation>';
  const texts = (count: number) => [
    open.repeat(count),
    `x${open}`.repeat(count),
    `${open}\n</predicted_observation>\n`.repeat(count),
    '</think>'.repeat(count),
    '<think>'.repeat(count),
    `<think></think>`.repeat(count),
    `${open}\n${'Exit Code: 0\n'.repeat(count)}</predicted_observation>`,
    `${open}\n${'Command: x\nOutput: y\n'.repeat(count)}</predicted_observation>`,
    `${open}\n${'```\n'.repeat(count)}</predicted_observation>`,
    `${open}\n${' '.repeat(count * 10)}x\n</predicted_observation>`,
    `${' '.repeat(count * 10)}x`,
    '*'.repeat(count * 10),
    `${open}\n${'(none '.repeat(count)}\n</predicted_observation>`,
  ];
  // Quadratic would be hours.
  for (const text of texts(50_000)) {
    read({ content: text }, shellForm(wording));
    read({ content: text }, contentForm('/w/a.js'));
    read({ content: text }, shellForm({ dialect: 'claude', style: 'benchmark' }));
  }
});
