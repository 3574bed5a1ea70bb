import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe, test } from 'node:test';
import { Driver } from '../engine/launcherDriver.ts';
import { whyNoGvisor } from './gvisor.ts';
import { whyNoMachine } from './machine.ts';

// Emulated machines take minutes: they are for whoever changes the launcher, FORETELL_PLACES=all node test/run.mjs places.
const wanted = process.env['FORETELL_PLACES'];
const identity = { name: 'root', uid: 0 } as const;
const asked = (name: string) => wanted === 'all' || wanted?.split(',').includes(name);

function skipOf(name: string): string | false {
  if (name !== 'gvisor' && !asked(name)) return 'only where FORETELL_PLACES asks for it';
  if (name === 'arm64' && !fs.existsSync('dist/native/confine-linux-arm64'))
    return 'the launcher for arm64 is not built';
  return (name === 'gvisor' ? whyNoGvisor() : whyNoMachine(name)) ?? false;
}

const project =
  'rm -rf /tmp/w; mkdir -p /tmp/w/dir; cd /tmp/w; git init -q; echo a > dir/a; echo b > b; git add b; echo made';

for (const [name, launcher] of [
  ['linux-5.10', 'confine-linux-x64'],
  ['linux-6.1', 'confine-linux-x64'],
  ['arm64', 'confine-linux-arm64'],
  ['gvisor', 'confine-linux-x64'],
] as const) {
  describe(name, { skip: skipOf(name), timeout: 900_000 }, () => {
    test('the launcher runs there: true, git status, rm', async () => {
      // The first command really runs; what the launcher is then asked for is confined.
      const script = `(${project}) > /dev/null 2>&1; exec dist/native/${launcher}`;
      const driver = new Driver(identity, [], [process.execPath, 'test/place.mjs', name, '--', 'sh', '-c', script]);
      try {
        const mode = name === 'gvisor' || name === 'linux-5.10' ? 'look' : 'copy';
        driver.setup({ mode, wallMs: 200_000 });
        await driver.next('ready');
        const nothing = await driver.run('true', '/');
        assert.deepEqual([nothing.finished.how, nothing.finished.exitCode], ['exited', 0]);
        const status = await driver.run('git status --short', '/tmp/w');
        assert.equal(status.stderr, '');
        assert.equal(status.stdout, 'A  b\n?? dir/\n');
        const ended = await driver.run('sleep 5 & p=$!; sleep 0.2; kill $p; wait $p; echo $?', '/tmp/w');
        assert.equal(ended.stdout, '143\n');
        const removed = await driver.run('rm -rf dir && echo gone', '/tmp/w');
        if (mode === 'look') assert.equal(removed.finished.how, 'stopped');
        else assert.equal(removed.stdout, 'gone\n');
        const { changes } = mode === 'copy' ? await driver.list() : { changes: [] };
        const named = changes.map((change) => change.path.toString());
        if (mode === 'copy') assert.ok(named.includes('/tmp/w/dir'), named.join(', '));
      } finally {
        await driver.end();
      }
    });
  });
}
