import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CommandAction } from '../../src/core/action/action.ts';
import type { Foretell, ForetellPrediction, Session } from '../../src/core/foretell.ts';
import type { PredictionEvent } from '../../src/core/prediction/event.ts';
import type { GivenRequest } from '../../src/core/prediction/request.ts';
import { createAnswers } from '../../src/host/predict/answers.ts';
import { createPredictions } from '../../src/host/predict/predictions.ts';
import type { Run, Step } from '../../src/host/predict/run.ts';
import { terminalEnvironment } from '../../src/host/terminal/terminalEnvironment.ts';
import { withoutMarks } from '../../src/host/terminal/terminalText.ts';

const command = (script: string): CommandAction => ({ kind: 'command', script, shell: 'bash', cwd: '/' });
const noView = { read: async () => undefined, close: async () => {} };

/** An engine whose sessions print every script that was predicted in them. */
function scripted(told: string[]): Foretell {
  let sessions = 0;
  const openSession = (): Session => {
    sessions += 1;
    const name = `s${sessions}`;
    const before: string[] = [];
    return {
      predict(request: GivenRequest): ForetellPrediction {
        const script = request.action.kind === 'command' ? request.action.script : '';
        told.push(`${name} ${script}`);
        return { events: events(request, script, [...before, script].join(' ')), view: noView };
        async function* events(asked: GivenRequest, text: string, all: string): AsyncGenerator<PredictionEvent> {
          yield { type: 'started', by: 'fake' };
          if (text === 'throw') throw new Error('broken');
          if (text === 'wait') {
            if (!asked.signal.aborted) await new Promise((resolve) => asked.signal.addEventListener('abort', resolve));
            yield { type: 'cancelled', durationMs: 1 };
            return;
          }
          if (text === 'ask') {
            yield { type: 'asks', prompt: '?' };
            for await (const line of asked.answers ?? []) {
              yield { type: 'output', stream: 'stdout', text: line, basis: 'rehearsed' };
              break;
            }
          }
          before.push(text);
          yield { type: 'output', stream: 'stdout', text: all, basis: 'rehearsed' };
          yield { type: 'exit', code: 0, basis: 'rehearsed', cwd: '/after' };
          yield { type: 'done', durationMs: 1 };
        }
      },
      close: async () => {
        told.push(`${name} closed`);
      },
    };
  };
  return {
    // What stands alone is closed by its view.
    predict(request: GivenRequest) {
      const session = openSession();
      return { events: session.predict(request as never).events, view: { ...noView, close: () => session.close() } };
    },
    openSession,
    startsOnlyInert: (request: GivenRequest) => request.action.kind === 'command' && request.action.script === 'ls',
    status: async () => ({ available: true, copy: true, look: true, sentence: '' }),
    looker: { look: () => assert.fail() },
  } as unknown as Foretell;
}

function started() {
  const told: string[] = [];
  const heard: string[] = [];
  const engine = scripted(told);
  const predictions = createPredictions({
    engine: async () => engine,
    editorRequest: () => ({}),
    listener: {
      started: (run: Run) => heard.push(`started ${run.number}`),
      event: () => {},
      compared: (run: Run) => heard.push(`compared ${run.number}`),
      ended: (run: Run) => heard.push(`ended ${run.number} ${run.prediction.ending}`),
      discarded: () => heard.push('discarded'),
      setAside: () => heard.push('set aside'),
      broughtBack: (run: Run) => heard.push(`brought back ${run.number}`),
      moved: () => heard.push('moved'),
    },
  });
  return { told, heard, predictions };
}

const output = (run: Run) => run.prediction.output.map((piece) => piece.text).join('');

test('a new prediction cancels the one under way, whose events nobody hears any more', async () => {
  const { heard, predictions } = started();
  const first = predictions.predict(command('wait'));
  const second = predictions.predict(command('b'));
  await Promise.all([first.ended, second.ended]);
  assert.deepEqual(heard, ['started 1', 'started 2', 'ended 2 done']);
});

test('what is thrown becomes a failed ending of one sentence', async () => {
  const { predictions } = started();
  const run = predictions.predict(command('throw'));
  await run.ended;
  assert.equal(run.prediction.ending, 'failed');
  assert.match(run.prediction.endingReason ?? '', /broken/);
});

test('the first of a sequence stands alone until somebody goes on from it; a second try makes the sequence again', async () => {
  const { told, predictions } = started();
  await predictions.predict(command('a')).ended;
  assert.ok(predictions.continueFromHere());
  assert.equal(predictions.position().at(-1)?.leavesIn, '/after');
  const first = predictions.predict(command('b'));
  await first.ended;
  assert.equal(output(first), 'a b');
  assert.deepEqual(told, ['s1 a', 's1 closed', 's2 a', 's2 b']);
  const second = predictions.predict(command('c'));
  await second.ended;
  assert.equal(output(second), 'a c');
  predictions.continueFromHere();
  const next = predictions.predict(command('b'));
  await next.ended;
  assert.equal(output(next), 'a c b');
  assert.deepEqual(told.slice(-2), ['s3 c', 's3 b'], 'it goes on in the session that is there');
  predictions.startOver();
  const third = predictions.predict(command('d'));
  await third.ended;
  assert.equal(output(third), 'd');
  await predictions.dispose();
  for (const session of ['s1', 's2', 's3']) assert.ok(told.includes(`${session} closed`), session);
});

test('with a consent what starts inert programs alone stands alone too', async () => {
  const told: string[] = [];
  const engine = scripted(told);
  const alone: string[] = [];
  const predictions = createPredictions({
    engine: async () => ({
      ...engine,
      predict(request) {
        if (request.action.kind === 'command') alone.push(request.action.script);
        return engine.predict(request);
      },
    }),
    editorRequest: () => ({}),
    consentIn: () => ({ scope: 'all' }) as never,
    listener: {
      ...{ started: () => {}, event: () => {}, ended: () => {}, compared: () => {} },
      ...{ discarded: () => {}, setAside: () => {}, broughtBack: () => {}, moved: () => {} },
    },
  });
  await predictions.predict(command('ls')).ended;
  await predictions.predict(command('make')).ended;
  await predictions.predict(command('ls'), { openGate: true }).ended;
  await predictions.dispose();
  assert.deepEqual(alone, ['ls']);
});

test('starting over takes away what was predicted in the sequence', async () => {
  const { told, predictions } = started();
  await predictions.predict(command('a')).ended;
  predictions.continueFromHere();
  await predictions.predict(command('b')).ended;
  predictions.startOver();
  assert.equal(predictions.current(), undefined);
  assert.equal(predictions.again(), undefined);
  assert.deepEqual(predictions.position(), []);
  assert.ok(told.includes('s1 closed'));
  await predictions.dispose();
});

test('a step of the sequence is gone back to, with the answers that it had; what follows it is left', async () => {
  const { predictions } = started();
  await predictions.predict(command('a')).ended;
  predictions.continueFromHere();
  const asks = predictions.predict(command('ask'));
  predictions.answer('yes');
  await asks.ended;
  predictions.continueFromHere();
  await predictions.predict(command('c')).ended;
  const back = predictions.goToStep(1);
  await back?.ended;
  assert.equal(back && output(back), 'yes\na ask');
  assert.deepEqual(
    back?.position.map(({ action }) => action),
    [command('a')],
  );
  assert.deepEqual(predictions.position(), back?.position);
  assert.equal(predictions.goToStep(1), undefined);
  const first = predictions.goToStep(0);
  await first?.ended;
  assert.equal(first && output(first), 'a');
  assert.deepEqual(predictions.position(), []);
  await predictions.dispose();
});

test('a sequence that is left is no part of what comes next', async () => {
  const { predictions } = started();
  assert.equal(predictions.leaveSequence(), false);
  await predictions.predict(command('a')).ended;
  predictions.continueFromHere();
  assert.equal(predictions.leaveSequence(), true);
  const next = predictions.predict(command('b'));
  await next.ended;
  assert.equal(output(next), 'b');
  await predictions.dispose();
});

test('answers are kept when the same command is predicted again, until they are asked for anew', async () => {
  const { predictions } = started();
  const first = predictions.predict(command('ask'));
  predictions.answer('one');
  await first.ended;
  const typed = predictions.predict(command('ask'));
  assert.equal(typed.answers.kept, 1);
  await typed.ended;
  assert.match(output(typed), /^one/);
  const again = predictions.again();
  await again?.ended;
  assert.match(again ? output(again) : '', /^one/);
  const anew = predictions.again({}, []);
  assert.equal(anew?.answers.kept, 0);
  predictions.answer('two');
  await anew?.ended;
  assert.match(anew ? output(anew) : '', /^two/);
  const other = predictions.predict(command('b'));
  assert.equal(other.answers.kept, 0);
  await other.ended;
  await predictions.dispose();
});

const lastCommit = (script: string): Step => ({
  ...{ action: command(script), openGate: false, whole: false, changedMessages: [], answers: [] },
  ...{ leavesIn: '/', changes: [] },
});

test('what starts from steps of its own is no part of a sequence, and leaves it as it is', async () => {
  const { predictions } = started();
  const apart = predictions.predict(command('b'), {}, undefined, [lastCommit('head')]);
  await apart.ended;
  assert.equal(output(apart), 'head b');
  assert.deepEqual(predictions.position(), []);
  const again = predictions.again();
  await again?.ended;
  assert.equal(again && output(again), 'head b');
  const next = predictions.predict(command('c'));
  await next.ended;
  assert.equal(output(next), 'c');
  // In the midst of a sequence as well.
  predictions.continueFromHere();
  await predictions.predict(command('b'), {}, undefined, [lastCommit('head')]).ended;
  const later = predictions.predict(command('d'));
  await later.ended;
  assert.equal(output(later), 'c d');
  await predictions.dispose();
});

test('what was set aside is not current until it is brought back', async () => {
  const { heard, told, predictions } = started();
  const run = predictions.predict(command('a'));
  await run.ended;
  predictions.setAside();
  assert.equal(predictions.current(), undefined);
  assert.equal(predictions.latest(), run);
  assert.equal(predictions.again(), undefined);
  assert.equal(predictions.continueFromHere(), false);
  predictions.bringBack();
  assert.equal(predictions.current(), run);
  predictions.setAside();
  const next = predictions.predict(command('b'));
  await next.ended;
  predictions.bringBack();
  assert.equal(predictions.current(), next);
  assert.ok(told.includes('s1 closed'));
  assert.deepEqual(
    heard.filter((line) => /aside|back/.test(line)),
    ['set aside', 'brought back 1', 'set aside'],
  );
  await predictions.dispose();
});

test('predicting again after going on starts where the command started', async () => {
  const { predictions } = started();
  await predictions.predict(command('a')).ended;
  predictions.continueFromHere();
  const again = predictions.again();
  await again?.ended;
  assert.ok(again);
  assert.equal(output(again), 'a');
});

test('an answer reaches the program that asks', async () => {
  const { predictions } = started();
  const run = predictions.predict(command('ask'));
  predictions.answer('yes');
  await run.ended;
  assert.equal(output(run), 'yes\nask');
});

test('a quick prediction is stale when it comes out otherwise, and only then', async () => {
  const { predictions } = started();
  const run = predictions.predict(command('a'));
  await run.ended;
  assert.equal(await predictions.isStale(run), false);
  run.prediction.exitCode = 3;
  assert.equal(await predictions.isStale(run), true);
});

test('answers given before they are waited for are not lost, and the end is the end', async () => {
  const answers = createAnswers(['one']);
  answers.type('two');
  answers.end();
  const read: string[] = [];
  for await (const line of answers.stream) read.push(line);
  assert.deepEqual(read, ['one', 'two']);
});

test('marks of shell integration are taken out of the output, colours are not', () => {
  const raw = '\u001b]633;C\u0007\u001b[31mred\u001b[0m\r\n\u001b]633;P;Cwd=/x\u001b\\end';
  assert.equal(withoutMarks(raw), '\u001b[31mred\u001b[0m\r\nend');
});

test('the environment is that of a terminal, not of the extension host', () => {
  const env = terminalEnvironment(
    { PATH: '/bin', VSCODE_PID: '1', ELECTRON_RUN_AS_NODE: '1', OLD: 'x' },
    { added: { NEW: '${env:PATH}:/y', OLD: null }, vscodeVersion: '1.2.3' },
  );
  assert.deepEqual(env, {
    PATH: '/bin',
    NEW: '/bin:/y',
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    TERM_PROGRAM: 'vscode',
    TERM_PROGRAM_VERSION: '1.2.3',
  });
});
