import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { temporaryFolder } from '../temporaryFolder.ts';
import { type Batch, startBatch } from './batch.ts';
import { type Canaries, makeCanaries } from './canaries.ts';
import { availableIdentities, spawnAs } from './identity.ts';
import { launch } from './launch.ts';

// Who holds a lease on a file is signalled by whoever opens it, and everybody waits for it. A prediction asks for nothing.
const identities = availableIdentities().filter((one) => (process.env['FORETELL_IDENTITY'] ?? one.name) === one.name);

/** Commands that would open, copy up or read the leased file. */
const scripts = [
  'cat leased',
  'echo x >> leased',
  ': > leased',
  'exec 5<> leased',
  'grep -r text .',
  'cp leased copy',
  'mv leased moved; cat moved',
  'ln leased second; cat second',
  'ln -s leased second; cat second',
  'chmod 600 leased',
  'touch -d 2001-01-01 leased',
  'truncate -s 0 leased',
  'sed -i s/t/T/ leased',
  'tar cf all.tar .',
  'bash ./leased',
  'git add -A',
  'git hash-object leased',
  'head -c 1 < leased',
  'cat /proc/self/cwd/leased',
];

for (const identity of identities) {
  describe(`a leased file, as ${identity.name}`, () => {
    let canaries: Canaries;
    let batch: Batch;
    let holder: ChildProcess;
    let said = '';
    let folder = '';
    before(async () => {
      canaries = await makeCanaries(identity);
      // Not among the canaries, which are read to be compared.
      folder = temporaryFolder('leases');
      fs.cpSync(canaries.workspace, folder, { recursive: true });
      fs.writeFileSync(path.join(folder, 'leased'), 'text of the leased file\n');
      if (process.getuid?.() === 0) execFileSync('chown', ['-R', `${identity.uid}:${identity.gid}`, folder]);
      batch = startBatch(canaries, 1);
    });
    after(async () => {
      holder?.kill('SIGKILL');
      await batch.close();
      await canaries.remove();
      fs.rmSync(folder, { recursive: true, force: true });
      fs.rmSync(`${canaries.base}.cache`, { recursive: true, force: true });
    });
    beforeEach(async () => {
      holder?.kill('SIGKILL');
      said = '';
      const program = path.join(canaries.programs.folder, 'lease');
      holder = spawn(program, [path.join(folder, 'leased')], { ...spawnAs(identity) });
      let complaint = '';
      holder.stderr?.on('data', (chunk) => {
        complaint += chunk;
      });
      await new Promise((resolve, reject) => {
        holder.stdout?.on('data', (chunk) => {
          said += chunk;
          resolve(undefined);
        });
        holder.once('close', () => reject(new Error(`there is no lease: ${complaint}`)));
      });
    });

    test('without confinement its holder is asked', async () => {
      assert.equal(said, 'held\n');
      spawnSync('cat', [path.join(folder, 'leased')], spawnAs(identity));
      while (!said.includes('asked')) await new Promise((resolve) => setTimeout(resolve, 5));
    });

    for (const script of scripts) {
      for (const mode of ['copy', 'look'] as const) {
        test(`${script}, ${mode} mode`, async () => {
          const argv = ['/bin/bash', '-c', script];
          const result = await launch(canaries, { mode, openGate: false, argv, cwd: folder });
          assert.equal(result.complaint, '');
          assert.equal(said, 'held\n');
          assert.equal(result.finished[0]?.how, 'stopped', JSON.stringify(result.finished));
        });
      }
    }

    for (const [what, inNs] of [
      ['a second ago', -1e9],
      ['in a second', 1e9],
    ] as const)
      test(`a host that saw none ${what} is not believed`, async () => {
        const argv = ['/bin/bash', '-c', 'cat leased'];
        const setup = { unleasedAtNs: Number(process.hrtime.bigint()) + inNs };
        const result = await launch(canaries, { mode: 'look', openGate: false, argv, cwd: folder, setup });
        assert.equal(said, 'held\n');
        assert.equal(result.finished[0]?.how, 'stopped', JSON.stringify(result.finished));
      });

    for (const script of [
      'rm leased',
      'cat leased',
      'mv leased moved',
      'cp a leased',
      'rm -rf .',
      'git clean -fdx',
      'git status',
      'ls -l',
    ])
      test(`predicted: ${script}`, async () => {
        const [answer] = await batch.ask([{ script, cwd: folder, timeLimitMs: 10_000 }]);
        assert.ok(answer && ['done', 'abstained'].includes(answer.ending), JSON.stringify(answer).slice(0, 500));
        assert.equal(said, 'held\n');
      });
  });
}
