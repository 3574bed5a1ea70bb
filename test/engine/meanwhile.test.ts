import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { CommandAction } from '../../src/core/action/action.ts';
import { foldAll } from '../../src/core/foretell.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

/** What somebody else does to the real files during a run is not said of the command, and not kept quiet. */

const { foretell, folder } = throwAwayForetell('meanwhile');

/** `node wait.js` stands for the time that a run takes: while it is asked about, `other` happens on the machine. */
async function predict(script: string, other: (place: string, turn: number) => void) {
  const place = fs.mkdtempSync(path.join(folder, 'w-'));
  fs.mkdirSync(path.join(place, 'd'));
  fs.writeFileSync(path.join(place, 'd/old'), 'old\n');
  fs.writeFileSync(path.join(place, 'f'), 'first\n');
  let turn = 0;
  const action: CommandAction = { kind: 'command', script, shell: 'bash', cwd: place };
  const env = { PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`, HOME: '/nonexistent', LC_ALL: 'C.UTF-8' };
  const handOver = async () => {
    turn += 1;
    other(place, turn);
    return {
      ...{ stdout: new Uint8Array(), stderr: new Uint8Array(), exitCode: 0, changes: [] },
      basis: 'imagined' as const,
    };
  };
  const { events, view } = foretell.predict({
    action,
    env,
    handOver,
    hash: true,
    signal: new AbortController().signal,
  });
  try {
    const prediction = await foldAll(action, events);
    const files = prediction.files.map((file) => `${file.change} ${path.relative(place, file.path)}`);
    return { prediction, files };
  } finally {
    await view.close();
  }
}

// Another number each time, so that it is asked about in every run.
const wait = 'node wait.js $RANDOM$RANDOM';
const doubt = /^Somebody else changed \S+ while this was predicted; predict again\.$/;

test('a file that somebody else makes in a folder that is replaced is not called deleted', async () => {
  const { prediction, files } = await predict(`rm -rf d; mkdir d; ${wait}`, (place, turn) =>
    fs.writeFileSync(path.join(place, `d/new${turn}`), 'x'),
  );
  // What came between the two runs was there in the second one, and would be deleted.
  assert.deepEqual(
    files.filter((one) => !/new1$/.test(one)),
    ['deleted d/old'],
  );
  assert.equal(prediction.ending, 'abstained');
  assert.match(prediction.endingReason ?? '', doubt);
});

test('a file that somebody else makes in a folder that is deleted is not called deleted', async () => {
  const { prediction, files } = await predict(`rm -rf d; ${wait}`, (place, turn) =>
    fs.writeFileSync(path.join(place, `d/new${turn}`), 'x'),
  );
  assert.ok(files.includes('deleted d/old') && !files.some((one) => /new2$/.test(one)), files.join());
  assert.match(prediction.endingReason ?? '', doubt);
});

test('a file that somebody else writes while the command does is said to be unsure', async () => {
  const { prediction, files } = await predict(`echo more >> f; ${wait}`, (place, turn) =>
    fs.writeFileSync(path.join(place, 'f'), `other ${turn}\n`),
  );
  assert.deepEqual(files, ['modified f']);
  assert.equal(prediction.files[0]?.volatile, true);
  assert.match(prediction.endingReason ?? '', doubt);
});

test('a file whose time alone the command changes, and that somebody else writes, is not claimed', async () => {
  const { prediction } = await predict(`touch f; ${wait}`, (place, turn) =>
    fs.writeFileSync(path.join(place, 'f'), `other ${turn}\n`),
  );
  assert.match(prediction.endingReason ?? '', doubt);
});

test('a file that somebody else deletes while the command does is said to be unsure', async () => {
  const { prediction } = await predict(`rm f; ${wait}`, (place, turn) => {
    if (turn === 2) fs.rmSync(path.join(place, 'f'));
  });
  assert.match(prediction.endingReason ?? '', doubt);
});

test('what somebody else does elsewhere is nobody’s business', async () => {
  const { prediction, files } = await predict(`echo more >> f; mkdir e; ${wait}`, (place, turn) => {
    fs.writeFileSync(path.join(place, `d/new${turn}`), 'x');
    fs.rmSync(path.join(place, 'd/old'), { force: true });
  });
  assert.deepEqual(files, ['created e', 'modified f']);
  assert.equal(prediction.ending, 'done');
});

test('what was written just before is not taken for something later', async () => {
  for (let turn = 0; turn < 5; turn += 1) {
    const { prediction } = await predict('echo more >> f; rm -rf d; mv f g', () => {});
    assert.equal(prediction.ending, 'done', prediction.endingReason);
  }
});
