import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HostMessage, PanelMessage } from '../../src/protocol/panelProtocol.ts';

test('what is not in the protocol is refused', () => {
  assert.equal(PanelMessage.safeParse({ type: 'runAnything', command: 'rm' }).success, false);
  assert.equal(PanelMessage.safeParse({ type: 'openDiff', run: 1 }).success, false);
  assert.equal(PanelMessage.safeParse({ type: 'errand', errand: 'workbench.action.quit' }).success, false);
  assert.equal(
    HostMessage.safeParse({ type: 'events', run: 1, first: 1, events: [{ type: 'nonsense' }] }).success,
    false,
  );
  assert.equal(HostMessage.safeParse(null).success, false);
});

test('messages keep what they carry', () => {
  const messages = [
    { type: 'predict', script: 'ls\n' },
    { type: 'answer', run: 2, text: '' },
    { type: 'painted', run: 1, what: 'verdict', atMs: 5, sinceKeyMs: 4 },
  ];
  for (const message of messages) assert.deepEqual(PanelMessage.parse(message), message);
});
