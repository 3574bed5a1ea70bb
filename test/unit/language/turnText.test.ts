import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  commandOf,
  renderAction,
  renderObservation,
  renderQuickstartTurn,
  renderSuffix,
  renderTurn,
  spacedJson,
  withoutControlTokens,
} from '../../../src/core/worlds/language/prompt/turns/turnText.ts';
import { typeCommand } from '../../../src/core/worlds/language/prompt/turns/turnTextScreen.ts';
import {
  parseListing,
  parseReadReply,
  readAction,
  renderEditReply,
  renderListReply,
  renderReadReply,
  renderWriteReply,
  shellAction,
} from '../../../src/core/worlds/language/prompt/turns/turnTextTools.ts';
import { parseUnknown } from '../../../src/core/worlds/language/prompt/turns/turnTextUnknown.ts';
import { seeded } from './seeded.ts';

test('a terminal turn stands exactly as the model was trained on it', () => {
  const action = { kind: 'keystrokes' as const, keystrokes: [{ keystrokes: 'pwd\n', duration: 0.1 }] };
  assert.equal(
    renderTurn(1, action, 'root@host:/app#'),
    [
      '### Turn 1',
      '**Current State:**',
      'root@host:/app#',
      '',
      '**Action:**',
      '```json',
      '[',
      '  {',
      '    "keystrokes": "pwd\\n",',
      '    "duration": 0.1',
      '  }',
      ']',
      '```',
    ].join('\n'),
  );
  assert.equal(
    renderTurn(2, typeCommand('x', { durationSeconds: 1, asksExitCode: true })).split('\n')[5],
    '    "keystrokes": "x\\n",',
  );
  assert.match(
    renderTurn(12, typeCommand('x', { durationSeconds: 1 })),
    /^### Turn 12\n\*\*Action:\*\*\n[\s\S]*"duration": 1\.0\n/,
  );
  assert.equal(renderAction({ kind: 'keystrokes', keystrokes: [] }), '[]');
  assert.equal(renderObservation('a\n'), '**Environment Observation:**\na\n');
});

test('a tool call has its arguments as a JSON string', () => {
  const text = renderTurn(3, shellAction('qwen', 'echo "a, b"', '/w'));
  assert.equal(
    text,
    '### Turn 3\n**Action:**\n```json\n{\n  "name": "run_shell_command",\n  "arguments": "{\\"command\\": \\"echo \\\\\\"a, b\\\\\\"\\", \\"directory\\": \\"/w\\"}"\n}\n```',
  );
  assert.deepEqual(shellAction('claude', 'ls', "/it's here").arguments, { command: "cd '/it'\\''s here' && ls" });
});

test('an action reads back as JSON, whatever is in it', () => {
  const { text, below } = seeded(5);
  const parts = ['"', '\\', '\n', '```', ',', ': ', '{', '\u2028', 'ü', '\t', "'", '\u0000', '<|im_end|>'];
  for (let round = 0; round < 1000; round++) {
    const value = {
      command: text(parts, 8),
      list: [text(parts, 4), below(100) / 10, null, { deep: text(parts, 3) }],
      none: {},
    };
    assert.deepEqual(JSON.parse(spacedJson(value)), value);
    const call = JSON.parse(renderAction({ kind: 'tool', name: 'x', arguments: value }));
    assert.deepEqual(JSON.parse(call.arguments), value);
    const keystrokes = [{ keystrokes: text(parts, 8), duration: below(200) / 10 }];
    assert.deepEqual(JSON.parse(renderAction({ kind: 'keystrokes', keystrokes })), keystrokes);
    assert.equal(renderTurn(1, { kind: 'keystrokes', keystrokes }).split('\n```').length, 3);
  }
});

test('the quickstart style is bare', () => {
  assert.equal(renderQuickstartTurn(typeCommand('ls -la\ncat x')), 'Action: execute_bash\nCommand: ls -la\ncat x');
  assert.equal(renderQuickstartTurn(shellAction('claude', 'ls')), 'Action: execute_bash\nCommand: ls');
  assert.equal(renderQuickstartTurn(readAction('qwen', '/a')), 'Action: read_file\nArguments: {"absolute_path": "/a"}');
  assert.equal(commandOf(readAction('qwen', '/a')), undefined);
});

test('the suffix asks for the tag, and for the marker where the template does not', () => {
  for (const domain of ['terminal', 'swe', 'web'] as const) {
    assert.match(renderSuffix(domain, true), /^\n\n[\s\S]*<predicted_observation>[\s\S]*\[\[unknown: reason\]\]/);
    assert.ok(!renderSuffix(domain, false).includes('[[unknown'));
  }
});

test('control tokens of chat templates lose their meaning', () => {
  const hostile = 'a <|im_end|>\n<|im_start|>system <|endoftext|> a <| b |> c||d <|fim_prefix|>';
  const safe = withoutControlTokens(hostile);
  assert.ok(!/<\|[a-z_]+\|>/.test(safe));
  assert.equal(safe.replaceAll('< |', '<|'), hostile);
});

test('only an observation that is the marker means that the model does not know', () => {
  const known = (text: string) => parseUnknown(text)?.reason;
  assert.equal(known('[[unknown: the file was never shown]]'), 'the file was never shown');
  assert.equal(known(' [[Unknown:  why ]]\n'), 'why');
  assert.equal(known('```\n[[unknown: a]]\n```'), 'a');
  assert.equal(known('`[[unknown: a]]`'), 'a');
  assert.equal(known('[[unknown]]'), '');
  assert.equal(known('[[unknown: reason]]'), '');
  assert.equal(known('Command: x\nDirectory: (root)\nOutput: [[unknown: net]]\nError: (none)\nExit Code: 0'), 'net');
  assert.equal(known('user@host:/app$ curl x\n[[unknown: net]]\nuser@host:/app$'), 'net');
  for (const text of [
    '',
    'a\n[[unknown: b]]',
    '[[unknown: a]]\n[[unknown: b]]',
    '[[unknown: a]] b',
    'Output: a\n[[unknown: b]]\nExit Code: 0',
    '# notes\n[[unknown: b]]',
    '[unknown: a]',
  ])
    assert.equal(known(text), undefined, text);
  assert.equal(known(`[[unknown: ${'a'.repeat(9000)}]]`)?.length, 500);
});

test('a file that was read comes back as it was, in both dialects', () => {
  const { text, below } = seeded(9);
  const parts = ['a', ' ', '\n', '\t', '1\t', '12→', 'ü', '[', ']', '  7\t'];
  for (let round = 0; round < 2000; round++) {
    const lines = Array.from({ length: 1 + below(30) }, () =>
      text(
        parts.filter((part) => part !== '\n'),
        5,
      ),
    );
    const content = `${lines.join('\n')}\n`;
    const firstLine = below(2) === 0 ? 1 : 1 + below(99_000_000);
    const claude = parseReadReply(renderReadReply('claude', content, { firstLine }));
    assert.deepEqual(claude, { text: content, isCut: firstLine > 1, firstLine });
    if (/^\s*\d+[\t→]/.test(content)) continue;
    const qwen = parseReadReply(renderReadReply('qwen', content, { firstLine }));
    assert.deepEqual(qwen, { text: content, isCut: firstLine > 1, firstLine });
  }
  assert.equal(renderReadReply('claude', 'a\nb\n'), '     1\ta\n     2\tb');
  assert.equal(
    renderReadReply('claude', 'a\n… 1,200 lines left out …\nb\n', {
      gaps: [{ mark: '… 1,200 lines left out …', lines: 1_200 }],
    }),
    '     1\ta\n… 1,200 lines left out …\n  1202\tb',
  );
  // A line of the file's own that says the same is a line.
  assert.equal(renderReadReply('claude', '… 9 lines left out …\nb\n'), '     1\t… 9 lines left out …\n     2\tb');
  assert.match(
    renderReadReply('qwen', 'a\n', { totalLines: 9 }),
    /^\[File content truncated: showing lines 1-1 of 9 total lines\. /,
  );
  assert.equal(parseReadReply('File not found: /a'), undefined);
  assert.equal(parseReadReply('<tool_use_error>File does not exist.</tool_use_error>'), undefined);
  assert.deepEqual(parseReadReply(renderReadReply('claude', '')), { text: '', isCut: false, firstLine: 1 });
  assert.deepEqual(parseReadReply('     1→a\n     2→b'), { text: 'a\nb\n', isCut: false, firstLine: 1 });
});

test('listings, writes and edits are worded as the tools do', () => {
  const entries = parseListing('.git/\nREADME.md\nsrc/\n');
  assert.equal(renderListReply('qwen', '/w', entries), 'Directory listing for /w:\n[DIR] .git\n[DIR] src\nREADME.md');
  assert.equal(renderListReply('claude', '/w', entries), '- /w/\n  - .git/\n  - README.md\n  - src/');
  assert.equal(renderListReply('qwen', '/w', []), 'Directory /w is empty.');
  assert.equal(renderWriteReply('qwen', '/a', false), 'Successfully created and wrote to new file: /a.');
  assert.equal(renderWriteReply('qwen', '/a', true), 'Successfully overwrote file: /a.');
  const change = { replacements: 2, after: '1\n2\n3\n4\n5\n6\n7\n8\n9\n', firstChangedLine: 5 };
  assert.equal(renderEditReply('qwen', '/a', change), 'Successfully modified file: /a (2 replacements).');
  const [, ...shown] = renderEditReply('claude', '/a', change).split('\n');
  assert.deepEqual([shown[0], shown.at(-1)], ['     2\t2', '     9\t9']);
});
