import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import type { CommandAction } from '../../src/core/action/action.ts';
import { createForetell, type Foretell, foldAll } from '../../src/core/foretell.ts';
import { launcherPath } from '../../src/core/launcherPath.ts';

/** A process of the machine that a prediction would have ended is still there: nothing may be claimed of it afterwards. */

let foretell: Foretell;
let victim: ReturnType<typeof spawn>;

before(() => {
  foretell = createForetell({ launcher: launcherPath(path.resolve('dist')) });
  victim = spawn('/bin/sleep', ['300'], { stdio: 'ignore' });
});
after(async () => {
  victim.kill('SIGKILL');
  await foretell.dispose();
});

async function predict(script: string) {
  const action: CommandAction = { kind: 'command', script, shell: 'bash', cwd: os.tmpdir() };
  const { events, view } = foretell.predict({ action, signal: new AbortController().signal });
  const prediction = await foldAll(action, events);
  await view.close();
  return prediction;
}

for (const script of [
  'kill P; ps -o pid= -p P',
  'kill P; kill -0 P && echo alive',
  'kill P; kill -9 P',
  'kill P; sh -c \'kill -"$1" "$2"\' sh 0 P && echo alive',
  'kill P; ps -e | wc -l',
]) {
  test(`what is said of a process after it was signalled is unsure: ${script}`, async () => {
    const prediction = await predict(script.replaceAll('P', String(victim.pid)));
    assert.equal(prediction.ending, 'abstained');
    assert.match(prediction.endingReason ?? '', /signalled/);
  });
}

// Behind the last command of a script its shell is gone, and `ps` itself would be told that `sleep` ended: `true` comes last.
for (const script of [
  'kill -0 P && kill P && echo sent',
  'kill P; echo done',
  'kill P; echo kill -0 P',
  'kill -0 P; kill P; kill -0 $$',
  'sleep 9 & kill $!; ps -o pid= -p P; true',
]) {
  test(`what does not look at it afterwards is certain: ${script}`, async () => {
    const prediction = await predict(script.replaceAll('P', String(victim.pid)));
    assert.equal(prediction.ending, 'done', prediction.endingReason);
    assert.equal(prediction.exitCode, 0);
  });
}
