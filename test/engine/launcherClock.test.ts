import assert from 'node:assert/strict';
import { within } from './launcherDriver.ts';
import { launcherTests } from './launcherTests.ts';

/** A thousand readings, and how often the shell gave up the processor since it began. */
const readsClock = `for ((i = 0; i < 1000; i++)); do : "$EPOCHREALTIME"; done
while read -r name value; do [ "$name" = voluntary_ctxt_switches: ] && echo "$value"; done < /proc/$$/status`;

for (const { identity, promise } of launcherTests()) {
  for (const mode of ['copy', 'look', 'supervised'] as const) {
    promise(
      `${mode}: reading the clock does not stop a program`,
      () =>
        within(identity, { mode }, async (driver) => {
          const { stdout } = await driver.run(readsClock, '/');
          assert.ok(Number(stdout) > 0 && Number(stdout) < 700, stdout);
        }),
      process.arch !== 'x64' && 'on other processors each reading is a call',
    );

    promise(`${mode}: who read the clock before a wait was skipped finds it over`, () =>
      within(identity, { mode }, async (driver) => {
        const script = `a=$EPOCHSECONDS; (sleep 50; b=$EPOCHSECONDS; sleep 50; echo $((EPOCHSECONDS - b)) $((b - a))) &
          b=$EPOCHSECONDS; sleep 200; echo $((EPOCHSECONDS - a)) $((EPOCHSECONDS - b)) $(($(date +%s) - a))`;
        assert.match((await driver.run(script, '/')).stdout, /^5[01] 5[01]\n20[01] 20[01] 20[01]\n$/);
      }),
    );

    promise(`${mode}: only the time of day is shifted`, () =>
      within(identity, { mode, clockOffsetMs: 86_400_000 }, async (driver) => {
        const script = `echo $EPOCHSECONDS; bash -c 'echo $EPOCHSECONDS'; date +%s; echo $SECONDS; sleep 100; echo $EPOCHSECONDS`;
        const times = (await driver.run(script, '/')).stdout.trim().split('\n').map(Number);
        const ahead = times.map((time) => Math.round(time - Date.now() / 1000 - 86_400));
        const [shell = -1, child = -1, tool = -1, , later = -1] = ahead;
        assert.ok(
          [shell, child, tool].every((seconds) => Math.abs(seconds) < 30) && Math.abs(later - 100) < 30,
          `${ahead}`,
        );
        assert.ok((times[3] ?? -1) < 30, 'since the shell was started');
      }),
    );
  }
}
