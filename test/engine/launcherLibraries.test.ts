import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { compilePrograms } from '../hostile/programs.ts';
import { Driver, folder, inert, populate, type Run, within } from './launcherDriver.ts';
import { launcherTests } from './launcherTests.ts';

// What an inert program may make executable, and what whoever is let through may.
const { hiddenLibrary, dataLibrary } = compilePrograms();
const has = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
const foreign = (run: Run) =>
  run.gated.filter((gated) => gated.reason === 'foreignLibrary').map((gated) => gated.realPath);

for (const { identity, promise } of launcherTests()) {
  for (const mode of ['copy', 'look'] as const) {
    promise(`regular expressions are compiled as always, ${mode} mode`, () =>
      within(identity, { mode, inert: [...inert, fs.realpathSync('/usr/bin/iconv')] }, async (driver) => {
        const root = folder(identity);
        populate(root, identity, { text: 'first 12 ms\nsecond\nthird 345 ms\n' });
        const script = `grep -P '\\d{3}(?= ms)' text; git grep --no-index -hP 'se+(?=cond)' text; sed -n '/second/p' text; iconv -f latin1 -t utf16 text | wc -c`;
        const run = await driver.run(script, root, { env: ['PATH=/usr/bin:/bin', 'LC_ALL=C.UTF-8', 'HOME=/tmp'] });
        assert.equal(run.stderr, '');
        assert.equal(run.stdout, 'third 345 ms\nsecond\nsecond\n66\n');
        assert.deepEqual([foreign(run), run.finished.how], [[], 'exited']);
      }),
    );

    promise(`a library that hides what it is stops the program, ${mode} mode`, () =>
      within(identity, { mode }, async (driver) => {
        for (const library of [hiddenLibrary, dataLibrary]) {
          const run = await driver.run(`LD_PRELOAD=${library} cat /dev/null; echo $?`, '/');
          assert.deepEqual(foreign(run), [library]);
          assert.equal(run.stdout, '0\n');
        }
      }),
    );
  }

  promise('a library that is let through is loaded', () =>
    within(identity, {}, async (driver) => {
      driver.onGated = (gated, own) => own.answer(gated.token, { kind: 'run' });
      const run = await driver.run(`LD_PRELOAD=${hiddenLibrary} cat /dev/null`, folder(identity));
      assert.equal(run.stdout, 'FOREIGN CODE RAN\n');
      assert.deepEqual(foreign(run), [hiddenLibrary]);
    }),
  );

  promise('with the gate open nothing is asked, and memory may be executed', () =>
    within(identity, { openGate: true }, async (driver) => {
      const python =
        'import mmap, os; m = mmap.mmap(-1, 4096, prot=7); f = os.memfd_create("x"); os.ftruncate(f, 4096); mmap.mmap(f, 4096, prot=5); print("mapped")';
      const script = `LD_PRELOAD=${hiddenLibrary} cat /dev/null; ${has('python3') ? `/usr/bin/env python3 -c '${python}'` : 'echo mapped'}`;
      const run = await driver.run(script, folder(identity), { env: [`PATH=${process.env['PATH']}`, 'HOME=/tmp'] });
      assert.equal(run.stdout, 'FOREIGN CODE RAN\nmapped\n', run.stderr);
      assert.deepEqual(run.gated, []);
    }),
  );

  promise(
    'a machine on which what is read may be executed makes no difference',
    async () => {
      const become =
        process.getuid?.() === 0
          ? ['setpriv', '--reuid', String(identity.uid), '--regid', String(identity.uid), '--clear-groups']
          : [];
      const driver = new Driver(identity, [...become, 'setarch', '-X']);
      try {
        driver.setup({ inert });
        await driver.next('ready');
        const run = await driver.run(
          `LD_PRELOAD=${dataLibrary} cat /dev/null; echo $?; cat /proc/self/personality`,
          '/',
        );
        assert.deepEqual(foreign(run), [dataLibrary]);
        assert.equal(run.stdout, '0\n00000000\n');
      } finally {
        await driver.end();
      }
    },
    has('setarch') ? false : 'setarch is not installed',
  );
}
