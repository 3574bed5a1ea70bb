import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';
import { editFor } from '../../../src/cli/edit.ts';
import { readOptions } from '../../../src/cli/options.ts';
import { readEdit } from '../../../src/core/action/edit/readEdit.ts';
import { foldAll } from '../../../src/core/foretell.ts';
import { cliAround } from '../../cliAround.ts';
import { throwAwayForetell } from '../../throwAwayForetell.ts';

/** What cannot be predicted as an edit is said in one sentence with a next step. */

const { foretell, folder } = throwAwayForetell('edits', { spareLaunchers: 0 });

before(() => {
  fs.writeFileSync(path.join(folder, 'f.txt'), 'a\nb\nc\n');
});

const diff = '--- a/f.txt\n+++ b/f.txt\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n';

/** One sentence, or two, with something to do. */
function isSentence(text: string): boolean {
  return /^[^\n]{10,300}[.…)]$/.test(text) && !/undefined|\bat \w+ \(|Error:|call stack|\bE[A-Z]{4,}\b|ERR_/.test(text);
}

async function problemOfLine(...args: string[]): Promise<string> {
  const options = readOptions(args, folder);
  if ('problem' in options) return options.problem;
  const read = await editFor(options, cliAround(folder));
  return 'problem' in read ? read.problem : '';
}

function placed(name: string, content: string | Uint8Array): string {
  const file = path.join(folder, name);
  fs.writeFileSync(file, content);
  return file;
}

test('a command line that is wrong', async () => {
  const patch = placed('c.patch', diff);
  const lines: [args: string[], says: RegExp][] = [
    [['edit', patch, '--cwd', '/no/such'], /\/no\/such does not exist; choose another/],
    [['edit', patch, '--cwd', '/etc/passwd'], /\/etc\/passwd is not a folder; choose another/],
    [['edit', patch, patch], /takes one FILE, not 2; join them/],
    [['edit', patch, patch, patch, '--json'], /takes one FILE, not 3/],
    [['edit', '-p', '-1', patch], /--strip takes a whole number from 0 to 999, not -1/],
    [['edit', '-p', '1.5', patch], /--strip takes a whole number/],
    [['edit', '-p', '', patch], /--strip takes a whole number.*empty text/],
    [['edit', '--fuzz', '-3', patch], /--fuzz takes a whole number/],
    [['edit', patch, '--fuzz'], /--fuzz takes a value; write it behind/],
    [['edit', '--tool', '--json', patch], /--tool takes a value/],
    [['edit', '--json=1', patch], /--json takes no value; leave it out/],
    [['edit', '--frobnicate', patch], /There is no option --frobnicate; see foretell --help/],
    [['edit', '-x', patch], /There is no option -x/],
    [['edit', '--agent', 'nobody', patch], /There is no agent called nobody here; choose/],
    [['edit', folder], /is a folder; give a file/],
    [['edit', '/no/such.patch'], /There is no file \/no\/such\.patch; give one/],
    [['edit', placed('empty.patch', '')], /the text is empty/],
    [['edit', placed('binary', Uint8Array.from([127, 69, 0, 1, 0, 255, 0, 3]))], /no text but bytes/],
    [['batch', patch], /batch takes no FILE/],
    [['status', patch], /status takes no FILE/],
    [['--reverse', 'ls'], /--reverse is for edits/],
  ];
  for (const [args, says] of lines) {
    const problem = await problemOfLine(...args);
    assert.match(problem, says, args.join(' '));
    assert.ok(isSentence(problem), problem);
  }
});

test('a command that is called edit can still be predicted', () => {
  const options = readOptions(['edit a b'], folder);
  assert.ok(!('problem' in options));
  assert.equal(options.command, 'predict');
});

test('texts that are no edit', () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const texts: [name: string, text: string, says: RegExp][] = [
    ['brackets', deep, /nested too deeply/],
    ['open brackets', '['.repeat(20_000), /nested too deeply|not JSON/],
    ['a deep call', `{"name":"Write","input":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`, /nested too deeply/],
    ['JSON of nothing', '[[[[]]]]', /no tool call/],
    [
      'a combined diff',
      'diff --cc f.txt\nindex 1,2..3\n--- a/f.txt\n+++ b/f.txt\n@@@ -1,1 -1,1 +1,1 @@@\n- a\n -b\n++c\n',
      /combined diff.*git diff HEAD\^1 HEAD/,
    ],
    ['a normal diff', '2c2\n< b\n---\n> B\n', /diff without file names.*diff -u/],
    ['a script for ed', '2c\nB\n.\n', /script for ed.*diff -u/],
    ['a diff without names', '@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n', /no file names; copy the lines/],
    ['words', 'please fix it', /There is no patch in this text/],
    [
      'SWE-agent by lines',
      '{"name":"edit","input":{"start_line":1,"end_line":2,"replacement_text":"x"}}',
      /opened before; give the call of `open`/,
    ],
    ['SWE-agent by search', '{"name":"edit","input":{"search":"a","replace":"b","replace-all":true}}', /opened before/],
    ['SWE-agent inserts', '{"name":"insert","input":{"text":"x","line":3}}', /opened before/],
    [
      'Cursor sketches',
      '{"name":"edit_file","input":{"target_file":"f","instructions":"x","code_edit":"// ..."}}',
      /gives a sketch to a model/,
    ],
    [
      'Copilot sketches',
      '{"name":"insert_edit_into_file","input":{"filePath":"/f","explanation":"x","code":"y"}}',
      /gives a sketch to a model/,
    ],
    [
      'Zed sketches',
      '{"name":"edit_file","input":{"path":"f","display_description":"x","mode":"edit"}}',
      /gives a sketch to a model/,
    ],
    ['a command', '{"tool":"run_in_terminal","input":{"command":"ls"}}', /predict it as a command/],
    ['only reading', '{"tool":"read_text_file","input":{"path":"/f"}}', /only reads/],
    [
      'an unknown tool',
      '{"tool":"frobnicate","input":{"x":1}}',
      /no editing tool called frobnicate .*give the edit as a patch/,
    ],
  ];
  for (const [name, text, says] of texts) {
    const read = readEdit(text, { cwd: folder });
    assert.ok('problem' in read, `${name}: ${JSON.stringify(read).slice(0, 200)}`);
    assert.match(read.problem, says, name);
    assert.ok(isSentence(read.problem), read.problem);
  }
});

test('files that are no text to the tools are read, and that is said', async () => {
  const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(diff, 'utf16le')]);
  const colours = `\u001b[1m${diff.replace('\n-b\n', '\n\u001b[31m-b\u001b[m\n')}`;
  for (const [name, content, says] of [
    ['wide.patch', wide, /UTF-16/],
    ['colours.patch', colours, /colours/],
    ['quoted.patch', diff.replace(/^/gm, '> '), /marks or blanks/],
  ] as const) {
    const options = readOptions(['edit', placed(name, content), '--cwd', folder], folder);
    assert.ok(!('problem' in options));
    const read = await editFor(options, cliAround(folder));
    assert.ok(!('problem' in read), 'problem' in read ? read.problem : '');
    assert.match(read.notices.join('\n'), says);
    assert.equal(read.action.patch?.text.trimEnd(), diff.trimEnd(), name);
  }
});

test('calls in the forms in which agents tell their hooks, and behind names of servers', () => {
  const args = { path: '/w/f', content: 'x' };
  for (const value of [
    { hook_event_name: 'PreToolUse', tool_name: 'write_file', tool_input: args, cwd: '/w' },
    { toolName: 'write_file', toolArgs: args },
    { toolName: 'write_file', toolArgs: JSON.stringify(args) },
    { type: 'tool', tool: 'write_file', state: { status: 'completed', input: args } },
    { name: 'mcp__filesystem__write_file', input: args },
    { recipient_name: 'functions.write_file', parameters: args },
  ]) {
    const read = readEdit(JSON.stringify(value), { cwd: '/w' });
    assert.ok(!('problem' in read), 'problem' in read ? read.problem : '');
    assert.deepEqual(read.action.calls?.[0]?.arguments, args);
  }
  const message = `I will do this:\n\n\`\`\`json\n${JSON.stringify({ name: 'write_file', arguments: args })}\n\`\`\`\n`;
  const read = readEdit(message, { cwd: '/w' });
  assert.ok(!('problem' in read) && read.action.calls?.length === 1);
});

test('calls that are written as tags', () => {
  const texts: [text: string, calls: unknown][] = [
    [
      'I write it.\n\n<write_to_file>\n<path>a.txt</path>\n<content>\nx <b>y</b>\n\nz\n</content>\n</write_to_file>\n',
      [{ name: 'write_to_file', arguments: { path: 'a.txt', content: 'x <b>y</b>\n\nz' } }],
    ],
    [
      '<replace_in_file>\n<path>a.txt</path>\n<diff>\n------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n</diff>\n</replace_in_file>',
      [
        {
          name: 'replace_in_file',
          arguments: { path: 'a.txt', diff: '------- SEARCH\na\n=======\nb\n+++++++ REPLACE' },
        },
      ],
    ],
    [
      '<function_calls>\n<invoke name="Edit">\n<parameter name="file_path">/a</parameter>\n<parameter name="old_string">x</parameter>\n<parameter name="new_string">y</parameter>\n</invoke>\n</function_calls>',
      [{ name: 'Edit', arguments: { file_path: '/a', old_string: 'x', new_string: 'y' } }],
    ],
  ];
  for (const [text, calls] of texts) {
    const read = readEdit(text, { cwd: '/w' });
    assert.ok(!('problem' in read), 'problem' in read ? read.problem : '');
    assert.deepEqual(read.action.calls, calls);
  }
});

test('an edit in a folder that is not there fails with a sentence, and leaves nothing running', async () => {
  for (const edit of [
    { patch: { text: diff, tool: 'patch' as const, strip: 1 } },
    { patch: { text: diff, tool: 'git-apply' as const, strip: 1 } },
    { calls: [{ name: 'Write', arguments: { file_path: 'f', content: 'x' } }] },
  ]) {
    const action = { kind: 'edit' as const, changes: [], cwd: '/no/such', ...edit };
    const { events, view } = foretell.predict({ action, signal: new AbortController().signal });
    const prediction = await foldAll(action, events);
    await view.close();
    assert.equal(prediction.ending, 'failed');
    assert.match(prediction.endingReason ?? '', /^The folder \/no\/such does not exist; choose another/);
    assert.deepEqual(prediction.effects, []);
    assert.doesNotMatch(JSON.stringify(prediction.verdict), /confine/);
  }
});
