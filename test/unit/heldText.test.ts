import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heldText } from '../../src/core/words/heldText.ts';

const line = {
  reasons: ['Deletes 2 files.'],
  lost: [] as string[],
  recoveries: [] as Parameters<typeof heldText>[0]['recoveries'],
  isOfWords: false,
  columns: 200,
};
const gone = { kind: 'none' } as const;
const index = { kind: 'index' } as const;

test('what is lost, the way back, and the keys', () => {
  const [first, second] = heldText({ ...line, lost: ['a', 'b'], recoveries: [gone, gone] });
  assert.equal(first, 'DANGER  Deletes 2 files. a, b.');
  assert.equal(second, 'There is no way back. Enter again runs it, Esc goes back.');
  const of = (recoveries: typeof line.recoveries, isOfWords = false) => heldText({ ...line, recoveries, isOfWords })[1];
  assert.match(of([]), /^No way back is known\. Enter/);
  assert.match(of([index]), /^Way back: from the index\. Enter/);
  assert.match(of([gone, index, index]), /^No way back for 1; 2 more from the index\. Enter/);
  assert.match(of([index, { kind: 'editor' }]), /^Way back: from 2 places\. Enter/);
  assert.match(of([{ kind: 'unknown' }]), /^No way back is known\. Enter/);
  assert.match(of([gone], true), /^Only its words were read in time\. Enter/);
  assert.match(
    heldText({ ...line, reasons: ['A.', 'B.'], lost: ['1', '2', '3', '4', '5'] })[0],
    /^DANGER {2}A\. 1, 2, 3 and 2 others\. Also: B\.$/,
  );
});

test('no line is wider than the terminal, and the keys are always told', () => {
  for (const columns of [30, 40, 50, 80, 120])
    for (const text of heldText({ ...line, lost: ['x'.repeat(300)], recoveries: [gone, index], columns }))
      assert.ok([...text].length < columns, `${columns}: ${text}`);
  for (const columns of [40, 50, 80, 120])
    assert.match(heldText({ ...line, columns })[1], /Enter again runs it, Esc goes back\.$/);
});
