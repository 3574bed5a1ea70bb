import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordedCommand, stepOfCommand } from '../../../src/core/trajectory/formats/terminalCommands.ts';
import { importTrajectory } from '../../../src/core/trajectory/importTrajectory.ts';
import type { TrajectoryStep } from '../../../src/core/trajectory/step/step.ts';
import { isOutputTold } from '../../../src/host/terminal/terminalText.ts';
import { commandOf, fixture, imported, outputOf } from './samples.ts';

test('a recording with marks: commands, outputs, exit codes and folders are those of the shell', async () => {
  const { steps, problems } = await imported(fixture('asciicast-bash-marks.cast'), 'a/asciicast-bash-marks.cast');
  assert.deepEqual(problems, []);
  assert.deepEqual(steps.map(commandOf), ['echo hi\n', 'false\n', 'cd /usr\n', "printf 'a\\rb\\n'\n", 'exit\n']);
  assert.deepEqual(steps.map(outputOf), ['hi\n', '', '', 'b\n', 'exit\n']);
  assert.deepEqual(
    steps.map(({ observation }) => observation?.facts?.exitCode),
    [0, 1, 0, 0, undefined],
  );
  assert.deepEqual(
    steps.map(({ action }) => (action.kind === 'edit' ? '' : action.cwd)),
    ['/tmp/rec-home/project', '/tmp/rec-home/project', '/tmp/rec-home/project', '/usr', '/usr'],
  );
  assert.equal(steps[0]?.note, 'a few commands');
  assert.ok(!steps[0]?.uncertain?.some((sentence) => sentence.includes('bracketed paste')));
});

test('a recording of bash without marks: bracketed paste tells the commands, and the step says so', async () => {
  const { steps } = await imported(fixture('asciicast-bash.cast'));
  assert.deepEqual(steps.map(commandOf), [
    'echo one two\n',
    "printf 'no break'\n",
    'for i in 1 2; do\necho $i\ndone\n',
    'ls /nowhere\n',
    'exit\n',
  ]);
  assert.deepEqual(steps.map(outputOf), [
    'one two\n',
    'no break',
    '1\n2\n',
    "ls: cannot access '/nowhere': No such file or directory\n",
    'exit\n',
  ]);
  assert.equal(steps[1]?.observation?.text, "dev@box:~/project# printf 'no break'\nno breakdev@box:~/project#");
  for (const { uncertain, observation } of steps) {
    assert.ok(uncertain?.some((sentence) => sentence.includes('bracketed paste')));
    assert.deepEqual(observation?.known, ['output']);
  }
});

test('a recording of zsh that somebody else made: edits of the line and the prompt are taken away', async () => {
  const { steps } = await imported(fixture('asciicast-zsh.cast'));
  assert.deepEqual(steps.map(commandOf), ['hey\n', 'echo "test"\n', 'time\n', 'exit\n']);
  assert.equal(outputOf(steps[1] as TrajectoryStep), 'test\n');
  const help = outputOf(steps[0] as TrajectoryStep);
  assert.ok(help.startsWith('Usage: hey [options...] <url>\n\nOptions:\n'));
  assert.ok(help.endsWith('                        response timings.\n\n'));
  assert.equal(outputOf(steps[2] as TrajectoryStep).split('\n').length, 3);
  assert.equal(steps[0]?.at, '2018-07-03T17:43:54.578Z');
});

test('a recording of fish without any mark: prompts tell the commands', async () => {
  const { steps } = await imported(fixture('asciicast-fish.cast'));
  assert.deepEqual(steps.map(commandOf), ['echo one two\n', 'ls /nowhere\n', 'exit\n']);
  assert.equal(outputOf(steps[0] as TrajectoryStep), 'one two\n');
  assert.ok(steps[0]?.uncertain?.some((sentence) => sentence.includes('looks like a prompt')));
});

test('events that are none are told with their number, a full screen is left out, a recording without commands says so', async () => {
  const cast = [
    '{"version": 2, "width": 80, "height": 24}',
    '[0.1, "o", "$ \\u001b]133;A\\u0007$ \\u001b]133;B\\u0007vi x\\r\\n\\u001b]133;C\\u0007\\u001b[?1049hPAINT"]',
    '[0.2, "o"]',
    'oops',
    '[0.3, "o", "ED\\u001b[?1049lbye\\r\\n\\u001b]133;D;3\\u0007"]',
  ].join('\n');
  const { steps, problems } = await imported(cast);
  assert.deepEqual(
    problems.map(({ line }) => line),
    [3, 4],
  );
  assert.deepEqual(steps.map(outputOf), ['bye\n']);
  assert.equal(steps[0]?.observation?.facts?.exitCode, 3);
  assert.ok(steps[0]?.uncertain?.some((sentence) => sentence.includes('whole screen')));
  const none = await imported('{"version": 2, "width": 80, "height": 24}\n[1, "o", "hello"]\n');
  assert.match(none.problems[0]?.message ?? '', /No command was recognised/);
  const old = await importTrajectory('{"version": 1, "width": 80, "stdout": []}');
  assert.ok(!('failure' in old) && /version 2 or 3/.test(old.problems[0]?.message ?? ''));
});

test('what a terminal printed is recorded as it was read, and what it did not tell is not called empty', () => {
  const printed = {
    command: 'x',
    cwd: '/w',
    shell: 'bash' as const,
    exitCode: 1,
    at: '2026-01-01T00:00:00.000Z',
    durationMs: 5,
  };
  const step = (raw: string | undefined, leftOut = 0) =>
    stepOfCommand(recordedCommand({ ...printed, raw, leftOut }), { trajectory: 't', before: undefined });
  const told = step('10 %\r\u001b[32m100 %\u001b[0m\r\n\u001b[?1049hPAINT\u001b[?1049l');
  assert.equal(told.observation?.text, '100 %\n');
  assert.deepEqual(told.observation?.known, ['output', 'exitCode']);
  assert.ok(told.uncertain?.some((sentence) => sentence.includes('whole screen')));
  const untold = step(undefined);
  assert.deepEqual(untold.observation?.known, ['exitCode']);
  assert.ok(untold.uncertain?.some((sentence) => sentence.includes('not known')));
  assert.ok(step('a', 7).uncertain?.some((sentence) => sentence.startsWith('7 characters')));
  assert.ok(isOutputTold('\u001b]633;C\u0007') && !isOutputTold('') && !isOutputTold('plain'));
});
