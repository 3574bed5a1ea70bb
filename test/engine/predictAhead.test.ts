import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { CommandAction } from '../../src/core/action/action.ts';
import type { Foretell, ForetellRequest } from '../../src/core/foretell.ts';
import { createPredictions, type PredictionsOptions } from '../../src/host/predict/predictions.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

/** What is selected is predicted before anybody asks. Whoever asks gets that only where a prediction made now would be the same. */

const { foretell, folder, workspace } = throwAwayForetell('predict-ahead', { spareLaunchers: 2 });
const env = { PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`, HOME: folder };
/** What was changed less than a clock tick of the file system before a run may have been changed during it. */
const settle = (ms = 60) => new Promise((resolve) => setTimeout(resolve, ms));

/** A window in `place`; `begun`: the requests that the engine got. */
function windowIn(place: string, options: Partial<PredictionsOptions> = {}) {
  const begun: ForetellRequest[] = [];
  const ended: Promise<void>[] = [];
  const counting: Foretell = {
    ...foretell,
    predict(request) {
      begun.push(request);
      const prediction = foretell.predict(request);
      let over = () => {};
      ended.push(new Promise((resolve) => (over = resolve)));
      async function* events() {
        try {
          yield* prediction.events;
        } finally {
          over();
        }
      }
      return { ...prediction, events: events() };
    },
  };
  const predictions = createPredictions({
    engine: async () => counting,
    editorRequest: () => ({ env, workspaceFolders: [place], trusted: true }),
    listener: {
      ...{ started: () => {}, event: () => {}, ended: () => {}, compared: () => {} },
      ...{ discarded: () => {}, setAside: () => {}, broughtBack: () => {}, moved: () => {} },
    },
    ...options,
  });
  const action = (script: string): CommandAction => ({ kind: 'command', script, shell: 'bash', cwd: place });
  return {
    begun,
    predictions,
    action,
    /** Selects it, and waits until its prediction is there. */
    async select(script: string) {
      const before = ended.length;
      predictions.lookAhead(action(script));
      while (ended.length === before) await settle(5);
      await ended.at(-1);
      await settle(20);
    },
    async ask(script: string, way = {}) {
      const run = predictions.predict(action(script), way);
      await run.ended;
      const text = run.prediction.output.map((piece) => piece.text ?? '').join('');
      return { ...run.prediction, text, view: run.view };
    },
  };
}

test('who asks for what was selected gets the prediction that is there, with its diffs', async () => {
  const place = workspace({ 'a.txt': 'one\n' });
  await settle();
  const { begun, select, ask, predictions } = windowIn(place);
  await select('echo two >> a.txt; cat a.txt');
  const { text, ending, files, view } = await ask('echo two >> a.txt; cat a.txt');
  assert.deepEqual([text, ending, files.map(({ change }) => change)], ['one\ntwo\n', 'done', ['modified']]);
  const after = await view?.read(path.join(place, 'a.txt'), 'after');
  assert.equal(Buffer.from(after ?? []).toString(), 'one\ntwo\n');
  assert.equal(begun.length, 1, 'it was made once');
  await ask('echo two >> a.txt; cat a.txt');
  assert.equal(begun.length, 2, 'and is handed over once');
  await predictions.dispose();
});

test('who asks for something else is told that', async () => {
  const place = workspace({ 'a.txt': 'one\n' });
  await settle();
  const { begun, select, ask, predictions } = windowIn(place);
  await select('cat a.txt');
  assert.equal((await ask('wc -l a.txt')).text, '1 a.txt\n');
  assert.equal(begun.length, 2);
  assert.ok(begun[0]?.signal.aborted, 'what nobody asked for is over');
  await predictions.dispose();
});

const git = (place: string, ...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: place, stdio: 'pipe' });

const changes: [string, string, (place: string) => void][] = [
  ['a file that it reads', 'cat a.txt', (place) => fs.writeFileSync(path.join(place, 'a.txt'), 'two\n')],
  ['a file that it does not name', 'grep -r t .', (place) => fs.writeFileSync(path.join(place, 'd/b.txt'), 'third\n')],
  ['a file that is new', 'ls', (place) => fs.writeFileSync(path.join(place, 'new'), '')],
  ['what git has', 'rm a.txt', (place) => void git(place, 'commit', '-qam', 'Second')],
  ['who may read a file', 'ls -l a.txt', (place) => fs.chmodSync(path.join(place, 'a.txt'), 0o600)],
  ['a program', './tool.sh', (place) => fs.writeFileSync(path.join(place, 'tool.sh'), '#!/bin/sh\necho new\n')],
];

for (const [what, script, change] of changes) {
  test(`it is made anew where something changed: ${what}`, async () => {
    const place = workspace({ 'a.txt': 'one\n', 'd/b.txt': 'two\n', 'tool.sh': '#!/bin/sh\necho old\n' });
    git(place, 'init', '-q');
    git(place, 'add', '-A');
    git(place, 'commit', '-qm', 'First');
    fs.writeFileSync(path.join(place, 'a.txt'), 'changed\n');
    await settle();
    const { begun, select, ask, predictions } = windowIn(place);
    await select(script);
    change(place);
    const told = await ask(script);
    const again = await ask(script);
    assert.deepEqual(
      [told.text, told.loss, told.files, told.verdict],
      [again.text, again.loss, again.files, again.verdict],
    );
    assert.equal(begun.length, 3);
    await predictions.dispose();
  });
}

test('what still runs is handed over as it is, and cancelled with whoever asked', async () => {
  const place = workspace({ 'a.txt': 'one\n' });
  const { begun, action, predictions } = windowIn(place);
  predictions.lookAhead(action('cat a.txt; tail -f a.txt'));
  while (begun.length === 0) await settle(5);
  const run = predictions.predict(action('cat a.txt; tail -f a.txt'));
  await settle(300);
  predictions.cancel();
  await run.ended;
  assert.equal(run.prediction.ending, 'cancelled');
  assert.equal(begun.length, 1);
  await predictions.dispose();
});

/** A window with a terminal, in which programs can ask. */
function windowThatAsks() {
  const place = workspace({ 'a.txt': 'one\n' });
  const terminal = { columns: 80, rows: 24 };
  return windowIn(place, { editorRequest: () => ({ env, workspaceFolders: [place], terminal }) });
}

test('what asks is begun anew, and answered', async () => {
  const { begun, select, action, predictions } = windowThatAsks();
  await select('read -p "Name? " n; echo "hello $n"');
  const run = predictions.predict(action('read -p "Name? " n; echo "hello $n"'));
  predictions.answer('Ada');
  await run.ended;
  assert.match(run.prediction.output.map(({ text }) => text).join(''), /hello Ada/);
  assert.equal(begun.length, 2);
  await predictions.dispose();
});

test('what still runs when somebody asks can be answered', async () => {
  const { begun, action, predictions } = windowThatAsks();
  const script = 'sleep 1; read -p "Name? " n; echo "hello $n"';
  predictions.lookAhead(action(script));
  while (begun.length === 0) await settle(5);
  const run = predictions.predict(action(script));
  predictions.answer('Ada');
  await run.ended;
  assert.match(run.prediction.output.map(({ text }) => text).join(''), /hello Ada/);
  assert.equal(begun.length, 1);
  await predictions.dispose();
});

test('nothing that needs consent, a look or a model happens before somebody asks', async () => {
  const place = workspace({ 'a.txt': 'one\n', 'app.js': 'console.log(6 * 7)' });
  await settle();
  const consent = { folder: place, programs: 'all' } as const;
  const { begun, select, ask, predictions } = windowIn(place, {
    consentIn: () => consent,
    looksIn: () => ['localhost'],
    editorRequest: () => ({ env, workspaceFolders: [place], trusted: true, language: { model: 'none' } as never }),
  });
  await select('cat a.txt');
  assert.equal((await ask('cat a.txt')).text, 'one\n');
  assert.equal(begun.length, 1, 'where nothing of it could have said more it is the same');
  await select('node app.js');
  const [, before] = begun;
  assert.deepEqual([before?.consent, before?.looks, before?.language], [undefined, [], undefined]);
  predictions.discard();
  await predictions.dispose();
});

test('with a consent, what it lets run is run when somebody asks', async () => {
  const place = workspace({ 'app.js': 'console.log(6 * 7)' });
  await settle();
  const consent = { folder: place, programs: 'all' } as const;
  const { select, ask, predictions } = windowIn(place, { consentIn: () => consent });
  await select('node app.js');
  assert.equal((await ask('node app.js')).text, '42\n');
  await predictions.dispose();
});

test('what somebody changes while it runs for a long time is read', async () => {
  const place = workspace({ 'a.txt': 'one\n' });
  await settle();
  const { begun, ask, predictions, action } = windowIn(place);
  const script = 'cat a.txt; for ((i = 0; i < 400000; i++)); do :; done';
  predictions.lookAhead(action(script));
  while (begun.length === 0) await settle(5);
  await settle(400);
  fs.writeFileSync(path.join(place, 'a.txt'), 'two\n');
  const { text } = await ask(script);
  assert.deepEqual([text, begun.length], ['two\n', 2]);
  await predictions.dispose();
});
