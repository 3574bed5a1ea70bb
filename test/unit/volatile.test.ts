import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdsMadeTime, madeTimeFinder } from '../../src/core/worlds/confined/certainty/madeTimes.ts';
import { isReordered, markedByLine, markVolatile } from '../../src/core/worlds/confined/certainty/volatile.ts';
import { markVolatileChanges, toFileChanges } from '../../src/core/worlds/confined/changes.ts';
import type { LauncherChange, NodeStatus } from '../../src/core/worlds/confined/wire/frames.ts';

const marks = (shown: string, other: string) =>
  markVolatile(Buffer.from(shown), Buffer.from(other)).map((piece) => [piece.bytes.toString(), piece.volatile]);

test('lines that stand elsewhere are another order, and lines that say something else are none', () => {
  const isOther = (one: string, two: string) => isReordered(Buffer.from(one), Buffer.from(two));
  assert.ok(isOther('a\nb\nc\n', 'a\nc\nb\n'));
  assert.ok(isOther('a\nb\n', 'b\nx\na\n'));
  assert.ok(!isOther('a\nb\n', 'a\nb\n'));
  assert.ok(!isOther('took 3 ms\nsame\ntook 4 ms\n', 'took 5 ms\nsame\ntook 6 ms\n'));
  assert.ok(!isOther('a\n\nb\n', 'x\n\ny\n\n'));
  assert.ok(!isOther('x\nat 1\ntook 1.5s\n', 'x\ntook 1.5s\n'));
  assert.ok(!isOther('a\nb\na\n', 'a\nb\n'));
});

test('the same text is not volatile', () => {
  assert.deepEqual(marks('a\nb\n', 'a\nb\n'), [['a\nb\n', false]]);
  assert.deepEqual(marks('', ''), []);
});

test('lines that differ are marked, the others are not', () => {
  assert.deepEqual(marks('a\n1\nb\n', 'a\n2\nb\n'), [
    ['a\n', false],
    ['1\n', true],
    ['b\n', false],
  ]);
});

test('where the number of lines differs, all between the common ends is marked', () => {
  assert.deepEqual(marks('a\nx\ny\nb\n', 'a\nz\nb\n'), [
    ['a\n', false],
    ['x\ny\n', true],
    ['b\n', false],
  ]);
  assert.deepEqual(marks('a\n', ''), [['a\n', true]]);
  assert.deepEqual(marks('a\na\n', 'a\n'), [
    ['a\n', false],
    ['a\n', true],
  ]);
});

test('the same lines in another order are all volatile, also those that happen to stand where they stood', () => {
  assert.deepEqual(marks('a\n1\n2\n3\nb\n', 'a\n3\n2\n1\nb\n'), [
    ['a\n', false],
    ['1\n2\n3\n', true],
    ['b\n', false],
  ]);
});

test('where chance decides what runs first, lines that only the other run has mark what stands before them', () => {
  const gaps = (shown: string, other: string) =>
    markVolatile(Buffer.from(shown), Buffer.from(other), true).map((piece) => [piece.bytes.toString(), piece.volatile]);
  assert.deepEqual(gaps('1\n2\n', '1\n2\nlist\n'), [
    ['1\n', false],
    ['2\n', true],
  ]);
  assert.deepEqual(gaps('2\n3\n', '1\n2\n3\n'), [
    ['2\n', true],
    ['3\n', false],
  ]);
  assert.deepEqual(marks('1\n2\n', '1\n2\nlist\n'), [['1\n2\n', false]]);
  assert.deepEqual(gaps('', 'a\n'), []);
});

test('lines are marked by what they say; of many that are alike only one is looked at', () => {
  const asked: string[] = [];
  const byLine = (text: string) =>
    [...markedByLine(Buffer.from(text), (line) => asked.push(line) > 0 && /\d/.test(line))].map((piece) => [
      piece.bytes.toString(),
      piece.volatile,
    ]);
  assert.deepEqual(byLine('a\nb\n1\n2\nä'), [
    ['a\nb\n', false],
    ['1\n2\n', true],
    ['ä', false],
  ]);
  assert.deepEqual(byLine(''), []);
  asked.length = 0;
  assert.equal(byLine('y\n'.repeat(1000)).length, 1);
  assert.equal(asked.length, 1);
});

test('nothing is lost or added by marking', () => {
  for (const [a, b] of [
    ['one\ntwo', 'one\ntwo\n'],
    ['\n\n\n', '\n'],
    ['x', 'y'],
    ['ä\nö\n', 'ä\nü\n'],
  ] as const) {
    assert.equal(
      marks(a, b)
        .map(([text]) => text)
        .join(''),
      a,
    );
  }
});

test('the present minute is found as a clock time and as seconds', () => {
  const at = new Date(2026, 10, 21, 9, 5, 59).getTime();
  const namesIt = madeTimeFinder([{ fromMs: at, toMs: at + 900 }]);
  assert.ok(namesIt('-rw-r--r-- 1 u u 3 Nov 21 09:05 zz'));
  assert.ok(namesIt('Nov 21 09:06 zz'), 'the next minute may have begun');
  assert.ok(namesIt(`mtime ${Math.floor(at / 1000)}`));
  assert.ok(!namesIt('-rw-r--r-- 1 u u 3 Nov 20 17:45 zz'));
  assert.ok(!madeTimeFinder([])('09:05'));
});

test('a second in which something was made is found in binary content, however it is stored', () => {
  const seconds = 1_795_628_400;
  const spans = [{ fromMs: seconds * 1000 + 20, toMs: seconds * 1000 + 700 }];
  const at = (write: (bytes: Buffer) => void) => {
    const bytes = Buffer.alloc(64);
    write(bytes);
    return holdsMadeTime(bytes, spans);
  };
  assert.ok(at((bytes) => bytes.writeUInt32LE(seconds, 8)));
  assert.ok(at((bytes) => bytes.writeUInt32BE(seconds, 21)));
  assert.ok(at((bytes) => bytes.write(`0${seconds.toString(8)}`.slice(-11), 30)));
  assert.ok(at((bytes) => bytes.writeDoubleBE(seconds + 0.25, 13)));
  assert.ok(at((bytes) => bytes.writeDoubleLE(seconds + 0.25, 3)));
  assert.ok(!at((bytes) => bytes.writeDoubleLE(seconds - 3600, 3)));
  assert.ok(!at((bytes) => bytes.writeUInt32LE(seconds - 3600, 8)));
  assert.ok(!holdsMadeTime(Buffer.from('text alone'), spans));
});

const missing: NodeStatus = { type: 'none', mode: 0, uid: 0, gid: 0, sizeBytes: 0, mtimeNanos: 0n, links: 0 };
const file = (sizeBytes: number, mtimeNanos = 5n, mode = 0o644): NodeStatus => ({
  ...missing,
  type: 'file',
  mode,
  sizeBytes,
  mtimeNanos,
  links: 1,
});

function change(
  path: string,
  kind: LauncherChange['change'],
  before: NodeStatus,
  after: NodeStatus,
  sha256 = '',
): LauncherChange {
  return {
    change: kind,
    notCompared: false,
    replaced: false,
    rewritten: false,
    path,
    from: '',
    before,
    after,
    targetBefore: '',
    targetAfter: '',
    sha256,
  };
}

test('a deletion and a creation that look the same to the nanosecond are a move', () => {
  const moved = toFileChanges(
    [change('/w/a', 'deleted', file(3), missing), change('/w/b', 'created', missing, file(3))],
    () => true,
  );
  assert.deepEqual(
    moved.map((one) => [one.change, one.path, one.from]),
    [['renamed', '/w/b', '/w/a']],
  );
});

test('a copy has another time and is no move; two that look alike are not told apart', () => {
  const copied = toFileChanges(
    [change('/w/a', 'deleted', file(3), missing), change('/w/b', 'created', missing, file(3, 6n))],
    () => true,
  );
  assert.deepEqual(
    copied.map((one) => one.change),
    ['deleted', 'created'],
  );
  const twins = toFileChanges(
    [
      change('/w/a', 'deleted', file(3), missing),
      change('/w/b', 'deleted', file(3), missing),
      change('/w/c', 'created', missing, file(3)),
      change('/w/d', 'created', missing, file(3)),
    ],
    () => true,
  );
  assert.deepEqual(
    twins.map((one) => one.change),
    ['deleted', 'deleted', 'created', 'created'],
  );
});

test('modes are four octal digits, own paths are left out, what was there is told', () => {
  const changes = toFileChanges(
    [change('/own', 'created', missing, file(1)), change('/w/a', 'mode', file(3), file(3, 5n, 0o4755))],
    (path) => path !== '/own',
  );
  assert.deepEqual(changes, [
    {
      path: '/w/a',
      change: 'mode',
      type: 'file',
      mode: '4755',
      sizeBytes: 3,
      volatile: false,
      before: { type: 'file', mode: '0644', sizeBytes: 3 },
    },
  ]);
});

test('changes that another run did differently are volatile', () => {
  const shown = toFileChanges(
    [
      change('/w/same', 'created', missing, file(3), 'aa'),
      change('/w/time', 'created', missing, file(3), 'bb'),
      change('/w/x.1', 'created', missing, file(0)),
    ],
    () => true,
  );
  const other = toFileChanges(
    [
      change('/w/same', 'created', missing, file(3, 9n), 'aa'),
      change('/w/time', 'created', missing, file(3), 'cc'),
      change('/w/x.2', 'created', missing, file(0)),
    ],
    () => true,
  );
  markVolatileChanges(shown, other);
  assert.deepEqual(
    shown.map((one) => one.volatile),
    [false, true, true],
  );
});
