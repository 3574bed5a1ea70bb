import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { runBatch } from '../../../src/cli/batch.ts';
import { editFor, predictEdit } from '../../../src/cli/edit.ts';
import { type CliOptions, readOptions } from '../../../src/cli/options.ts';
import { createForetell } from '../../../src/core/foretell.ts';
import { launcherPath } from '../../../src/core/launcherPath.ts';
import { cliAround } from '../../cliAround.ts';

let folder: string;

before(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-edits-')));
  fs.writeFileSync(path.join(folder, 'f.txt'), 'a\nb\n');
  fs.writeFileSync(path.join(folder, 'c.patch'), '--- a/f.txt\n+++ b/f.txt\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n');
});

after(() => fs.rmSync(folder, { recursive: true, force: true }));

function options(...args: string[]): CliOptions {
  const read = readOptions(args.includes('--cwd') ? args : [...args, '--cwd', folder], '/');
  assert.ok(!('problem' in read), 'problem' in read ? read.problem : '');
  return read;
}

async function say(given: CliOptions): Promise<{ text: string; levels: (string | undefined)[] }> {
  const read = await editFor(given, cliAround(folder));
  assert.ok(!('problem' in read), 'problem' in read ? read.problem : '');
  const foretell = createForetell({ launcher: launcherPath(path.resolve('dist')), spareLaunchers: 0 });
  let text = '';
  const predictions = await predictEdit(read, {
    foretell,
    options: given,
    language: undefined,
    around: cliAround(folder, {
      say: async (piece) => {
        text += piece;
      },
    }),
  });
  await foretell.dispose();
  return { text, levels: predictions.map(({ verdict }) => verdict.level) };
}

test('an edit and what comes then, as text', async () => {
  const { text } = await say(options('edit', path.join(folder, 'c.patch'), '--then', 'cat f.txt'));
  assert.match(text, /^── patch -p1\n/);
  assert.match(text, /patching file f\.txt/);
  assert.match(text, /\n── then cat f\.txt\n[\s\S]* {2}a\n {2}B\n/);
});

test('as JSON, an object a line', async () => {
  const { text } = await say(
    options('edit', '--json', path.join(folder, 'c.patch'), '--then', 'true', '--tool', 'git-apply', '-p', '1'),
  );
  const objects = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    objects.map(({ id, exitCode }) => [id, exitCode]),
    [
      ['edit', 0],
      ['then', 0],
    ],
  );
  assert.equal(objects[0].action.patch.tool, 'git-apply');
});

test('options of edits', async () => {
  assert.equal(options('edit', 'x', '-R', '--fuzz', '3').reverse, true);
  assert.equal(options('edit', 'x', '--fuzz', '3').fuzz, 3);
  assert.equal(options('edit the file').command, 'predict');
  const bad = (...args: string[]) => {
    const read = readOptions(args, '/');
    return 'problem' in read ? read.problem : '';
  };
  assert.match(bad('edit', 'x', '--tool', 'ed'), /git-apply or patch/);
  assert.match(bad('edit', 'x', '-p', 'x'), /whole number/);
  const missing = await editFor(options('edit', '/no/such.patch'), cliAround('/'));
  assert.ok('problem' in missing && /There is no file \/no\/such\.patch; give one/.test(missing.problem));
});

test('in a session of a batch the next command begins where one began that was ended early', async () => {
  const foretell = createForetell({ launcher: launcherPath(path.resolve('dist')), spareLaunchers: 0 });
  const below = path.join(folder, 'below');
  fs.mkdirSync(below);
  const requests = [
    { id: 1, session: 's', script: 'while :; do :; done', cwd: below, timeLimitMs: 300 },
    { id: 2, session: 's', script: 'pwd' },
  ];
  const answers: { ending: string; output: { text: string }[] }[] = [];
  await runBatch(foretell, {
    input: Readable.from(requests.map((one) => `${JSON.stringify(one)}\n`)),
    write: async (line) => {
      answers.push(JSON.parse(line));
    },
    ...{ cwd: folder, shell: 'bash', openGate: false, trusted: false, language: undefined, timeLimitMs: undefined },
    concurrency: 1,
    signal: new AbortController().signal,
  });
  await foretell.dispose();
  assert.deepEqual([answers[0]?.ending, answers[1]?.output[0]?.text], ['failed', `${below}\n`]);
});

test('edits and commands in a batch', async () => {
  const foretell = createForetell({ launcher: launcherPath(path.resolve('dist')), spareLaunchers: 0 });
  const call = { name: 'Write', input: { file_path: path.join(folder, 'f.txt'), content: 'new\n' } };
  const requests = [
    { id: 1, session: 's', edit: call },
    { id: 2, session: 's', script: 'cat f.txt' },
    { id: 3, edit: fs.readFileSync(path.join(folder, 'c.patch'), 'utf8') },
    { id: 4, edit: 'nonsense' },
    { id: 5 },
    { id: 6, edit: '['.repeat(20_000) },
  ];
  const deep = `{"id":7,"edit":${'['.repeat(20_000)}${']'.repeat(20_000)}}\n`;
  const answers: Record<string, unknown>[] = [];
  await runBatch(foretell, {
    input: Readable.from([...requests.map((one) => `${JSON.stringify(one)}\n`), deep]),
    write: async (line) => {
      answers.push(JSON.parse(line));
    },
    cwd: folder,
    shell: 'bash',
    openGate: false,
    trusted: false,
    language: undefined,
    timeLimitMs: undefined,
    concurrency: 1,
    signal: new AbortController().signal,
  });
  await foretell.dispose();
  const outputs = answers.map(({ output }) => (output as { text: string }[] | undefined)?.[0]?.text);
  assert.deepEqual(outputs, [
    // Whose call it is, and of which version, is not known.
    undefined,
    'new\n',
    'patching file f.txt\n',
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  for (const answer of answers.slice(3)) assert.match(String(answer['reason']), /^[A-Z][^\n]{10,200}\.$/);
  assert.match(String(answers[6]?.['reason']), /nested too deeply/);
  assert.deepEqual(
    answers.map(({ ending }) => ending),
    ['done', 'done', 'done', 'failed', 'failed', 'failed', 'failed'],
  );
});

test('binary files: what they would hold is exact, and nothing of them is printed', async () => {
  const work = path.join(folder, 'binary');
  fs.mkdirSync(work);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: work, encoding: 'utf8' });
  const bytes = (seed: number) => Uint8Array.from({ length: 3_000 }, (_, at) => (at * seed) % 256);
  git('init', '-q');
  fs.writeFileSync(path.join(work, 'icon.bin'), bytes(7));
  git('add', '.');
  git('commit', '-qm', 'a');
  fs.writeFileSync(path.join(work, 'icon.bin'), bytes(13));
  fs.writeFileSync(path.join(work, 'new.bin'), bytes(17));
  git('add', '.');
  fs.writeFileSync(path.join(folder, 'binary.patch'), git('diff', '--cached', '--binary'));
  git('reset', '-q', '--hard');
  const { text } = await say(
    options('edit', '--json', path.join(folder, 'binary.patch'), '--cwd', work, '--then', 'sha256sum *.bin'),
  );
  const [edit, then] = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const digest = (seed: number) => createHash('sha256').update(bytes(seed)).digest('hex');
  assert.deepEqual(
    edit.files.map((file: { change: string; sha256: string }) => [file.change, file.sha256]),
    [
      ['modified', digest(13)],
      ['created', digest(17)],
    ],
  );
  assert.equal(then.output[0].text, `${digest(13)}  icon.bin\n${digest(17)}  new.bin\n`);
  assert.deepEqual(fs.readdirSync(work).sort(), ['.git', 'icon.bin']);
});
