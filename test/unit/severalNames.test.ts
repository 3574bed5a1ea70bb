import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Finding } from '../../src/core/loss/finding.ts';
import { tellNamesOnce } from '../../src/core/loss/recovery/otherNames.ts';
import { realView } from '../../src/core/view/realView.ts';
import type { View } from '../../src/core/view/view.ts';
import { held } from '../../src/core/worlds/confined/views.ts';
import type { Launcher, Listing } from '../../src/core/worlds/confined/wire/launcher.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

const launcher = { copying: { by: 'overlays' } } as unknown as Launcher;

function listed(links: Readonly<Record<string, number>>, complete = true): Listing {
  const changes = Object.entries(links).map(([name, count]) => ({
    path: name,
    change: 'deleted',
    before: { type: 'file', sizeBytes: 5, links: count },
  }));
  return { changes, effects: [], complete, why: '' } as unknown as Listing;
}

test('a complete listing says which files have several names', () => {
  const names = (listing?: Listing) => held(launcher, listing && { listing }).view.severalNames?.();
  assert.deepEqual(names(listed({ '/a': 1, '/b': 2 })), new Set(['/b']));
  assert.deepEqual(names(listed({ '/a': 1 })), new Set());
  assert.equal(names(listed({ '/a': 1 }, false)), undefined);
  assert.equal(names(), undefined);
});

test('names of one file lose one content, whether or not a listing says that there are several', async () => {
  const folder = temporaryFolder('names');
  const [first, second, other] = ['a', 'b', 'c'].map((name) => path.join(folder, name)) as [string, string, string];
  fs.writeFileSync(first, 'same\n');
  fs.linkSync(first, second);
  fs.writeFileSync(other, 'same\n');
  const reasons = async (several: ReadonlySet<string> | undefined) => {
    const lost = [first, second, other].map(
      (name): Finding => ({
        item: { path: name, type: 'file', sizeBytes: 5, how: 'deleted', fileAfter: false },
        class: 'outside-repository',
        because: { kind: 'outsideRepository' },
        recovery: { kind: 'none' },
      }),
    );
    const view: View = { ...realView(), severalNames: () => several };
    await tellNamesOnce(lost, view);
    return lost.map(({ because }) => because.kind);
  };
  const once = ['outsideRepository', 'otherName', 'outsideRepository'];
  assert.deepEqual(await reasons(undefined), once);
  assert.deepEqual(await reasons(new Set([first, second])), once);
  assert.deepEqual(await reasons(new Set()), ['outsideRepository', 'outsideRepository', 'outsideRepository']);
});
