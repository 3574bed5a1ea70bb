import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createFrameParser, type LauncherEvent } from '../../src/core/worlds/confined/wire/frames.ts';
import {
  putFrame,
  readFrame,
  runFrame,
  setupFrame,
  statFrame,
} from '../../src/core/worlds/confined/wire/requestFrames.ts';
import { type Canaries, makeCanaries } from './canaries.ts';
import { availableIdentities, spawnAs } from './identity.ts';
import { launch, launcherBinary } from './launch.ts';

// The launcher itself: what it inherits, what it is told, and what a confined command has prepared for its host.
const identities = availableIdentities().filter((one) => (process.env['FORETELL_IDENTITY'] ?? one.name) === one.name);

const setup = {
  mode: 'copy',
  openGate: false,
  skipWaiting: false,
  reportEnvironment: false,
  diskBytes: 64 << 20,
  memoryBytes: 512 << 20,
  outputBytes: 1 << 20,
  wallMs: 3_000,
  processes: 100,
  clockOffsetMs: 0,
  firstPid: 0,
  ask: [],
} as const;

/** How many answers a frame gets: one, or one for each file that is to be read. Frames that are cut get none that counts. */
function answersTo(frame: Buffer): number {
  const reads = frame.length >= 9 && frame[4] === readFrame([])[4];
  return reads ? frame.readUInt32LE(5) : 1;
}

for (const identity of identities) {
  describe(`the launcher, as ${identity.name}`, () => {
    let canaries: Canaries;
    before(async () => {
      canaries = await makeCanaries(identity);
    });
    after(async () => canaries.remove());

    /** Sends frames one after the other, each when the one before was answered, and returns all events. */
    async function speak(
      frames: readonly Buffer[],
      endAfterMs?: number,
    ): Promise<{ events: LauncherEvent[]; code: unknown }> {
      const child = spawn(launcherBinary(), [], {
        stdio: ['pipe', 'pipe', 'ignore'],
        env: { FORETELL_CANARIES: canaries.environment['FORETELL_CANARIES'] ?? '' },
        cwd: '/',
        ...spawnAs(identity),
      });
      const events: LauncherEvent[] = [];
      let next = 0;
      let outstanding = 0;
      // What is still being answered when the host goes is given up, so the next frame waits for all answers.
      const send = () => {
        const frame = frames[next];
        next += 1;
        outstanding = frame ? answersTo(frame) : 0;
        if (frame) child.stdin.write(frame);
        else child.stdin.end();
      };
      const answers = new Set(['ready', 'refused', 'finished', 'done', 'status']);
      const parse = createFrameParser((event) => {
        events.push(event);
        if (!answers.has(event.type) && !(event.type === 'data' && event.end)) return;
        outstanding -= 1;
        if (outstanding === 0) send();
      });
      child.stdin.on('error', () => {});
      child.stdout.on('data', (chunk: Buffer) => parse(chunk));
      const timer = setTimeout(
        () => (endAfterMs === undefined ? child.kill('SIGKILL') : child.stdin.end()),
        endAfterMs ?? 10_000,
      );
      send();
      const code = await new Promise((resolve) => child.once('close', (status, signal) => resolve(signal ?? status)));
      clearTimeout(timer);
      return { events, code };
    }

    const inert = ['/bin/bash', '/usr/bin/ln', '/usr/bin/mkfifo', '/usr/bin/rm', '/usr/bin/mkdir']
      .filter((file) => fs.existsSync(file))
      .map((file) => fs.realpathSync(file));
    const run = (script: string) =>
      runFrame({
        argv: ['/bin/bash', '-c', script],
        env: Object.entries(canaries.environment).map(([name, value]) => `${name}=${value}`),
        cwd: canaries.workspace,
        columns: 0,
        rows: 0,
        stdin: 'null',
        newLayer: false,
      });

    for (const mode of ['copy', 'look'] as const) {
      test(`inherited descriptors are not passed on, ${mode} mode`, async () => {
        const state = await canaries.state();
        const file = fs.openSync(canaries.environment['VICTIM'] ?? '', 'a');
        const folder = fs.openSync(canaries.outside, 'r');
        const result = await launch(canaries, {
          mode,
          openGate: mode === 'copy',
          moreInert: [canaries.programs.attack],
          argv: [canaries.programs.attack, 'inheritedDescriptors'],
          inherited: [file, folder, file, folder, file],
        });
        fs.closeSync(file);
        fs.closeSync(folder);
        assert.match(result.stdout, /FOREIGN CODE RAN/);
        assert.doesNotMatch(result.stdout, /HIT/);
        assert.deepEqual(await canaries.compare(state), []);
      });
    }

    test('look mode refuses to open the gate', async () => {
      const result = await launch(canaries, { mode: 'look', openGate: true, argv: ['/bin/true'] });
      assert.ok(result.refused, JSON.stringify(result.finished));
    });

    test('what the host reads and writes stays in the view, whatever links lie in its way', async () => {
      const state = await canaries.state();
      const at = (name: string) => path.join(canaries.workspace, name);
      const text = Buffer.from('written by the host');
      const links = `ln -s "$OUTSIDE" out; ln -s ../../../../../../../../.."$OUTSIDE" up; ln -s /proc/1/root"$OUTSIDE" root
ln -s "$VICTIM" file; ln -s /proc/self/cwd cwd; ln -s loop loop; mkfifo fifo; ln -s "$OUTSIDE/fifo" outerFifo; ln -s /dev/tty tty`;
      const names = [
        'out/victim',
        'up/victim',
        'root/victim',
        'file',
        'out/new',
        'cwd/victim',
        'loop',
        'fifo',
        'outerFifo',
        'tty',
        '../outside/victim',
      ];
      const frames = [
        setupFrame({ ...setup, inert }),
        run(links),
        ...names.map((name, index) => putFrame(index, 'file', 0o600, at(name), text)),
        ...[false, true].map((after) =>
          readFrame(names.map((name, index) => ({ request: index, after, path: at(name), maxBytes: 1000 }))),
        ),
        ...names.map((name, index) => statFrame(index, true, at(name))),
        ...names.map((name, index) => putFrame(index, 'delete', 0xffff, at(name), Buffer.alloc(0))),
        putFrame(1, 'directory', 0o777, at('out/folder'), Buffer.alloc(0)),
        putFrame(2, 'symlink', 0, at('out/link'), Buffer.from('/etc/passwd')),
        putFrame(3, 'delete', 0, canaries.outside, Buffer.alloc(0)),
        putFrame(4, 'delete', 0, '/proc/1', Buffer.alloc(0)),
        putFrame(5, 'file', 0o644, '/proc/sys/vm/swappiness', Buffer.from('61')),
        putFrame(6, 'file', 0o644, '/sys/class/net/lo/mtu', Buffer.from('65000')),
        putFrame(7, 'file', 0o644, '', text),
        putFrame(8, 'file', 0o644, 'relative', text),
        putFrame(9, 'delete', 0, '/', Buffer.alloc(0)),
      ];
      const { events, code } = await speak(frames);
      const done = events.filter((event) => event.type === 'done').length;
      assert.deepEqual(
        { code, done, last: events.at(-1)?.type },
        { code: 0, done: names.length * 2 + 9, last: 'done' },
      );
      assert.deepEqual(await canaries.compare(state), []);
    });

    test('nonsense from the host ends it, and leaves nothing', async () => {
      const state = await canaries.state();
      const good = setupFrame({ ...setup, inert });
      let seed = 7;
      const random = () => {
        seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
        return seed;
      };
      for (let round = 0; round < 60; round += 1) {
        const frames = [good, run('echo x'), statFrame(1, true, '/etc')].map((frame) => Buffer.from(frame));
        for (let change = 0; change <= round % 7; change += 1) {
          const frame = frames[random() % frames.length];
          if (frame) frame[random() % frame.length] = random() & 255;
        }
        await speak(round % 5 === 0 ? [Buffer.concat(frames).subarray(0, random() % 400)] : frames, 400);
      }
      await speak([Buffer.alloc(100_000, 0xff)], 200);
      assert.deepEqual(await canaries.compare(state), []);
    });

    test('many commands in one view, some of which try to stay', async () => {
      const state = await canaries.state();
      const scripts = [
        '(trap "" HUP TERM; while :; do :; done) & disown',
        'exec 3<>/dev/null; while :; do :; done &',
        'kill -STOP $$',
        'kill -9 -1',
        'rm -rf /proc/self/cwd/* "$OUTSIDE"',
      ];
      const { events } = await speak([
        setupFrame({ ...setup, wallMs: 500, inert }),
        ...scripts.map(run),
        run('echo last'),
      ]);
      const finished = events.filter((event) => event.type === 'finished');
      assert.equal(finished.length, scripts.length + 1);
      assert.equal(
        events
          .filter((event) => event.type === 'output')
          .map((event) => Buffer.from(event.bytes).toString())
          .join(''),
        'last\n',
      );
      assert.deepEqual(await canaries.compare(state), []);
    });
  });
}
