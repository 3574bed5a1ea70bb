import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { Driver, type Gated, within } from './launcherDriver.ts';
import { launcherTests } from './launcherTests.ts';

const stops = (gated: Gated, own: Driver) => own.answer(gated.token, { kind: 'exit', code: 9 });

/** A copy of an inert program: it is not inert itself. */
function copy(program: string, to: string): void {
  fs.copyFileSync(program, to);
  fs.chmodSync(to, 0o755);
}

for (const { identity, promise, workspace } of launcherTests()) {
  promise('what a program starts that was let in is let in as well, and nothing else is', () =>
    within(identity, {}, async (driver) => {
      const root = workspace({});
      copy('/bin/bash', path.join(root, 'first'));
      copy('/bin/true', path.join(root, 'prog'));
      driver.onGated = (gated, own) =>
        gated.realPath.endsWith('/first') ? own.answer(gated.token, { kind: 'run' }) : stops(gated, own);
      const run = await driver.run(`./first -c 'sh -c ./prog; (./prog; echo $?)'; ./prog; echo $?`, root);
      assert.equal(run.stdout, '0\n9\n');
      assert.deepEqual(
        run.gated.map(({ realPath, isUnchanged }) => [path.basename(realPath), isUnchanged]),
        [
          ['first', true],
          ['prog', true],
        ],
      );
      const replaced = await driver.run('cp prog new; mv -f new first; ./first; echo $?', root);
      assert.deepEqual([replaced.stdout, replaced.gated[0]?.isUnchanged], ['0\n', false]);
    }),
  );

  promise('an inert program is handed over where what it starts may be let in, and runs either way', () => {
    const root = workspace({ script: '#!/bin/sh\n./prog; echo $?\n' });
    copy('/bin/true', path.join(root, 'prog'));
    fs.chmodSync(path.join(root, 'script'), 0o755);
    return within(identity, { mayBeLetIn: [path.join(root, 'script')] }, async (driver) => {
      for (const [kind, stdout] of [
        ['run', '0\n'],
        ['asInert', '9\n'],
      ] as const) {
        driver.onGated = (gated, own) =>
          gated.reason === 'mayBeLetIn' ? own.answer(gated.token, { kind }) : stops(gated, own);
        assert.equal((await driver.run('./script', root)).stdout, stdout);
      }
      const { gated } = await driver.run('echo "# more" >> script; ./script', root);
      assert.equal(gated[0]?.isUnchanged, false);
    });
  });

  promise('whether anything may be let in is told when the view is ready', async () => {
    for (const mode of ['copy', 'look'] as const) {
      const driver = new Driver(identity);
      driver.setup({ mode, mayBeLetIn: ['/bin/true', '/usr/bin/true'] });
      assert.equal((await driver.next('ready')).letsIn, mode === 'copy');
      driver.onGated = (gated, own) => own.answer(gated.token, { kind: 'asInert' });
      const { gated, finished } = await driver.run('/bin/true; /bin/true', '/');
      assert.deepEqual([gated.length > 0, finished.exitCode], [mode === 'copy', 0]);
      await driver.end();
    }
  });
}
