import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Prediction } from '../../src/core/prediction/prediction.ts';
import { HostMessage, PanelMessage, PostedPrediction } from '../../src/protocol/panelProtocol.ts';

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
  loss: [
    {
      path: '/w/a',
      class: 'index',
      why: 'w',
      recovery: { kind: 'none' as const },
      recoverable: 'no',
      sizeBytes: 1,
      lines: 2,
    },
  ],
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
  diagnostics: [
    { path: '/w/a.json', line: 1, column: 2, message: 'Comma expected', source: 'x', status: 'new', severity: 'error' },
  ],
  mentions: [{ of: 'file', name: 'a.json', path: '/w/Makefile', line: 3, text: 'cat a.json' }],
  asks: 'a',
  progress: { text: 'p', done: 1, total: 2 },
  questions: [
    {
      id: 1,
      program: 1,
      purpose: 'output',
      title: 't',
      sample: 1,
      domain: 'swe',
      begins: { question: 1, count: 0 },
      messages: [{ role: 'system', content: 's' }],
      blocks: [{ part: 'template', title: 't', message: 0, start: 0, end: 1, tokens: 1 }],
      tokens: { count: 1, exact: true },
      leftOut: [{ what: 'w', why: 'y', tokens: 1 }],
      redacted: [{ where: 'w', kind: 'k', count: 1 }],
      perturbations: ['p'],
      thoughts: 't',
      said: 's',
      reply: {
        question: 1,
        raw: 'r',
        reasoning: 'r',
        observation: 'o',
        rule: 'r',
        unknown: 'u',
        failure: { code: 'c', message: 'm' },
        finish: 'stop',
        model: 'm',
        url: 'u',
        body: { model: 'm' },
        dropped: [{ name: 'n', why: 'w' }],
        warnings: ['w'],
        usage: { promptTokens: 1, cachedTokens: 1, completionTokens: 1, reasoningTokens: 1, exact: true },
        firstTokenMs: 1,
        durationMs: 1,
        agreement: { samples: 1, lines: [1] },
      },
    },
  ],
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
