import assert from 'node:assert/strict';
import { test } from 'node:test';
import type * as vscode from 'vscode';
import { stepLine } from '../../src/core/trajectory/file/trajectoryFile.ts';
import type { TrajectoryStep } from '../../src/core/trajectory/step/step.ts';
import type { LineSummary } from '../../src/core/trajectory/step/stepSummary.ts';
import { createDocumentReading } from '../../src/host/lab/documentReading.ts';
import { loadLabCore } from '../../src/host/lab/labCore.ts';
import { seeded } from './language/seeded.ts';

/** The trajectory editor's reading of a document: what is told in pieces is always what stands there. */

const core = await loadLabCore();

function lineOf(id: string, script: string): string {
  const action = { kind: 'command' as const, script, shell: 'bash' as const, cwd: '/w' };
  const step: TrajectoryStep = { version: 1, id, trajectory: 't', domain: 'swe', action };
  return stepLine(step);
}

/** A document of lines that can be changed, and what a listener makes of the changes that it is told. */
function opened(lines: string[]) {
  const mirror: LineSummary[] = [];
  let told = 0;
  const document = {
    get lineCount() {
      return lines.length + 1;
    },
    lineAt: (line: number) => ({ text: lines[line] ?? '' }),
  } as unknown as vscode.TextDocument;
  const reading = createDocumentReading(document, core, (changes) => {
    told += 1;
    assert.equal(reading.revision(), told, 'no revision is left out');
    for (const { start, removed, lines: added } of changes) mirror.splice(start, removed, ...added);
  });
  return { reading, mirror, lines };
}

const summaries = (lines: readonly string[]) =>
  lines.map((text) => core.summarizeLine(core.readTrajectoryLine(text), core.verdictOf));

test('what is told piece by piece is the whole file, after any changes', async () => {
  const { below } = seeded(11);
  const { reading, mirror, lines } = opened(
    Array.from({ length: 300 }, (_, index) => lineOf(`s${index}`, `echo ${index}`)),
  );
  reading.refresh();
  await reading.whenRead();
  assert.deepEqual(mirror, summaries(lines));
  for (let round = 0; round < 120; round++) {
    const at = below(lines.length);
    const fresh = Array.from({ length: below(4) }, (_, index) =>
      below(5) === 0 ? '{"bad' : lineOf(`n${round}.${index}`, 'x'),
    );
    lines.splice(at, below(4), ...fresh);
    // Now and then another file altogether, and changes while it is read.
    if (below(12) === 0)
      lines.splice(0, lines.length, ...Array.from({ length: 200 }, (_, index) => lineOf(`o${round}.${index}`, 'y')));
    reading.refresh();
    if (below(2) === 0) await reading.whenRead();
  }
  await reading.whenRead();
  assert.deepEqual(mirror, summaries(lines));
  assert.deepEqual(reading.lines(), mirror);
  assert.equal(reading.total(), lines.length);
});

test('a step is found by its id wherever its line has gone', async () => {
  const { reading, lines } = opened([lineOf('a', 'one'), lineOf('b', 'two')]);
  reading.refresh();
  await reading.whenRead();
  lines.unshift('', '{"bad');
  reading.refresh();
  const action = reading.step('b')?.action;
  assert.equal(action?.kind === 'command' && action.script, 'two');
  assert.equal(reading.place('b')?.index, 3);
  assert.equal(reading.step('c'), undefined);
});

test('a search tells the lines that hold the text', async () => {
  const { reading } = opened(Array.from({ length: 5 }, (_, index) => lineOf(`s${index}`, `needle ${index}`)));
  reading.refresh();
  await reading.whenRead();
  const found: number[][] = [];
  await reading.search(
    'needle 3',
    () => true,
    (lines) => found.push(lines),
  );
  assert.deepEqual(found, [[3]]);
  reading.dispose();
});
