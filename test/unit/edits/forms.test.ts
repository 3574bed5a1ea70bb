import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentName } from '../../../src/core/action/action.ts';
import { makeCall } from '../../../src/core/action/edit/editTools.ts';
import { readEdit } from '../../../src/core/action/edit/readEdit.ts';
import { memoryPlace } from './memoryPlace.ts';

/** What a text does to files, by name; a refusal or a problem as its kind or sentence. */
async function done(
  text: string | object,
  files: Readonly<Record<string, string>>,
  agent?: AgentName,
): Promise<Record<string, string | null> | string> {
  const input = typeof text === 'string' ? text : JSON.stringify(text);
  const read = readEdit(input, { cwd: '/w', ...(agent ? { agent } : {}) });
  if ('problem' in read) return read.problem;
  const now: Record<string, string> = Object.fromEntries(
    Object.entries(files).map(([name, content]) => [`/w/${name}`, content]),
  );
  const changed: Record<string, string | null> = {};
  for (const call of read.action.calls ?? []) {
    const outcome = await makeCall(call, memoryPlace(now), read.action);
    if (!outcome) return 'no tool';
    if (outcome.refusal) return outcome.refusal.kind;
    for (const { path, bytes } of outcome.writes) {
      const content = bytes === null ? null : Buffer.from(bytes).toString();
      changed[path.replace('/w/', '')] = content;
      if (content === null) delete now[path];
      else now[path] = content;
    }
  }
  return changed;
}

const abc = { 'f.txt': 'a\nb\nc\n' };
const patch = '*** Begin Patch\n*** Update File: f.txt\n@@\n a\n-b\n+B\n*** End Patch';
const changed = { 'f.txt': 'a\nB\nc\n' };

test("OpenAI's apply_patch_call: one operation, a diff without a head", async () => {
  const call = (operation: object) => ({ type: 'apply_patch_call', call_id: 'c', status: 'completed', operation });
  const update = { type: 'update_file', path: 'f.txt', diff: '@@\n a\n-b\n+B\n' };
  assert.deepEqual(await done(call(update), abc), changed);
  assert.deepEqual(await done({ output: [{ type: 'reasoning' }, call(update)] }, abc), changed);
  assert.deepEqual(await done(call({ type: 'create_file', path: 'n/g.txt', diff: '+x\n+y' }), abc), {
    'n/g.txt': 'x\ny\n',
  });
  assert.deepEqual(await done(call({ type: 'delete_file', path: 'f.txt' }), abc), { 'f.txt': null });
  assert.equal(await done(call({ type: 'update_file', path: 'g.txt', diff: '@@\n-b\n+B' }), abc), 'missing');
  assert.equal(await done(call({ type: 'update_file', path: 'f.txt', diff: '@@\n-z\n+B' }), abc), 'absent');
  assert.match(String(await done(call({ type: 'move_file', path: 'f.txt' }), abc)), /no editing tool/);
});

test('apply_patch inside of a call of a shell', async () => {
  const shell = (command: unknown, more = {}) => ({ name: 'shell', arguments: { command, ...more } });
  for (const command of [
    ['apply_patch', patch],
    ['bash', '-lc', `apply_patch <<'EOF'\n${patch}\nEOF`],
    `apply_patch <<EOF\n${patch}\nEOF\n`,
    `cd /w && apply_patch << 'PATCH'\n${patch}\nPATCH`,
  ])
    assert.deepEqual(await done(shell(command), abc), changed, JSON.stringify(command));
  const below = { 'x/f.txt': 'a\nb\nc\n' };
  assert.deepEqual(await done(shell(`cd x && apply_patch <<'E'\n${patch}\nE`), below), { 'x/f.txt': 'a\nB\nc\n' });
  assert.deepEqual(await done(shell(['apply_patch', patch], { workdir: '/w/x' }), below), { 'x/f.txt': 'a\nB\nc\n' });
  // Whatever else the command does is a command.
  for (const command of [`apply_patch <<'E'\n${patch}\nE\nrm -rf x`, `ls; apply_patch <<'E'\n${patch}\nE`, 'ls'])
    assert.match(String(await done(shell(command), abc)), /runs a command/, command);
});

test('whole files of aider, where it is named', async () => {
  const message = 'Here it is:\n\nf.txt\n```\nx\ny\n```\n\n**n/g.py**\n```python\nz = 1\n```\nDone.\n';
  assert.deepEqual(await done(message, abc, 'aider'), { 'f.txt': 'x\ny\n', 'n/g.py': 'z = 1\n' });
  assert.match(String(await done(message, abc)), /patch/);
  assert.deepEqual(await done('f.txt\n```\nx', abc, 'aider'), { 'f.txt': 'x' });
  assert.deepEqual(await done('f.txt\n```\nx\n```\n\nf.txt\n```\ny\n```\n', abc, 'aider'), { 'f.txt': 'x\n' });
});

test("SWE-agent's lines, in the file that was opened before", async () => {
  const open = { name: 'open', arguments: { path: 'f.txt', line_number: 1 } };
  const edit = (start_line: number, end_line: number, replacement_text: string) => ({
    name: 'edit',
    arguments: { start_line, end_line, replacement_text },
  });
  assert.deepEqual(await done([open, edit(2, 2, 'B')], abc), changed);
  assert.deepEqual(await done([open, edit(1, 2, 'x\ny\nz\n')], abc), { 'f.txt': 'x\ny\nz\nc\n' });
  assert.deepEqual(await done([open, edit(2, 2, '')], abc), { 'f.txt': 'a\nc\n' });
  assert.deepEqual(await done([open, edit(2, 1, 'new')], abc), { 'f.txt': 'a\nnew\nb\nc\n' });
  assert.deepEqual(await done([open, edit(1, 1, 'A'), edit(3, 3, 'C')], abc), { 'f.txt': 'A\nb\nC\n' });
  assert.deepEqual(await done([open, edit(1, 1, 'A')], { 'f.txt': 'a\r\nb\r\n' }), { 'f.txt': 'A\nb\n' });
  assert.match(String(await done(edit(2, 2, 'B'), abc)), /opened before/);
  assert.equal(await done([{ name: 'open', arguments: { path: 'g.txt' } }, edit(1, 1, 'x')], abc), 'missing');
  assert.deepEqual(await done('First\n\nopen f.txt 2\n\nedit 2:2\nB\nend_of_edit\n', abc), changed);
});

test("SWE-agent's search, insert and create", async () => {
  const open = { name: 'open', arguments: { path: 'f.txt' } };
  const edit = (given: object) => [open, { name: 'edit', arguments: given }];
  assert.deepEqual(await done(edit({ search: 'b', replace: 'B' }), abc), changed);
  assert.equal(await done(edit({ search: 'z', replace: 'B' }), abc), 'absent');
  assert.equal(await done(edit({ search: 'b', replace: 'b' }), abc), 'same');
  assert.equal(await done(edit({ search: 'x', replace: 'y' }), { 'f.txt': 'x\nx\n' }), 'repeated');
  assert.deepEqual(await done(edit({ search: 'x', replace: 'y', 'replace-all': true }), { 'f.txt': 'x\nx\n' }), {
    'f.txt': 'y\ny\n',
  });
  const insert = (given: object) => [open, { name: 'insert', arguments: given }];
  assert.deepEqual(await done(insert({ text: 'new', line: 1 }), abc), { 'f.txt': 'a\nnew\nb\nc\n' });
  assert.deepEqual(await done(insert({ text: 'new\n' }), abc), { 'f.txt': 'a\nb\nc\nnew' });
  const create = { name: 'create', arguments: { filename: 'g.txt' } };
  assert.deepEqual(await done([create, { name: 'insert', arguments: { text: 'x' } }], abc), { 'g.txt': 'x' });
  assert.equal(await done({ name: 'create', arguments: { filename: 'f.txt' } }, abc), 'exists');
});
