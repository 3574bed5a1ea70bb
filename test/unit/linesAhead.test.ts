import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { countAhead } from '../../src/core/worlds/confined/linesAhead.ts';
import { held } from '../../src/core/worlds/confined/views.ts';
import type { Launcher, Listing } from '../../src/core/worlds/confined/wire/launcher.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

const maxBytes = 2 * 1024 * 1024;
const paths = Array.from({ length: 100 }, (_, index) => `/nowhere/f${index}`);

/** What a run that deleted these files left. */
function deleted(names: readonly string[], sizeBytes = 3) {
  const changes = names.map((path) => ({ path, change: 'deleted', before: { type: 'file', sizeBytes } }));
  return { listing: { changes } as Listing };
}

/** A launcher whose files have as many lines as their names have letters. */
function counting(fails = false) {
  const asked: string[][] = [];
  const launcher = {
    copying: { by: 'overlays' },
    async countLines(some: readonly string[]) {
      asked.push([...some]);
      if (fails) throw new Error('ended');
      return some.map(({ length }) => length);
    },
  } as unknown as Launcher;
  return { launcher, asked };
}

test('lines of many deleted files are counted once, before anybody asks', async () => {
  const { launcher, asked } = counting();
  const { view } = held(launcher, deleted(paths));
  assert.deepEqual(asked, [paths]);
  const more = ['/nowhere/f7', '/elsewhere/other', '/nowhere/f99'];
  assert.deepEqual(await view.countLines?.(more, 'before', maxBytes), [11, 16, 12]);
  assert.deepEqual(asked.slice(1), [['/elsewhere/other']]);
  // Another moment, or another limit, is another question.
  assert.deepEqual(await view.countLines?.(['/nowhere/f7'], 'after', maxBytes), [11]);
  assert.deepEqual(await view.countLines?.(['/nowhere/f7'], 'before', 5), [11]);
  assert.equal(asked.length, 4);
});

test('few files, large ones and what git has are not counted ahead', () => {
  const { launcher, asked } = counting();
  const { listing } = deleted(paths.slice(0, 3));
  assert.equal(countAhead(launcher, listing), undefined);
  assert.equal(countAhead(launcher, deleted(paths, maxBytes + 1).listing), undefined);
  const repository = temporaryFolder('linesAhead');
  fs.mkdirSync(`${repository}/.git`);
  const own = paths.map((_, index) => `${repository}/f${index}`);
  assert.equal(countAhead(launcher, deleted(own).listing), undefined);
  assert.deepEqual(asked, []);
});

test('a launcher that ends meanwhile has no lines to tell', async () => {
  const { view } = held(counting(true).launcher, deleted(paths));
  assert.deepEqual(await view.countLines?.(paths.slice(0, 2), 'before', maxBytes), [undefined, undefined]);
});
