/**
 * `node test/bench.mjs proxy`: four processes of the environment's service behind HAProxy (`apt-get install haproxy`), with
 * the configuration of docs/deploy. Every session has to stay with its process, by its header or by its socket's connection.
 *
 * Options: `--sessions N` (default 100), `--turns N` (default 3), `--cli FILE`.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ask } from '../unit/loop/serviceClient.ts';

const { values: flags } = parseArgs({
  options: {
    sessions: { type: 'string', default: '100' },
    turns: { type: 'string', default: '3' },
    cli: { type: 'string', default: 'dist/cli.js' },
  },
});
const token = 'bench';
const folder = mkdtempSync(join(tmpdir(), 'foretell-proxy-'));
writeFileSync(join(folder, 'a.txt'), 'alpha\n');
http.globalAgent.maxSockets = Number.POSITIVE_INFINITY;
const ends: (() => void)[] = [];
try {
  process.exitCode = await main();
} finally {
  for (const end of ends) end();
  rmSync(folder, { recursive: true, force: true });
}

async function main(): Promise<number> {
  console.log(
    `${cpus().length} × ${cpus()[0]?.model ?? 'processor'}, load ${loadavg()[0]?.toFixed(1)} at the beginning`,
  );
  const direct = await Promise.all([1, 2, 3, 4].map(serve));
  const address = `127.0.0.1:${await freePort()}`;
  const env = {
    GYM_ADDRESS: address,
    ...Object.fromEntries(direct.map((url, at) => [`GYM_${at + 1}`, new URL(url).host])),
  };
  const proxy = spawn('haproxy', ['-db', '-f', resolve('docs/deploy/haproxy.cfg')], {
    env: { PATH: `${process.env['PATH']}:/usr/sbin`, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  ends.push(() => proxy.kill());
  const url = `http://${address}`;
  await answering(url);
  const [sessions, turns] = [Number(flags.sessions), Number(flags.turns)];
  const service = { url, token, close: async () => {} };
  const startedAt = performance.now();
  const wrong = await Promise.all(Array.from({ length: sessions }, (_, index) => session(service, index, turns)));
  const seconds = (performance.now() - startedAt) / 1000;
  const held = await Promise.all(
    direct.map(
      async (one) => (await ask({ ...service, url: one }, '/health', undefined, { method: 'GET' })).json['sessions'],
    ),
  );
  const lost = wrong.filter((one) => one !== undefined);
  for (const one of lost.slice(0, 5)) console.log(`- ${one}`);
  console.log(
    `${sessions} sessions × ${turns} steps behind one address in ${seconds.toFixed(1)} s (${((sessions * turns) / seconds).toFixed(1)} steps a second); ${lost.length} lost; the four processes hold ${held.join(', ')} sessions`,
  );
  return lost.length > 0 || held.some((count) => count === 0) ? 1 : 0;
}

/** Acts in one session by its header; what went wrong, as a text. */
async function session(service: Parameters<typeof ask>[0], index: number, turns: number): Promise<string | undefined> {
  const headers = { 'x-foretell-session': `session-${index}` };
  const { status, json } = await ask(service, '/start', { domain: 'swe' }, { headers });
  if (status !== 200) return `session ${index}: /start said ${status}`;
  for (let turn = 1; turn <= turns; turn += 1) {
    const command = `echo ${index} >> n.txt; wc -l < n.txt`;
    const action = { name: 'run_shell_command', arguments: { command } };
    const told = await ask(service, '/step', { id: json['id'], action }, { headers });
    if (!String(told.json['observation']).includes(`Output: ${turn}\n`))
      return `session ${index}, step ${turn}: ${told.status} ${JSON.stringify(told.json).slice(0, 200)}`;
  }
  return undefined;
}

function serve(): Promise<string> {
  const words = ['serve', '--environment', '--hybrid', '--cwd', folder, '--name', '127.0.0.1'];
  const child = spawn(process.execPath, [resolve(flags.cli), ...words], {
    env: { ...process.env, FORETELL_SERVICE_TOKEN: token },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  ends.push(() => child.kill());
  return new Promise((done) => {
    child.stdout.once('data', (piece: Buffer) => done(piece.toString().trim()));
  });
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => done(port));
    });
  });
}

/** Waits until the proxy has found a process that lives. */
async function answering(url: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const response = await fetch(`${url}/health`).catch(() => undefined);
    if (response?.ok) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error('The proxy does not answer.');
}
