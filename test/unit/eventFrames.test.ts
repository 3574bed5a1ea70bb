import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PredictionEvent } from '../../src/core/prediction/event.ts';
import { createEventFrames } from '../../src/host/panel/eventFrames.ts';
import type { HostMessage } from '../../src/protocol/panelProtocol.ts';

const output: PredictionEvent = { type: 'output', stream: 'stdout', text: 'a', basis: 'rehearsed' };

test('what ends soon goes to the page as one message; what goes on longer is told on the way', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const posted: HostMessage[] = [];
  const frames = createEventFrames((message) => posted.push(message));
  const add = (event: PredictionEvent, sequence: number, run: number, isUrgent = false) =>
    frames.add(event, { run, sequence, isUrgent });
  const counts = () => posted.splice(0).map((message) => message.type === 'events' && message.events.length);
  add({ type: 'started', by: 'confined' }, 1, 1);
  context.mock.timers.tick(40);
  add(output, 2, 1);
  add({ type: 'done', durationMs: 41 }, 3, 1, true);
  assert.deepEqual(counts(), [3]);
  add({ type: 'started', by: 'confined' }, 1, 2);
  context.mock.timers.tick(60);
  assert.deepEqual(counts(), [1]);
  add(output, 2, 2);
  add(output, 3, 2);
  context.mock.timers.tick(16);
  assert.deepEqual(counts(), [2]);
  frames.dispose();
});

function sentOf(events: readonly PredictionEvent[]) {
  const sent: Extract<HostMessage, { type: 'events' }>[] = [];
  const frames = createEventFrames((message) => message.type === 'events' && sent.push(message));
  for (const [index, event] of events.entries()) {
    frames.add(event, { run: 1, sequence: index + 1, isUrgent: index === events.length - 1 });
  }
  frames.dispose();
  return sent;
}
const printed = (length: number): PredictionEvent => ({
  ...{ type: 'output', stream: 'stdout', text: 'x'.repeat(length), basis: 'rehearsed' },
});

test('much output comes to the page in several messages, each event once and in order', () => {
  const events = [printed(400_000), printed(2_500_000), printed(10), printed(600_000), printed(400_000), printed(5)];
  const sent = sentOf(events);
  assert.deepEqual(
    sent.map(({ first, events: { length } }) => [first, length]),
    [
      [1, 2],
      [3, 3],
      [6, 1],
    ],
  );
  assert.deepEqual(
    sent.flatMap((message) => message.events),
    events,
  );
});

test('what is little comes in one message, and many events in several', () => {
  assert.equal(sentOf(Array.from({ length: 1_000 }, () => printed(3))).length, 1);
  assert.equal(sentOf(Array.from({ length: 2_001 }, () => printed(3))).length, 3);
});
