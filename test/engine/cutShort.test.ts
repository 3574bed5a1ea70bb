import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldAll } from '../../src/core/foretell.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

/** What a run has printed and written that a limit ended: the check runs with another clock and other process numbers. */

const { foretell, workspace } = throwAwayForetell('cut-short');
const endless = 'while :; do :; done';

async function predicted(script: string) {
  const cwd = workspace({ 'a.txt': 'a\n' });
  const action = { kind: 'command' as const, script, shell: 'bash' as const, cwd };
  const limits = { wallMs: 1_500 };
  const { events, view } = foretell.predict({ action, limits, signal: new AbortController().signal });
  const prediction = await foldAll(action, events);
  await view.close();
  assert.equal(prediction.ending, 'failed', script);
  const text = (volatile: boolean) =>
    prediction.output
      .filter((piece) => (piece.volatile === true) === volatile)
      .map((piece) => piece.text)
      .join('');
  const marks = prediction.output.map((piece) => piece.volatile === true);
  return { files: prediction.files, sure: text(false), unsure: text(true), marks };
}

test('times and process numbers that it printed are marked', async () => {
  const { sure, unsure } = await predicted(`date +%F; echo hi; echo $$; ${endless}`);
  assert.equal(sure, 'hi\n');
  assert.match(unsure, /^\d+-\d+-\d+\n\d+\n$/);
});

test('so is what it wrote', async () => {
  const { files } = await predicted(`date > now; echo hi > plain; ${endless}`);
  assert.deepEqual(
    files.map(({ path, volatile }) => [path.split('/').at(-1), volatile]),
    [
      ['now', true],
      ['plain', false],
    ],
  );
});

test('what does not depend on the moment is not', async () => {
  // So little is printed that the time ends it, and never its length, however fast the machine.
  const { sure, marks } = await predicted('seq 1 10000000000 | grep 0000');
  assert.match(sure, /^10000\n20000\n/);
  // How far it came within that time is all that varies.
  assert.ok(marks.indexOf(true) < 0 || !marks.slice(marks.indexOf(true)).includes(false), String(marks));
});
