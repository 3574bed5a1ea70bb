import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { beforeContent } from '../../src/core/loss/beforeContent.ts';
import { destroyedContent } from '../../src/core/loss/destroyed.ts';
import { heldElsewhere } from '../../src/core/loss/recovery/heldElsewhere.ts';
import { movedOrCopied } from '../../src/core/loss/recovery/survivingCopies.ts';
import type { FileChange } from '../../src/core/view/fileChange.ts';
import type { View } from '../../src/core/view/view.ts';

const count = 500;
const { signal } = new AbortController();

/** Every file of 500 is edited in place, and keeps its size. */
function editedInPlace(): { files: FileChange[]; view: View; reads: { before: number; after: number } } {
  const reads = { before: 0, after: 0 };
  const text = (path: string, moment: string) => Buffer.from(`${moment} ${path}`.padEnd(60).slice(0, 60));
  const files = Array.from({ length: count }, (_, index): FileChange => {
    const path = `/w/d${index % 5}/f${index}`;
    const sha256 = createHash('sha256').update(text(path, 'after')).digest('hex');
    return { path, change: 'modified', type: 'file', mode: '0644', sizeBytes: 60, sha256, volatile: false };
  });
  const known = new Set(files.map(({ path }) => path));
  const view: View = {
    async read(path, moment) {
      reads[moment] += 1;
      return known.has(path) ? text(path, moment) : undefined;
    },
    async close() {},
  };
  return { files, view, reads };
}

test('files that are edited in place are read once each to find copies, however many there are', async () => {
  const { files, view, reads } = editedInPlace();
  const before = beforeContent(view, signal);
  const survivors = await movedOrCopied(destroyedContent(files), files, view, before);
  assert.equal(survivors.size, 0);
  assert.ok(reads.before <= count, `${reads.before} reads of the contents before`);
  assert.equal(reads.after, 0, 'what the listing hashed is not read again');
});

test('a copy is known by its hash, also among many files of its size', async () => {
  const { files, view } = editedInPlace();
  const [first] = files;
  assert.ok(first);
  const sha256 = createHash('sha256')
    .update((await view.read(first.path, 'before')) ?? '')
    .digest('hex');
  const copied = [...files, { ...first, path: '/w/elsewhere', change: 'created' as const, sha256 }];
  const survivors = await movedOrCopied(destroyedContent(files), copied, view, beforeContent(view, signal));
  assert.deepEqual([...survivors], [first.path]);
});

test('the paths that a command names are read once each, not once for every file that is lost', async () => {
  const { files, view, reads } = editedInPlace();
  const namedPaths = files.map(({ path }) => path);
  const items = destroyedContent(files);
  const holders = await heldElsewhere(items, { files, view, namedPaths, signal }, beforeContent(view, signal));
  assert.equal(holders.size, 0);
  assert.ok(reads.before + reads.after <= 2 * count, `${reads.before + reads.after} reads`);
});

test('a folder that the command names is no reason to read all that is lost', async () => {
  const { files, view, reads } = editedInPlace();
  const deleted = files.map((file) => ({ ...file, change: 'deleted' as const }));
  const items = destroyedContent(deleted);
  const input = { files: deleted, view, namedPaths: ['/w/d0', '/w/d1'], signal };
  assert.equal((await heldElsewhere(items, input, beforeContent(view, signal))).size, 0);
  assert.equal(reads.before, 0);
});

test('a copy that the command names is found, though others have its size', async () => {
  const { files, view } = editedInPlace();
  const [first] = files;
  assert.ok(first);
  const copy = await view.read(first.path, 'before');
  const withCopy: View = { ...view, read: async (path, at) => (path === '/w/copy' ? copy : view.read(path, at)) };
  const items = destroyedContent(files.map((file) => ({ ...file, change: 'deleted' as const })));
  const input = { files: [], view: withCopy, namedPaths: ['/w/copy'], signal };
  const holders = await heldElsewhere(items, input, beforeContent(withCopy, signal));
  assert.deepEqual([...holders], [[first.path, { file: '/w/copy', isAlone: true }]]);
});

test('lines of what was read are counted without asking again', async () => {
  const { files, view } = editedInPlace();
  const asked: string[][] = [];
  const counting: View = {
    ...view,
    countLines: async (paths) => {
      asked.push([...paths]);
      return paths.map(() => 3);
    },
  };
  const [first, ...rest] = destroyedContent(files.slice(0, 3));
  assert.ok(first);
  const before = beforeContent(counting, signal);
  await before.prepare([first]);
  const lines = await before.countLines([first, ...rest]);
  assert.deepEqual(asked, [rest.map(({ path }) => path)]);
  assert.deepEqual([lines?.get(first.path), lines?.size], [1, 3]);
});

test('many files are asked for together, and each as before where nobody can answer so', async () => {
  const { files, view, reads } = editedInPlace();
  const items = destroyedContent(files);
  for (const isAnswered of [true, false]) {
    let asked = 0;
    reads.before = 0;
    const readMany: View['readMany'] = (paths) => {
      asked += 1;
      return isAnswered ? Promise.resolve(paths.map((path) => Buffer.from(`together ${path}`))) : undefined;
    };
    const before = beforeContent({ ...view, readMany }, signal);
    await before.prepare(items);
    const contents = await Promise.all(items.map((item) => before.of(item)));
    const word = isAnswered ? 'together' : 'before';
    for (const [at, { path }] of items.entries())
      assert.equal(
        Buffer.from(contents[at] ?? []).toString(),
        isAnswered ? `${word} ${path}` : `${word} ${path}`.padEnd(60),
      );
    assert.equal(asked, 1);
    assert.equal(reads.before, isAnswered ? 0 : count);
  }
});

test('what was read together is counted without asking again', async () => {
  const { files, view } = editedInPlace();
  const items = destroyedContent(files.slice(0, 3));
  const readMany: View['readMany'] = async (paths) => paths.map((path) => Buffer.from(path.replaceAll('/', '\n')));
  const before = beforeContent({ ...view, readMany, countLines: async () => [] }, signal);
  await before.prepare(items);
  assert.deepEqual(
    [...((await before.countLines(items)) ?? [])].map(([, lines]) => lines),
    [4, 4, 4],
  );
});
