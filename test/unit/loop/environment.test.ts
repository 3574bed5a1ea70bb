import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { leaveOutOldest } from '../../../src/core/loop/fitTurns.ts';
import { readAction } from '../../../src/core/loop/readAction.ts';
import { createTurnGate } from '../../../src/core/loop/turnGate.ts';
import { readTrajectoryLine, stepLine } from '../../../src/core/trajectory/file/trajectoryFile.ts';
import { lastMessages, makeFolder, openLoop, seen } from './loopFixture.ts';

const keys = (text: string) => [{ keystrokes: `${text}\n`, duration: 1 }];

describe('the simulated environment', () => {
  test('a session goes on turn by turn, each told to the model with those before', async (context) => {
    const { environment, world, steps } = await openLoop(
      context,
      { replies: [seen('root@h:/app# pwd\n/app\nroot@h:/app#'), seen('second')] },
      { recordsMessages: true },
    );
    const started = await environment.start({
      domain: 'terminal',
      task: 'find out where you are',
      initialState: 'root@h:/app#',
      fictionalWorld: 'Cats can type.',
      perturbations: ['disk-full'],
      perturbationText: 'It is Sunday.',
    });
    assert.ok(started.ok);
    assert.equal(started.observation, 'root@h:/app#');
    const first = await environment.step(started.id, keys('pwd'));
    assert.ok(first.ok);
    assert.deepEqual([first.turn, first.observation, first.done], [1, 'root@h:/app# pwd\n/app\nroot@h:/app#', false]);
    assert.ok((first.tokens?.promptTokens ?? 0) > 0);
    const messages = lastMessages(world);
    assert.match(messages[0]?.content ?? '', /Cats can type[\s\S]*no space left|Cats can type[\s\S]*ENOSPC/i);
    assert.match(messages[0]?.content ?? '', /It is Sunday/);
    assert.match(messages[1]?.content ?? '', /\*\*Current State:\*\*\nroot@h:\/app#/);
    assert.ok(!JSON.stringify(messages).includes('find out where'), 'the world does not know the task');
    const second = await environment.step(started.id, [
      { keystrokes: 'ls\n' },
      { keystrokes: 'echo $?\n', duration: 0.1 },
    ]);
    assert.ok(second.ok);
    assert.deepEqual(
      lastMessages(world).map(({ role }) => role),
      ['system', 'user', 'assistant', 'user'],
    );
    assert.deepEqual(
      lastMessages(world)
        .slice(0, 1)
        .map(({ content }) => content),
      messages.slice(0, 1).map(({ content }) => content),
      'the prefix stays the same',
    );
    assert.deepEqual(
      steps.map(({ id, after }) => [id, after]),
      [
        [`${started.id}.1`, undefined],
        [`${started.id}.2`, `${started.id}.1`],
      ],
    );
    assert.equal(steps[1]?.begins?.step, steps[0]?.id);
    assert.equal(steps[0]?.prediction?.text, first.observation);
    for (const step of steps) assert.equal(readTrajectoryLine(stepLine(step)).kind, 'step');
    const state = environment.state(started.id);
    assert.ok(state.ok && state.turn === 2 && state.task === 'find out where you are' && state.promptTokens > 0);
    const reset = environment.reset(started.id);
    assert.ok(reset.ok && reset.observation === 'root@h:/app#');
    assert.ok((await environment.step(started.id, keys('pwd'))).ok);
    assert.equal(lastMessages(world).length, 2, 'nothing is left of the turns before');
    assert.equal(steps.at(-1)?.trajectory, `${started.id}-2`);
    assert.ok(environment.close(started.id).ok);
    const gone = environment.state(started.id);
    assert.ok(!gone.ok && gone.code === 'no-session');
  });

  test('an exit code where the observation tells one', async (context) => {
    const reply = 'Command: false\nDirectory: (root)\nOutput: (empty)\nError: (none)\nExit Code: 7\nSignal: (none)';
    const { environment } = await openLoop(context, { replies: [seen(reply)] });
    const started = await environment.start({ domain: 'swe' });
    assert.ok(started.ok);
    const step = await environment.step(started.id, { name: 'run_shell_command', arguments: '{"command":"false"}' });
    assert.ok(step.ok && step.exitCode === 7);
  });

  test('grounded in a workspace, and only in the one that is allowed', async (context) => {
    const folder = makeFolder(context);
    const { environment, world } = await openLoop(context, {}, { workspace: folder });
    const started = await environment.start({ domain: 'swe', cwd: folder });
    assert.ok(started.ok);
    assert.ok(
      (await environment.step(started.id, { name: 'read_file', arguments: { absolute_path: `${folder}/a.txt` } })).ok,
    );
    assert.match(JSON.stringify(lastMessages(world)), /a\.txt/);
    for (const cwd of ['/etc', `${folder}/../x`, `${folder}x`]) {
      const refused = await environment.start({ domain: 'swe', cwd });
      assert.ok(!refused.ok && refused.code === 'bad-request', cwd);
    }
  });

  test('the oldest turns are left out when the context is full, rarely and never in the middle', async (context) => {
    const long = 'x y z '.repeat(200);
    const { environment, world } = await openLoop(context, { replies: [seen(long)] }, { contextTokens: 12_000 });
    const started = await environment.start({ domain: 'terminal', initialState: 'start' });
    assert.ok(started.ok);
    let [leftOut, changes] = [0, 0];
    for (let turn = 1; turn <= 40; turn += 1) {
      const step = await environment.step(started.id, keys(`echo ${turn}`));
      assert.ok(step.ok);
      if (step.leftOutTurns !== leftOut) changes += 1;
      leftOut = step.leftOutTurns;
    }
    assert.ok(leftOut > 0 && changes < 10, `${leftOut} left out in ${changes} steps`);
    const messages = lastMessages(world);
    assert.match(messages.at(-1)?.content ?? '', /echo 40/);
    assert.match(messages.at(-3)?.content ?? '', /echo 39/);
    assert.ok(!JSON.stringify(messages).includes('echo 1\\\\n'), 'the first turn is gone');
    assert.match(messages[1]?.content ?? '', /Current State:\*\*\nx y z/, 'it begins with what the screen showed then');
  });

  test('secrets are not sent', async (context) => {
    const { environment, world } = await openLoop(context, {});
    const started = await environment.start({ domain: 'swe', fictionalWorld: 'The key is AKIAIOSFODNN7EXAMPLQ.' });
    assert.ok(started.ok);
    await environment.step(started.id, {
      name: 'write_file',
      arguments: { file_path: '/a', content: 'k = "AKIAIOSFODNN7EXAMPLQ"' },
    });
    assert.ok(!JSON.stringify(lastMessages(world)).includes('AKIAIOSFODNN7EXAMPLQ'));
  });

  test('what cannot be done is said, and a failed turn can be tried again', async (context) => {
    const { environment } = await openLoop(
      context,
      {
        replies: [seen('[[unknown: no idea]]'), '', seen('at last')],
        faults: [undefined, { kind: 'status', status: 400, message: 'nonsense' }],
      },
      { mostSessions: 2, mostTurns: 1 },
    );
    const codes = async (value: unknown) => {
      const result = await environment.start(value);
      return result.ok ? 'ok' : result.code;
    };
    assert.equal(await codes({ domain: 'moon' }), 'bad-request');
    assert.equal(await codes('garbage'), 'bad-request');
    assert.equal(await codes({ domain: 'mcp' }), 'bad-request');
    assert.equal(await codes({ domain: 'terminal', perturbations: ['bad-mood'] }), 'bad-request');
    const started = await environment.start({ domain: 'terminal' });
    assert.ok(started.ok);
    assert.equal(await codes({ domain: 'web' }), 'ok');
    assert.equal(await codes({ domain: 'web' }), 'too-many-sessions');
    const step = async (value: unknown) => {
      const result = await environment.step(started.id, value);
      return result.ok ? result.observation : result.code;
    };
    assert.equal(await step('ls'), 'bad-request');
    assert.equal(await step(keys('a')), 'unknown');
    assert.equal(await step(keys('a')), 'model');
    const [one, two] = await Promise.all([step(keys('a')), step(keys('b'))]);
    assert.deepEqual([one, two], ['at last', 'busy']);
    assert.equal(await step(keys('c')), 'too-many-turns');
    environment.dispose();
    assert.equal(await codes({ domain: 'terminal' }), 'closed');
  });

  test('an idle session is closed', async (context) => {
    let at = 0;
    const { environment } = await openLoop(context, {}, { idleMs: 1000, now: () => at, mostSessions: 1 });
    const started = await environment.start({ domain: 'terminal' });
    at = 5000;
    assert.ok((await environment.start({ domain: 'terminal' })).ok, 'room was made');
    assert.ok(started.ok && !environment.state(started.id).ok);
  });
});

describe('what fits', () => {
  test('all, or so few that it lasts', () => {
    assert.equal(leaveOutOldest([10, 10, 10], 30), 0);
    assert.equal(leaveOutOldest([10, 10, 10, 10], 39), 3);
    assert.equal(leaveOutOldest([100], 5), 0, 'the last one stays');
    assert.equal(leaveOutOldest([], 5), 0);
    const turns: number[] = [];
    let drops = 0;
    for (let turn = 0; turn < 1000; turn += 1) {
      turns.push(10);
      const count = leaveOutOldest(turns, 1000);
      if (count > 0) drops += 1;
      turns.splice(0, count);
      assert.ok(turns.length * 10 <= 1000);
    }
    assert.ok(drops <= 20, `${drops} times the prefix changed`);
  });
  test('the gate lets some in, has some wait and turns the others away', async () => {
    const gate = createTurnGate(1, 1);
    const { signal } = new AbortController();
    assert.equal(await gate.enter(signal), true);
    const second = gate.enter(signal);
    assert.equal(await gate.enter(signal), false);
    gate.leave();
    assert.equal(await second, true);
    const abort = new AbortController();
    const third = gate.enter(abort.signal);
    abort.abort();
    assert.equal(await third, false);
    assert.equal(gate.waiting(), 0);
    gate.leave();
    assert.equal(await gate.enter(signal), true);
  });
});

describe('actions', () => {
  test('in every form', () => {
    const typed = { kind: 'keystrokes', keystrokes: [{ keystrokes: 'ls\n', duration: 1 }] };
    for (const form of [[{ keystrokes: 'ls\n' }], { keystrokes: 'ls\n' }, '[{"keystrokes":"ls\\n"}]', typed])
      assert.deepEqual(readAction('terminal', form), typed);
    const call = { kind: 'tool', name: 'Read', arguments: { file_path: '/a' } };
    for (const form of [
      { name: 'Read', arguments: { file_path: '/a' } },
      '{"name":"Read","arguments":"{\\"file_path\\":\\"/a\\"}"}',
      call,
    ])
      assert.deepEqual(readAction('swe', form), call);
    assert.deepEqual(readAction('android', 'tap(1, 2)'), { kind: 'text', text: 'tap(1, 2)' });
    for (const [domain, form] of [
      ['swe', 'ls'],
      ['terminal', 7],
      ['terminal', [1]],
      ['web', ''],
      ['swe', { name: 'x', arguments: 'y' }],
      ['swe', {}],
      ['swe', null],
    ] as const)
      assert.ok('problem' in readAction(domain, form), JSON.stringify(form));
  });
});

test('a reply that is no observation is asked for once more, and never becomes one', async (context) => {
  const sorry = "I'm sorry, I can't simulate that.";
  const { environment, world } = await openLoop(context, {
    replies: [sorry, seen('fine'), sorry, 'untagged', seen('```\nx\n```')],
  });
  const started = await environment.start({ domain: 'web', initialState: 'home' });
  assert.ok(started.ok);
  const first = await environment.step(started.id, { text: 'click [1]' });
  assert.ok(first.ok, JSON.stringify(first));
  assert.equal(first.observation, 'fine');
  assert.equal(world.completions().length, 2);
  const second = await environment.step(started.id, { text: 'click [2]' });
  assert.ok(!second.ok);
  assert.equal(second.code, 'model');
  assert.equal(second.cause, 'unusable-reply');
  assert.equal(world.completions().length, 4);
  const third = await environment.step(started.id, { text: 'click [3]' });
  assert.ok(!third.ok);
  // What was no observation is no earlier turn.
  const messages = lastMessages(world);
  assert.ok(!messages.slice(0, -2).some(({ content }) => content.includes('sorry')));
});
