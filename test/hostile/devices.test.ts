import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { after, before, describe, type TestContext, test } from 'node:test';
import { type Batch, isEngine, startBatch } from './batch.ts';
import { type Canaries, differences, makeCanaries } from './canaries.ts';
import { type DeviceCase, deviceCases, lockCases } from './cases/devices.ts';
import { availableIdentities, type Identity } from './identity.ts';
import { launch } from './launch.ts';
import { makePrivateDevices, type PrivateDevices } from './privateDevices.ts';

// Nodes of devices are the machine's own even where everything else is a copy. Each case runs in a mount namespace whose
// nodes are thrown away afterwards: there it changes them without a confinement, and changes nothing with one.
const isRoot = process.getuid?.() === 0;
const skip = isRoot ? false : 'making device nodes needs root';
const only = process.env['FORETELL_ONLY'] ? new RegExp(process.env['FORETELL_ONLY']) : /./;
const identities = isRoot
  ? availableIdentities().filter((one) => (process.env['FORETELL_IDENTITY'] ?? one.name) === one.name)
  : [];

const isFor = (one: DeviceCase, identity: Identity) =>
  only.test(one.name) && (one.identity ?? identity.name) === identity.name;

async function made(): Promise<PrivateDevices> {
  const devices = await makePrivateDevices();
  assert.ok(devices);
  return devices;
}

/** The kernel has no records to lose here; the case has nothing to try. */
function hasNoRecords(context: TestContext, devices: PrivateDevices, one: DeviceCase): boolean {
  const lacks = one.script.includes('$TRACE') && devices.trace === '';
  if (lacks) context.skip('no tracefs');
  return lacks;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs a script in the namespace without any confinement; says whether one of the nodes was locked meanwhile. */
async function runPlainly(devices: PrivateDevices, canaries: Canaries, one: DeviceCase): Promise<boolean> {
  const [program = '', ...first] = devices.wrapper(canaries.identity, canaries.workspace);
  const shell = ['/bin/bash', '-c', one.script];
  // script(1) gives it a controlling terminal.
  const argv = one.columns ? ['script', '-qec', 'bash -c "$SCRIPT"', '/dev/null'] : shell;
  const child = spawn(program, [...first, ...argv], {
    cwd: canaries.workspace,
    env: {
      ...canaries.environment,
      BOUND: devices.bound,
      TRACE: devices.trace,
      SCRIPT: one.script,
      SHELL: '/bin/bash',
    },
    stdio: 'ignore',
    detached: true,
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), 10_000);
  const locked = await watchLocks(devices, ended);
  clearTimeout(timer);
  return locked;
}

async function watchLocks(devices: PrivateDevices, ended: Promise<void>): Promise<boolean> {
  let over = false;
  let locked = false;
  const watching = ended.then(() => {
    over = true;
  });
  while (!over) {
    locked ||= devices.locks().length > 0;
    await pause(5);
  }
  await watching;
  return locked;
}

for (const identity of identities) {
  describe(`nodes of devices, as ${identity.name}`, { skip }, () => {
    let devices: PrivateDevices;
    let canaries: Canaries;
    let batch: Batch;
    before(async () => {
      devices = await made();
      canaries = await makeCanaries(identity);
      const asRoot = { ...canaries, identity: { ...identity, uid: 0, gid: 0 } };
      batch = startBatch(asRoot, 1, {
        wrapper: devices.wrapper(identity, canaries.workspace),
        environment: { BOUND: devices.bound, TRACE: devices.trace },
      });
    });
    after(async () => {
      await batch.close();
      await canaries.remove();
      await devices.remove();
      fs.rmSync(`${canaries.base}.cache`, { recursive: true, force: true });
    });

    for (const one of [...deviceCases, ...lockCases].filter((each) => isFor(each, identity))) {
      for (const mode of one.gate ? (['copy'] as const) : (['copy', 'look'] as const)) {
        test(`${one.name}: nothing changes, ${mode} mode`, async (context) => {
          if (hasNoRecords(context, devices, one)) return;
          const state = await canaries.state();
          devices.reset();
          const nodes = devices.state();
          const running = launch(canaries, {
            mode,
            openGate: one.gate === 'open',
            argv: ['/bin/bash', '-c', one.script],
            wrapper: devices.wrapper(identity, canaries.workspace),
            environment: { BOUND: devices.bound, TRACE: devices.trace },
            ...(one.columns ? { columns: one.columns } : {}),
          });
          const locked = await watchLocks(
            devices,
            running.then(() => {}),
          );
          const result = await running;
          assert.equal(result.refused, undefined, result.refused?.sentence);
          assert.equal(result.complaint, '');
          assert.equal(result.finished.length, 1);
          assert.deepEqual(differences(nodes, devices.state()), []);
          assert.deepEqual(await canaries.compare(state, isEngine), []);
          assert.equal(locked, false, 'a real lock was taken');
        });
      }

      test(`${one.name}: what is said`, async (context) => {
        if (hasNoRecords(context, devices, one)) return;
        devices.reset();
        const nodes = devices.state();
        const request = { script: one.script, timeLimitMs: 20_000, openGate: one.gate === 'open' };
        const [answer] = await batch.ask([one.columns ? { ...request, tty: { columns: 80, rows: 24 } } : request]);
        assert.deepEqual(differences(nodes, devices.state()), []);
        assert.ok(answer);
        assert.ok(['done', 'abstained'].includes(answer.ending), JSON.stringify(answer).slice(0, 600));
        const said = [
          answer.reason ?? '',
          ...(answer.effects ?? []).map((effect) => effect.detail),
          ...(answer.files ?? []).map((file) => file.path),
        ].join('\n');
        // Root's nodes in the view are its own, and so are their locks.
        const isOwnLock = lockCases.includes(one) && identity.name === 'root';
        if (one.told && !isOwnLock) assert.match(said, one.told);
        const reasons = (answer.verdict?.reasons ?? []).map((reason) => reason.text).join('\n');
        if (one.identity === 'root') assert.doesNotMatch(reasons, /refused/);
        if (one.told && !one.harmless && !isOwnLock) assert.doesNotMatch(reasons, /Changes no files/);
      });
    }
  });

  describe(`without confinement they change, as ${identity.name}`, { skip }, () => {
    let devices: PrivateDevices;
    let canaries: Canaries;
    before(async () => {
      devices = await made();
      canaries = await makeCanaries(identity);
    });
    after(async () => {
      await canaries.remove();
      await devices.remove();
    });
    for (const one of deviceCases.filter((each) => isFor(each, identity) && !each.harmless)) {
      test(one.name, async (context) => {
        if (hasNoRecords(context, devices, one)) return;
        devices.reset();
        const nodes = devices.state();
        await runPlainly(devices, canaries, one);
        assert.notDeepEqual(differences(nodes, devices.state()), []);
      });
    }
    for (const one of lockCases.filter((each) => isFor(each, identity))) {
      test(`lock: ${one.name}`, async () => {
        assert.ok(await runPlainly(devices, canaries, one));
      });
    }
  });
}
