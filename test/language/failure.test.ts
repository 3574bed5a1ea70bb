import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { failingSteps } from '../../src/core/loop/failure/failingSteps.ts';
import type { Failure } from '../../src/core/loop/failure/failure.ts';
import { readTrajectory } from '../../src/core/trajectory/file/trajectoryFile.ts';
import { startServer } from '../cassettes/server.ts';
import { lastMessages, makeFolder, openLoop } from '../unit/loop/loopFixture.ts';

/** Steps that end in a failure: a model proposes, and only what a rehearsal proves is kept. */

const array = (...sequences: string[][]) => `Here they are:\n\n\`\`\`json\n${JSON.stringify(sequences)}\n\`\`\``;

async function found(context: Parameters<typeof openLoop>[0], replies: string[], failure: Failure) {
  const { foretell, world, worldProvider } = await openLoop(context, { replies });
  const cwd = makeFolder(context);
  const result = await failingSteps({
    ...{ foretell, failure, cwd, count: 5, provider: worldProvider, signal: new AbortController().signal },
    form: { domain: 'swe', dialect: 'qwen' },
  });
  return { result, world, cwd };
}

test('what a rehearsal proves is kept, up to the failure, and nothing else', async (context) => {
  const sequences = [
    ['rm a.txt', 'cat a.txt'],
    ['cat b.txt'],
    ['chmod 0 a.txt; cat missing'],
    ['cat nowhere', 'echo behind it'],
    ['node -e 1', 'cat nowhere'],
  ];
  const { result, cwd } = await found(context, [array(...sequences)], {
    text: 'No such file or directory',
    exitCode: 1,
  });
  assert.ok('kept' in result, JSON.stringify(result));
  assert.deepEqual(
    result.kept.map(({ commands }) => commands),
    [['rm a.txt', 'cat a.txt'], ['chmod 0 a.txt; cat missing'], ['cat nowhere']],
  );
  for (const { commands, steps } of result.kept) {
    assert.equal(steps.length, commands.length);
    assert.ok(steps.every(({ observation }) => observation?.basis === 'rehearsed'));
    assert.match(steps.at(-1)?.observation?.text ?? '', /No such file or directory[\s\S]*Exit Code: 1/);
  }
  assert.deepEqual(
    result.left.map(({ commands }) => commands),
    [['cat b.txt'], ['node -e 1', 'cat nowhere']],
  );
  assert.match(result.left[0]?.came ?? '', /^exit code 0\ngamma/);
  assert.match(result.left[1]?.came ?? '', /not certain/);
  assert.equal(fs.readFileSync(path.join(cwd, 'a.txt'), 'utf8'), 'alpha\nbeta\n', 'nothing was changed');
});

test('a model that finds nothing is told what came of it', async (context) => {
  const replies = [array(['cat b.txt']), array(['cat b.txt'], ['cat b.txt/x'])];
  const { result, world } = await found(context, replies, { text: 'Not a directory' });
  assert.ok('kept' in result, JSON.stringify(result));
  assert.deepEqual(
    result.kept.map(({ commands }) => commands),
    [['cat b.txt/x']],
  );
  const told = lastMessages(world).at(-1)?.content ?? '';
  assert.match(told, /\["cat b\.txt"\] ended in:\nexit code 0\ngamma/);
  assert.match(told, /Not a directory/);
});

test('the prompt shows the workspace, and no secret of what was pasted', async (context) => {
  const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
  const { world } = await found(context, [array(['false'])], { text: `denied for ${secret}` });
  const told = lastMessages(world).at(-1)?.content ?? '';
  assert.match(told, /a\.txt/);
  assert.ok(!told.includes(secret));
});

test('a reply that cannot be read is asked for once more; then that is said', async (context) => {
  const once = await found(context, ['I would try something.', array(['cat nowhere'])], { text: 'nowhere' });
  assert.ok('kept' in once.result && once.result.kept.length === 1);
  assert.match(lastMessages(once.world).at(-1)?.content ?? '', /no JSON array/);
  const never = await found(context, ['no', 'no'], { text: 'nowhere' });
  assert.deepEqual(never.result, { problem: 'There is no JSON array in the reply.' });
});

test('what is no failure is refused before a model is asked', async (context) => {
  for (const failure of [{ text: ' \n…\n' }, { text: 'x', exitCode: 0 }]) {
    const { result, world } = await found(context, [array(['true'])], failure);
    assert.ok('problem' in result);
    assert.equal(world.completions().length, 0);
  }
});

test('on the command line', async (context) => {
  const folder = makeFolder(context);
  const server = await startServer({ dialect: 'vllm', replies: [array(['rm a.txt', 'cat a.txt'], ['true'])] });
  context.after(() => server.close());
  const out = path.join(folder, 'found.trajectory.jsonl');
  const run = (...args: string[]) =>
    new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
      const child = spawn(process.execPath, [path.resolve('dist/cli.js'), 'failure', ...args], { cwd: folder });
      let [stdout, stderr] = ['', ''];
      child.stdout.on('data', (piece: Buffer) => (stdout += piece.toString()));
      child.stderr.on('data', (piece: Buffer) => (stderr += piece.toString()));
      child.stdin.end('cat: a.txt: No such file or directory\n');
      child.on('close', (code) => resolve({ code, stdout, stderr }));
    });
  const args = ['--from', '-', '--model-url', server.baseUrl, '-o', out];
  const first = await run(...args);
  assert.equal(first.code, 0, first.stderr);
  assert.match(
    first.stdout,
    /1 sequence ends in it, proven by a rehearsal\. 1 other did not\.\n\n +\$ rm a\.txt\n +\$ cat a\.txt\n/,
  );
  const steps = readTrajectory(fs.readFileSync(out, 'utf8')).lines.flatMap((line) =>
    line.kind === 'step' ? [line.step] : [],
  );
  assert.equal(steps.length, 2);
  assert.equal((await run(...args)).code, 64, 'what is there is not overwritten');
  const none = await run('--text', 'never printed', '--force', '--model-url', server.baseUrl, '-o', out);
  assert.equal(none.code, 1);
  assert.match(none.stdout, /No sequence was found/);
  assert.equal(readTrajectory(fs.readFileSync(out, 'utf8')).lines.length, 2, 'nothing found overwrites nothing');
  for (const wrong of [
    ['--text', 'x'],
    ['--text', 'x', '--exit', '0'],
    ['--exit', 'a'],
    ['--text', 'x', '--count', '99'],
  ])
    assert.equal((await run(...wrong, '-o', `${out}2`)).code, 64, wrong.join(' '));
});
