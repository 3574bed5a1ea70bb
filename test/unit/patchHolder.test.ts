import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { patchMakes } from '../../src/core/loss/recovery/patchHolder.ts';

/** Patches as diff(1) writes them, of contents that are hard to tell apart. */

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-patch-'));
after(() => fs.rmSync(folder, { recursive: true, force: true }));

function diff(a: string, b: string): Buffer {
  fs.writeFileSync(path.join(folder, 'a'), a);
  fs.writeFileSync(path.join(folder, 'b'), b);
  try {
    return execFileSync('diff', ['-u', 'a', 'b'], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  } catch (error) {
    return (error as { stdout: Buffer }).stdout;
  }
}

const makes = (patch: Buffer, a: string, b: string) =>
  patchMakes(patch, Buffer.from(a, 'latin1'), Buffer.from(b, 'latin1'));
const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index}\n`).join('');

const pairs: [string, string][] = [
  ['a\nb\nc\n', 'a\nB\nc\n'],
  ['', 'new\n'],
  ['old\n', ''],
  ['a\n', 'a'],
  ['a', 'a\n'],
  ['a', 'b'],
  [numbers(100), numbers(100).replace('50\n', '').replace('3\n', 'three\n')],
  [numbers(30), `first\n${numbers(30)}last`],
  ['--- x\n+++ y\n', '--- x\n+++ z\n'],
  ['a\r\nb\r\n', 'a\r\nc\r\n'],
  ['\n\n\n', '\n\n'],
];

test('a patch makes of the first what the second was, and nothing else', () => {
  for (const [a, b] of pairs) {
    const patch = diff(a, b);
    assert.ok(makes(patch, a, b), JSON.stringify([a, b, patch.toString()]));
    assert.ok(!makes(patch, a, `${b}more`));
    assert.ok(!makes(patch, `${a}more`, b));
  }
});

test('of a patch of several files any part counts', () => {
  const whole = Buffer.concat(pairs.slice(0, 5).map(([a, b]) => diff(a, b)));
  for (const [a, b] of pairs.slice(0, 5)) assert.ok(makes(whole, a, b));
});

test('what is cut off, or is no patch, makes nothing', () => {
  const patch = diff(numbers(20), numbers(21));
  assert.ok(!makes(patch.subarray(0, patch.length - 3), numbers(20), numbers(21)));
  assert.ok(!makes(Buffer.from('a\nB\nc\n'), 'a\nb\nc\n', 'a\nB\nc\n'));
});
