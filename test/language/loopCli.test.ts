import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { readTrajectory } from '../../src/core/trajectory/file/trajectoryFile.ts';
import { startServer } from '../cassettes/server.ts';
import { makeFolder, seen } from '../unit/loop/loopFixture.ts';

/** Runs the built command line; `onOutput` sees standard output as it comes. */
function run(args: string[], onOutput?: (text: string, kill: () => void) => void) {
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    const child = spawn(process.execPath, [path.resolve('dist/cli.js'), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (piece: Buffer) => {
      stdout += piece.toString();
      onOutput?.(stdout, () => child.kill('SIGTERM'));
    });
    child.stderr.on('data', (piece: Buffer) => {
      stderr += piece.toString();
    });
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

describe('the loop on the command line', () => {
  test('an agent works, and its actions are rehearsed afterwards', async (context) => {
    const folder = makeFolder(context);
    const out = path.join(folder, 'out/run.trajectory.jsonl');
    let asked = 0;
    const server = await startServer({
      dialect: 'vllm',
      answer(body) {
        if (!body['tools'])
          return seen('Command: cat b.txt\nDirectory: (root)\nOutput: delta\nError: (none)\nExit Code: 0');
        asked += 1;
        return asked === 1
          ? { content: '', calls: [{ name: 'run_shell_command', arguments: '{"command":"cat b.txt"}' }] }
          : { content: '', calls: [{ name: 'finish', arguments: '{"summary":"read"}' }] };
      },
    });
    context.after(() => server.close());
    const args = ['agent', '--task', 'read b', '--model-url', server.baseUrl, '--cwd', folder, '-o', out];
    const first = await run(args);
    assert.equal(first.code, 0, first.stderr);
    assert.match(first.stdout, /≠ 1 run_shell_command cat b\.txt[\s\S]*imagined delta\n +really +gamma/);
    assert.match(first.stdout, /part at action 1/);
    const [line] = readTrajectory(fs.readFileSync(out, 'utf8')).lines;
    assert.ok(line?.kind === 'step');
    assert.match(line.step.observation?.text ?? '', /Output: gamma/);
    assert.match(line.step.prediction?.text ?? '', /Output: delta/);
    assert.ok((line.step.messages?.length ?? 0) >= 2);
    const again = await run(args);
    assert.deepEqual([again.code, again.stderr.includes('--force')], [64, true]);
  });

  test('a service is started, told to end, and ends', async (context) => {
    const server = await startServer({ dialect: 'vllm', replies: [seen('x')] });
    context.after(() => server.close());
    const served = await run(['serve', '--environment', '--model-url', server.baseUrl], (text, kill) => {
      if (!/token \S+\n/.test(text)) return;
      const [, url = '', token = ''] = /^(\S+)\ntoken (\S+)\n/.exec(text) ?? [];
      void fetch(`${url}/health`, { headers: { authorization: `Bearer ${token}` } })
        .then((response) => assert.equal(response.status, 200))
        .finally(kill);
    });
    assert.equal(served.code, 0, served.stderr);
    assert.match(served.stdout, /^http:\/\/127\.0\.0\.1:\d+\ntoken [\w-]{43}\n/);
  });

  test('commands become steps, and steps rows', async (context) => {
    const folder = makeFolder(context);
    const at = (name: string) => path.join(folder, name);
    fs.writeFileSync(at('commands.txt'), 'cat a.txt\n# no\nwc -c b.txt\n');
    const collected = await run([
      'bench',
      'collect',
      at('commands.txt'),
      '--cwd',
      folder,
      '-o',
      at('s.trajectory.jsonl'),
      '--json',
    ]);
    assert.equal(collected.code, 0, collected.stderr);
    assert.equal((JSON.parse(collected.stdout) as { trueSteps: number }).trueSteps, 4);
    const rows = await run(['bench', 'rows', at('s.trajectory.jsonl'), '-o', at('rows')]);
    assert.equal(rows.code, 0, rows.stderr);
    assert.equal(fs.readFileSync(at('rows/swe_test.jsonl'), 'utf8').trim().split('\n').length, 2);
    fs.writeFileSync(at('history'), 'cat a.txt\n: x\ncat a.txt\n');
    const asked = [
      'bench',
      'collect',
      '--history-file',
      at('history'),
      '--cwd',
      folder,
      '-o',
      at('h.trajectory.jsonl'),
      '--form',
      'swe',
    ];
    const refused = await run(asked);
    assert.equal(refused.code, 64);
    assert.match(refused.stderr, /would read .*history[\s\S]*agree with --yes/);
    assert.equal(fs.existsSync(at('h.trajectory.jsonl')), false);
    const agreed = await run([...asked, '--yes']);
    assert.match(agreed.stdout, /^2 true steps of 2/, agreed.stderr);
  });

  for (const [args, words] of [
    [['bench', 'collect', '/nowhere', '-o', '/tmp/x'], /cannot be read \(ENOENT\)/],
    [['bench', 'collect', 'x'], /Say where the steps go/],
    [['bench', 'rows', '/nowhere', '-o', '/tmp/x'], /cannot be read/],
    [['bench', 'tune', 'x'], /--model-url/],
    [['agent', '--task', ' '], /The task is empty/],
    [['agent', '--task', 'x', '-o', '/tmp/x'], /needs a model/],
    [['serve', '--environment', '--port', 'x'], /whole number/],
  ] as const) {
    test(`wrong usage is one sentence: ${args.join(' ')}`, async () => {
      const told = await run([...args]);
      assert.equal(told.code, 64);
      assert.match(told.stderr, words);
      assert.match(told.stderr, /^foretell: .*\.\n$/);
    });
  }
});
