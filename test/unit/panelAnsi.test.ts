import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contrast, parseColour, readable } from '../../media/shared/contrast.ts';
import { createScreen, lineRuns, plainText, takeChangedFrom, writeText } from '../../src/core/action/terminalScreen.ts';

function shown(...texts: string[]): string {
  const screen = createScreen();
  for (const text of texts) writeText(screen, text);
  return plainText(screen);
}

function runs(text: string) {
  const screen = createScreen();
  writeText(screen, text);
  return lineRuns(screen, 0).map(({ text: words, style: { mark: _, ...style } }) => [words, style]);
}

test('lines end with \\n and with \\r\\n alike', () => {
  assert.equal(shown('a\nb\r\nc'), 'a\nb\nc');
});

test('a carriage return overwrites what stands there', () => {
  assert.equal(shown('10 %\r100 %'), '100 %');
  assert.equal(shown('progress 55 %\rdone\u001b[K\n'), 'done\n');
});

test('backspace and tabs move as in a terminal', () => {
  assert.equal(shown('ab\b\bX'), 'Xb');
  assert.equal(shown('a\tb\n1234567\t8'), 'a       b\n1234567 8');
});

test('the cursor moves up and down, and erases', () => {
  assert.equal(shown('one\ntwo\nthree\u001b[2A\r\u001b[2Kfirst'), 'first\ntwo\nthree');
  assert.equal(shown('abcdef\u001b[3D\u001b[P'), 'abcef');
  assert.equal(shown('abc\u001b[2D\u001b[2@'), 'a  bc');
  assert.equal(shown('a\nb\u001b[2J\u001b[Hc'), 'c');
  assert.equal(shown('one\ntwo\u001b[A\r\u001b[J'), '');
  assert.equal(shown('abc\u001b[1;2HX'), 'aXc');
});

test('a number of a stranger makes no million lines', () => {
  const screen = createScreen();
  writeText(screen, 'a\u001b[999999999Bb\u001b[999999999Cc');
  assert.ok(screen.lines.length < 1000);
});

test('titles, links and modes are dropped, their text stays', () => {
  assert.equal(
    shown('\u001b]0;title\u0007a\u001b]8;;https://example.com\u001b\\link\u001b]8;;\u001b\\\u001b[?25l!'),
    'alink!',
  );
  assert.equal(shown('\u001bP1$r0m\u001b\\x\u001b(By\u0007z'), 'xyz');
});

test('a sequence cut between two pieces is put together', () => {
  assert.equal(shown('a\u001b', '[31', 'mb'), 'ab');
  assert.equal(shown('a\u001b]0;ti', 'tle\u0007b'), 'ab');
});

test('an endless sequence does not swallow the rest for ever', () => {
  assert.ok(shown(`\u001b]0;${'x'.repeat(10_000)}`, '\nshown').endsWith('shown'));
});

test('colours of the palette, of 256 and of all', () => {
  assert.deepEqual(runs('\u001b[31mred\u001b[0m plain \u001b[1;94mblue'), [
    ['red', { foreground: 1 }],
    [' plain ', {}],
    ['blue', { bold: true, foreground: 12 }],
  ]);
  assert.deepEqual(runs('\u001b[38;5;208ma\u001b[48;2;1;2;3mb'), [
    ['a', { foreground: '#ff8700' }],
    ['b', { foreground: '#ff8700', background: '#010203' }],
  ]);
  assert.deepEqual(runs('\u001b[38:2::120:200:255ma\u001b[39;38:5:9mb\u001b[38;5;244mc'), [
    ['a', { foreground: '#78c8ff' }],
    ['b', { foreground: 9 }],
    ['c', { foreground: '#808080' }],
  ]);
});

test('a colour out of range is no colour', () => {
  assert.deepEqual(runs('\u001b[38;5;999ma\u001b[38;2;300;0;0mb\u001b[38mc'), [['abc', {}]]);
});

test('attributes come and go', () => {
  assert.deepEqual(runs('\u001b[4;7;9mx\u001b[24;27my\u001b[29;4:0mz'), [
    ['x', { underline: true, inverse: true, strike: true }],
    ['y', { strike: true }],
    ['z', {}],
  ]);
});

test('overwriting a coloured line keeps the colours of what stays', () => {
  assert.deepEqual(runs('\u001b[31mabcd\r\u001b[0mXY'), [
    ['XY', {}],
    ['cd', { foreground: 1 }],
  ]);
});

test('only changed lines are reported', () => {
  const screen = createScreen();
  writeText(screen, 'a\nb\n');
  assert.equal(takeChangedFrom(screen), 0);
  writeText(screen, 'c');
  assert.equal(takeChangedFrom(screen), 2);
  assert.equal(takeChangedFrom(screen), 3);
});

test('a megabyte is read in time', () => {
  const screen = createScreen();
  writeText(screen, '\u001b[32mok\u001b[0m some words of a log file that is long\n'.repeat(20_000));
  assert.equal(screen.lines.length, 20_001);
});

test('colours become readable and stay what they are where they are', () => {
  const white = [255, 255, 255] as const;
  assert.deepEqual(readable([0, 0, 0], white), [0, 0, 0]);
  assert.ok(contrast(readable([59, 142, 234], white), white) >= 4.5);
  assert.ok(contrast(readable([0, 0, 128], [10, 10, 10]), [10, 10, 10]) >= 4.5);
  assert.deepEqual(parseColour('#0af'), [0, 170, 255]);
  assert.deepEqual(parseColour('#01020380'), [1, 2, 3]);
  assert.deepEqual(parseColour('rgba(1, 2, 3, 0.5)'), [1, 2, 3]);
  assert.equal(parseColour(''), undefined);
});
