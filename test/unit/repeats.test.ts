import assert from 'node:assert/strict';
import { test } from 'node:test';
import { madeOnlyBy } from '../../src/core/worlds/confined/changes.ts';
import type { Outcome } from '../../src/core/worlds/confined/conclude.ts';
import { repeats } from '../../src/core/worlds/confined/repeats.ts';
import type { StepContext } from '../../src/core/worlds/confined/stepContext.ts';
import type { Listing } from '../../src/core/worlds/confined/wire/launcher.ts';
import { emptyRecord, type RunRecord } from '../../src/core/worlds/confined/wire/runRecord.ts';

/** A third run is made where two may agree by chance, and no other. */

const startedAt = new Date(1_000_000);

function recordOf(printed: string, isLetIn: boolean): RunRecord {
  const record = emptyRecord();
  record.output = [{ stream: 'stdout', bytes: Buffer.from(printed), unsure: false }];
  record.programs = [{ id: 1, pid: 2, argv: ['./x'], cwd: '/w', realPath: '/w/x', unsure: false, isLetIn }];
  record.finished = { how: 'exited', exitCode: 0, detail: '' } as NonNullable<RunRecord['finished']>;
  return record;
}

function listingOf(mtimeMs: number, mtimeNanos = 0n) {
  const after = { type: 'file', mtimeNanos: BigInt(mtimeMs) * 1_000_000n + mtimeNanos };
  return {
    changes: [{ path: '/w/f', before: { type: 'none' }, after }],
    effects: [],
    complete: true,
    why: '',
  } as unknown as Outcome['listing'];
}

async function isRepeated(outcome: Partial<Outcome>): Promise<boolean> {
  let opened = 0;
  const context = {
    request: { action: { kind: 'command', script: './x' }, signal: new AbortController().signal },
    state: { steps: 0 },
    startedAt,
  } as unknown as StepContext;
  await repeats({ held: { view: { read: async () => undefined } }, ...outcome } as unknown as Outcome, context, {
    digests: 'none',
    open: async () => {
      opened += 1;
      return { sentence: 'none' };
    },
    run: async () => emptyRecord(),
    keepPath: (file) => file !== '/w/own',
  });
  return opened > 0;
}

test('two runs that wrote a file in the same tick of the clock agree on its time by chance', async () => {
  const [record, other] = [recordOf('a\n', true), recordOf('a\n', true)];
  const listing = listingOf(1_000_500, 4n);
  assert.ok(await isRepeated({ record, other, listing, otherListing: listingOf(1_000_500, 4n) }));
  assert.ok(!(await isRepeated({ record, other, listing, otherListing: listingOf(1_000_500, 5n) })));
  const inert = { record: recordOf('a\n', false), other: recordOf('a\n', false) };
  assert.ok(!(await isRepeated({ ...inert, listing, otherListing: listingOf(1_000_500, 4n) })));
});

test('tests in the order of a number that each run draws agree by chance', async () => {
  const seeded = (seed: number) => ({ record: recordOf(`seed ${seed}\n..\n`, true) });
  assert.ok(await isRepeated({ ...seeded(1), other: seeded(2).record }));
  assert.ok(!(await isRepeated({ ...seeded(1), other: seeded(1).record })));
});

test('a time that was given to a file is no chance', async () => {
  const [record, other] = [recordOf('a\n', true), recordOf('a\n', true)];
  assert.ok(!(await isRepeated({ record, other, listing: listingOf(5_000), otherListing: listingOf(5_000) })));
});

test('lines that come in another order show that more of them may', async () => {
  assert.ok(await isRepeated({ record: recordOf('a\nb\nc\n', true), other: recordOf('a\nc\nb\n', true) }));
  assert.ok(!(await isRepeated({ record: recordOf('a\nb\n', true), other: recordOf('a\nb\n', true) })));
  assert.ok(!(await isRepeated({ record: recordOf('1 ms\n', true), other: recordOf('2 ms\n', true) })));
  assert.ok(!(await isRepeated({ record: recordOf('a\nb\n', false), other: recordOf('b\na\n', false) })));
});

function made(...paths: string[]): Listing {
  const changes = paths.map((path) => ({ path, before: { type: 'none' }, after: { type: 'file' } }));
  return { changes, effects: [], complete: true, why: '' } as unknown as Listing;
}

test('what only the run with another clock made is looked for with the real one', async () => {
  const [record, other] = [recordOf('a\n', false), recordOf('a\n', false)];
  assert.ok(await isRepeated({ record, other, listing: made('/w/a'), otherListing: made('/w/a', '/w/b/c') }));
  assert.ok(!(await isRepeated({ record, other, listing: made('/w/a'), otherListing: made('/w/a') })));
  assert.ok(!(await isRepeated({ record, other, listing: made('/w/a'), otherListing: made() })));
  assert.ok(!(await isRepeated({ record, other, listing: made(), otherListing: made('/w/own') })));
});

test('a file with a random name stands for one of another name, with all that is in its folder', () => {
  const all = () => true;
  assert.equal(madeOnlyBy(made('/w/t2', '/w/t2/x'), made('/w/t1', '/w/t1/x'), all), undefined);
  const digest = '0123456789abcdef0123456789abcdef';
  assert.equal(madeOnlyBy(made(`/c/17/17${digest}-a`), made(`/c/22/22${digest}-a`), all), undefined);
  assert.equal(madeOnlyBy(made(`/g/ab/cd/${digest}`), made(`/g/ef/01/${digest}`), all), undefined);
  assert.equal(madeOnlyBy(made(`/c/17/17${digest}`), made('/c/22/log'), all), `/c/17/17${digest}`);
  assert.equal(madeOnlyBy(made('/w/ab/log'), made('/w/cd/log'), all), '/w/ab/log');
  assert.equal(madeOnlyBy(made('/w/t2', '/w/t2/x/y'), made('/w/a/t1'), all), '/w/t2');
});
