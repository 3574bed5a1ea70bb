import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createChannel } from '../../src/core/prediction/channel.ts';
import type { FactEvent } from '../../src/core/prediction/factEvent.ts';
import { printedSoFar, Watch } from '../../src/core/worlds/confined/watch.ts';
import { emptyRecord, type RunRecord } from '../../src/core/worlds/confined/wire/runRecord.ts';

const finished: NonNullable<RunRecord['finished']> = {
  type: 'finished',
  how: 'exited',
  exitCode: 0,
  cwd: '/',
  wallMs: 0,
  cpuMs: 0,
  peakBytes: 0,
  outputCut: false,
  detail: '',
  leftRunning: [],
};

function recordOf(...texts: string[]) {
  const record = emptyRecord();
  for (const text of texts) record.output.push({ stream: 'stdout', bytes: Buffer.from(text), unsure: false });
  return record;
}

test('what was printed so far is shown whole while it is short, and as its last lines when it is long', () => {
  assert.equal(printedSoFar(recordOf()), undefined);
  assert.equal(printedSoFar(recordOf('no line end')), 'no line end');
  assert.equal(printedSoFar(recordOf('ä\n', 'b\n')), 'ä\nb\n');
  const lines = Array.from({ length: 3000 }, (_, index) => `line ${index}\n`);
  const shown = printedSoFar(recordOf(...lines)) ?? '';
  assert.ok(shown.length <= 8192 && shown.length > 8000);
  assert.ok(lines.join('').endsWith(shown));
  assert.match(shown, /^line \d+\n/);
  // One piece of which a part is shown begins at a line as well.
  assert.match(printedSoFar(recordOf(lines.join(''))) ?? '', /^line \d+\n/);
});

test('what rests on an assumption is not shown as printed', () => {
  const record = recordOf('a\n');
  record.unsure = 'assumed';
  assert.equal(printedSoFar(record), undefined);
});

test('at a second question what was printed and answered until then is shown, and waiting is not running', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval', 'Date'] });
  const channel = createChannel<FactEvent>();
  const watch = new Watch(channel, new Date());
  watch.shows().onBegin?.(recordOf('Delete a? '));
  let end = () => {};
  const work = watch.during(new Promise<void>((resolve) => (end = resolve)));
  watch.stopsAt(recordOf('Delete a? ', 'y\n', 'Delete b? '));
  context.mock.timers.tick(60_000);
  watch.goesOn();
  end();
  await work;
  channel.end();
  const told: FactEvent[] = [];
  for await (const event of channel) told.push(event);
  const printed = 'Delete a? y\nDelete b? ';
  const once: FactEvent = { type: 'progress', text: 'Running on a copy for 0.0 s', printed };
  assert.deepEqual(told, [once, once]);
});

test('the first words of programs that are let run are told at once, those of inert ones when they have taken a while', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval', 'Date'] });
  for (const openGate of [true, false]) {
    const channel = createChannel<FactEvent>();
    const watch = new Watch(channel, new Date(), { openGate });
    const record = recordOf();
    const { onBegin, onPrinted } = watch.shows();
    onBegin?.(record);
    let end = () => {};
    const work = watch.during(new Promise<void>((resolve) => (end = resolve)));
    context.mock.timers.tick(2);
    record.output.push(...recordOf('a\n').output);
    onPrinted?.();
    context.mock.timers.tick(2);
    record.output.push(...recordOf('b\n').output);
    onPrinted?.();
    end();
    await work;
    channel.end();
    const told: FactEvent[] = [];
    for await (const event of channel) told.push(event);
    assert.deepEqual(told, openGate ? [{ type: 'progress', text: 'Running on a copy for 0.0 s', printed: 'a\n' }] : []);
  }
});

test('how the run that is shown ended is told at once while the other one goes on, and only then', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval', 'Date'] });
  for (const [isChecking, pauseMs] of [
    [true, 700],
    // What it printed was told a moment ago.
    [true, 1],
    [false, 700],
  ] as const) {
    const channel = createChannel<FactEvent>();
    const watch = new Watch(channel, new Date(), { openGate: true });
    const record = recordOf();
    const { onBegin, onEnded, onPrinted } = watch.shows();
    onBegin?.(record);
    record.output.push(...recordOf('a\n').output);
    onPrinted?.();
    let end = () => {};
    const check = new Promise<void>((resolve) => (end = resolve));
    const checked = isChecking ? watch.checking(check) : undefined;
    context.mock.timers.tick(pauseMs);
    record.finished = { ...finished, exitCode: 3 };
    onEnded?.();
    end();
    await checked;
    channel.end();
    const told: FactEvent[] = [];
    for await (const event of channel) told.push(event);
    const text = `Ended with exit code 3 after ${(pauseMs / 1000).toFixed(1)} s; a second run looks for what varies`;
    const ended = { exitCode: 3, durationMs: pauseMs };
    const runs: FactEvent = { type: 'progress', text: 'Running on a copy for 0.0 s', printed: 'a\n' };
    assert.deepEqual(told, isChecking ? [runs, { type: 'progress', text, printed: 'a\n', ended }] : [runs]);
  }
});
