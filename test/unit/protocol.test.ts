import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Prediction } from '../../src/core/prediction/prediction.ts';
import { HostMessage, PanelMessage, PostedPrediction } from '../../src/protocol.ts';

// `Required` fails to compile here when a part is added to the prediction, so that it is not lost on the way.
const full: Required<Prediction> = {
  action: { kind: 'command', script: 'ls', shell: 'bash', cwd: '/w' },
  engine: 'confined',
  ending: 'abstained',
  endingReason: 'r',
  failureCode: 'f',
  cwd: '/w',
  exitCode: 1,
  exitBasis: 'rehearsed',
  output: [{ stream: 'stderr', text: 't', basis: 'imagined', volatile: true }],
  files: [
    {
      ...{ path: '/w/a', change: 'renamed', from: '/w/b', type: 'symlink', mode: '0777', sizeBytes: 1, sha256: 'x' },
      ...{
        target: 't',
        before: { type: 'file', mode: '0644', sizeBytes: 2, target: 'u' },
        volatile: true,
        basis: 'assumed',
      },
    },
  ],
  effects: [{ effect: 'network', detail: 'd', basis: 'observed' }],
  loss: [{ path: '/w/a', class: 'index', why: 'w', recoverable: 'no', sizeBytes: 1, lines: 2 }],
  verdict: { level: 'danger', reasons: [{ level: 'danger', text: 't', evidence: ['e'] }] },
  programs: [
    {
      ...{ id: 1, parent: 0, argv: ['ls'], cwd: '/w', basis: 'rehearsed', exitCode: 0, lookedThrough: true },
      ...{ gatedBecause: 'g' },
    },
  ],
  assumptions: [{ argv: ['a'], assumed: 'b', why: 'c' }],
  otherwise: [{ argv: ['a'], exitCode: 1, detail: 'd', files: [] }],
  notices: ['n'],
  asks: 'a',
  progress: { text: 'p', done: 1, total: 2 },
  thoughts: 't',
  durationMs: 5,
};

test('a whole prediction crosses the border unchanged', () => {
  assert.deepEqual(PostedPrediction.parse(structuredClone(full)), full);
});

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
