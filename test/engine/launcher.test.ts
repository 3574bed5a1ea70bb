import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { Driver, folder, type Gated, type Identity, populate, within } from './launcherDriver.ts';
import { launcherTests } from './launcherTests.ts';

/** A folder with a program that is not inert: a copy of one that is. */
function workspace(identity: Identity, files: Record<string, string> = {}): string {
  const root = folder(identity);
  populate(root, identity, files);
  fs.copyFileSync('/bin/true', path.join(root, 'prog'));
  fs.chmodSync(path.join(root, 'prog'), 0o755);
  fs.utimesSync(path.join(root, 'prog'), 1e9, 1e9);
  return root;
}

const imagine = (text: string, code: number) => (gated: Gated, driver: Driver) => {
  driver.write(gated.token, 'stdout', text);
  driver.answer(gated.token, { kind: 'exit', code });
};

for (const { identity, promise } of launcherTests()) {
  promise('the view is ready, and says of what kind it is', async () => {
    const driver = new Driver(identity);
    driver.setup();
    const ready = await driver.next('ready');
    assert.ok(identity.name === 'root' ? ready.kind !== 'look' : ready.kind === 'userNamespace');
    assert.ok(ready.parts.some((part) => part.path === '/' && part.how === 'copyOnWrite'));
    await driver.end();
  });

  promise('a command runs, and what it prints comes in order on its own stream', () =>
    within(identity, {}, async (driver) => {
      const run = await driver.run('echo out; echo err >&2; exit 7', '/');
      assert.deepEqual([run.stdout, run.stderr], ['out\n', 'err\n']);
      assert.deepEqual([run.finished.how, run.finished.exitCode], ['exited', 7]);
    }),
  );

  promise('a command that dies of a signal says of which', () =>
    within(identity, {}, async (driver) => {
      const { finished } = await driver.run('kill -TERM $$', '/');
      assert.deepEqual([finished.how, finished.exitCode], ['signalled', 143]);
    }),
  );

  promise('the directory in which the command ended is told', () =>
    within(identity, {}, async (driver) => {
      assert.equal((await driver.run('cd /usr/bin', '/tmp')).finished.cwd, '/usr/bin');
    }),
  );

  promise('a directory that is not there cannot be started in', () =>
    within(identity, {}, async (driver) => {
      const { finished } = await driver.run('true', '/no/such/place');
      assert.deepEqual([finished.how, finished.error, finished.detail], ['notStarted', 'ENOENT', 'chdir']);
    }),
  );

  promise('every program is logged with its parent, its arguments and its exit code', () =>
    within(identity, {}, async (driver) => {
      const run = await driver.run('ls /nowhere; /bin/true a "b c"', '/');
      const [shell, ls, last] = run.execs;
      assert.deepEqual(last?.argv, ['/bin/true', 'a', 'b c']);
      assert.equal(ls?.parentPid, shell?.pid);
      const exit = run.events.find((event) => event.type === 'programExit' && event.pid === ls?.pid);
      assert.equal(exit?.type === 'programExit' && exit.exitCode, 2);
    }),
  );

  promise('only its own descriptors reach the command', () =>
    within(identity, {}, async (driver) => {
      assert.equal(
        (await driver.run('echo /proc/self/fd/*', '/')).stdout,
        '/proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2 /proc/self/fd/3\n',
      );
    }),
  );

  promise('the umask is the one that was asked for', () =>
    within(identity, {}, async (driver) => {
      assert.equal((await driver.run('umask', '/', { umask: 0o027 })).stdout, '0027\n');
    }),
  );

  promise('a program that is not inert is stopped and answered for', () =>
    within(identity, {}, async (driver) => {
      const root = workspace(identity);
      driver.onGated = imagine('imagined\n', 3);
      const run = await driver.run('./prog x | cat; echo ${PIPESTATUS[0]}', root);
      assert.equal(run.stdout, 'imagined\n3\n');
      assert.deepEqual(
        [run.gated[0]?.reason, run.gated[0]?.realPath, run.gated[0]?.stdout],
        ['notInert', path.join(root, 'prog'), 'pipe'],
      );
    }),
  );

  promise('so is one whose name is as long as names may be', () =>
    within(identity, {}, async (driver) => {
      const root = workspace(identity);
      driver.onGated = imagine('imagined\n', 3);
      const run = await driver.run('p=$(printf "%5000s" | tr " " /)$PWD/prog; "${p: -4095}" x; echo $?', root);
      assert.equal(run.stdout, 'imagined\n3\n');
      assert.deepEqual([run.gated[0]?.reason, run.gated[0]?.realPath], ['notInert', path.join(root, 'prog')]);
    }),
  );

  promise('the pipeline neighbours of a stopped program go on', () =>
    within(identity, {}, async (driver) => {
      driver.onGated = (gated, own) => own.readStdin(gated.token);
      driver.start('seq 1 3 | ./prog | sed s/^/got:/', workspace(identity));
      const { token } = await driver.next('gated');
      const input = await driver.next('stdin');
      assert.deepEqual([Buffer.from(input.bytes).toString(), input.eof], ['1\n2\n3\n', true]);
      driver.write(token, 'stdout', 'a\nb\n');
      driver.answer(token, { kind: 'exit', code: 0 });
      assert.equal((await driver.finish(0)).stdout, 'got:a\ngot:b\n');
    }),
  );

  promise('two stopped programs of one pipeline are answered in any order', () =>
    within(identity, {}, async (driver) => {
      const waiting: Gated[] = [];
      driver.onGated = (gated, own) => {
        waiting.push(gated);
        if (waiting.length < 2) return;
        for (const each of waiting.reverse()) imagine(`${each.argv[1]}\n`, 0)(each, own);
      };
      const run = await driver.run('./prog one >&2 | ./prog two', workspace(identity));
      assert.deepEqual([run.stdout, run.stderr], ['two\n', 'one\n']);
    }),
  );

  promise('more output than a pipe holds is taken as fast as the reader reads', () =>
    within(identity, {}, async (driver) => {
      driver.onGated = (gated, own) => {
        for (let piece = 0; piece < 10; piece += 1) own.write(gated.token, 'stdout', 'x'.repeat(60_000));
        own.answer(gated.token, { kind: 'exit', code: 0 });
      };
      assert.equal((await driver.run('./prog | (sleep 1; wc -c)', workspace(identity))).stdout.trim(), '600000');
    }),
  );

  promise('a program whose reader is gone dies of SIGPIPE', () =>
    within(identity, {}, async (driver) => {
      driver.onGated = (gated, own) => setTimeout(() => imagine('late\n', 0)(gated, own), 100);
      assert.equal((await driver.run('./prog | true; echo ${PIPESTATUS[0]}', workspace(identity))).stdout, '141\n');
    }),
  );

  promise('an answer may be a signal, an error, or another program', () =>
    within(identity, {}, async (driver) => {
      const root = workspace(identity);
      driver.onGated = (gated, own) => {
        const what = gated.argv[1];
        if (what === 'signal') own.answer(gated.token, { kind: 'exit', code: 256 + 9 });
        else if (what === 'error') own.answer(gated.token, { kind: 'fails', error: 'EACCES' });
        else
          own.answer(gated.token, {
            kind: 'instead',
            path: '/bin/sh',
            argv: ['sh', '-c', 'echo $0 $Q', 'in'],
            env: ['Q=q'],
          });
      };
      const run = await driver.run('./prog signal; echo $?; ./prog error; echo $?; ./prog other', root);
      assert.equal(run.stdout, '137\n126\nin q\n');
      assert.match(run.stderr, /Permission denied/);
    }),
  );

  promise('a program in the place of another is gated in its turn', () =>
    within(identity, {}, async (driver) => {
      const root = workspace(identity);
      driver.onGated = (gated, own) => {
        if (gated.argv[1] === 'second') imagine('second\n', 4)(gated, own);
        else own.answer(gated.token, { kind: 'instead', path: './prog', argv: ['./prog', 'second'], env: [] });
      };
      assert.equal((await driver.run('./prog; echo $?', root)).stdout, 'second\n4\n');
    }),
  );

  promise('an answer may let the program run', () =>
    within(identity, {}, async (driver) => {
      driver.onGated = (gated, own) => own.answer(gated.token, { kind: 'run' });
      const run = await driver.run('./prog && echo ran', workspace(identity));
      assert.equal(run.stdout, 'ran\n');
      assert.equal(run.execs.at(-1)?.argv[0], './prog');
    }),
  );

  promise('an open gate stops nothing', () =>
    within(identity, { openGate: true }, async (driver) => {
      const run = await driver.run('./prog && echo ran', workspace(identity));
      assert.deepEqual([run.stdout, run.gated.length], ['ran\n', 0]);
    }),
  );

  promise('a copy of an inert program is not inert, nor is a file put in its place', () =>
    within(identity, {}, async (driver) => {
      const run = await driver.run(
        'cp /bin/true t && ./t; cp prog /usr/bin/true 2>/dev/null && /usr/bin/true',
        workspace(identity),
      );
      assert.equal(run.gated.length, identity.name === 'root' ? 2 : 1);
    }),
  );

  promise('no way of naming a file gets a program past the gate', () =>
    within(identity, {}, async (driver) => {
      const run = await driver.run(
        'exec 9<prog; for p in ./prog ../$(basename $PWD)/prog "$PWD/prog" /proc/self/cwd/prog /proc/self/fd/9; do "$p"; done; ln -s prog l; ./l; env ./prog; echo | xargs ./prog; find prog -exec ./{} \\;',
        workspace(identity),
      );
      assert.equal(run.gated.length, 9);
      assert.equal(run.finished.how, 'exited');
    }),
  );

  promise('a script is judged by its interpreter, a text without one by the shell', () =>
    within(identity, {}, async (driver) => {
      const root = workspace(identity, {
        s: '#!/bin/sh\necho script\n',
        p: '#!/usr/bin/env ./prog\n',
        t: 'echo text\n',
      });
      const run = await driver.run('chmod +x s p t; ./s; ./t; ./p', root);
      assert.equal(run.stdout, 'script\ntext\n');
      assert.deepEqual(
        run.gated.map((gated) => gated.argv[0]),
        ['./prog'],
      );
    }),
  );

  promise('a foreign library is a program too', () =>
    within(identity, {}, async (driver) => {
      const run = await driver.run(
        'cp /lib/x86_64-linux-gnu/libc.so.6 x.so 2>/dev/null || cp /lib/*-linux-gnu/libc.so.6 x.so; LD_PRELOAD=$PWD/x.so cat /dev/null',
        workspace(identity),
      );
      assert.equal(run.gated[0]?.reason, 'foreignLibrary');
    }),
  );

  promise('the ask list is asked about although its programs are inert', () =>
    within(identity, { ask: [fs.realpathSync('/bin/date')] }, async (driver) => {
      driver.onGated = imagine('some day\n', 0);
      const run = await driver.run('date', '/');
      assert.deepEqual([run.stdout, run.gated[0]?.reason], ['some day\n', 'readsTables']);
    }),
  );

  promise('the environment of a stopped program is given when it was asked for', () =>
    within(identity, { reportEnvironment: true }, async (driver) => {
      const run = await driver.run('Q=1 ./prog', workspace(identity));
      assert.ok(run.gated[0]?.env.includes('Q=1'));
    }),
  );

  promise('a terminal has the size and the name of one', () =>
    within(identity, {}, async (driver) => {
      assert.equal(
        (await driver.run('stty size; tty; test -t 0 && test -t 1 && echo yes', '/', { columns: 91, rows: 17 })).stdout,
        '17 91\r\n/dev/pts/0\r\nyes\r\n',
      );
    }),
  );

  promise('each command of a view has its own terminal as /dev/tty, and one without a terminal has none', () =>
    within(identity, {}, async (driver) => {
      const tty = { columns: 80, rows: 24 };
      for (const text of ['one', 'two']) {
        const { stdout, effects } = await driver.run(
          `exec 5<>/dev/tty; echo ${text} >&5; echo ${text} > /dev/tty`,
          '/',
          tty,
        );
        assert.deepEqual([stdout, effects], [`${text}\r\n`.repeat(2), []]);
      }
      const without = await driver.run('exec 5<>/dev/tty || echo none', '/');
      assert.match(`${without.stdout}${without.stderr}`, /No such device or address/);
      assert.equal((await driver.run('echo three > /dev/tty', '/', tty)).stdout, 'three\r\n');
    }),
  );

  promise('a question at the terminal is noticed, every time', () =>
    within(identity, {}, async (driver) => {
      driver.start('read -p "one? " a; read -p "two? " b; echo $a-$b', '/', { columns: 80, rows: 24, stdin: 'input' });
      for (const answer of ['x\n', 'y\n']) {
        await driver.next('asks');
        driver.input(answer);
      }
      assert.match((await driver.finish(0)).stdout, /x-y\r\n$/);
    }),
  );

  promise('the clock of the time limit stands still while a question waits for its answer', () =>
    within(identity, { wallMs: 1_500 }, async (driver) => {
      driver.start('read -p "one? " a; echo "[$a]"', '/', { columns: 80, rows: 24, stdin: 'input' });
      await driver.next('asks');
      await new Promise((resolve) => setTimeout(resolve, 4_000));
      driver.input('x\n');
      assert.match((await driver.finish(0)).stdout, /\[x\]\r\n$/);
    }),
  );

  promise('a question does not stop the clock of what runs beside it', () =>
    within(identity, { wallMs: 1_500 }, async (driver) => {
      driver.start('(while :; do :; done) & read -p "one? " a', '/', { columns: 80, rows: 24, stdin: 'input' });
      const finished = await driver.next('finished');
      assert.equal(finished.how, 'timeLimit');
    }),
  );

  promise('the end of input ends who reads it', () =>
    within(identity, {}, async (driver) => {
      driver.start('sort; echo done', '/', { stdin: 'input' });
      await driver.next('asks');
      driver.input('b\na\n', true);
      assert.equal((await driver.finish(0)).stdout, 'a\nb\ndone\n');
    }),
  );

  promise('waits are skipped in the order in which they would have ended', () =>
    within(identity, {}, async (driver) => {
      const startedAt = Date.now();
      const run = await driver.run(
        '(sleep 30; echo three) & (sleep 20; echo two) & sleep 10; echo one; wait; echo $SECONDS',
        '/',
      );
      assert.match(run.stdout, /^one\ntwo\nthree\n3[01]\n$/);
      assert.ok(Date.now() - startedAt < 25_000);
      assert.ok(run.effects.some((effect) => effect.kind === 'waitSkipped' && effect.durationMs > 9000));
    }),
  );

  promise('a time limit inside the command fires in virtual time', () =>
    within(identity, {}, async (driver) => {
      assert.equal(
        (await driver.run('timeout 50 sleep 100; echo $?; timeout 50 sleep 10; echo $?', '/')).stdout,
        '124\n0\n',
      );
    }),
  );

  promise('a shifted clock shows in dates, not in the times of files', () =>
    within(identity, { clockOffsetMs: 86_400_000 * 400 }, async (driver) => {
      const run = await driver.run('date +%s; touch new; stat -c %Y new; stat -c %Y prog', workspace(identity));
      const [now = 0, made = 0, old = 0] = run.stdout.split('\n').map(Number);
      const shifted = Date.now() / 1000 + 86_400 * 400;
      assert.ok(Math.abs(now - shifted) < 60 && Math.abs(made - Date.now() / 1000) < 60 && old === 1e9);
    }),
  );

  promise('processes are numbered from where it was asked', () =>
    within(identity, { firstPid: 7000 }, async (driver) => {
      assert.equal((await driver.run('echo $$', '/')).stdout, '7001\n');
    }),
  );

  promise('what the command leaves running is told and killed', () =>
    within(identity, {}, async (driver) => {
      const { finished } = await driver.run('sleep 1000 & echo x', '/');
      assert.deepEqual(
        finished.leftRunning.map((left) => left.argv.join(' ')),
        ['sleep 1000'],
      );
      assert.equal(finished.exitCode, 0);
    }),
  );

  promise('a cancelled run is over at once', () =>
    within(identity, {}, async (driver) => {
      driver.start('while :; do :; done', '/');
      await driver.next('exec');
      driver.cancel();
      assert.equal((await driver.next('finished')).how, 'cancelled');
    }),
  );

  const limits: [name: string, settings: object, script: string, how: string, effect: string | undefined][] = [
    ['time', { wallMs: 300 }, 'while :; do :; done', 'timeLimit', undefined],
    ['processes', { processes: 30 }, ':(){ :|:& };:; sleep 1000', 'processLimit', 'processLimit'],
    ['memory', { memoryBytes: 50 << 20 }, 'yes | tail -c 500M | wc -c', 'memoryLimit', 'memoryLimit'],
    ['disk', { diskBytes: 8 << 20 }, 'yes > big; echo $?', 'diskQuota', 'diskQuota'],
  ];
  for (const [name, settings, script, how, effect] of limits)
    promise(`the limit of ${name} ends a command that does not end`, () =>
      within(identity, settings, async (driver) => {
        const run = await driver.run(script, workspace(identity));
        assert.equal(run.finished.how, how);
        if (effect) assert.ok(run.effects.some((each) => each.kind === effect));
      }),
    );

  promise('output beyond the limit is cut, and the run goes on', () =>
    within(identity, { outputBytes: 1000 }, async (driver) => {
      const run = await driver.run('yes | head -c 5000000; exit 3', '/');
      assert.deepEqual([run.stdout.length, run.finished.outputCut, run.finished.exitCode], [1000, true, 3]);
    }),
  );

  promise('a wait for a FIFO that nobody serves is told', () =>
    within(identity, {}, async (driver) => {
      const run = await driver.run('mkfifo f; cat f', workspace(identity));
      assert.equal(run.finished.how, 'timeLimit');
      assert.ok(run.effects.some((effect) => effect.kind === 'waitsForNobody' && effect.detail.endsWith('/f')));
    }),
  );

  promise('when the host is gone everything ends', async () => {
    const driver = new Driver(identity);
    driver.setup();
    driver.start('while :; do sleep 0.001; echo x; done', '/');
    await driver.next('output');
    driver.child.stdout?.destroy();
    driver.child.stdin?.end();
    await driver.closed;
  });
}
