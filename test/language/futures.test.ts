import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { foldAll } from '../../src/core/foretell.ts';
import { toJson } from '../../src/core/prediction/json.ts';
import type { Prediction } from '../../src/core/prediction/prediction.ts';
import { createPainter } from '../../src/core/prediction/text/painter.ts';
import { renderPrediction } from '../../src/core/prediction/text/renderPrediction.ts';
import type { Call } from './promptReading.ts';
import { openWorkbench, printed, type Saying } from './workbench.ts';

/** Several samples of one program: the shell goes on in a branch for each. */

const bench = openWorkbench();

interface Sample {
  exit: number;
  stdout?: string;
  /** Lines of `git status`. */
  status?: string;
}

/** A model whose samples of `node ask.js` are these, in order; other programs print their words. */
function samples(all: readonly Sample[]): Saying {
  let asked = 0;
  let looked = 0;
  return (words, call: Call) => {
    if (call.name === 'read_file') return 'made\n';
    if (words === 'node ask.js') {
      const one = all[asked++ % all.length];
      return printed(one?.stdout ?? '', one?.exit ?? 0);
    }
    if (words.startsWith('git status') && looked < all.length) return printed(all[looked++]?.status ?? '');
    return words.startsWith('git status') ? '' : printed(`${words}\n`);
  };
}

const ask = (script: string) => bench.predict(script, { language: { samples: 3 } });
const relative = (file: string) => path.relative(bench.place.cwd, file);

test('the shell goes on in a branch for each outcome, and each end is counted', async () => {
  fs.mkdirSync(path.join(bench.place.cwd, 'docs'), { recursive: true });
  fs.writeFileSync(path.join(bench.place.cwd, 'docs/notes.txt'), 'never committed\n');
  bench.says(samples([{ exit: 1 }, { exit: 0 }, { exit: 1 }]));
  const { prediction, stdout, files } = await ask('node ask.js && rm -r docs; echo done');
  assert.equal(stdout, 'done\n');
  assert.deepEqual(files, []);
  const ends = prediction.futures?.ends.map(({ count, isShown, programExit, exitCode, files: changed }) => ({
    ...{ count, isShown, programExit, exitCode },
    changed: changed.map((file) => `${file.change} ${relative(file.path)}`).sort(),
  }));
  assert.deepEqual(ends, [
    { count: 2, isShown: true, programExit: 1, exitCode: 0, changed: [] },
    {
      ...{ count: 1, isShown: undefined, programExit: 0, exitCode: 0 },
      changed: ['deleted docs', 'deleted docs/notes.txt'],
    },
  ]);
  assert.deepEqual(prediction.futures?.of, 3);
  assert.deepEqual(prediction.futures?.output, [{ stream: 'stdout', counts: [3] }]);
  assert.deepEqual(
    prediction.futures?.files.map(({ path: file, change, count }) => [relative(file), change, count]),
    [
      ['docs', 'deleted', 1],
      ['docs/notes.txt', 'deleted', 1],
    ],
  );
  // What one sample leads to is lost for good, and that is what the verdict is about.
  assert.equal(prediction.verdict.level, 'danger');
  const [worst] = prediction.verdict.reasons.filter(({ level }) => level === 'danger');
  assert.deepEqual(worst?.inFuture, { count: 1, of: 3, argv: ['node', 'ask.js'] });
  assert.match(worst?.text ?? '', /^In 1 of 3 imagined ends of `node ask\.js`: /);
  const text = renderPrediction(prediction, createPainter(false), { all: true, cwd: bench.place.cwd });
  assert.match(
    text,
    /Several futures[^\n]*\n {2}2 of 3: node ask\.js exits 1: as shown here; exit code 0\n {2}1 of 3: node ask\.js exits 0: `rm -r docs` would run/,
  );
  assert.match(text, /1 of 3: docs is deleted/);
  const json = toJson(prediction, 'x');
  assert.equal(json.futures?.ends.length, 2);
  assert.equal(json.futures?.files.length, 2);
  assert.ok(fs.existsSync(path.join(bench.place.cwd, 'docs/notes.txt')));
});

test('the majority may delete; the end of the others is told as well', async () => {
  bench.says(samples([{ exit: 0 }, { exit: 0 }, { exit: 1 }]));
  const { prediction, files } = await ask('node ask.js && rm -r docs');
  assert.deepEqual(files, ['deleted docs', 'deleted docs/notes.txt']);
  assert.deepEqual(
    prediction.futures?.ends.map(({ count, isShown, exitCode }) => [count, isShown ?? false, exitCode]),
    [
      [2, true, 0],
      [1, false, 1],
    ],
  );
  assert.deepEqual(
    prediction.futures?.files.map(({ count, isShown }) => [count, isShown]),
    [
      [2, true],
      [2, true],
    ],
  );
});

test('samples that print other words and lead to the same end are one future, with each line counted', async () => {
  bench.says(
    samples([
      { exit: 0, stdout: 'same\nyes\n' },
      { exit: 0, stdout: 'same\nno\n' },
      { exit: 0, stdout: 'same\nyes\n' },
    ]),
  );
  const { prediction, stdout } = await ask('node ask.js; echo end');
  assert.equal(stdout, 'same\nyes\nend\n');
  assert.deepEqual(prediction.futures?.ends, []);
  assert.deepEqual(prediction.futures?.output, [{ stream: 'stdout', counts: [3, 2, 3] }]);
});

test('what a program prints decides, where another one reads it', async () => {
  bench.says(
    samples([
      { exit: 0, stdout: 'ready\n' },
      { exit: 0, stdout: 'ready\n' },
      { exit: 0, stdout: 'wait\n' },
    ]),
  );
  const { prediction } = await ask('node ask.js | grep -q ready && touch started');
  assert.deepEqual(
    prediction.futures?.ends.map(({ count, exitCode, files }) => [
      count,
      exitCode,
      files.map(({ path: file }) => relative(file)),
    ]),
    [
      [2, 0, ['started']],
      [1, 1, []],
    ],
  );
});

test('files that only some samples change are counted', async () => {
  bench.says(
    samples([
      { exit: 0, status: '?? a.txt\n' },
      { exit: 0, status: '?? a.txt\n' },
      { exit: 0, status: '?? a.txt\n?? b.txt\n' },
    ]),
  );
  const { prediction } = await ask('node ask.js');
  assert.deepEqual(
    prediction.futures?.files.map(({ path: file, count, isShown }) => [relative(file), count, isShown ?? false]),
    [
      ['a.txt', 3, true],
      ['b.txt', 1, false],
    ],
  );
  assert.equal(prediction.futures?.ends.length, 2);
});

test('where no answer has a majority, what is shown is assumed and each answer is followed', async () => {
  bench.says(samples([{ exit: 0 }, { exit: 1 }, { exit: 2 }]));
  const { prediction } = await ask('node ask.js || exit 7');
  assert.equal(prediction.ending, 'abstained');
  assert.deepEqual(prediction.futures?.ends.map(({ count, exitCode }) => [count, exitCode]).sort(), [
    [1, 0],
    [2, 7],
  ]);
});

test('one answer, or answers that all agree, are one future', async () => {
  bench.says(samples([{ exit: 0 }]));
  const one = await bench.predict('node ask.js');
  assert.equal(one.prediction.futures, undefined);
  bench.says(samples([{ exit: 0 }, { exit: 0 }, { exit: 0 }]));
  const three = await ask('node ask.js; echo end');
  assert.deepEqual(three.prediction.futures?.ends, []);
  assert.deepEqual(three.prediction.futures?.output, [{ stream: 'stdout', counts: [3] }]);
});

test('a later step of a session branches as well, from what the steps before it leave', async () => {
  const { cwd } = bench.place;
  fs.mkdirSync(path.join(cwd, 'docs'), { recursive: true });
  fs.writeFileSync(path.join(cwd, 'docs/notes.txt'), 'never committed\n');
  bench.says(samples([{ exit: 1 }, { exit: 0 }, { exit: 1 }]));
  const session = bench.model.foretell.openSession();
  const scripts = [
    'mkdir -p later && cp docs/notes.txt later && WHERE=later',
    'node other.js; touch between.txt',
    'node ask.js && rm -r "$WHERE"; echo in $WHERE',
  ];
  const predictions: Prediction[] = [];
  for (const script of scripts) {
    const action = { kind: 'command', script, shell: 'bash', cwd } as const;
    const { signal } = new AbortController();
    const language = { ...bench.model.language, samples: 3 };
    const request = { action, env: bench.place.env, workspaceFolders: [cwd], language, signal };
    predictions.push(await foldAll(action, session.predict(request).events));
  }
  const asked = bench.prompts().length;
  await session.close();
  const last = predictions.at(-1);
  assert.deepEqual(
    last?.futures?.ends.map(({ count, isShown, programExit, files: changed }) => ({
      ...{ count, isShown, programExit },
      changed: changed.map((file) => `${file.change} ${relative(file.path)}`).sort(),
    })),
    [
      { count: 2, isShown: true, programExit: 1, changed: [] },
      { count: 1, isShown: undefined, programExit: 0, changed: ['deleted later', 'deleted later/notes.txt'] },
    ],
  );
  assert.equal(last?.output.map(({ text }) => text).join(''), 'in later\n');
  // What was said of the programs before is not asked again for a branch.
  const told = predictions.reduce((sum, { questions }) => sum + questions.length, 0);
  assert.equal(asked, told);
});

test('where the steps before cannot be made again, nothing is said of other samples', async () => {
  const { cwd } = bench.place;
  bench.says(samples([{ exit: 1 }, { exit: 0 }, { exit: 1 }]));
  const session = bench.model.foretell.openSession();
  let last: Prediction | undefined;
  for (const script of [
    'head -c 4 /dev/urandom | od -An -tx1 | tr -d " \\n" | xargs touch',
    'node ask.js && touch made',
  ]) {
    const action = { kind: 'command', script, shell: 'bash', cwd } as const;
    const { signal } = new AbortController();
    const language = { ...bench.model.language, samples: 3 };
    const request = { action, env: bench.place.env, workspaceFolders: [cwd], language, signal };
    last = await foldAll(action, session.predict(request).events);
  }
  await session.close();
  assert.equal(last?.futures, undefined);
});
