import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import type { CommandAction } from '../../src/core/action/action.ts';
import { createForetell, type Foretell, foldAll } from '../../src/core/foretell.ts';
import { launcherPath } from '../../src/core/launcherPath.ts';

/** Calls that a rehearsal refuses change what a program does: nothing of it is claimed, also where the program goes on. */

let foretell: Foretell;

before(() => {
  foretell = createForetell({ launcher: launcherPath(path.resolve('dist')) });
});
after(() => foretell.dispose());

const { clone, ptrace } = process.arch === 'arm64' ? { clone: 220, ptrace: 117 } : { clone: 56, ptrace: 101 };
const untraced = 0x00800000;
const endsWithSigchld = 17;

for (const [name, call] of [
  ['a process that nobody traces', `syscall(${clone}, ${untraced | endsWithSigchld}, 0, 0, 0, 0)`],
  ['tracing another process', `syscall(${ptrace}, 0, 0, 0, 0)`],
]) {
  test(`not claimed: ${name}`, async () => {
    const script = `perl -e 'my $id = ${call}; exit 0 if $id == 0; print $id > 0 ? "made" : "refused"'`;
    const action: CommandAction = { kind: 'command', script, shell: 'bash', cwd: os.tmpdir() };
    const { events, view } = foretell.predict({ action, openGate: true, signal: new AbortController().signal });
    const prediction = await foldAll(action, events);
    await view.close();
    assert.equal(prediction.ending, 'abstained');
    assert.match(prediction.endingReason ?? '', /which a rehearsal refuses/);
  });
}
