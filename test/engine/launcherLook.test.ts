import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Driver, within } from './launcherDriver.ts';
import { launcherTests } from './launcherTests.ts';

const look = { mode: 'look' } as const;

for (const { identity, promise, workspace: populated } of launcherTests(', look')) {
  const workspace = (files: Record<string, string> = {}) => populated({ a: 'a\n', 'd/f': 'f\n', ...files });

  promise('what only reads gives the real answer', () =>
    within(identity, look, async (driver) => {
      const root = workspace();
      const run = await driver.run(
        'cat a | cat; ls -l d; stat -c "%u %i" a; df . | tail -1; sort < a; cat <(echo sub); x=$(cat a); echo $x',
        root,
      );
      const inode = fs.statSync(path.join(root, 'a')).ino;
      assert.equal(run.finished.how, 'exited');
      assert.ok(run.stdout.includes(`${identity.uid} ${inode}\n`) && run.stdout.endsWith('a\nsub\na\n'));
    }),
  );

  const changing: [script: string, detail: RegExp][] = [
    ['echo x > a', /^open a$/],
    ['echo x > new', /^open new$/],
    ['rm a', /^unlink a$/],
    ['mkdir m', /^mkdir m$/],
    ['mv a b', /^rename a$/],
    ['ln a b', /^link a$/],
    ['ln -s a b', /^symlink b$/],
    ['chmod 600 a', /^chmod a$/],
    ['touch a', /^(open|utimensat) ?a?$/],
    ['truncate -s 0 a', /^open a$/],
    ['dd if=/dev/zero of=a count=1 status=none', /^open a$/],
    ['echo x > /proc/self/fd/../../../$PWD/a', /^open /],
    ['echo x > /dev/fd/../../../$PWD/a', /^open /],
    ['mkfifo p', /^mknod p$/],
    ['rm -r d', /^unlink /],
  ];
  for (const [script, detail] of changing)
    promise(`it stops before: ${script}`, () =>
      within(identity, look, async (driver) => {
        const root = workspace();
        const run = await driver.run(`echo first; ${script}; echo never`, root);
        assert.deepEqual([run.finished.how, run.stdout], ['stopped', 'first\n']);
        assert.match(run.finished.detail, detail);
        assert.deepEqual(
          [fs.readdirSync(root).sort(), fs.readFileSync(path.join(root, 'a'), 'utf8')],
          [['a', 'd'], 'a\n'],
        );
      }),
    );

  promise('what would fail anyway fails in the words of the system', () =>
    within(identity, look, async (driver) => {
      const run = await driver.run(
        'rm nothing; mkdir d; rmdir no/where; echo x > no/where; echo x > d; echo $?',
        workspace(),
      );
      assert.deepEqual([run.finished.how, run.stdout], ['exited', '1\n']);
      assert.match(run.stderr, /nothing.*No such file.*File exists.*No such file.*Is a directory/s);
    }),
  );

  promise('harmless devices and own descriptors may be written', () =>
    within(identity, look, async (driver) => {
      const run = await driver.run(
        'echo a > /dev/null; echo b > /dev/stderr; echo c > /dev/fd/1; echo d | tee /dev/stderr',
        workspace(),
      );
      assert.deepEqual([run.finished.how, run.stdout, run.stderr], ['exited', 'c\nd\n', 'b\nd\n']);
    }),
  );

  promise('nothing is taken from the readers of a FIFO', () =>
    within(identity, look, async (driver) => {
      const root = workspace();
      execFileSync('mkfifo', ['-m', '666', path.join(root, 'p')]);
      for (const script of ['cat p', 'read x < p', 'dd if=p', 'echo x > p']) {
        const { finished } = await driver.run(script, root);
        assert.equal(finished.how, 'stopped', script);
      }
    }),
  );

  promise('the gate is closed as in copy mode', () =>
    within(identity, look, async (driver) => {
      const root = workspace();
      fs.copyFileSync('/bin/true', path.join(root, 'prog'));
      fs.chmodSync(path.join(root, 'prog'), 0o755);
      driver.onGated = (gated, own) => own.answer(gated.token, { kind: 'run' });
      const run = await driver.run('./prog; echo $?', root);
      assert.equal(run.gated[0]?.reason, 'notInert');
      assert.equal(run.stdout, '126\n'); // foreign code never runs on the real machine, whatever the answer
    }),
  );

  promise('the gate cannot be opened', async () => {
    const driver = new Driver(identity);
    driver.setup({ mode: 'look', openGate: true });
    assert.equal((await driver.next('refused')).step, 'protocol');
    await driver.end();
  });

  promise('a signal to a process outside is answered and reported, one to an own process delivered', async () => {
    const outside = new Driver(identity);
    outside.setup({ ...look, skipWaiting: false });
    outside.start('sleep 100', '/');
    await outside.next('exec', (event) => event.argv[0] === 'sleep');
    await within(identity, look, async (driver) => {
      const pid = outside.child.pid ?? 0;
      const run = await driver.run(`kill ${pid}; echo $?; sleep 50 & kill $!; wait $!; echo $?`, '/');
      assert.equal(run.stdout, '0\n143\n');
      assert.deepEqual(
        run.effects.flatMap((effect) => (effect.kind === 'signals' ? [[effect.target, effect.signal]] : [])),
        [[pid, 'SIGTERM']],
      );
    });
    assert.equal(outside.child.exitCode, null);
    outside.cancel();
    await outside.end();
  });

  promise('connections are answered and reported, never made', () =>
    within(identity, look, async (driver) => {
      const run = await driver.run('echo > /dev/tcp/192.0.2.1/80', '/');
      assert.deepEqual(
        run.effects.map((effect) => [effect.kind, effect.detail]),
        [['connects', 'tcp 192.0.2.1:80']],
      );
    }),
  );

  promise('a terminal, a question and virtual time are as in copy mode', () =>
    within(identity, look, async (driver) => {
      driver.start('stty size; sleep 30; read -p "name? " n; echo hi $n', '/', {
        columns: 70,
        rows: 20,
        stdin: 'input',
      });
      await driver.next('asks');
      driver.input('bob\n');
      assert.equal((await driver.finish(0)).stdout, '20 70\r\nname? bob\r\nhi bob\r\n');
    }),
  );

  promise('nothing is left running', () =>
    within(identity, look, async (driver) => {
      const { finished } = await driver.run('sleep 1000 & echo $!', '/');
      const [left] = finished.leftRunning;
      assert.deepEqual(left?.argv, ['sleep', '1000']);
      assert.ok(!fs.existsSync(`/proc/${left?.pid}`));
    }),
  );
}
