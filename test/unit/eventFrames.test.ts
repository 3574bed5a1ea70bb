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
