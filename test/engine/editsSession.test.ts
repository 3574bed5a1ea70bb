import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Action, EditAction } from '../../src/core/action/action.ts';
import { readEdit } from '../../src/core/action/edit/readEdit.ts';
import { type Foretell, foldAll, type Session } from '../../src/core/foretell.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

/** Edits in the real engine: chained with commands, cancelled, random. */

const { foretell, folder } = throwAwayForetell('edits', { spareLaunchers: 0 });

function place(text: string): string {
  const made = fs.mkdtempSync(path.join(folder, 'w-'));
  fs.writeFileSync(path.join(made, 'f.txt'), text);
  return made;
}

function editOf(text: string, cwd: string): Action {
  const read = readEdit(text, { cwd });
  assert.ok(!('problem' in read), 'problem' in read ? read.problem : '');
  return read.action;
}

async function predict(action: Action, session: Session | Foretell = foretell) {
  const request = { action, hash: true, signal: new AbortController().signal };
  const { events, view } = session.predict(request);
  const prediction = await foldAll(action, events);
  const text = async (file: string) => Buffer.from((await view.read(file, 'after')) ?? []).toString();
  return { prediction, text, view };
}

const command = (script: string, cwd: string): Action => ({ kind: 'command', script, shell: 'bash', cwd });
const call = (file: string, before: string, after: string) =>
  JSON.stringify({ name: 'Edit', input: { file_path: file, old_string: before, new_string: after } });

test('an edit, a command, a patch and a command in one session', async () => {
  const cwd = place('a\nb\nc\n');
  const file = path.join(cwd, 'f.txt');
  const session = foretell.openSession();
  try {
    const first = await predict(editOf(call(file, 'b', 'B'), cwd), session);
    assert.equal(first.prediction.ending, 'done');
    assert.deepEqual(
      first.prediction.files.map(({ path: at, basis }) => [at, basis]),
      [[file, 'computed']],
    );
    const second = await predict(command('x=1; cat f.txt; echo d >>f.txt', cwd), session);
    assert.equal(second.prediction.output[0]?.text, 'a\nB\nc\n');
    const third = await predict(editOf('--- a/f.txt\n+++ b/f.txt\n@@ -2,3 +2,3 @@\n B\n c\n-d\n+D\n', cwd), session);
    assert.equal(third.prediction.exitCode, 0);
    assert.equal(third.prediction.exitBasis, 'rehearsed');
    assert.equal(third.prediction.files.length, 1);
    const fourth = await predict(command('cat f.txt; echo $x', cwd), session);
    assert.equal(fourth.prediction.output.map((piece) => piece.text).join(''), 'a\nB\nc\nD\n1\n');
    assert.deepEqual(fourth.prediction.files, []);
  } finally {
    await session.close();
  }
  assert.equal(fs.readFileSync(file, 'utf8'), 'a\nb\nc\n');
});

test('after an assumed command an edit is no longer certain', async () => {
  const cwd = place('a\n');
  const session = foretell.openSession();
  try {
    await predict(command('npm run build', cwd), session);
    const { prediction } = await predict(editOf(call(path.join(cwd, 'f.txt'), 'a', 'b'), cwd), session);
    assert.equal(prediction.ending, 'abstained');
    assert.equal(prediction.files[0]?.basis, 'assumed');
  } finally {
    await session.close();
  }
});

test('a cancelled edit ends as cancelled', async () => {
  const cwd = place('a\n');
  const abort = new AbortController();
  abort.abort();
  const action = editOf(call(path.join(cwd, 'f.txt'), 'a', 'b'), cwd);
  const prediction = await foldAll(action, foretell.predict({ action, signal: abort.signal }).events);
  assert.equal(prediction.ending, 'cancelled');
});

test('an edit that is too large fails with a sentence', async () => {
  const cwd = place('a\n');
  const action: Action = {
    kind: 'edit',
    changes: [{ path: path.join(cwd, 'f.txt'), after: 'x'.repeat(16 * 1024 ** 2) }],
  };
  const { prediction, view } = await predict(action);
  await view.close();
  assert.equal(prediction.ending, 'failed');
  assert.match(prediction.endingReason ?? '', /make the change with a command/);
});

test('random edits: what diff says, patch is predicted to do', async () => {
  let state = 20_261_121;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  const alphabet = ['', 'a', 'b', '  x', '\ty', 'ä', '--- a', '+++ b', '@@ -1 +1 @@', '\\ No newline', 'z\r', '# diff'];
  for (let round = 0; round < 60; round += 1) {
    const ending = () => (random(4) === 0 ? '' : '\n');
    const lines = Array.from({ length: 1 + random(30) }, () => alphabet[random(alphabet.length)] ?? '');
    const changed = lines.flatMap((line) => (random(6) === 0 ? [] : random(6) === 0 ? [line, `new ${round}`] : [line]));
    const cwd = place(`${lines.join('\n')}${ending()}`);
    const wanted = changed.length === 0 ? '' : `${changed.join('\n')}${ending()}`;
    fs.writeFileSync(path.join(folder, 'wanted.txt'), wanted);
    const diff = spawnSync(
      'diff',
      ['-u', '--label', 'f.txt', '--label', 'f.txt', 'f.txt', path.join(folder, 'wanted.txt')],
      { cwd },
    );
    if (diff.stdout.length === 0) continue;
    for (const tool of ['patch', 'git-apply'] as const) {
      const read = readEdit(diff.stdout.toString(), { cwd, tool });
      assert.ok(!('problem' in read));
      const { prediction, text, view } = await predict(read.action);
      const shown = JSON.stringify([lines, changed, prediction.output]);
      assert.equal(prediction.exitCode, 0, shown);
      // patch removes a file that becomes empty only where the patch says so.
      if (wanted !== '') assert.equal(await text(path.join(cwd, 'f.txt')), wanted, shown);
      await view.close();
    }
  }
});

test('nothing on disk changes', async () => {
  const cwd = place('a\n');
  // Engines of other tests come and go in shared memory, with private folders of that name.
  const others = ['!', '-path', '/dev/shm', '!', '-path', '/dev/shm/foretell-*'];
  const list = () => execFileSync('find', [cwd, '/dev/shm', ...others, '-printf', '%p %T@ %C@ %m %i\n']).toString();
  const then = list();
  const first = await predict(editOf(call(path.join(cwd, 'f.txt'), 'a', 'b'), cwd));
  const second = await predict(editOf('--- f.txt\n+++ f.txt\n@@ -1 +1 @@\n-a\n+b\n', cwd));
  await Promise.all([first.view.close(), second.view.close()]);
  assert.equal(list(), then);
});

test('parts of the running system are not written', async () => {
  const cwd = place('a\n');
  const link = path.join(cwd, 'link');
  fs.symlinkSync('/proc/sys/vm/swappiness', link);
  const linked = path.join(cwd, 'folder');
  fs.symlinkSync('/proc/self', linked);
  for (const file of ['/proc/sys/vm/swappiness', '/dev/null', '/sys/x', link, path.join(linked, 'comm')]) {
    const { prediction, view } = await predict({ kind: 'edit', changes: [{ path: file, after: 'x' }], cwd });
    await view.close();
    assert.equal(prediction.ending, 'failed', file);
    assert.match(prediction.endingReason ?? '', /part of the running system/);
  }
});

test('a path that is none is said to be none', async () => {
  const edits: Partial<EditAction>[] = [
    { changes: [{ path: 'f.txt', after: 'x' }] },
    { changes: [{ path: '/tmp/a\0b', after: 'x' }] },
    { operations: [{ kind: 'delete', path: 'f.txt' }] },
    { calls: [{ name: 'Write', arguments: { file_path: '/tmp/a\0b', content: 'x' } }] },
  ];
  for (const edit of edits) {
    const { prediction, view } = await predict({ kind: 'edit', changes: [], cwd: folder, ...edit });
    await view.close();
    assert.equal(prediction.ending, 'failed', JSON.stringify(edit));
    assert.match(prediction.endingReason ?? '', /no absolute path|no name of a file/);
  }
});

test('a file that changed since it was read is said to have', async () => {
  const cwd = place('a\n');
  const file = path.join(cwd, 'f.txt');
  const patched = editOf('--- f.txt\n+++ f.txt\n@@ -1 +1 @@\n-a\n+b\n', cwd);
  for (const edit of [patched, editOf(call(file, 'a', 'b'), cwd)]) {
    for (const [text, isSaid] of [
      ['a\n', false],
      ['old\n', true],
    ] as const) {
      const { prediction, view } = await predict({ ...edit, expected: { [file]: { text } } } as Action);
      await view.close();
      const said = prediction.verdict.reasons.some((reason) => /changed since it was read/.test(reason.text));
      assert.equal(said, isSaid);
      assert.equal(prediction.exitCode, 0);
    }
  }
});

test('500 files in one edit take less than ten seconds', async () => {
  const cwd = place('a\n');
  const changes = Array.from({ length: 500 }, (_, index) => ({
    path: path.join(cwd, `d${index % 20}`, `f${index}.ts`),
    after: `export const a${index} = 1;\n`,
  }));
  const { prediction, view } = await predict({ kind: 'edit', changes, cwd });
  await view.close();
  assert.equal(prediction.files.length, 520);
  assert.ok((prediction.durationMs ?? 0) < 10_000, `${prediction.durationMs} ms`);
});
