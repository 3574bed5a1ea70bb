import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeWords } from '../places/places.ts';
import { Driver, folder, identities, populate } from './launcherDriver.ts';

// Kernels that do not have the calls of the last years: gVisor, containers with an old seccomp profile.
for (const identity of identities()) {
  const become =
    process.getuid?.() === 0
      ? ['setpriv', '--reuid', String(identity.uid), '--regid', String(identity.uid), '--clear-groups']
      : [];
  const promise = (name: string, run: () => Promise<void>) => test(`as ${identity.name}: ${name}`, run);
  const start = (missing: string) => new Driver(identity, [...become, ...placeWords(missing)]);

  promise('a command is rehearsed without close_range, and gets no descriptor of ours', async () => {
    const driver = start('no-close-range');
    try {
      driver.setup();
      await driver.next('ready');
      const run = await driver.run('echo /proc/self/fd/*; mkdir d && mv d e && echo moved', folder(identity));
      assert.equal(run.stdout, '/proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2 /proc/self/fd/3\nmoved\n');
      assert.deepEqual([run.finished.how, run.finished.exitCode], ['exited', 0]);
    } finally {
      await driver.end();
    }
  });

  promise('without all newer calls commands that read are answered, and the gate is closed', async () => {
    const root = folder(identity);
    populate(root, identity, { a: 'content\n', 'sub/b': '', x: '\x7fELF' });
    const driver = start('kernel-5.0');
    try {
      driver.setup({ mode: 'look' });
      await driver.next('ready');
      const read = await driver.run('cat a; find . -type f | sort; ls /proc/self/fd; kill -0 $$ && echo alive', root);
      assert.equal(read.stdout, 'content\n./a\n./sub/b\n./x\n0\n1\n2\n3\nalive\n');
      assert.equal(read.finished.how, 'exited');
      const written = await driver.run('echo x > a', root);
      assert.deepEqual([written.finished.how, written.finished.detail], ['stopped', 'open a']);
      const removed = await driver.run('rm a', root);
      assert.deepEqual([removed.finished.how, removed.finished.detail], ['stopped', 'unlink a']);
      driver.onGated = (gated, own) => {
        own.write(gated.token, 'stdout', 'imagined\n');
        own.answer(gated.token, { kind: 'exit', code: 3 });
      };
      const gated = await driver.run('PATH=$PATH:/usr/sbin; python3 -c 1 | cat; echo $?; perl -e 1; echo $?', root);
      assert.ok(gated.gated.length >= 1, JSON.stringify(gated.finished));
      assert.match(gated.stdout, /imagined\n/);
      assert.deepEqual((await driver.read(`${root}/a`, false)).text, 'content\n');
    } finally {
      await driver.end();
    }
  });

  promise('where nothing can be traced a run fails, and the launcher ends', async () => {
    for (const mode of ['copy', 'look'] as const) {
      const driver = start('no-ptrace');
      driver.setup({ mode });
      await driver.next('ready');
      const { finished } = await driver.run('true', '/');
      assert.deepEqual([finished.how, finished.detail, finished.leftRunning], ['notStarted', 'ptrace', []]);
      await driver.end();
    }
  });

  promise('a command that cannot be started leaves nothing running', async () => {
    for (const mode of ['copy', 'look'] as const) {
      const driver = new Driver(identity);
      try {
        driver.setup({ mode });
        await driver.next('ready');
        const { finished } = await driver.run('true', '/no/such/place');
        assert.deepEqual([finished.how, finished.detail, finished.leftRunning], ['notStarted', 'chdir', []]);
        const from = driver.events.length;
        driver.start('true', '/', { argv: ['no-such-program'], env: ['PATH='] });
        const missing = await driver.finish(from);
        assert.deepEqual(
          [missing.finished.how, missing.finished.detail, missing.finished.leftRunning],
          ['notStarted', 'execve', []],
        );
      } finally {
        await driver.end();
      }
    }
  });
}
