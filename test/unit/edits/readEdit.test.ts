import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDiff } from '../../../src/core/action/edit/readDiff.ts';
import { readEdit } from '../../../src/core/action/edit/readEdit.ts';
import { unquotePath } from '../../../src/core/shell/unquotePath.ts';

/** Texts that become edits: patches of every kind, calls of every wire format. */

const cwd = '/w';
const hunk = '@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n';

function diffOf(text: string) {
  const read = readDiff(text);
  assert.ok(!('problem' in read), 'problem' in read ? read.problem : '');
  return read;
}

function problemOf(text: string): string {
  const read = readEdit(text, { cwd });
  return 'problem' in read ? read.problem : `no problem: ${JSON.stringify(read.action)}`;
}

function callsOf(value: unknown) {
  const read = readEdit(typeof value === 'string' ? value : JSON.stringify(value), { cwd });
  assert.ok(!('problem' in read), 'problem' in read ? read.problem : '');
  return read.action.calls ?? [];
}

test('git patches go to git apply, others to patch', () => {
  assert.equal(diffOf(`diff --git a/f b/f\n--- a/f\n+++ b/f\n${hunk}`).tool, 'git-apply');
  assert.equal(diffOf(`--- a/f\n+++ b/f\n${hunk}`).tool, 'patch');
});

test('how much of the names is a prefix', () => {
  const strip = (from: string, to: string) => diffOf(`--- ${from}\n+++ ${to}\n${hunk}`).strip;
  assert.equal(strip('a/src/f', 'b/src/f'), 1);
  assert.equal(strip('src/f', 'src/f'), 0);
  assert.equal(strip('a/f', 'a/f'), 0);
  assert.equal(strip('old/src/f', 'new/src/f'), 1);
  assert.equal(strip('f.orig', 'f'), 0);
  assert.equal(strip('/dev/null', 'b/f'), 1);
  assert.equal(strip('a/f\t2024-01-01 10:00:00 +0000', 'b/f\t2024-01-01 10:00:00 +0000'), 1);
  assert.equal(strip('i/f', 'w/f'), 1);
});

test('renames, copies, modes and binary parts have their names', () => {
  const text = [
    'diff --git a/old name.txt b/new name.txt',
    'similarity index 100%',
    'rename from old name.txt',
    'rename to new name.txt',
    'diff --git "a/\\303\\244.txt" "b/\\303\\244.txt"',
    'old mode 100644',
    'new mode 100755',
    'diff --git a/n.bin b/n.bin',
    'new file mode 100644',
    'index 0000000..1234567',
    'GIT binary patch',
    'literal 3',
    'Kc$^',
    '',
  ].join('\n');
  const { files, strip } = diffOf(text);
  assert.deepEqual(
    files.map(({ from, to, isBinary }) => [from, to, isBinary]),
    [
      ['a/old name.txt', 'b/new name.txt', false],
      ['a/ä.txt', 'b/ä.txt', false],
      [undefined, 'b/n.bin', true],
    ],
  );
  assert.equal(strip, 1);
});

test('quoted names', () => {
  assert.equal(unquotePath('"a/\\"x\\" \\t\\\\.txt"'), 'a/"x" \t\\.txt');
  assert.equal(unquotePath('plain'), 'plain');
});

test('a patch in a Markdown fence, and a patch of fences', () => {
  const patch = `--- a/f\n+++ b/f\n${hunk}`;
  const message = `Do this:\n\n\`\`\`diff\n${patch}\`\`\`\nthen that\n`;
  assert.equal(diffOf(message).text, message, 'the tools leave out what is around a patch');
  const ofFences = '--- a/r.md\n+++ b/r.md\n@@ -1,3 +1,3 @@\n ```sh\n-npm i\n+npm ci\n ```\n';
  assert.equal(diffOf(ofFences).text, ofFences);
});

test('a mail with a patch', () => {
  const text = `From 1234 Mon Sep 17 00:00:00 2001\nFrom: A <a@b>\nSubject: [PATCH] x\n\nWhy\n---\n f | 2 +-\n\ndiff --git a/f b/f\n--- a/f\n+++ b/f\n${hunk}-- \n2.39.5\n\n`;
  const read = diffOf(text);
  assert.equal(read.files.length, 1);
  assert.deepEqual(read.notices, []);
});

test('damage is said in a sentence with a next step', () => {
  assert.match(
    diffOf('--- a/f\n+++ b/f\n@@ -1,9 +1,9 @@\n a\n-b\n+B\n').notices[0] ?? '',
    /cut or damaged .* line 3; copy it again/,
  );
  assert.match(
    diffOf('diff --git a/x.png b/x.png\nBinary files a/x.png and b/x.png differ\n').notices[0] ?? '',
    /--binary/,
  );
  assert.match(problemOf(hunk), /no file names; copy the lines/);
  assert.match(problemOf('hello'), /There is no patch/);
  assert.match(problemOf('  '), /the text is empty/);
});

test('calls in every wire format', () => {
  const args = { file_path: '/w/f', old_string: 'a', new_string: 'b' };
  const expected = [{ name: 'edit', arguments: args }];
  assert.deepEqual(callsOf({ name: 'edit', arguments: args }), expected);
  assert.deepEqual(callsOf({ name: 'edit', arguments: JSON.stringify(args) }), expected);
  assert.deepEqual(callsOf([{ type: 'tool_use', id: 'x', name: 'edit', input: args }]), expected);
  assert.deepEqual(
    callsOf({
      role: 'assistant',
      content: [
        { type: 'text', text: 'ok' },
        { type: 'tool_use', name: 'edit', input: args },
      ],
    }),
    expected,
  );
  const openAi = { type: 'function', function: { name: 'edit', arguments: JSON.stringify(args) } };
  assert.deepEqual(callsOf({ tool_calls: [openAi] }), expected);
  assert.deepEqual(callsOf({ choices: [{ message: { role: 'assistant', tool_calls: [openAi] } }] }), expected);
  assert.deepEqual(callsOf({ functionCall: { name: 'edit', args } }), expected);
  assert.deepEqual(callsOf({ type: 'function_call', name: 'edit', arguments: JSON.stringify(args) }), expected);
  assert.deepEqual(
    callsOf(
      `${JSON.stringify({ name: 'edit', arguments: args })}\n${JSON.stringify({ name: 'read_file', arguments: {} })}\n`,
    ),
    expected,
  );
  assert.deepEqual(callsOf(args), expected);
  assert.deepEqual(callsOf({ type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin Patch' }), [
    { name: 'apply_patch', arguments: { input: '*** Begin Patch' } },
  ]);
});

test('a bare apply_patch text, also in prose', () => {
  const [call] = callsOf('Here:\n*** Begin Patch\n*** Delete File: f\n*** End Patch\nDone.');
  assert.equal(call?.name, 'apply_patch');
  assert.equal(call?.arguments['input'], '*** Begin Patch\n*** Delete File: f\n*** End Patch');
});

test('an edit as JSON is taken as it is', () => {
  const read = readEdit('{"changes":[{"path":"/w/f","after":null}]}', { cwd });
  assert.ok(!('problem' in read));
  assert.deepEqual(read.action, { kind: 'edit', cwd, changes: [{ path: '/w/f', after: null }] });
});

test('what is no edit is refused with a sentence', () => {
  assert.match(problemOf('{"name":"NotebookEdit","input":{}}'), /no editing tool called NotebookEdit/);
  assert.match(problemOf('{"name":"str_replace_editor","input":{"command":"view","path":"/w"}}'), /only reads/);
  assert.match(problemOf('{"name":"str_replace_editor","input":{"command":"undo_edit","path":"/w"}}'), /undo_edit/);
  assert.match(problemOf('{"name":"Bash","input":{"command":"ls"}}'), /predict it as a command/);
  assert.match(problemOf('{"name":"frobnicate","input":{}}'), /no editing tool called frobnicate/);
  assert.match(problemOf('{"name":'), /not JSON/);
  assert.match(problemOf('{"x":1}'), /no tool call/);
});
