import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { createForetell } from '../../src/core/foretell.ts';
import { launcherPath } from '../../src/core/launcherPath.ts';
import { createEnvironment } from '../../src/core/loop/environment.ts';
import type { EnvironmentOptions } from '../../src/core/loop/environmentOptions.ts';
import type { SteppedSession } from '../../src/core/loop/environmentTypes.ts';
import { replay } from '../../src/core/loop/replay.ts';
import type { TrajectoryStep } from '../../src/core/trajectory/step/step.ts';
import { makeFolder, openLoop, seen } from '../unit/loop/loopFixture.ts';

const isRoot = process.getuid?.() === 0;

/** A hybrid environment without a model, and a session in a folder of two files. */
async function open(context: TestContext, request: object = {}, options: Partial<EnvironmentOptions> = {}) {
  const folder = makeFolder(context);
  const foretell = createForetell({ launcher: launcherPath(path.resolve('dist')), spareLaunchers: 0 });
  const steps: TrajectoryStep[] = [];
  const environment = createEnvironment(foretell, {
    hybrid: {},
    workspace: folder,
    record: (step) => void steps.push(step),
    ...options,
  });
  context.after(async () => {
    environment.dispose();
    await foretell.dispose();
  });
  const started = await environment.start({ domain: 'swe', ...request });
  assert.ok(started.ok, JSON.stringify(started));
  const act = async (name: string, given: Record<string, unknown>): Promise<SteppedSession> => {
    const stepped = await environment.step(started.id, { name, arguments: given });
    assert.ok(stepped.ok, JSON.stringify(stepped));
    return stepped;
  };
  const run = (command: string) => act('run_shell_command', { command });
  return { folder, environment, foretell, id: started.id, act, run, steps };
}

const outputOf = ({ observation }: SteppedSession) => /^Output: ([\s\S]*)\nError: /m.exec(observation)?.[1];
const errorOf = ({ observation }: SteppedSession) => /^Error: ([\s\S]*)\nExit Code: /m.exec(observation)?.[1];

describe('a hybrid environment', () => {
  test('the agent acts in a real shell on a copy, and the folder stays as it was', async (context) => {
    const { folder, environment, id, act, run, steps } = await open(context);
    const [first] = [await run('sed -i s/alpha/ALPHA/ a.txt && cat a.txt')];
    assert.deepEqual([outputOf(first), first.exitCode, first.basis], ['ALPHA\nbeta', 0, 'rehearsed']);
    const edit = await act('edit', { file_path: path.join(folder, 'a.txt'), old_string: 'beta', new_string: 'BETA' });
    assert.equal(edit.basis, 'computed');
    const read = await act('read_file', { absolute_path: path.join(folder, 'a.txt') });
    assert.deepEqual([read.observation.trimEnd(), read.basis], ['ALPHA\nBETA', 'rehearsed']);
    const missing = await act('read_file', { absolute_path: path.join(folder, 'none.txt') });
    assert.match(missing.observation, /^Error: .*No such file/);
    assert.equal(fs.readFileSync(path.join(folder, 'a.txt'), 'utf8'), 'alpha\nbeta\n');
    assert.deepEqual(
      steps.map(({ observation }) => observation?.basis),
      ['rehearsed', 'computed', 'rehearsed', 'rehearsed'],
    );
    assert.ok(environment.reset(id).ok);
    assert.equal(outputOf(await run('cat a.txt')), 'alpha\nbeta');
  });

  test('a terminal keeps its folder and its variables', async (context) => {
    const { environment, id } = await open(context, { domain: 'terminal' });
    const type = async (keystrokes: string) => {
      const stepped = await environment.step(id, [{ keystrokes, duration: 1 }]);
      assert.ok(stepped.ok, JSON.stringify(stepped));
      return stepped;
    };
    await type('X=1; mkdir d; cd d\n');
    const shown = await type('echo "$X ${PWD##*/}"\n');
    assert.match(shown.observation, /^1 d$/m);
    assert.equal(shown.basis, 'rehearsed');
    const keys = await type('C-c');
    assert.deepEqual([keys.basis, /^\[unknown: /.test(keys.observation)], ['unknown', true]);
    assert.equal((await type('echo on\n')).basis, 'assumed');
  });

  test('what nobody knows is an observation, and what comes after it rests on that', async (context) => {
    const { folder, run, act } = await open(context);
    fs.writeFileSync(
      path.join(folder, 'make.mjs'),
      "import fs from 'node:fs';\nfs.writeFileSync('made.txt', 'made\\n');\n",
    );
    const stopped = await run('echo before; node make.mjs');
    assert.equal(stopped.basis, 'unknown');
    assert.match(stopped.observation, /^before\n\[unknown: .*node make\.mjs/);
    assert.equal(stopped.exitCode, undefined);
    assert.equal((await run('cat a.txt')).basis, 'unknown');
    const after = await run('echo on');
    assert.deepEqual([after.basis, outputOf(after)], ['assumed', 'on']);
    const tool = await act('web_search', { query: 'x' });
    assert.equal(tool.basis, 'unknown');
  });

  test('with the gate open every program really runs', async (context) => {
    const { folder, run } = await open(context, {}, { hybrid: { openGate: true } });
    fs.writeFileSync(
      path.join(folder, 'make.mjs'),
      "import fs from 'node:fs';\nfs.writeFileSync('made.txt', 'made\\n');\n",
    );
    const ran = await run('node make.mjs; cat made.txt');
    assert.deepEqual([outputOf(ran), ran.basis], ['made', 'rehearsed']);
    assert.equal(fs.existsSync(path.join(folder, 'made.txt')), false);
  });

  test('only what is stopped is imagined, and a replay with the gate open compares just that', async (context) => {
    const folder = makeFolder(context);
    fs.writeFileSync(path.join(folder, 'say.mjs'), "console.log('really');\n");
    const { environment, steps, foretell } = await openLoop(
      context,
      {
        answer: () => seen('Command: node say.mjs\nDirectory: (root)\nOutput: imagined\nError: (none)\nExit Code: 0'),
      },
      { hybrid: {}, workspace: folder },
    );
    const started = await environment.start({ domain: 'swe' });
    assert.ok(started.ok);
    for (const command of ['cat a.txt', 'node say.mjs'])
      assert.ok((await environment.step(started.id, { name: 'run_shell_command', arguments: { command } })).ok);
    assert.deepEqual(
      steps.map(({ observation, prediction }) => [observation?.basis, prediction?.output[0]?.text]),
      [
        ['rehearsed', undefined],
        [undefined, 'imagined\n'],
      ],
    );
    const { steps: compared, partsAt } = await replay(steps, {
      foretell,
      cwd: folder,
      openGate: true,
      signal: new AbortController().signal,
    });
    assert.equal(partsAt, 1);
    assert.deepEqual([compared[1]?.difference?.line, compared[1]?.difference?.real], [1, 'really']);
    assert.equal(compared[0]?.why, 'It was rehearsed, not imagined.');
  });
});

describe('faults that really are', () => {
  test('a full disk', async (context) => {
    const { run } = await open(context, { faults: { diskBytes: 0 } });
    const written = await run('head -c 100000 /dev/zero > big; echo $?; wc -c < big');
    assert.equal(written.basis, 'rehearsed');
    assert.match(errorOf(written) ?? '', /No space left on device/);
    assert.match(errorOf(await run('echo x > small')) ?? '', /No space left on device/);
    assert.equal(outputOf(await run('cat a.txt')), 'alpha\nbeta');
    const roomy = await open(context, { faults: { diskBytes: 8192 } });
    const some = await roomy.run('head -c 8192 /dev/zero > fits && echo fits; echo x > more');
    assert.equal(outputOf(some), 'fits');
    assert.match(errorOf(some) ?? '', /No space left on device/);
    const freed = await roomy.run('rm fits more; echo again > z && cat z');
    assert.equal(freed.basis, 'assumed', 'the copy keeps the room of what an earlier action wrote');
    assert.match(freed.why ?? '', /Room that is freed/);
    const own = await open(context, { faults: { diskBytes: 8192 } });
    const twice = await own.run('head -c 8192 /dev/zero > a; rm a; echo again > z && cat z; rm a.txt');
    assert.deepEqual([twice.basis, outputOf(twice)], ['rehearsed', 'again']);
  });

  test('a command that is killed at its n-th second, without waiting for that', async (context) => {
    const { run } = await open(context, { faults: { killAfterSeconds: 3600 } });
    const killed = await run('echo one; sleep 3599; echo two; sleep 2; echo three');
    assert.deepEqual([killed.exitCode, outputOf(killed), killed.basis], [137, 'one\ntwo', 'rehearsed']);
    assert.equal(outputOf(await run('echo again')), 'again');
  });

  test('a clock that is wrong, and one that is slow', async (context) => {
    const { run } = await open(context, { faults: { clockOffsetSeconds: -86_400 * 3650 } });
    const year = Number(outputOf(await run('date +%Y')));
    assert.ok(year > 2000 && year <= new Date().getFullYear() - 9, String(year));
    const slow = await open(context, { faults: { clockSpeed: 0.5 } });
    const [from = 0, to = 0] = (outputOf(await slow.run('date +%s; sleep 1000; date +%s')) ?? '')
      .split('\n')
      .map(Number);
    assert.ok(to - from >= 499 && to - from <= 502, `${to - from}`);
  });

  test('no network', async (context) => {
    const { run } = await open(context, { faults: { offline: true } });
    const tried = await run('echo x > /dev/tcp/192.0.2.1/80; echo $?');
    assert.deepEqual([tried.basis, outputOf(tried)], ['rehearsed', '1']);
    assert.match(errorOf(tried) ?? '', /192\.0\.2\.1/);
  });

  test('a file that nobody may read', { skip: isRoot && 'nothing is denied to root' }, async (context) => {
    const { run } = await open(context, { faults: { denied: ['a.txt'] } });
    const refused = await run('cat a.txt');
    assert.match(errorOf(refused) ?? '', /Permission denied/);
    assert.equal(refused.basis, 'rehearsed');
  });

  test('what cannot be had is refused with a reason', async (context) => {
    const { environment } = await open(context);
    const told = async (request: object) => {
      const started = await environment.start({ domain: 'swe', ...request });
      return started.ok ? 'ok' : started.message;
    };
    if (isRoot) assert.match(await told({ faults: { denied: ['a.txt'] } }), /Nothing is denied to root/);
    assert.match(await told({ domain: 'terminal', faults: { diskBytes: 0 } }), /variables on the disk/);
    assert.match(await told({ hybrid: false }), /no model is configured/);
    assert.match(await told({ reward: { rules: [{ output: { matches: '(' } }] } }), /cannot be read/);
    assert.match(await told({ reward: { rubric: 'good' } }), /judged by a model/);
    assert.match(await told({ faults: { diskBytes: -1 } }), /faults\.diskBytes/);
  });
});

describe('rewards', () => {
  test('rules about files, exit codes, output and commands', async (context) => {
    const rules = [
      { file: 'a.txt', is: { contains: 'ALPHA' }, weight: 2 },
      { file: 'b.txt', absent: true },
      { exitCode: 0 },
      { output: { matches: 'Output: done' } },
      { command: 'grep -c beta a.txt', output: { equals: '1\n' } },
    ];
    const { act, run, environment, id } = await open(context, { reward: { rules } });
    const first = await run('rm b.txt; false');
    assert.deepEqual(first.reward, { value: 1 / 6, rules: [false, true, false, false, false] });
    const second = await run('sed -i s/alpha/ALPHA/ a.txt; echo done');
    assert.deepEqual([second.reward?.value, second.done], [5 / 6, false]);
    const end = await act('finish', { summary: 'done' });
    assert.deepEqual([end.reward?.value, end.done, end.observation], [1, true, '']);
    const after = await environment.step(id, { name: 'run_shell_command', arguments: { command: 'true' } });
    assert.deepEqual([after.ok, !after.ok && after.code], [false, 'over']);
    assert.ok(environment.reset(id).ok);
    assert.deepEqual((await act('finish', {})).reward?.rules, [false, false, false, false, true]);
  });

  test('what nobody knows earns nothing, and a rubric is judged at the end', async (context) => {
    const folder = makeFolder(context);
    const { environment } = await openLoop(
      context,
      { answer: () => 'It did as asked.\n{"score": 0.5, "why": "half"}' },
      { hybrid: {}, workspace: folder },
    );
    const reward = { rules: [{ file: 'a.txt' }], rubric: 'The file is read.', rubricWeight: 3 };
    const started = await environment.start({ domain: 'swe', reward });
    assert.ok(started.ok);
    const step = async (name: string, given: object) => {
      const stepped = await environment.step(started.id, { name, arguments: given });
      assert.ok(stepped.ok, JSON.stringify(stepped));
      return stepped.reward;
    };
    assert.deepEqual(await step('run_shell_command', { command: 'cat a.txt' }), { value: 0.25, rules: [true] });
    const end = await step('finish', { summary: 'read' });
    assert.deepEqual(end, { value: (1 + 1.5) / 4, rules: [true], rubric: { score: 0.5, why: 'half' } });
  });
});
