import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffDiagnostics, type FoundDiagnostic } from '../../src/host/consequences/diffDiagnostics.ts';
import { nextCommands, testGlobs } from '../../src/host/consequences/nextCommands.ts';
import { editInText, mayBeEdit, titleOfText } from '../../src/host/edit/editText.ts';
import { entriesOf } from '../../src/host/edit/stagedEdit.ts';
import { hunksOf, plainTexts } from '../../src/host/edit/textHunks.ts';

const diff = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n';

test('a text is an edit or a command', async () => {
  const edits = [
    diff,
    `Try this:\n\n\`\`\`diff\n${diff}\`\`\`\n`,
    `diff --git a/x b/x\n${diff}`,
    '*** Begin Patch\n*** Update File: x\n@@\n-a\n+b\n*** End Patch\n',
    "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: x\n@@\n-a\n+b\n*** End Patch\nEOF\n",
    diff.replace(/^/gm, '> '),
    diff.replace(/^/gm, '    '),
    `\u001b[1m${diff.replace('-a', '\u001b[31m-a\u001b[m')}`,
    '*** a/x\n--- b/x\n***************\n*** 1 ****\n! a\n--- 1 ----\n! b\n',
    'x\n```\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```\n',
    '```diff\n--- x\n+++ x\n@@ ... @@\n-a\n+b\n```\n',
    `I do this:\n\`\`\`json\n${JSON.stringify({ name: 'write_file', arguments: { path: '/x', content: 'a' } })}\n\`\`\`\n`,
    JSON.stringify({ tool: 'edit', input: { filePath: '/x', oldString: 'a', newString: 'b' } }),
    JSON.stringify({ name: 'Edit', input: { file_path: '/x', old_string: 'a', new_string: 'b' } }),
    JSON.stringify([{ name: 'write_file', arguments: { file_path: '/x', content: 'a' } }]),
  ];
  for (const text of edits) {
    const read = await editInText(text, '/w');
    assert.ok(read && 'edit' in read, text);
  }
  const commands = [
    'rm -rf dist',
    '{ echo a; echo b; }',
    '[ -f x ] && rm x',
    `git apply <<'EOF'\n${diff}EOF`,
    `patch -p1 <<-EOF\n${diff}EOF`,
    'git diff --stat\nnpm test',
    'npm run build -- --force',
    "cat > x <<'E'\n{\n}\nE",
    '# Setup\n\n```sh\nnpm ci\n```\n',
  ];
  for (const text of commands) assert.equal(await editInText(text, '/w'), undefined, text);
  assert.equal(mayBeEdit('ls'), false);
});

test('a call that is none is a problem only where it is JSON, or where an edit was wanted', async () => {
  const call = JSON.stringify({ name: 'Bash', input: { command: 'ls' } });
  const read = await editInText(call, '/w');
  assert.ok(read && 'problem' in read);
  assert.ok('problem' in ((await editInText('ls', '/w', true)) ?? {}));
});

test('an edit that was read from a text has a title', async () => {
  const titleOf = async (text: string) => {
    const read = await editInText(text, '/w');
    return read && 'edit' in read ? titleOfText(read.edit) : undefined;
  };
  assert.equal(await titleOf(diff), 'Patch');
  assert.equal(await titleOf(diff + diff.replaceAll('/x', '/y')), 'Patch of 2 files');
  const call = { name: 'Edit', input: { file_path: '/x', old_string: 'a', new_string: 'b' } };
  assert.equal(await titleOf(JSON.stringify(call)), 'Edit call: Edit');
  assert.equal(await titleOf(JSON.stringify([call, call])), '2 edit calls');
});

const found = (text: string, line: number, severity: 'error' | 'warning' = 'error'): FoundDiagnostic => ({
  ...{ text, line, severity, column: 1 },
  ...{ path: '/x', source: 'json' },
});

test('a diagnostic that only moved is neither new nor fixed; of several the same one more is new', () => {
  assert.deepEqual(diffDiagnostics([found('a', 1)], [found('a', 9)]), []);
  assert.deepEqual(
    diffDiagnostics([found('a', 1), found('b', 2)], [found('a', 1), found('a', 3), found('c', 4, 'warning')]).map(
      ({ change, text, line }) => [change, text, line],
    ),
    [
      ['new', 'a', 3],
      ['new', 'c', 4],
      ['fixed', 'b', 2],
    ],
  );
  assert.equal(diffDiagnostics([found('a', 1)], [found('a', 1, 'warning')]).length, 2);
});

/** The hunks applied as an editor does. */
async function applied(before: string, after: string): Promise<string> {
  const lines = before.split(/(?<=\n)/);
  const offsetOf = (line: number, character: number) => lines.slice(0, line).join('').length + character;
  let text = before;
  for (const { range, text: replacement } of (await hunksOf(before, after)).reverse()) {
    const [startLine, startCharacter, endLine, endCharacter] = range;
    text =
      text.slice(0, offsetOf(startLine, startCharacter)) + replacement + text.slice(offsetOf(endLine, endCharacter));
  }
  return text;
}

test('hunks make the one text of the other', async () => {
  const texts = [
    '',
    'a',
    'a\n',
    'a\nb',
    'a\nb\n',
    'b\na\n',
    '\n',
    '\n\n',
    'a\r\nb\r\n',
    'a\nx\nb\ny\nc\n',
    'a\nb\nc\nd',
    'd\nc\n\nb',
  ];
  for (const before of texts) for (const after of texts) assert.equal(await applied(before, after), after);
  assert.equal((await hunksOf('a\nb\nc\nd\ne\n', 'A\nb\nc\nd\nE\n')).length, 2);
});

test('only what an editor would write just so is changed as text', () => {
  const asText = (before: string, after: string) => plainTexts(Buffer.from(before), Buffer.from(after)) !== undefined;
  assert.ok(asText('a\n', 'b\n'));
  assert.ok(asText('a\r\n', 'b\r\nc\r\n'));
  assert.ok(asText('\uFEFFa\n', '\uFEFFb\n'));
  for (const [before, after] of [
    ['a\r\nb\n', 'a\r\nc\n'],
    ['a\n', 'a\r\n'],
    ['a', 'a\r\nb'],
    ['\uFEFFa\n', 'a\n'],
    ['a\0\n', 'b\0\n'],
    ['a\rb\n', 'c\rb\n'],
  ] as const) {
    assert.ok(!asText(before, after), JSON.stringify([before, after]));
  }
  assert.equal(plainTexts(Buffer.from([0xff, 0xfe]), Buffer.from('a')), undefined);
});

test('what git says is staged is read, whatever the names are', () => {
  const zero = '0'.repeat(40);
  const raw = `:100644 100755 ${'a'.repeat(40)} ${'b'.repeat(40)} M\0a b\n.txt\0:000000 100644 ${zero} ${'c'.repeat(40)} A\0new\0`;
  assert.deepEqual(entriesOf(raw), [
    {
      path: 'a b\n.txt',
      before: { mode: '100644', object: 'a'.repeat(40) },
      after: { mode: '100755', object: 'b'.repeat(40) },
    },
    { path: 'new', before: { mode: '000000', object: zero }, after: { mode: '100644', object: 'c'.repeat(40) } },
  ]);
  assert.deepEqual(entriesOf(''), []);
});

test('the usual commands of a project', async () => {
  const of = (files: Record<string, string>) => nextCommands('/w', async (file) => files[file.slice('/w/'.length)]);
  const scripts = JSON.stringify({ scripts: { test: 'x', start: 'y', lint: 'z' } });
  assert.deepEqual(await of({ 'package.json': scripts }), ['npm test', 'npm run lint']);
  assert.deepEqual(await of({ 'package.json': scripts, 'yarn.lock': '' }), ['yarn test', 'yarn run lint']);
  // `bun test` is its own runner, not the script.
  assert.deepEqual(await of({ 'package.json': scripts, 'bun.lock': '' }), ['bun run test', 'bun run lint']);
  assert.deepEqual(await of({ 'package.json': '{"scripts": 1}', Makefile: 'A := b\ntest: x\n\tgo\nlint:\n' }), [
    'make test',
    'make lint',
  ]);
  assert.deepEqual(await of({ 'pyproject.toml': '[tool.pytest.ini_options]\n' }), ['pytest']);
  assert.deepEqual(await of({ 'Cargo.toml': '', 'go.mod': '' }), ['cargo test', 'go test ./...']);
  assert.deepEqual(await of({ 'package.json': 'no JSON' }), []);
});

test('tests are told by their names', () => {
  assert.deepEqual(testGlobs('cart.ts'), ['**/cart.{test,spec}.*', '**/test_cart.*', '**/cart_test.*']);
  assert.deepEqual(testGlobs('index.ts'), []);
  assert.deepEqual(testGlobs('{a}.ts'), []);
});
