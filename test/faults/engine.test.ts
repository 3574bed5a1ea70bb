import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type Batch, type BatchAnswer, type BatchOptions, cliFile, isEngine, startBatch } from '../hostile/batch.ts';
import { type Canaries, makeCanaries, type State } from '../hostile/canaries.ts';
import { availableIdentities, spawnAs } from '../hostile/identity.ts';
import { processesOf } from '../hostile/processes.ts';
import { placeWords } from '../places/places.ts';
import { complaintsAboutSentence } from './sentence.ts';

// The engine's own parts fail: each prediction ends in one sentence, in time, and nothing is left behind.
const [identity = { name: 'user' as const, uid: 0, gid: 0 }] = availableIdentities();
const isRoot = process.getuid?.() === 0;
const launcherName = `confine-linux-${process.arch === 'arm64' ? 'arm64' : 'x64'}`;

describe('faults of the engine', () => {
  let canaries: Canaries;
  let state: State;
  before(async () => {
    canaries = await makeCanaries(identity);
  });
  beforeEach(async () => {
    state = await canaries.state();
  });
  after(async () => {
    await canaries.remove();
    fs.rmSync(`${canaries.base}.cache`, { recursive: true, force: true });
  });

  /** Predicts in a process of its own; afterwards nothing may be left. */
  async function predict(
    scripts: readonly string[],
    options: BatchOptions & { cwd?: string } = {},
  ): Promise<BatchAnswer[]> {
    const batch = startBatch(canaries, 1, options);
    try {
      return await batch.ask(
        scripts.map((script) => ({ script, timeLimitMs: 3_000, ...(options.cwd ? { cwd: options.cwd } : {}) })),
        30_000,
      );
    } finally {
      await batch.close();
      assert.deepEqual(await canaries.compare(state), []);
    }
  }

  /** A copy of the built files whose launcher is damaged. */
  function damaged(name: string, damage: (launcher: string) => void): string {
    const folder = path.join(canaries.base, `dist-${name}`);
    fs.mkdirSync(path.join(folder, 'native'), { recursive: true });
    for (const name of ['cli.js', 'main.js'])
      fs.cpSync(path.join(path.dirname(cliFile), name), path.join(folder, name));
    const launcher = path.join(folder, 'native', launcherName);
    fs.cpSync(path.join(path.dirname(cliFile), 'native', launcherName), launcher);
    damage(launcher);
    return path.join(folder, 'cli.js');
  }

  const damages: [string, (launcher: string) => void][] = [
    ['missing', (launcher) => fs.rmSync(launcher)],
    ['not executable', (launcher) => fs.chmodSync(launcher, 0o644)],
    ['truncated', (launcher) => fs.truncateSync(launcher, 5_000)],
    ['empty', (launcher) => fs.truncateSync(launcher, 0)],
    [
      'of another processor',
      (launcher) => fs.writeFileSync(launcher, '\x7fELF\x02\x01\x01'.padEnd(200, '\0'), { mode: 0o755 }),
    ],
    ['a folder', (launcher) => replaceByFolder(launcher)],
    ['a program that says nothing', (launcher) => fs.writeFileSync(launcher, '#!/bin/sh\nexit 0\n', { mode: 0o755 })],
    [
      'a program that says nonsense',
      (launcher) => fs.writeFileSync(launcher, '#!/bin/sh\nexec yes\n', { mode: 0o755 }),
    ],
    [
      'a program that fails with words',
      (launcher) => fs.writeFileSync(launcher, '#!/bin/sh\necho no such luck >&2; exit 3\n', { mode: 0o755 }),
    ],
  ];
  for (const [name, damage] of damages) {
    test(`the launcher is ${name}`, async () => {
      const cli = damaged(name.replaceAll(' ', '-'), damage);
      const folder = path.dirname(cli);
      state = await canaries.state();
      const [answer] = await predict(['ls'], { cli }).finally(() => fs.rmSync(folder, { recursive: true }));
      assert.equal(answer?.ending, 'failed', JSON.stringify(answer).slice(0, 500));
      assert.deepEqual(complaintsAboutSentence(answer?.reason), []);
    });
  }

  test('the launcher is killed in the middle', async () => {
    const batch = startBatch(canaries, 2);
    try {
      await batch.ask([{ script: 'true' }]);
      for (const which of ['first', 'last'] as const) {
        const answers = batch.ask([{ script: 'while :; do :; done', timeLimitMs: 8_000 }], 20_000);
        await new Promise((resolve) => setTimeout(resolve, 400));
        const busy = processesOf(identity, canaries.environment['FORETELL_CANARIES'] ?? '')
          .filter((one) => /confine-linux/.test(one.command))
          .map((one) => one.pid)
          .sort((a, b) => a - b);
        // All of that kind: keepers come first, tracers are younger.
        for (const pid of which === 'first' ? busy : busy.reverse()) kill(pid);
        const [answer] = await answers;
        assert.equal(answer?.ending, 'failed', JSON.stringify(answer).slice(0, 500));
        assert.deepEqual(complaintsAboutSentence(answer?.reason), []);
        await new Promise((resolve) => setTimeout(resolve, 300));
        const [next] = await batch.ask([{ script: 'echo alive' }], 60_000);
        assert.equal(next?.output?.[0]?.text, 'alive\n', JSON.stringify(next).slice(0, 500));
      }
    } finally {
      await batch.close();
    }
    assert.deepEqual(await canaries.compare(state), []);
  });

  test('the host is killed: no process and no mount is left', async () => {
    for (const script of ['while :; do :; done', 'sleep 1000', 'npm run x & while :; do echo; done', 'true']) {
      const batch = startBatch(canaries, 2);
      const answer = batch.ask([{ script, timeLimitMs: 20_000 }]).catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 500));
      batch.child.kill('SIGKILL');
      await answer;
      assert.deepEqual(await canaries.compare(state), [], script);
    }
  });

  test('100 predictions at once', async () => {
    const batch = startBatch(canaries, 100);
    const requests = Array.from({ length: 100 }, (_, index) => ({
      script: `echo ${index}; rm -f precious`,
      timeLimitMs: 20_000,
    }));
    const answers = await batch.ask(requests, 60_000);
    await batch.close();
    for (const [index, answer] of answers.entries()) {
      assert.equal(answer.ending, 'done', JSON.stringify(answer).slice(0, 500));
      assert.equal(answer.output?.[0]?.text, `${index}\n`);
      assert.equal(answer.files?.length, 1);
    }
    assert.deepEqual(await canaries.compare(state), []);
  });

  test('the folder vanishes before and during', async () => {
    const batch: Batch = startBatch(canaries, 1);
    try {
      for (const moment of ['before', 'during'] as const) {
        const folder = path.join(canaries.base, 'vanishing');
        fs.mkdirSync(folder);
        if (isRoot) fs.chownSync(folder, identity.uid, identity.gid);
        fs.writeFileSync(path.join(folder, 'x'), 'x');
        if (moment === 'before') fs.rmSync(folder, { recursive: true });
        const answers = batch.ask(
          [
            {
              script: 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; ls; rm -f x',
              cwd: folder,
              timeLimitMs: 5_000,
            },
          ],
          20_000,
        );
        await new Promise((resolve) => setTimeout(resolve, 100));
        fs.rmSync(folder, { recursive: true, force: true });
        const [answer] = await answers;
        assert.ok(answer && answer.ending !== 'cancelled');
        if (answer.ending !== 'done') assert.deepEqual(complaintsAboutSentence(answer.reason), []);
        if (moment === 'before') assert.equal(answer.ending, 'failed');
        const [next] = await batch.ask([{ script: 'echo alive' }], 60_000);
        assert.equal(next?.output?.[0]?.text, 'alive\n');
      }
    } finally {
      await batch.close();
    }
    fs.utimesSync(canaries.base, new Date(), new Date());
    state = await canaries.state();
  });

  test('the folder may not be entered', { skip: identity.uid === 0 ? 'root enters everything' : false }, async () => {
    const folder = path.join(canaries.base, 'locked');
    fs.mkdirSync(folder, { mode: 0 });
    state = await canaries.state();
    const [answer] = await predict(['ls'], { cwd: folder, environment: { PWD: folder } }).catch(() => []);
    const batch = startBatch(canaries, 1);
    const [asked] = await batch.ask([{ script: 'ls', cwd: folder }], 60_000);
    await batch.close();
    fs.rmdirSync(folder);
    state = await canaries.state();
    for (const one of [answer, asked]) if (one) assert.deepEqual(complaintsAboutSentence(one.reason), []);
    assert.equal(asked?.ending, 'failed');
  });

  const refusals: [string, string][] = [
    ['no-namespaces', 'cat a'],
    ['no-namespaces', 'rm -f precious'],
    ['no-ptrace', 'cat a'],
    ['no-seccomp', 'cat a'],
  ];
  for (const [what, script] of refusals) {
    test(`${what}: ${script}`, async () => {
      const [answer, next] = await predict([script, 'echo alive'], {
        wrapper: placeWords(what),
        environment: { FORETELL_ENGINE: 'overlays' }, // no copy at all
      });
      const shown = JSON.stringify(answer).slice(0, 700);
      if (what === 'no-namespaces' && script === 'cat a') {
        assert.equal(answer?.ending, 'done', shown);
        assert.match(answer?.output?.[0]?.text ?? '', /^first line/);
        assert.equal(next?.output?.[0]?.text, 'alive\n');
      } else {
        assert.ok(answer?.ending === 'failed' || answer?.ending === 'abstained', shown);
        assert.deepEqual(complaintsAboutSentence(answer?.reason), [], shown);
        // Without a copy the loss is computed from the words and the real files; without ptrace nothing is said of files.
        const deleted = (answer?.files ?? []).map(({ path: place, change }) => `${change} ${path.basename(place)}`);
        assert.deepEqual(deleted, what === 'no-namespaces' ? ['deleted precious'] : []);
        if (what === 'no-namespaces') assert.equal(answer?.verdict?.level, 'danger', shown);
      }
      assert.notEqual(answer?.ending === 'done' ? 'unknown' : answer?.verdict?.level, 'safe', shown);
    });
  }

  // Programs and files of the system that are not there: only root can make such a machine.
  const machines: [string, string, string, (answer: BatchAnswer | undefined) => string | undefined][] = [
    [
      'git',
      'mount --bind /dev/null $(readlink -f /usr/bin/git)',
      'rm -f precious',
      (answer) => (answer?.files?.length === 1 ? undefined : 'the deletion is missing'),
    ],
    [
      'bash',
      'mount --bind /dev/null $(readlink -f /bin/bash)',
      'ls',
      (answer) => (answer?.ending === 'failed' ? complaintsAboutSentence(answer.reason)[0] : undefined),
    ],
    [
      'a writable /tmp',
      'mount -o ro,bind /var/empty /var/tmp 2>/dev/null; true',
      'rm -f precious',
      (answer) => (answer?.files?.length === 1 ? undefined : 'the deletion is missing'),
    ],
    [
      'an open /proc (as in a container)',
      'mount -t tmpfs none /proc/scsi 2>/dev/null || mount -t tmpfs none /proc/driver; mount --bind /proc/sys /proc/sys; mount -o remount,bind,ro /proc/sys; mount --bind /dev/null /proc/kcore',
      'rm -f precious; cat /proc/self/comm',
      (answer) => (answer?.files?.length === 1 ? undefined : 'the deletion is missing'),
    ],
    [
      '/sys',
      'umount -l /sys',
      'rm -f precious',
      (answer) => (answer?.files?.length === 1 ? undefined : 'the deletion is missing'),
    ],
    [
      '/proc',
      'umount -l /proc',
      'rm -f precious',
      (answer) => (answer?.ending === 'failed' ? complaintsAboutSentence(answer.reason)[0] : undefined),
    ],
    [
      'user namespaces',
      'echo 0 > /proc/sys/user/max_user_namespaces',
      'cat a',
      (answer) => (answer?.ending === 'done' ? undefined : 'a reading command is not answered'),
    ],
  ];
  for (const [name, setup, script, complain] of machines) {
    const skip = !isRoot
      ? 'only root can hide it'
      : name === 'user namespaces'
        ? 'would change the machine: see “without namespaces”'
        : false;
    test(`a machine without ${name}`, { skip }, async () => {
      const become = `setpriv --reuid=${identity.uid} --regid=${identity.gid} --clear-groups`;
      const shell = `${setup}; exec ${become} "$0" "$@"`;
      const wrapper = ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', shell];
      const child = spawnSync(
        wrapper[0] ?? '',
        [...wrapper.slice(1), process.execPath, cliFile, '--json', '--time-limit', '5', script],
        {
          cwd: canaries.workspace,
          env: { ...canaries.environment, XDG_CACHE_HOME: `${canaries.base}.cache` },
          timeout: 30_000,
        },
      );
      const answer = JSON.parse(child.stdout.toString() || '{}') as BatchAnswer;
      assert.equal(
        complain(answer),
        undefined,
        `${JSON.stringify(answer).slice(0, 700)} ${child.stderr.toString().slice(0, 500)}`,
      );
      assert.deepEqual(await canaries.compare(state), []);
    });
  }

  test('nobody reads the answer', async () => {
    const child = spawn(process.execPath, [cliFile, 'while :; do echo x; done', '--time-limit', '20'], {
      cwd: canaries.workspace,
      env: { ...canaries.environment, XDG_CACHE_HOME: '/proc/nowhere' },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...spawnAs(identity),
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    child.stdout.destroy();
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('exit', resolve));
    assert.deepEqual(await canaries.compare(state), []);
  });

  test('the storage cannot be written', async () => {
    const [answer] = await predict(['rm -f precious'], { environment: { XDG_CACHE_HOME: '/proc/nowhere' } });
    assert.equal(answer?.files?.length, 1, JSON.stringify(answer).slice(0, 500));
  });

  test('the engine stays when a batch was asked in vain', async () => {
    const batch = startBatch(canaries, 1);
    batch.child.stdin?.write('not JSON\n\n{"id":1}\n{"script":5}\n[]\nnull\n');
    await new Promise((resolve) => setTimeout(resolve, 300));
    batch.child.kill('SIGTERM');
    await new Promise((resolve) => batch.child.once('close', resolve));
    assert.deepEqual(await canaries.compare(state, isEngine), []);
  });
});

function replaceByFolder(file: string): void {
  fs.rmSync(file);
  fs.mkdirSync(file);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It died with another one.
  }
}
