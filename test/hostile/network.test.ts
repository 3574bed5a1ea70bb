import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import dgram from 'node:dgram';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { foldAll } from '../../src/core/foretell.ts';
import type { Prediction } from '../../src/core/prediction/prediction.ts';
import { copyMode } from '../engineChoice.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';
import { type NetworkAttempt, networkAttempts } from './cases/network.ts';
import { runInNamespaces } from './inNamespaces.ts';

// More than 50 ways to the network, with the gate open: no packet is sent, nobody is reached, and the prediction says what it
// is. Root makes a network for it in which every address is the machine's own, so that each packet of each attempt is counted.
const share = Number(process.env['FORETELL_SHARE'] ?? 16) === 1 ? 1 : 5;
const first = Number(process.env['FORETELL_FIRST'] ?? 0);
const only = process.env['FORETELL_ONLY'] ? new RegExp(process.env['FORETELL_ONLY']) : undefined;
const chosen = networkAttempts.filter(({ name }, index) => (only ? only.test(name) : index % share === first % share));

const ownNetwork = 'ip link set lo up && ip route add local default dev lo && ip -6 route add local default dev lo';
const isInside = process.env['FORETELL_OWN_NETWORK'] !== undefined;
const canHaveOwn =
  !isInside && spawnSync('unshare', ['--net', 'sh', '-c', ownNetwork], { stdio: 'ignore' }).status === 0;

test('there are enough attempts, each with a name of its own', () => {
  assert.equal(new Set(networkAttempts.map(({ name }) => name)).size, networkAttempts.length);
  assert.ok(networkAttempts.length >= 50, String(networkAttempts.length));
});

if (canHaveOwn)
  test('in a network of its own', () => runInNamespaces(fileURLToPath(import.meta.url), ['--net'], ownNetwork));
else attemptAll();

function attemptAll(): void {
  const { foretell, folder } = throwAwayForetell('network-attempts');
  const canary = listenEverywhere(folder);
  before(() => canary.ready);
  after(() => canary.close());
  const env = () => ({
    PATH: `${path.dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: folder,
    LC_ALL: 'C.UTF-8',
    ...canary.reach(),
  });

  for (const attempt of chosen) {
    const skip = spawnSync('sh', ['-c', `command -v ${attempt.needs}`]).status === 0 ? false : `no ${attempt.needs}`;
    test(`${attempt.name}: ${attempt.label}`, { skip }, async () => {
      const unconfined = isInside && attempt.proof === true;
      if (unconfined)
        assert.ok((await sends(() => plain(attempt.script, env()))) > 0, 'without confinement something is sent');
      const action = { kind: 'command', script: attempt.script, shell: 'bash', cwd: folder } as const;
      let prediction: Prediction | undefined;
      // By supervision a server of the command's own is reached by it over the machine's loopback, and by nobody else.
      const isSupervised = copyMode() === 'supervised' || process.env['FORETELL_PLACE'] !== undefined;
      const mayTalk = isSupervised && attempt.name.endsWith('own server');
      const sent = await sends(async () => {
        const { events, view } = foretell.predict({
          action,
          env: env(),
          openGate: true,
          signal: new AbortController().signal,
        });
        prediction = await foldAll(action, events);
        await view.close();
      }, mayTalk);
      assert.equal(sent, 0, 'something was sent');
      assert.ok(prediction);
      checkLabel(attempt, prediction);
    });
  }

  /** What arrives at the listeners and, in a network of its own, leaves by any interface while `work` lasts; without packets where it `mayTalk`. */
  async function sends(work: () => Promise<void>, mayTalk = false): Promise<number> {
    const [reached, packets] = [canary.reached(), sentPackets()];
    await work();
    await new Promise((resolve) => setTimeout(resolve, 30));
    return canary.reached() - reached + (mayTalk ? 0 : sentPackets() - packets);
  }
}

/** Packets that left by any interface, of a network namespace that nobody else uses; 0 in that of the machine. */
function sentPackets(): number {
  if (!isInside) return 0;
  const lines = fs.readFileSync('/proc/net/dev', 'utf8').trim().split('\n').slice(2);
  return lines.reduce((sum, line) => sum + Number(line.trim().split(/[\s:]+/)[10]), 0);
}

function plain(script: string, env: Record<string, string>): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn('bash', ['-c', script], { env, stdio: 'ignore', detached: true });
    const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), 3_000);
    child.on('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function checkLabel({ name, label }: NetworkAttempt, prediction: Prediction): void {
  const { ending, exitBasis, doubt, noticed = [], output } = prediction;
  const offline = noticed.filter(({ kind }) => kind === 'offline');
  // By supervision the machine's own network is seen: servers may be refused, and interfaces are the real ones.
  if (copyMode() === 'supervised' && ending === (label === 'refused' ? 'done' : 'abstained') && offline.length === 0)
    return;
  const told = JSON.stringify({ ending, exitBasis, doubt, noticed, output });
  switch (label) {
    case 'unknown':
      assert.deepEqual([ending, doubt?.kind, exitBasis], ['abstained', 'connects', 'unknown'], told);
      return;
    case 'offline':
      assert.deepEqual([ending, offline.length, exitBasis], ['done', 1, 'rehearsed'], told);
      return;
    case 'exact':
      assert.deepEqual([ending, offline.length, exitBasis], ['done', 0, 'rehearsed'], told);
      return;
    case 'refused':
      assert.equal(ending, 'abstained', told);
      assert.notEqual(doubt?.kind, 'connects', told);
      if (name.endsWith('vsock')) assert.equal(doubt?.kind, 'asksSystem', told);
  }
}

/** Servers of the machine of every kind, and how often any of them was reached. */
function listenEverywhere(folder: string) {
  let reached = 0;
  const count = () => {
    reached += 1;
  };
  const servers = ['127.0.0.1', '::1', path.join(folder, 'daemon.sock')].map((at) => {
    const server = net.createServer((socket) => {
      count();
      socket.on('error', () => {}).destroy();
    });
    const ready = new Promise<void>((resolve) => server.on('error', () => resolve()).on('listening', resolve));
    if (at.startsWith('/')) server.listen(at);
    else server.listen(0, at);
    return { server, ready };
  });
  const udp = dgram.createSocket('udp4').on('message', count);
  const bound = new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
  const portOf = (at: number) => {
    const address = servers[at]?.server.address();
    return typeof address === 'object' && address ? String(address.port) : '1';
  };
  return {
    ready: Promise.all([...servers.map(({ ready }) => ready), bound]),
    reached: () => reached,
    reach: () => ({
      TCP: portOf(0),
      TCP6: portOf(1),
      UDP: String(udp.address().port),
      DAEMON: path.join(folder, 'daemon.sock'),
    }),
    close() {
      for (const { server } of servers) server.close();
      udp.close();
    },
  };
}
