import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printedSoFar } from '../../src/core/worlds/confined/watch.ts';
import { emptyRecord } from '../../src/core/worlds/confined/wire/runRecord.ts';

function recordOf(...texts: string[]) {
  const record = emptyRecord();
  for (const text of texts) record.output.push({ stream: 'stdout', bytes: Buffer.from(text), unsure: false });
  return record;
}

test('what was printed so far is shown whole while it is short, and as its last lines when it is long', () => {
  assert.equal(printedSoFar(recordOf()), undefined);
  assert.equal(printedSoFar(recordOf('no line end')), 'no line end');
  assert.equal(printedSoFar(recordOf('ä\n', 'b\n')), 'ä\nb\n');
  const lines = Array.from({ length: 3000 }, (_, index) => `line ${index}\n`);
  const shown = printedSoFar(recordOf(...lines)) ?? '';
  assert.ok(shown.length <= 8192 && shown.length > 8000);
  assert.ok(lines.join('').endsWith(shown));
  assert.match(shown, /^line \d+\n/);
  // One piece of which a part is shown begins at a line as well.
  assert.match(printedSoFar(recordOf(lines.join(''))) ?? '', /^line \d+\n/);
});

test('what rests on an assumption is not shown as printed', () => {
  const record = recordOf('a\n');
  record.unsure = 'assumed';
  assert.equal(printedSoFar(record), undefined);
});
