import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { NamedPath } from '../../src/core/prediction/rehearsal.ts';
import { inert, type Run, within } from './launcherDriver.ts';
import { launcherTests } from './launcherTests.ts';

/** What a run read, by path; relative ones are behind their directory. */
function readsOf({ events }: Run): Map<string, NamedPath> {
  const paths = events.flatMap((event) => (event.type === 'reads' ? event.paths : []));
  assert.ok(events.every((event) => event.type !== 'reads' || event.isComplete));
  return new Map(paths.map((named) => [path.normalize(named.path), named]));
}

/** Calls of every kind that another rule stops as well, in some view. */
const works = `mkdir d/new; rmdir d/new; mv a b; ln b c; ln -s b e; chmod 600 b; touch -d @1 c; truncate -s 1 d/x; rm d/y;
mkfifo p; cp b q; mv d f; ls -l f; stat -c '%n %s %h %a' b c; cat e; cd f && pwd; test -e nothing; echo $?`;

for (const { identity, promise, workspace } of launcherTests()) {
  promise('every path that a call names is told, and how', () => {
    const files = { a: 'x', 'd/x': '1', m: 'm', 'run.sh': '#!/bin/sh\n: < a\n' };
    const root = workspace(files);
    const script =
      'cat a; cat gone; [ -e missing ]; ls d; readlink l; mv m n; ln -s d s; df . > /dev/null; sh ./run.sh; echo > o';
    return within(identity, { reportReads: true }, async (driver) => {
      const reads = readsOf(await driver.run(script, root));
      const flags = (name: string) => {
        const { isOpened, isMoved, isLinked, isDisk, wasThere } = reads.get(path.join(root, name)) ?? {};
        return [isOpened && 'opened', isMoved && 'moved', isLinked && 'linked', isDisk && 'disk', wasThere && 'there']
          .filter((word) => typeof word === 'string')
          .join(' ');
      };
      const told = Object.fromEntries(['a', 'gone', 'd', 'm', 'run.sh', 'o'].map((name) => [name, flags(name)]));
      const expected = { a: 'opened there', gone: 'opened', d: 'opened linked there', m: 'opened moved there' };
      assert.deepEqual(told, { ...expected, 'run.sh': 'opened there', o: 'opened' });
      for (const name of ['missing', 'l', 'n', 's']) assert.ok(reads.has(path.join(root, name)), name);
      assert.ok([...reads.values()].some(({ isDisk }) => isDisk));
      assert.ok(
        [...reads.keys()].some((name) => /\/ld-[^/]*\.so/.test(name)),
        'the loader was mapped by the kernel',
      );
    });
  });

  promise('a command does the same whether or not it is told what it reads', async () => {
    const outcomes: unknown[] = [];
    for (const settings of [
      {},
      { reportReads: true },
      { reportReads: true, correct: inert, perturb: true },
      { correct: inert },
    ]) {
      const root = workspace({ a: 'aa', 'd/x': '1', 'd/y': '2' });
      await within(identity, settings, async (driver) => {
        const run = await driver.run(works, root);
        const { changes } = await driver.list();
        const plain = (text: string) => text.replaceAll(root, '').replace(/\d\d:\d\d/g, '');
        const listed = changes.map(({ change, path: name, after }) => [change, plain(name), after.type, after.mode]);
        outcomes.push([plain(run.stdout).split('\n').sort(), plain(run.stderr), run.finished.how, listed]);
        assert.equal(
          run.events.some(({ type }) => type === 'reads'),
          'reportReads' in settings,
        );
      });
      assert.deepEqual(fs.readdirSync(root).sort(), ['a', 'd']);
    }
    assert.deepEqual(outcomes[1], outcomes[0]);
    assert.deepEqual(outcomes[2], outcomes[3]);
  });
}
