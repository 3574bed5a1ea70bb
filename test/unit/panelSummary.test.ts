import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectRows } from '../../media/later/run/effectRows.ts';
import { realHeadline } from '../../media/later/run/realHeadline.ts';
import { compare } from '../../media/predict/compare.ts';
import { createFileTree, insertChange } from '../../media/predict/fileTree.ts';
import { lossCount, lossHalves, lossWeight } from '../../media/predict/lossGroups.ts';
import { changeSentence, headline } from '../../media/predict/summary.ts';
import { bytes, counted, duration, shownPath } from '../../media/shared/format.ts';
import type { Loss } from '../../src/core/facts/loss.ts';
import { differences } from '../../src/core/prediction/differences.ts';
import type { PredictionEvent } from '../../src/core/prediction/event.ts';
import { emptyPrediction, fold } from '../../src/core/prediction/fold.ts';
import { showCall } from '../../src/core/shell/quoteWord.ts';
import type { Observed } from '../../src/protocol/panelProtocol.ts';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');

function predicted(...events: PredictionEvent[]) {
  const prediction = emptyPrediction({ kind: 'command', script: 'x', shell: 'bash', cwd: '/w' });
  const tree = createFileTree(['/w']);
  for (const event of events) {
    fold(prediction, event);
    const file = prediction.files.at(-1);
    if (event.type === 'file' && file) insertChange(tree, file);
  }
  return { prediction, tree };
}

function lineOf(...events: PredictionEvent[]): string {
  const { prediction, tree } = predicted(...events);
  const { word, sentence, rests } = headline(prediction, tree);
  return plain([word, sentence, rests].filter(Boolean).join(' | '));
}

const done: PredictionEvent = { type: 'done', durationMs: 5 };
const risk = (level: 'safe' | 'caution' | 'danger', reason = ''): PredictionEvent => ({
  ...{ type: 'risk', level, kind: 'limit', fact: { kind: 'limit', limit: 'disk' }, reason, evidence: [] },
});
const file = (path: string, change: 'created' | 'modified' | 'deleted'): PredictionEvent => ({
  type: 'file',
  change: { path, change, type: 'file', mode: '0644', sizeBytes: 1, volatile: false },
  basis: 'rehearsed',
});
const output = (text: string, volatile = false): PredictionEvent => ({
  type: 'output',
  stream: 'stdout',
  text,
  basis: 'rehearsed',
  volatile,
});

test('the verdict line says the worst reason', () => {
  assert.equal(lineOf(risk('caution', 'Meh.'), risk('danger', 'Bad.'), done), 'DANGER | Bad.');
});

test('safe says what would change', () => {
  assert.equal(lineOf(risk('safe'), done), 'SAFE | Changes no file.');
  assert.equal(
    lineOf(risk('safe'), file('/w/a', 'created'), file('/w/b', 'modified'), done),
    'SAFE | Modifies 1 file, creates 1 file.',
  );
  const commits: PredictionEvent = {
    type: 'effect',
    effect: 'git',
    detail: 'commits 2 files to main',
    basis: 'rehearsed',
  };
  assert.equal(
    lineOf(risk('safe'), file('/w/.git/index', 'modified'), commits, done),
    'SAFE | Commits 2 files to main.',
  );
  assert.equal(lineOf(risk('safe'), file('/w/.git/index', 'modified'), done), 'SAFE | Only updates git’s own files.');
});

const fails: PredictionEvent = {
  ...{ type: 'risk', level: 'caution', kind: 'fails', reason: 'Fails.', evidence: [] },
  fact: { kind: 'fails', failure: { of: 'command', exitCode: 1 } },
};

test('what fails, is not known or brings errors has a headline of its own', () => {
  assert.equal(lineOf(risk('safe'), risk('caution', 'Meh.'), fails, done), 'FAILS | Fails. Changes no file.');
  assert.equal(lineOf(fails, risk('danger', 'Bad.'), done), 'DANGER | Bad.');
  assert.equal(lineOf(done), 'UNKNOWN | Changes no file.');
  const unknown: PredictionEvent = {
    ...{ ...fails, kind: 'unknown', reason: 'Nobody knows.' },
    fact: { kind: 'unknown', argv: ['frobnicate'], wasStopped: true },
  };
  assert.equal(lineOf(unknown, done), 'UNKNOWN | Nobody knows.');
  const diagnostic: PredictionEvent = {
    ...{ type: 'diagnostic', path: '/w/a.ts', line: 1, column: 1, message: 'x', source: 'ts' },
    ...{ status: 'new', severity: 'error' },
  };
  assert.match(lineOf(risk('safe'), diagnostic, done), /^1 NEW ERROR \| Changes no file\.$/);
  assert.match(lineOf(risk('safe'), diagnostic, diagnostic, done), /^2 NEW ERRORS \|/);
});

test('an edit is not called safe while language services look at it, nor when they find errors', () => {
  const lineWith = (checked: { newErrors: number; isOpen: boolean }, ...events: PredictionEvent[]) => {
    const { prediction, tree } = predicted(...events);
    return headline(prediction, tree, { checked }).word;
  };
  assert.equal(lineWith({ newErrors: 0, isOpen: true }, risk('safe'), done), 'CHECKING');
  assert.equal(lineWith({ newErrors: 0, isOpen: false }, risk('safe'), done), 'SAFE');
  assert.equal(lineWith({ newErrors: 1, isOpen: true }, risk('safe'), done), '1 NEW ERROR');
  assert.equal(lineWith({ newErrors: 3, isOpen: false }, risk('caution', 'Meh.'), done), '3 NEW ERRORS');
  assert.equal(lineWith({ newErrors: 3, isOpen: false }, risk('danger', 'Bad.'), done), 'DANGER');
});

test('after a real run the headline says what came of it', () => {
  const { prediction, tree } = predicted(risk('safe'), { type: 'exit', code: 0, basis: 'rehearsed' }, done);
  const said = (observed: Observed) => {
    const { word, sentence } = realHeadline(prediction, tree, observed);
    return `${word} | ${sentence}`;
  };
  // What is done is no danger any more; what could not be seen is not called right.
  assert.equal(
    said({ state: 'ended', exitCode: 0, differs: [] }),
    'DONE | It was run for real, and came out as predicted, as far as it could be seen. It changed no file.',
  );
  assert.equal(
    said({ state: 'ended', exitCode: 0, output: [], files: [], differs: [] }),
    'DONE | It was run for real, and came out as predicted. It changed no file.',
  );
  assert.equal(
    said({ state: 'ended', exitCode: 1, differs: ['exitCode', 'output'] }),
    'DIFFERS | The real run: exit code 1 instead of 0, another output.',
  );
});

test('what a real run has cost is said with it, and whether it is kept', () => {
  const loss = (path: string, sizeBytes: number, kind: 'none' | 'unknown' = 'none'): PredictionEvent => ({
    ...{ type: 'loss', path, class: 'untracked', because: { kind: 'untracked' }, why: 'untracked', recoverable: 'no' },
    ...{ sizeBytes, recovery: { kind } },
  });
  const said = (keptLost: number | undefined, ...losses: PredictionEvent[]) => {
    const { prediction, tree } = predicted(risk('danger', 'Bad.'), file('/w/a', 'deleted'), ...losses, done);
    const observed: Observed = { state: 'ended', exitCode: 0, output: [], files: [], differs: [] };
    return plain(realHeadline(prediction, tree, { ...observed, keptLost }).sentence).replace(
      /^.*deleted 1 file\. ?/,
      '',
    );
  };
  assert.equal(said(undefined), '');
  assert.equal(said(undefined, loss('/w/empty', 0)), '');
  assert.equal(said(undefined, loss('/w/a', 3)), '1 file is lost for good.');
  assert.equal(said(0, loss('/w/a', 3), loss('/w/b', 3)), '2 files are lost for good.');
  assert.equal(said(undefined, loss('/w/a', 3, 'unknown')), '1 file may be lost for good.');
  assert.equal(said(1, loss('/w/a', 3)), 'What was lost is kept for a week.');
  assert.equal(said(1, loss('/w/a', 3), loss('/w/b', 3)), '1 of 2 paths that are lost is kept for a week.');
});

test('a real run differs in what was observed and predicted, not in what is volatile or was not seen', () => {
  const { prediction } = predicted(output('a\n'), { type: 'exit', code: 0, basis: 'rehearsed' }, done);
  const terminal = (text: string) => [{ stream: 'terminal' as const, text }];
  assert.deepEqual(differences(prediction, {}), []);
  assert.deepEqual(differences(prediction, { exitCode: 0, output: terminal('a\r\n'), files: [{ agrees: true }] }), []);
  assert.deepEqual(differences(prediction, { exitCode: 1, output: terminal('b\r\n'), files: [{ agrees: false }] }), [
    'exitCode',
    'output',
    'files',
  ]);
  const loose = predicted(output('a\n', true), done).prediction;
  assert.deepEqual(differences(loose, { exitCode: 1, output: terminal('b\r\n') }), []);
});

test('safe is not said before the end, danger is', () => {
  assert.equal(lineOf(risk('safe')), 'PREDICTING | Rehearsing the command on a copy …');
  assert.equal(lineOf(risk('danger', 'Bad.')), 'DANGER | Bad.');
  assert.equal(lineOf({ type: 'progress', text: 'Comparing …' }), 'PREDICTING | Comparing …');
  assert.equal(lineOf({ type: 'asks', prompt: '?' }), 'WAITING | A program waits for your answer.');
});

test('without a verdict nothing is called safe', () => {
  assert.equal(lineOf(done), 'UNKNOWN | Changes no file.');
});

test('what a prediction rests on is said beside the verdict', () => {
  const assumption: PredictionEvent = { type: 'assumption', id: 1, argv: ['npm'], assumed: 'exits 0', why: 'no model' };
  const abstained: PredictionEvent = { type: 'abstained', reason: 'npm was not run.', at: 'npm', durationMs: 1 };
  assert.equal(
    lineOf(assumption, risk('caution', 'Runs code.'), abstained),
    'CAUTION | Runs code. | What one program does is not known',
  );
  assert.equal(lineOf(risk('caution', 'Runs code.'), abstained), 'CAUTION | Runs code. | npm was not run.');
  // Who was really asked said it: that is not unknown.
  const asked: PredictionEvent = { ...assumption, cause: 'looked-at' };
  assert.equal(
    lineOf(asked, risk('caution', 'Fetches it.'), abstained),
    'CAUTION | Fetches it. | Rests on what a server said',
  );
  assert.equal(
    lineOf(asked, { ...assumption, id: 2 }, risk('caution', 'Runs code.'), abstained),
    'CAUTION | Runs code. | What one program does is not known',
  );
  // That something is not known is said once, whether of one program or of several.
  const unknown: PredictionEvent = {
    ...{ type: 'risk', level: 'caution', kind: 'incomplete', reason: 'What npm does is not known.', evidence: [] },
    fact: { kind: 'incomplete', doubt: { kind: 'assumption', argv: ['npm'], assumes: [], unknown: ['output'] } },
  };
  assert.equal(lineOf(assumption, unknown, abstained), 'UNKNOWN | What npm does is not known.');
  const other: PredictionEvent = { ...assumption, id: 2, argv: ['docker'] };
  assert.equal(lineOf(assumption, other, unknown, abstained), 'UNKNOWN | What 2 programs do is not known.');
});

test('what was lost before a prediction was stopped is said first', () => {
  const lost = risk('danger', 'Deletes 1 file.');
  assert.equal(
    lineOf(lost, { type: 'cancelled', durationMs: 1 }),
    'DANGER | Deletes 1 file. | Not predicted to its end',
  );
  const failed = { type: 'failed', code: 'time-limit', message: 'It still ran after 2 s.', durationMs: 1 } as const;
  assert.equal(lineOf(lost, failed), 'DANGER | Deletes 1 file. | It still ran after 2 s.');
});

test('failed and cancelled are sentences, too', () => {
  assert.equal(lineOf({ type: 'failed', code: 'x', message: 'No. Do this.', durationMs: 1 }), 'FAILED | No. Do this.');
  assert.equal(
    lineOf({ type: 'cancelled', durationMs: 1 }),
    'CANCELLED | Stopped before its end. By then it had changed no file.',
  );
});

test('changes are counted in words', () => {
  const tree = createFileTree(['/w']);
  const change = {
    change: 'deleted' as const,
    mode: '0644',
    sizeBytes: 1,
    volatile: false,
    basis: 'rehearsed' as const,
  };
  insertChange(tree, { ...change, path: '/w/a', type: 'directory' });
  assert.equal(plain(changeSentence(tree.all, tree.git)), 'Deletes 1 folder.');
  for (let index = 0; index < 2000; index++) insertChange(tree, { ...change, path: `/w/a/${index}`, type: 'file' });
  assert.equal(plain(changeSentence(tree.all, tree.git)), 'Deletes 2,000 files and 1 folder.');
});

test('numbers, sizes, times, words, paths', () => {
  assert.equal(plain(counted(1, 'file')), '1 file');
  assert.equal(plain(counted(12_480, 'file')), '12,480 files');
  assert.deepEqual([0, 999, 1000, 1250, 99_950, 1e9].map(bytes).map(plain), [
    '0 B',
    '999 B',
    '1 kB',
    '1.3 kB',
    '100 kB',
    '1 GB',
  ]);
  assert.deepEqual([0.2, 5.2, 999, 1200, 125_000].map(duration), ['< 1 ms', '5 ms', '999 ms', '1.2 s', '2 min 5 s']);
  assert.equal(
    showCall(['rm', '-rf', 'a b', "it's", '$X', 'a\nb\u001b']),
    "rm -rf 'a b' 'it'\\''s' '$X' $'a\\nb\\x1b'",
  );
  assert.equal(shownPath('/w/a/b', ['/w']), 'a/b');
  // A name that would be read as another one.
  assert.equal(shownPath('/w/\u202egpj.exe', ['/w']), '⟨U+202E⟩gpj.exe');
  assert.equal(shownPath('/w/a\nb\t.txt', ['/w']), 'a␊b␉.txt');
  assert.equal(shownPath('/wide/a', ['/w'], '/home/ada'), '/wide/a');
  assert.equal(shownPath('/home/ada/x', ['/w'], '/home/ada'), '~/x');
});

test('of several folders a path says in which it is', () => {
  const two = ['/work/quay', '/work/harbour'];
  assert.equal(shownPath('/work/quay/README.md', two), 'quay/README.md');
  assert.equal(shownPath('/work/harbour/README.md', two), 'harbour/README.md');
  assert.equal(shownPath('/work/harbour', two), 'harbour');
  assert.equal(shownPath('/work/else', two), '/work/else');
  // Of the same name none is shortened to it.
  const same = ['/home/ada/one/app', '/srv/app'];
  assert.equal(shownPath('/home/ada/one/app/a', same, '/home/ada'), '~/one/app/a');
  assert.equal(shownPath('/srv/app', same, '/home/ada'), '/srv/app');
  // The inner one comes first.
  assert.equal(shownPath('/w/sub/a', ['/w/sub', '/w']), 'sub/a');
  assert.equal(shownPath('/w/a', ['/w/sub', '/w']), 'w/a');
});

function loss(path: string, recoverable: string, why: string, lines?: number): Loss {
  const recovery: Loss['recovery'] = recoverable === 'no' ? { kind: 'none' } : { kind: 'editor' };
  return {
    path,
    class: 'untracked',
    because: { kind: 'untracked' },
    why,
    recovery,
    recoverable,
    sizeBytes: 100,
    ...(lines === undefined ? {} : { lines }),
  };
}

test('losses are split into gone and recoverable; few are listed, many are grouped and none is cut', () => {
  const few = lossHalves([loss('/w/a', 'no', 'untracked', 3), loss('/w/b', 'yes, from origin/main', 'pushed')], ['/w']);
  assert.deepEqual(
    few.gone.nodes.map(({ label, loss: of }) => [label, of?.path]),
    [['a', '/w/a']],
  );
  assert.equal(few.recoverable.nodes.length, 1);
  const many = lossHalves(
    Array.from({ length: 50_000 }, (_, index) => loss(`/w/${index}`, 'no', index % 2 ? 'untracked' : 'modified', 1)),
    ['/w'],
  );
  assert.deepEqual(
    many.gone.nodes.map(({ children, startsOpen }) => [children.length, startsOpen]),
    [
      [25_000, false],
      [25_000, false],
    ],
  );
  assert.deepEqual(lossWeight(many.gone.totals).map(plain), ['50,000 lines', '5 MB']);
  assert.equal(plain(lossCount([loss('/w/a', 'no', 'x')])), '1 file');
  const empty = { ...loss('/w/empty', 'no', 'x'), sizeBytes: 0 };
  assert.equal(plain(lossCount([loss('/w/a', 'no', 'x'), empty])), '1 file');
  assert.equal(plain(lossCount([empty])), '1 file');
  assert.equal(plain(lossCount([{ ...loss('s', 'no', 'x'), class: 'stash' }, loss('/w/a', 'no', 'x')])), '2 items');
});

test('equal effects are one row', () => {
  const effect = { effect: 'waits' as const, detail: 'sleep 1 s', basis: 'rehearsed' as const };
  assert.deepEqual(
    effectRows([effect, effect, { ...effect, detail: 'sleep 2 s' }]).map(({ times }) => times),
    [2, 1],
  );
});

test('predicted beside observed', () => {
  const { prediction } = predicted(output('now '), output('12:00', true), output('\nend\n'), {
    type: 'exit',
    code: 0,
    basis: 'rehearsed',
  });
  const observed = (text: string, exitCode = 0) => ({
    ...{ state: 'ended' as const, exitCode, output: [{ stream: 'terminal' as const, text }] },
    files: [{ path: '/w/a', agrees: true, detail: 'same content' }],
  });
  const results = (text: string, exitCode = 0) =>
    compare(prediction, observed(text, exitCode)).map(({ result }) => result);
  assert.deepEqual(results('now 12:00\r\nend\r\n'), ['agrees', 'agrees', 'agrees']);
  assert.deepEqual(results('now 12:01\r\nend\r\n'), ['apart', 'agrees', 'agrees']);
  assert.deepEqual(results('now 12:00\r\nEND\r\n', 1), ['differs', 'differs', 'agrees']);
  const [first] = compare(prediction, observed('now 12:00\r\nEND'));
  assert.deepEqual([first?.predicted, first?.observed, first?.sentence], ['end', 'END', 'line 2 is not as predicted']);
  assert.deepEqual(compare(prediction, { state: 'running' }), []);
  const applied = { state: 'ended' as const, isApplied: true, files: [{ path: '/w/a', agrees: true, detail: '' }] };
  assert.deepEqual(
    compare(prediction, applied).map(({ what }) => what),
    ['Files'],
  );
  assert.match(
    realHeadline(prediction, createFileTree([]), applied).sentence,
    /^It was applied, and came out as predicted\./,
  );
  assert.deepEqual(
    compare(prediction, { state: 'lost' }).map(({ result }) => result),
    ['unknown', 'unknown', 'unknown'],
  );
});
