import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { foldAll } from '../../src/core/foretell.ts';
import type { FactEvent } from '../../src/core/prediction/factEvent.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

/** Commands that ask at a terminal, and what is typed. */

const { foretell, workspace } = throwAwayForetell('answers');

async function predicted(script: string, answers: readonly string[]) {
  const cwd = workspace({ 'a.txt': 'a\n' });
  const action = { kind: 'command' as const, script, shell: 'bash' as const, cwd };
  const events: FactEvent[] = [];
  let at = 0;
  async function* typed() {
    for (const answer of answers) {
      at += 1;
      yield answer;
    }
  }
  const terminal = { columns: 80, rows: 24 };
  const request = { action, terminal, answers: typed(), signal: new AbortController().signal };
  const { events: told, view } = foretell.predict(request);
  const prediction = await foldAll(action, told, (event) => events.push(event as FactEvent));
  await view.close();
  const text = (volatile: boolean) =>
    prediction.output
      .filter((piece) => (piece.volatile === true) === volatile)
      .map((piece) => piece.text)
      .join('');
  const asked = events.flatMap((event) => (event.type === 'asks' ? [event.prompt] : []));
  return { prediction, events, cwd, asked, sure: text(false), unsure: text(true), typed: at };
}

for (const [script, answers, asked, printed] of [
  ['read -p "name? " n; echo "<$n>"', ['bob\n'], ['name? '], 'name? bob\r\n<bob>\r\n'],
  ['read n; echo "<$n>"', ['bob\n'], [''], 'bob\r\n<bob>\r\n'],
  [
    'printf "first\\na? "; read a; printf "b? "; read b; echo "$b $a"',
    ['1\n', '2\n'],
    ['a? ', 'b? '],
    'first\r\na? 1\r\nb? 2\r\n2 1\r\n',
  ],
  ['read -p "x " n; echo "$n" > f; cat f', ['y\n'], ['x '], 'x y\r\ny\r\n'],
  ['read -p "x " n; rm a.txt; ls -la > g; stat -c %U g', ['y\n'], ['x '], undefined],
] as const)
  test(`what is printed behind an answer is told: ${script}`, async () => {
    const one = await predicted(script, answers);
    assert.equal(one.prediction.ending, 'done', one.prediction.endingReason);
    assert.deepEqual(one.asked, asked);
    assert.equal(one.typed, answers.length, 'nobody is asked twice');
    if (printed !== undefined) assert.deepEqual([one.sure, one.unsure], [printed, '']);
    else assert.match(one.sure, /^x y\r\n\w+\r\n$/);
    assert.equal(fs.readFileSync(path.join(one.cwd, 'a.txt'), 'utf8'), 'a\n');
  });

test('what was printed before a question is the word of the real clock, and what varies is marked', async () => {
  const before = new Date();
  const { prediction, sure, unsure } = await predicted('date +%F; read -p "sure? " n; echo $$; touch new', ['y\n']);
  assert.equal(prediction.ending, 'done', prediction.endingReason);
  const day = (date: Date) =>
    [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((n) => `${n}`.padStart(2, '0')).join('-');
  assert.ok(
    [day(before), day(new Date())].some((one) => unsure.startsWith(one)),
    unsure,
  );
  assert.match(unsure, /\d+\r\n$/);
  assert.equal(sure, 'sure? y\r\n');
});

test('while it asks, what was printed so far can be watched', async () => {
  const { events } = await predicted('printf "one\\ntwo\\nwhich? "; read n; echo "$n"', ['1\n']);
  const at = events.findIndex(({ type }) => type === 'asks');
  const shown = events.slice(0, at).flatMap((event) => (event.type === 'progress' ? [event.printed] : []));
  assert.equal(shown.at(-1), 'one\r\ntwo\r\nwhich? ');
});
