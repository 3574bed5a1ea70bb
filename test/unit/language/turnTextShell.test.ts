import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  parseBashReply,
  parseShellEnvelope,
  parseShellReply,
  renderShellReply,
} from '../../../src/core/worlds/language/prompt/turns/turnTextShell.ts';
import { seeded } from './seeded.ts';

const envelope = (output: string, error: string, exitCode: string) =>
  `Command: x\nDirectory: (root)\nOutput: ${output}\nError: ${error}\nExit Code: ${exitCode}\nSignal: (none)\nBackground PIDs: (none)\nProcess Group PGID: 4711`;

test('a shell reply has the envelope of its tool', () => {
  assert.equal(
    renderShellReply('qwen', { command: 'ls', cwd: '/w', stdout: 'a\nb\n', exitCode: 0 }),
    'Command: ls\nDirectory: /w\nOutput: a\nb\nError: (none)\nExit Code: 0\nSignal: (none)\nBackground PIDs: (none)\nProcess Group PGID: (none)',
  );
  assert.equal(
    renderShellReply('claude', { command: 'x', stdout: 'a\n', stderr: 'b\n', exitCode: 2 }),
    'Exit code 2\na\nb',
  );
  assert.equal(
    renderShellReply('claude', { command: 'x', stdout: '', exitCode: 0 }),
    '(Bash completed with no output)',
  );
  assert.equal(renderShellReply('claude', { command: 'x', stdout: '', exitCode: 1 }), 'Exit code 1');
});

test('a predicted envelope is read back, however loosely it is written', () => {
  const read = (text: string) => {
    const reply = parseShellEnvelope(text);
    return reply && [reply.stdout, reply.stderr, reply.exitCode];
  };
  assert.deepEqual(read(envelope('a\nb', '(none)', '0')), ['a\nb\n', '', 0]);
  assert.deepEqual(read(envelope('(empty)', '(none)', '0')), ['', '', 0]);
  assert.deepEqual(read(envelope('', '(none)', '0')), ['', '', 0]);
  assert.deepEqual(read(envelope('(empty)', 'Error: Cannot find module\n    at x', '1')), [
    '',
    'Error: Cannot find module\n    at x\n',
    1,
  ]);
  assert.deepEqual(read(envelope('Error: in the output\nnode', '(none)', '1')), [
    'Error: in the output\nnode\n',
    '',
    1,
  ]);
  assert.deepEqual(read(envelope('Exit Code: 7\nSignal: 9', '(none)', '0')), ['Exit Code: 7\nSignal: 9\n', '', 0]);
  assert.deepEqual(read('```\nOutput: a\n\n  b\nExit Code: 3\n```'), ['a\n\n  b\n', '', 3]);
  assert.deepEqual(read('Command: x\nOutput: a'), ['a\n', '', undefined]);
  assert.deepEqual(read('command: x\r\ndirectory: y\r\noutput: a\r\nerror: (NONE)\r\nexit code: 5\r\n'), [
    'a\n',
    '',
    5,
  ]);
  assert.deepEqual(
    read('Command: x\nDirectory: (root)\nStdout: a\nStderr: b\nc\nError: (none)\nExit Code: 1\nSignal: (none)'),
    ['a\n', 'b\nc\n', 1],
  );
  assert.deepEqual(read('Command: x\nStdout: (empty)\nStderr: (empty)\nError: spawn failed\nExit Code: (none)'), [
    '',
    'spawn failed\n',
    undefined,
  ]);
  assert.equal(
    parseShellEnvelope(envelope('a', '(none)', '(none)').replace('Signal: (none)', 'Signal: SIGKILL'))?.signal,
    'SIGKILL',
  );
  assert.deepEqual(
    parseShellEnvelope(envelope('a', '(none)', '0').replace('PIDs: (none)', 'PIDs: 12, 13'))?.backgroundPids,
    [12, 13],
  );
  for (const text of ['', 'a', 'Exit code 1\na', 'Compiling …\nOutput: dist/a.js', 'Output: dist/a.js'])
    assert.equal(read(text), undefined, text);
});

test('an envelope gives back what was put into it', () => {
  const { text, below } = seeded(21);
  const parts = [
    'a',
    ' ',
    '\n',
    'Output: ',
    'Exit Code: 3\n',
    '\nSignal: (none)\n',
    'Command: x\n',
    '(',
    'ü',
    '\t',
    '\n\n',
  ];
  for (let round = 0; round < 5000; round++) {
    const body = text(parts, 8);
    const stdout = /^\s*$/.test(body) ? '' : `${body}x\n`;
    const stderr = below(2) === 0 ? '' : `${text(parts, 4)}y\n`;
    const outcome = { command: text(['a', 'b ', '| '], 5), stdout, stderr, exitCode: below(256) };
    const reply = parseShellReply('qwen', renderShellReply('qwen', outcome));
    assert.deepEqual(reply, { stdout, stderr, exitCode: outcome.exitCode, backgroundPids: [] });
  }
});

test("the reply of Claude's shell is read back", () => {
  const read = (text: string) => {
    const { stdout, exitCode } = parseBashReply(text);
    return [stdout, exitCode];
  };
  assert.deepEqual(read('a\nb'), ['a\nb\n', 0]);
  assert.deepEqual(read('(Bash completed with no output)'), ['', 0]);
  assert.deepEqual(read('<system>Tool ran without output or errors</system>'), ['', 0]);
  assert.deepEqual(read('Exit code 127\nbash: foo: command not found'), ['bash: foo: command not found\n', 127]);
  assert.deepEqual(read('Error: Exit code 1\na'), ['a\n', 1]);
  assert.deepEqual(read('Exit code 1'), ['', 1]);
  assert.deepEqual(read('Exit code 1 is what it returns\n'), ['Exit code 1 is what it returns\n', 0]);
  assert.equal(parseShellReply('claude', envelope('a', '(none)', '4')).exitCode, 4);
  assert.equal(parseShellReply('qwen', 'Exit code 3\na').exitCode, 3);
  assert.equal(parseShellReply('qwen', 'just output').exitCode, undefined);
});

test('any text can be read as a shell reply', () => {
  const { text } = seeded(8);
  const parts = [
    'Output:',
    'Error: ',
    '(none)',
    '\n',
    'Exit Code: ',
    '7',
    'Stderr:',
    'Command: ',
    '```',
    ' ',
    'a',
    'Signal: ',
  ];
  for (let round = 0; round < 5000; round++) {
    const reply = parseShellReply(round % 2 === 0 ? 'qwen' : 'claude', text(parts, 14));
    assert.ok(reply.stdout === '' || reply.stdout.endsWith('\n'));
    assert.ok(reply.exitCode === undefined || Number.isSafeInteger(reply.exitCode));
  }
});
