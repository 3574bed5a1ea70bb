import assert from 'node:assert/strict';
import { cpuMsOf } from '../cpuMs.ts';
import { folder, within } from './launcherDriver.ts';
import { launcherTests } from './launcherTests.ts';

function cpuMs(pid: number): number {
  const { own, children } = cpuMsOf(pid);
  return own + children;
}

const computes = '(for ((i = 0; i < 200000; i++)); do :; done)';

for (const { promise, identity } of launcherTests()) {
  for (const [births, script] of [
    ['childFirst', `${computes} & wait`],
    ['parentFirst', `sleep 0 & ${computes}; wait`],
  ] as const)
    promise(`${births}: while somebody waits for those who compute, the launcher leaves them the processor`, () =>
      within(identity, { mode: 'copy', births }, async (driver) => {
        const pid = driver.child.pid ?? 0;
        const before = cpuMs(pid);
        const { finished } = await driver.run(script, '/');
        const own = cpuMs(pid) - before - finished.cpuMs;
        assert.ok(finished.cpuMs > 50, `the command itself took ${finished.cpuMs} ms`);
        assert.ok(own < finished.cpuMs / 4, `the launcher took ${own} ms, the command ${finished.cpuMs}`);
      }),
    );

  for (const mode of ['copy', 'supervised'] as const)
    promise(`${mode}: a pipe that nobody writes to is no input that could be left early`, () =>
      within(identity, { mode }, async (driver) => {
        const unfed = 'exec 3< <(:); wait $!; head -1 <&3';
        const { execs } = await driver.run(`${unfed}; echo a | head -2; sleep 5 | head -3`, folder(identity));
        const heads = execs.filter(({ argv }) => argv[0] === 'head');
        assert.deepEqual(
          heads.map(({ argv, hasPipedInput }) => [argv[1], hasPipedInput]),
          [
            ['-1', false],
            ['-2', true],
            ['-3', true],
          ],
        );
      }),
    );
}
