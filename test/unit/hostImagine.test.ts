import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CommandAction } from '../../src/core/action/action.ts';
import type { Foretell, ForetellRequest } from '../../src/core/foretell.ts';
import type { PredictionEvent } from '../../src/core/prediction/event.ts';
import type { LanguageRequest } from '../../src/core/worlds/language/imagine/languageRequest.ts';
import { tryModel } from '../../src/host/model/tryModel.ts';
import { askAgain } from '../../src/host/predict/askAgain.ts';
import { createPredictions } from '../../src/host/predict/predictions.ts';
import type { Run } from '../../src/host/predict/run.ts';

const command = (script: string): CommandAction => ({ kind: 'command', script, shell: 'bash', cwd: '/' });
const language = {
  provider: {},
  templateFolders: [],
  conditionText: 'It rains.',
  samples: 3,
} as unknown as LanguageRequest;

const question = (messages: string): PredictionEvent => ({
  type: 'question',
  id: 1,
  purpose: 'command',
  title: 'the whole command',
  domain: 'terminal',
  messages: [{ role: 'user', content: messages }],
  blocks: [],
  tokens: { count: 1, exact: false },
  leftOut: [],
  redacted: [],
  conditions: [],
});

const reply = (failure?: { code: string; message: string }): PredictionEvent => ({
  type: 'reply',
  question: 1,
  raw: 'x',
  reasoning: '',
  finish: 'stop',
  model: 'm',
  url: '',
  body: {},
  dropped: [],
  warnings: [],
  durationMs: 1,
  ...(failure ? { failure } : {}),
});

/** An engine that says which way each command went: `whole`, `handOver` or `alone`. */
function engineThatTells(asked: ForetellRequest[], output = (way: string) => way) {
  const predict = (request: ForetellRequest) => {
    asked.push(request);
    return { events: events(request), view: { read: async () => undefined, close: async () => {} } };
  };
  async function* events({ language: model }: ForetellRequest): AsyncGenerator<PredictionEvent> {
    const way = !model ? 'alone' : model.whole ? 'whole' : 'handOver';
    yield { type: 'started', by: 'fake' };
    if (model) {
      yield question(model.changedMessages?.[0]?.content ?? 'as it comes');
      yield { type: 'thought', question: 1, text: 'hm' };
      yield reply();
    }
    yield { type: 'output', stream: 'stdout', text: output(way), basis: model ? 'imagined' : 'rehearsed' };
    yield { type: 'done', durationMs: 1_000 };
  }
  const session = () => ({ predict, close: async () => {} });
  const startsOnlyInert = ({ action }: ForetellRequest) => action.kind === 'command' && action.script.startsWith('ls');
  return { predict, openSession: session, startsOnlyInert } as unknown as Foretell;
}

function started() {
  const asked: ForetellRequest[] = [];
  const compared: number[] = [];
  let model: LanguageRequest | undefined = language;
  const engine = engineThatTells(asked);
  const predictions = createPredictions({
    engine: async () => engine,
    editorRequest: () => (model ? { language: model } : {}),
    listener: {
      started: () => {},
      event: () => {},
      ended: () => {},
      compared: (run: Run) => compared.push(run.number),
      discarded: () => {},
      setAside: () => {},
      broughtBack: () => {},
      moved: () => {},
    },
  });
  return { asked, compared, predictions, disconnect: () => (model = undefined) };
}

const output = (prediction: Run['prediction'] | undefined) => prediction?.output.map((piece) => piece.text).join('');
const settled = () => new Promise((resolve) => setTimeout(resolve, 10));

test('a whole command that is imagined is rehearsed beside, silently and without a model', async () => {
  const { asked, compared, predictions } = started();
  const run = predictions.predict(command('a'), { whole: true });
  await run.ended;
  await settled();
  assert.equal(output(run.prediction), 'whole');
  assert.equal(output(run.rehearsed), 'alone');
  assert.deepEqual(compared, [run.number]);
  assert.deepEqual(asked.map((request) => request.language?.whole).sort(), [true, undefined], 'in any order');
});

test('the prediction that is shown already is taken for that, and is not made again', async () => {
  const { asked, predictions } = started();
  await predictions.predict(command('a')).ended;
  const run = predictions.predict(command('a'), { whole: true });
  await run.ended;
  await settled();
  assert.equal(output(run.rehearsed), 'handOver');
  assert.equal(asked.length, 2);
  const other = predictions.predict(command('b'), { whole: true });
  await other.ended;
  await settled();
  assert.equal(output(other.rehearsed), 'alone');
});

test('the last run of the same command is kept, one that was cut short is not', async () => {
  const { predictions } = started();
  const first = predictions.predict(command('a'));
  assert.equal(first.last, undefined);
  await first.ended;
  const second = predictions.again();
  assert.equal(second?.last, first.prediction);
  const third = predictions.again();
  assert.equal(third?.last, first.prediction, 'the second had not ended');
  assert.equal(predictions.predict(command('b')).last, undefined);
});

test('messages that were changed stay changed until the command is simply predicted again', async () => {
  const { asked, predictions } = started();
  const lastAsked = () => asked.findLast((request) => request.language)?.language;
  const run = predictions.predict(command('a'), { whole: true });
  await run.ended;
  await askAgain(predictions, run, { question: 1, message: 0, content: 'one' });
  const second = predictions.current();
  await second?.ended;
  assert.ok(second?.whole);
  await askAgain(predictions, second, { question: 1, message: 1, content: 'two' });
  const third = predictions.current();
  await third?.ended;
  assert.ok(third);
  await askAgain(predictions, third, { question: 1, message: 0, content: 'three' });
  await predictions.current()?.ended;
  assert.deepEqual(
    lastAsked()?.changedMessages?.map(({ content }) => content),
    ['two', 'three'],
  );
  await predictions.again()?.ended;
  assert.deepEqual(lastAsked()?.changedMessages, []);
});

test('an imagined prediction is not stale because the model says something else now', async () => {
  const { asked, predictions } = started();
  const run = predictions.predict(command('a'));
  await run.ended;
  const before = asked.length;
  assert.equal(await predictions.isStale(run), false);
  assert.equal(asked.length, before, 'the model is not asked');
});

test('no shell can go on from a whole command that was imagined', async () => {
  const { predictions } = started();
  await predictions.predict(command('a'), { whole: true }).ended;
  assert.equal(predictions.continueFromHere(), false);
  await predictions.predict(command('a')).ended;
  assert.equal(predictions.continueFromHere(), true);
});

test('without a model nothing of it is in a request', async () => {
  const { asked, predictions, disconnect } = started();
  disconnect();
  await predictions.predict(command('a')).ended;
  assert.ok(!('language' in (asked[0] ?? {})));
});

test('a model is tried with a command whose answer is known, without what was chosen in the panel', async () => {
  const asked: ForetellRequest[] = [];
  const told: string[] = [];
  const { signal } = new AbortController();
  const right = await tryModel(
    engineThatTells(asked, () => '1\n2\n3\n'),
    language,
    '/empty',
    signal,
    (text) => told.push(text),
  );
  assert.ok(right.ok && right.isRight);
  assert.match(right.sentence, /“1 2 3” for “seq 3” in 1\.0 s\.$/);
  assert.deepEqual(told, ['it reasons (2 characters)']);
  const { language: used, action } = asked[0] ?? assert.fail();
  assert.equal(action.kind === 'command' && action.cwd, '/empty');
  assert.ok(used?.whole && used.samples === 1 && used.conditionText === undefined);
  const wrong = await tryModel(
    engineThatTells(asked, () => 'seq'),
    language,
    '/empty',
    signal,
    () => {},
  );
  assert.ok(wrong.ok && !wrong.isRight);
});

test('a trial that fails has the sentence of the failure, one that is cancelled has none', async () => {
  const failing = (events: PredictionEvent[]) =>
    ({
      predict: () => ({
        events: (async function* () {
          yield* events;
        })(),
        view: { close: async () => {} },
      }),
    }) as unknown as Foretell;
  const { signal } = new AbortController();
  const message = 'Nothing listens there; start the server.';
  const failed = await tryModel(
    failing([
      question('x'),
      reply({ code: 'unreachable', message }),
      { type: 'abstained', reason: 'r', at: '', durationMs: 1 },
    ]),
    language,
    '/',
    signal,
    () => {},
  );
  assert.deepEqual(failed, { ok: false, code: 'unreachable', message });
  const cancelled = await tryModel(failing([{ type: 'cancelled', durationMs: 1 }]), language, '/', signal, () => {});
  assert.ok(!cancelled.ok && cancelled.code === 'cancelled');
  const broken = await tryModel(
    failing([{ type: 'failed', code: 'x', message: 'No.', durationMs: 1 }]),
    language,
    '/',
    signal,
    () => {},
  );
  assert.ok(!broken.ok && broken.message === 'No.');
});
