import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import dgram from 'node:dgram';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { foldAll } from '../../src/core/foretell.ts';
import { createPainter } from '../../src/core/prediction/text/painter.ts';
import { renderPrediction } from '../../src/core/prediction/text/renderPrediction.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

/** What programs of the user's do with the network: servers of their own work, and nothing else is reached. */

const { foretell, folder } = throwAwayForetell('network');

const server = `const http = require('node:http');
const [host, port] = [process.argv[2], Number(process.argv[3] ?? 0)];
const serving = http.createServer((request, response) => response.end('hello ' + request.url)).listen(port, host, async () => {
  const { port } = serving.address();
  const answer = await fetch('http://' + (host.includes(':') ? '[' + host + ']' : host) + ':' + port + '/a');
  console.log(await answer.text());
  process.exit(0);
});
serving.on('error', (error) => { console.log(error.code); process.exit(1); });`;

const client = `const net = require('node:net');
const socket = net.connect(Number(process.argv[3]), process.argv[2]);
socket.on('connect', () => { console.log('connected'); process.exit(0); });
socket.on('error', (error) => {
  if (process.argv[4] !== 'silently') console.log(error.code);
  process.exit(process.argv[4] === undefined ? 1 : 0);
});`;

const datagrams = `const dgram = require('node:dgram');
const served = dgram.createSocket('udp4');
served.on('message', (text) => { console.log(String(text)); process.exit(0); });
served.bind(0, '127.0.0.1', () => dgram.createSocket('udp4').send('hi', served.address().port, '127.0.0.1'));`;

for (const [name, text] of Object.entries({ server, client, datagrams }))
  fs.writeFileSync(path.join(folder, `${name}.js`), text);

async function predict(script: string) {
  const action = { kind: 'command', script, shell: 'bash', cwd: folder } as const;
  const env = { PATH: path.dirname(process.execPath), HOME: folder, LC_ALL: 'C.UTF-8' };
  const { events, view } = foretell.predict({ action, env, openGate: true, signal: new AbortController().signal });
  const prediction = await foldAll(action, events);
  await view.close();
  const { ending, exitCode, exitBasis, doubt, noticed = [], output, files } = prediction;
  const shown = output.map(({ stream, text, basis }) => [stream, text, basis]);
  return {
    ending,
    exitCode,
    exitBasis,
    doubt,
    noticed,
    output,
    files,
    prediction,
    shown,
    stdout: output.map(({ text }) => text).join(''),
  };
}

/** A server of this machine, and how often it was reached. */
async function serving(work: (port: number, reached: () => number) => Promise<void>): Promise<void> {
  let reached = 0;
  const real = net.createServer((socket) => {
    reached += 1;
    socket.destroy();
  });
  await new Promise<void>((listening) => real.listen(0, '127.0.0.1', listening));
  const { port } = real.address() as net.AddressInfo;
  const heard = dgram.createSocket('udp4');
  heard.on('message', () => {
    reached += 1;
  });
  await new Promise<void>((listening) => heard.bind(port, '127.0.0.1', listening));
  try {
    await work(port, () => reached);
  } finally {
    real.close();
    heard.close();
  }
}

test('a server that the command starts is reached by it', async () => {
  for (const host of ['127.0.0.1', 'localhost', '0.0.0.0']) {
    const { ending, stdout, exitCode } = await predict(`node server.js ${host}`);
    assert.deepEqual([ending, stdout, exitCode], ['done', 'hello /a\n', 0], host);
  }
  const { ending, stdout } = await predict('node datagrams.js');
  assert.deepEqual([ending, stdout], ['done', 'hi\n']);
});

test('a server of the machine is not reached, and what it would answer is unknown', () =>
  serving(async (port, reached) => {
    const sent = `node -e "require('dgram').createSocket('udp4').send('x', ${port}, '127.0.0.1', () => process.exit())"`;
    for (const script of [`node client.js 127.0.0.1 ${port}`, `node client.js ::ffff:127.0.0.1 ${port} 0`, sent]) {
      const { ending, doubt } = await predict(script);
      assert.deepEqual([ending, doubt?.kind], ['abstained', 'connects'], script);
    }
    assert.equal(reached(), 0);
  }));

test('a port that another program has is not claimed for a server', () =>
  serving(async (port) => {
    const { ending, doubt } = await predict(`node server.js 127.0.0.1 ${port}`);
    assert.deepEqual([ending, doubt], ['abstained', { kind: 'portTaken', on: `tcp 127.0.0.1:${port}` }]);
  }));

test('where nobody listens on a port of this machine, the refusal is exact', async () => {
  const { ending, stdout, exitCode, exitBasis } = await predict('node client.js 127.0.0.1 1');
  assert.deepEqual([ending, stdout, exitCode, exitBasis], ['done', 'ECONNREFUSED\n', 1, 'rehearsed']);
});

test('who tries to reach others and goes on is rehearsed offline; how it would end otherwise is unknown', async () => {
  const wentOn = await predict('node client.js 192.0.2.1 80 silently; echo next');
  assert.equal(wentOn.ending, 'done');
  assert.deepEqual(wentOn.noticed, [{ kind: 'offline', to: ['tcp 192.0.2.1:80'] }]);
  const shown = renderPrediction(wentOn.prediction, createPainter(false), { all: false, cwd: folder });
  assert.match(shown, /exit code 0 · ● rehearsed, offline · done/);
  const marked = await predict('echo before; node client.js 192.0.2.1 80 silently; echo behind');
  assert.deepEqual(
    marked.output.map(({ text, basis, offline }) => [text, basis, offline]),
    [
      ['before\n', 'rehearsed', undefined],
      [marked.output[1]?.text, 'rehearsed', true],
    ],
  );
  assert.ok(marked.output[1]?.text?.endsWith('behind\n'));
  const gaveUp = await predict('node client.js 192.0.2.1 80');
  assert.deepEqual([gaveUp.ending, gaveUp.exitCode, gaveUp.exitBasis], ['abstained', undefined, 'unknown']);
  assert.equal(gaveUp.doubt?.kind, 'connects');
});

test('whoever goes on and prints how the attempt ended prints what the network decides', async () => {
  fs.writeFileSync(
    path.join(folder, 'ask.py'),
    'import socket\nprint(socket.socket().connect_ex(("192.0.2.1", 80)))\n',
  );
  for (const script of [
    'echo before; PATH=/usr/bin:/bin python3 ask.py',
    'echo before; node client.js 192.0.2.1 80 0; echo behind',
    `echo before; node -e 'fetch("http://example.com").catch(({ cause }) => console.log(cause.code))'; echo behind`,
    `echo before; node -e 'fetch("http://example.com").catch(({ message }) => console.error(message))'; echo behind`,
  ]) {
    const { ending, shown, exitBasis, doubt } = await predict(script);
    assert.deepEqual([ending, exitBasis, doubt?.kind], ['abstained', 'unknown', 'connects'], script);
    assert.deepEqual(shown[0], ['stdout', 'before\n', 'rehearsed']);
    assert.ok(shown.slice(1).every(([, text, basis]) => text === undefined && basis === 'unknown'));
  }
});

test('a file into which whoever goes on writes how the attempt ended is volatile, another is certain', async () => {
  const writes = `const fs = require('node:fs'); fs.writeFileSync('kept.txt', 'kept');
fetch('http://example.com').catch(({ cause }) => fs.writeFileSync('log.txt', 'failed: ' + cause.code + '\\n'));`;
  fs.writeFileSync(path.join(folder, 'logging.js'), writes);
  const { ending, files } = await predict('node logging.js');
  assert.equal(ending, 'done');
  const shown = files.map((file) => [path.basename(file.path), file.basis, file.volatile]);
  assert.deepEqual(shown, [
    ['kept.txt', 'rehearsed', false],
    ['log.txt', 'rehearsed', true],
  ]);
});

test('what is printed before an attempt is certain, what comes behind one that fails is not', async () => {
  const away =
    'echo before; echo kept > before.txt; node client.js 192.0.2.1 80; code=$?; echo behind; echo x > behind.txt';
  for (const end of ['', '; exit $code']) {
    const { ending, shown, exitBasis, doubt, files } = await predict(away + end);
    assert.deepEqual([ending, exitBasis, doubt?.kind], ['abstained', 'unknown', 'connects'], end);
    assert.deepEqual(shown, [
      ['stdout', 'before\n', 'rehearsed'],
      ['stdout', undefined, 'unknown'],
    ]);
    assert.ok(files.every(({ basis }) => basis === 'unknown'));
  }
});

test('npm looks for a newer npm beside what it runs: how that ends is known', async () => {
  const place = path.join(folder, 'scripts');
  fs.mkdirSync(place);
  const scripts = { fail: 'echo failing; exit 3', works: 'echo works' };
  fs.writeFileSync(path.join(place, 'package.json'), JSON.stringify({ name: 'p', version: '1.0.0', scripts }));
  for (const [name, text, code] of [
    ['fail', 'failing', 3],
    ['works', 'works', 0],
  ] as const) {
    const { ending, exitCode, exitBasis, doubt, stdout, noticed } = await predict(`cd scripts; npm run ${name}`);
    assert.deepEqual([ending, exitCode, exitBasis, doubt], ['done', code, 'rehearsed', undefined]);
    assert.match(stdout, new RegExp(`^${text}$`, 'm'));
    assert.ok(noticed.every(({ kind }) => kind === 'offline'));
  }
});

test('npm that is told to make do with what is here looks for a newer npm alone', async () => {
  const place = path.join(folder, 'offline');
  fs.mkdirSync(path.join(place, 'home'), { recursive: true });
  fs.writeFileSync(path.join(place, 'package.json'), JSON.stringify({ name: 'p', version: '1.0.0' }));
  const words = 'no-such-package-anywhere 2>&1 | grep -o "code E[A-Z]*"; exit ${PIPESTATUS[0]}';
  const { ending, exitCode, exitBasis, stdout, noticed } = await predict(
    `cd offline; HOME=$PWD/home npm install --offline ${words}`,
  );
  assert.deepEqual([ending, exitCode, exitBasis, stdout], ['done', 1, 'rehearsed', 'code ENOTCACHED\n']);
  assert.ok(noticed.every(({ kind }) => kind === 'offline'));
  // What it sends no cache answers.
  const sent = await predict('cd offline; HOME=$PWD/home npm publish --offline 2>&1');
  assert.notEqual(sent.ending, 'done');
});

test('a tool of the project that npx runs ends as it really would', async () => {
  const bin = path.join(folder, 'tools/node_modules/.bin');
  fs.mkdirSync(bin, { recursive: true });
  fs.writeFileSync(path.join(folder, 'tools/package.json'), JSON.stringify({ name: 'p', version: '1.0.0' }));
  fs.writeFileSync(path.join(bin, 'tool'), '#!/bin/sh\necho checked "$@"\nexit "$1"\n', { mode: 0o755 });
  for (const start of ['npx tool', 'npx --no-install tool', 'npm exec -- tool'])
    for (const code of [0, 2]) {
      const { ending, exitCode, exitBasis, doubt, stdout } = await predict(`cd tools; ${start} ${code}`);
      assert.deepEqual([ending, exitCode, exitBasis, doubt], ['done', code, 'rehearsed', undefined], start);
      assert.equal(stdout, `checked ${code}\n`);
    }
  const { exitCode } = await predict('cd tools; npx --yes no-such-tool-anywhere 0');
  assert.equal(exitCode, undefined);
});

test('what a view has of its own and the machine otherwise is not claimed: interfaces, raw sockets, tables of processes', async () => {
  fs.writeFileSync(path.join(folder, 'listing.js'), "console.log(require('fs').readdirSync('/proc').length > 3);");
  for (const [script, kind] of [
    ['node -p "Object.keys(os.networkInterfaces())"', 'readsMachine'],
    ['node listing.js', 'readsMachine'],
    [`python3 -c 'import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM, 1)'`, 'asksSystem'],
  ] as const) {
    const { ending, doubt } = await predict(script);
    assert.deepEqual([ending, doubt?.kind], ['abstained', kind], script);
  }
});

test('what a view of overlays has of its own is shown as it is by another view: /run', async () => {
  const { ending, output } = await predict('ls /run; node -e 1');
  const names = fs.readdirSync('/run').filter((name) => !name.startsWith('.'));
  assert.equal(ending, 'done');
  assert.deepEqual(
    output
      .map(({ text }) => text)
      .join('')
      .split('\n')
      .filter(Boolean)
      .sort(),
    names.sort(),
  );
});

test('tables are looked for as well where every opening is stopped for another reason: a lease that somebody holds', async () => {
  const [leased, listing] = [path.join(folder, 'leased'), path.join(folder, 'listing.js')];
  fs.writeFileSync(leased, 'x');
  fs.writeFileSync(listing, "console.log(require('fs').readdirSync('/proc').length > 3);");
  const hold = `import fcntl, os, sys
fcntl.fcntl(os.open(sys.argv[1], os.O_RDWR), fcntl.F_SETLEASE, fcntl.F_WRLCK)
print('held', flush=True)
sys.stdin.read()`;
  const holder = spawn('python3', ['-c', hold, leased], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    await once(holder.stdout, 'data');
    const { ending, doubt } = await predict('node listing.js');
    assert.deepEqual([ending, doubt?.kind], ['abstained', 'readsMachine']);
    fs.writeFileSync(listing, "console.log(require('fs').readFileSync('/proc/mounts').length);");
    const { output } = await predict('node listing.js');
    assert.ok(output.length > 0 && output.every(({ volatile }) => volatile === true));
  } finally {
    holder.stdin.end();
  }
});

test('what depends on the mounts of a view or on its network differs from run to run', async () => {
  for (const table of ['mounts', 'self/mountinfo', 'net/dev']) {
    fs.writeFileSync(
      path.join(folder, 'table.js'),
      `console.log(require('fs').readFileSync('/proc/${table}').length);`,
    );
    const { output } = await predict('node table.js');
    assert.ok(output.length > 0 && output.every(({ volatile }) => volatile === true), table);
    fs.writeFileSync(path.join(folder, 'table.js'), `require('fs').readFileSync('/proc/${table}'); console.log(1);`);
    const unused = await predict('node table.js');
    assert.deepEqual([unused.ending, unused.output.map(({ volatile }) => volatile)], ['done', [undefined]], table);
  }
});
