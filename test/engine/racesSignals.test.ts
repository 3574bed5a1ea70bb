import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { foldAll } from '../../src/core/foretell.ts';
import type { Prediction } from '../../src/core/prediction/prediction.ts';
import { byEachEngine, type Made } from '../byEachEngine.ts';

/** Whether a process has ended by itself before another one of the command signals it is chance, where nothing makes one wait for the other. */

const starts = (code: string, rest: string) =>
  `node -e 'const c = require("child_process").spawn("sh", ["-c", ${JSON.stringify(code)}], { stdio: "inherit" }); ${rest}; c.on("exit", (n, s) => console.log(n, s))'`;

async function predictIn({ foretell, folder, workspace }: Made, script: string, openGate = false): Promise<Prediction> {
  const env = { PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`, HOME: folder };
  const action = { kind: 'command', script, shell: 'bash', cwd: workspace({ log: 'a\n' }) } as const;
  const { events, view } = foretell.predict({ action, env, openGate, signal: new AbortController().signal });
  const prediction = await foldAll(action, events);
  await view.close();
  return prediction;
}

const claims = ({ output }: Prediction) =>
  output.flatMap(({ volatile, text = '' }) => (volatile ? [] : [text])).join('');

byEachEngine('races-signals', (made) => {
  for (const script of [
    'echo said & kill $!; wait $!; echo $?',
    'cat log > copy & kill $!; wait; cat copy 2>/dev/null',
    'sh -c "echo said; sleep 0" & kill -9 $!; wait $! 2>/dev/null; echo $?',
    'wc -l < log & kill -0 $! 2>/dev/null && echo there || echo gone',
    '(trap "echo told; exit" USR1; cat log) & kill -USR1 $!; wait $!; echo $?',
    'set -m; (sort log; echo said) & kill -- -$!; wait $! 2>/dev/null; echo $?',
    '(sort log; echo said) & pkill -P $$; wait $! 2>/dev/null; echo $?',
    // Who signals comes to it long after the other one has started a program of its own.
    'set -m; (sort log; echo said) & for ((i = 0; i < 50000; i++)); do :; done; kill -- -$!; wait $! 2>/dev/null; echo $?',
    'mkfifo go; (read < go; sort log; echo said) & echo > go; for ((i = 0; i < 50000; i++)); do :; done; kill $!; wait $! 2>/dev/null; echo $?',
  ]) {
    test(`chance: ${script}`, async () => {
      const prediction = await predictIn(made, script);
      const isOpen = prediction.ending === 'abstained' || prediction.files.some(({ volatile }) => volatile);
      assert.ok(isOpen || claims(prediction) === '', JSON.stringify(prediction.output));
    });
  }

  for (const [name, script] of [
    ['node', starts('echo said', 'c.kill()')],
    [
      'python',
      'python3 -c \'import subprocess as s; p = s.Popen(["sh", "-c", "echo said"]); p.kill(); print(p.wait())\'',
    ],
  ] as const) {
    test(`chance, from ${name}`, async () => {
      const prediction = await predictIn(made, script, true);
      assert.ok(
        prediction.ending === 'abstained' || !/said|0|9|SIG/.test(claims(prediction)),
        JSON.stringify(prediction.output),
      );
    });
  }

  for (const [script, certain] of [
    ['sleep 60 & kill $!; wait $!; echo $?', '143\n'],
    ['echo said & wait $!; kill $! 2>/dev/null || echo gone', 'said\ngone\n'],
    ['sh -c "echo said; kill -9 $$"', 'said\n'],
    ['sleep 60 & kill -0 $! && echo there; kill $!', 'there\n'],
    ['(echo said) & sleep 1; kill $! 2>/dev/null; true', 'said\n'],
  ] as const) {
    test(`certain: ${script}`, async () => {
      const prediction = await predictIn(made, script);
      assert.equal(prediction.ending, 'done', prediction.endingReason);
      assert.equal(claims(prediction), certain, JSON.stringify(prediction.output));
    });
  }
  for (const script of ['sleep 60 & kill $!', 'sleep 60 & sleep 60 & kill %1 %2', 'sleep 60 & kill -HUP $!; echo said'])
    test(`what a signal has ended is not left running: ${script}`, async () => {
      const { effects } = await predictIn(made, script);
      assert.deepEqual(
        effects.filter(({ fact }) => fact?.kind === 'leavesRunning'),
        [],
      );
    });

  test('certain where one run ends it before it has begun the program', async () => {
    const { foretell, folder, workspace } = made;
    const cwd = workspace({ log: 'a\n' });
    const action = {
      kind: 'command',
      script: "node -e 'setTimeout(() => {}, 50000)' & kill $!; wait $!; echo $?",
      shell: 'bash',
      cwd,
    } as const;
    const env = { PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`, HOME: folder };
    const consent = { folder: cwd, programs: 'all' } as const;
    const { events, view } = foretell.predict({ action, env, consent, signal: new AbortController().signal });
    const prediction = await foldAll(action, events);
    await view.close();
    assert.deepEqual([prediction.ending, claims(prediction)], ['done', '143\n'], prediction.endingReason);
  });
  test('certain, from node', async () => {
    const prediction = await predictIn(made, starts('sleep 60', 'c.kill()'), true);
    assert.equal(prediction.ending, 'done', prediction.endingReason);
    assert.equal(claims(prediction), 'null SIGTERM\n');
  });
});
