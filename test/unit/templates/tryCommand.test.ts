import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CommandAction } from '../../../src/core/action/action.ts';
import { templateReport } from '../../../src/core/bench/templates/templateReport.ts';
import { tryCommand } from '../../../src/core/bench/templates/tryCommand.ts';
import type { ForetellPrediction, ForetellRequest } from '../../../src/core/foretell.ts';
import type { PredictionEvent } from '../../../src/core/prediction/event.ts';
import { realView } from '../../../src/core/view/realView.ts';
import { createPreviewProvider } from '../../../src/core/worlds/language/template/previewProvider.ts';

const action: CommandAction = { kind: 'command', script: 'x', shell: 'bash', cwd: '/' };

/** An engine that says what it is told to say, once without a model and then once for each template. */
function engine(
  ends: 'done' | 'abstained',
  says: (template: string | undefined, whole: boolean) => string | undefined,
) {
  const requests: ForetellRequest[] = [];
  return {
    requests,
    predict(request: ForetellRequest): ForetellPrediction {
      requests.push(request);
      const template = request.language?.templates?.terminal ?? request.language?.templates?.swe;
      const text = says(template, request.language?.whole === true);
      const question: PredictionEvent[] = request.language
        ? [
            {
              ...{ type: 'question', id: 1, purpose: 'command', title: 't', domain: 'terminal', blocks: [] },
              messages: [{ role: 'system', content: template ?? '' }],
              ...{ tokens: { count: 1, exact: false }, leftOut: [], redacted: [], conditions: [] },
            },
          ]
        : [];
      const events: PredictionEvent[] = [
        { type: 'started', by: 'test' },
        ...question,
        ...(text === undefined ? [] : [{ type: 'output', stream: 'stdout', text, basis: 'imagined' } as const]),
        { type: 'exit', code: 0, basis: 'imagined' },
        request.language || ends === 'done'
          ? { type: 'done', durationMs: 1 }
          : { type: 'abstained', reason: 'Not known.', at: 'npm', durationMs: 1 },
      ];
      async function* iterate() {
        yield* events;
      }
      return { events: iterate(), view: realView() };
    },
  };
}

const language = { provider: createPreviewProvider(), templateFolders: [] };
const templates = [
  { name: 'one', text: 'A' },
  { name: 'two', text: 'B' },
];
const signal = new AbortController().signal;

test('a command is predicted with each template and compared with what the engine knows', async () => {
  const foretell = engine('done', (template) => (template === undefined || template === 'B' ? 'a\nb\n' : 'a\nc\n'));
  const tries = await tryCommand({ foretell, shared: {}, language, action, domain: 'terminal', signal }, templates);
  assert.deepEqual(
    tries.map(({ score, missing, extra }) => [score?.score === 1, missing, extra]),
    [
      [false, ['b'], ['c']],
      [true, [], []],
    ],
  );
  assert.equal(tries[0]?.step.observation?.basis, 'rehearsed');
  assert.equal(tries[0]?.step.observation?.text, 'a\nb\n');
  assert.deepEqual(
    foretell.requests.map((request) => [request.language?.whole, request.language?.templates]),
    [
      [undefined, undefined],
      [true, { terminal: 'A' }],
      [true, { terminal: 'B' }],
    ],
  );
});

test('where nobody knows the truth, the report says what the versions say differently', async () => {
  const foretell = engine('abstained', (template) => (template === 'B' ? 'x\nnew\n' : 'x\nold\n'));
  const tries = await tryCommand({ foretell, shared: {}, language, action, domain: 'swe', signal }, templates);
  assert.ok(tries.every(({ score, step }) => score === undefined && step.observation === undefined));
  const versions = tries.map((tried, index) => ({ name: templates[index]?.name ?? '', tries: [tried] }));
  const report = templateReport({ source: 'a command', domain: 'swe', versions, isCut: false });
  assert.match(report, /only A says[\s\S]*\n- old\n\+ new\n/);
  assert.match(report, /\| `command#1` \| +– \| +– \|/);
});
