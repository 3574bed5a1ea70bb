import assert from 'node:assert/strict';
import { test } from 'node:test';
import { followTyping, pauseMs } from '../../src/host/typedLine/hintWhileTyping.ts';

/** A terminal in which a test types, and answers that it gives when it wants. */
function terminal({ hasPulse = true } = {}) {
  let nowMs = 0;
  let keys = 0;
  let line: string | undefined = '';
  const shown: string[] = [];
  const asked: { line: string; signal: AbortSignal; answer(hint?: string): void }[] = [];
  let reads = 0;
  const typing = followTyping<string>({
    pulse: async () => (hasPulse ? `${keys}` : undefined),
    async line() {
      reads += 1;
      return line;
    },
    ask: (text, signal) => new Promise((resolve) => asked.push({ line: text, signal, answer: resolve })),
    show: (hint, about) => shown.push(hint === undefined ? '-' : `${hint} ${about}`),
    nowMs: () => nowMs,
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    ...{ typing, shown, asked, settled },
    reads: () => reads,
    type(text: string | undefined) {
      line = text;
      keys += 1;
    },
    async after(ms: number) {
      nowMs += ms;
      const next = await typing.look();
      await settled();
      return next;
    },
    async answer(at: number, hint?: string) {
      asked[at]?.answer(hint);
      await settled();
    },
  };
}

test('a line is asked once, after a pause, and what is said of it is gone with the next key', async () => {
  const at = terminal();
  at.type('rm');
  await at.after(0);
  at.type('rm x');
  await at.after(pauseMs - 1);
  await at.after(pauseMs - 1);
  assert.equal(at.asked.length, 0);
  await at.after(1);
  await at.after(1_000);
  assert.deepEqual(
    at.asked.map(({ line }) => line),
    ['rm x'],
  );
  await at.answer(0, 'danger');
  await at.after(1_000);
  assert.deepEqual(at.shown, ['danger rm x']);
  at.type('rm xy');
  await at.after(1);
  assert.deepEqual(at.shown, ['danger rm x', '-']);
  // The same line again needs no other prediction.
  at.type('rm x');
  await at.after(1);
  assert.deepEqual(at.shown.at(-1), 'danger rm x');
  assert.equal(at.asked.length, 1);
});

test('what was asked of a line that is another one by now is given up, and shown nowhere', async () => {
  const at = terminal();
  at.type('rm x');
  await at.after(0);
  await at.after(pauseMs);
  at.type('rm xy');
  await at.after(1);
  assert.equal(at.asked[0]?.signal.aborted, true);
  await at.answer(0, 'danger');
  // A key was pressed, and nobody has looked since.
  await at.after(pauseMs);
  at.type('rm');
  await at.answer(1, 'danger');
  assert.deepEqual(at.shown, []);
});

test('nothing is said of an empty line, and what was said before a command ran is forgotten', async () => {
  const at = terminal();
  at.type('  ');
  await at.after(0);
  await at.after(pauseMs);
  assert.equal(at.asked.length, 0);
  at.type('ls');
  await at.after(0);
  await at.after(pauseMs);
  await at.answer(0, 'safe');
  // A program runs.
  at.type(undefined);
  await at.after(1);
  at.type('ls');
  await at.after(1);
  assert.deepEqual(at.shown, ['safe ls', '-']);
  await at.after(pauseMs);
  assert.equal(at.asked.length, 2);
});

test('a line of which there is nothing to say is not asked again', async () => {
  const at = terminal();
  at.type('for f');
  await at.after(0);
  await at.after(pauseMs);
  await at.answer(0);
  await at.after(1_000);
  assert.equal(at.asked.length, 1);
  assert.deepEqual(at.shown, []);
});

test('a shell that has not run since is not looked into, and is looked at less often after a while', async () => {
  const at = terminal();
  at.type('ls');
  const first = await at.after(0);
  const reads = at.reads();
  for (let looks = 0; looks < 5; looks += 1) await at.after(10);
  assert.equal(at.reads(), reads);
  assert.ok((await at.after(60_000)) > first);
  // Where that cannot be told, the line is read each time.
  const other = terminal({ hasPulse: false });
  for (let looks = 0; looks < 5; looks += 1) await other.after(10);
  assert.equal(other.reads(), 5);
});

test('a look that was begun before it rests shows nothing afterwards', async () => {
  const at = terminal();
  at.type('ls');
  await at.after(0);
  await at.after(pauseMs);
  await at.answer(0, 'safe');
  at.typing.rest();
  const looking = at.typing.look();
  at.typing.rest();
  await looking;
  assert.deepEqual(at.shown, ['safe ls', '-']);
});

test('what rests is not shown, and comes back for the same line', async () => {
  const at = terminal();
  at.type('ls');
  await at.after(0);
  await at.after(pauseMs);
  await at.answer(0, 'safe');
  at.typing.rest();
  await at.after(5_000);
  assert.deepEqual(at.shown, ['safe ls', '-', 'safe ls']);
  assert.equal(at.asked.length, 1);
});
