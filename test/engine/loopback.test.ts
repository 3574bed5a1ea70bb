import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { foldAll } from '../../src/core/foretell.ts';
import { byEachEngine, type Made, makeForetell } from '../byEachEngine.ts';
import { bothEnds, freePort, manyRequests } from '../loopbackPrograms.ts';

/** Servers that a command starts for itself: it reaches them, and nobody else does. */

async function predictIn({ foretell, folder }: Made, script: string, isGiven = false) {
  const action = { kind: 'command', script, shell: 'bash', cwd: folder } as const;
  const env = { PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`, HOME: folder, LC_ALL: 'C.UTF-8' };
  const opened = isGiven ? { consent: { folder, programs: 'all' as const } } : { openGate: true };
  const { events, view } = foretell.predict({ action, env, ...opened, signal: new AbortController().signal });
  const { ending, exitCode, effects, output } = await foldAll(action, events);
  await view.close();
  const listens = effects.flatMap(({ fact }) => (fact?.kind === 'listens' ? [fact.on] : []));
  const volatile = output.some((piece) => piece.volatile);
  return { ending, exitCode, listens, volatile, stdout: output.map(({ text }) => text).join('') };
}

byEachEngine('loopback', (made, engine) => {
  const { folder } = made;
  const predict = (script: string) => predictIn(made, script);
  fs.writeFileSync(path.join(folder, 'many.js'), manyRequests);
  fs.writeFileSync(path.join(folder, 'ends.py'), bothEnds);

  test('a server has the port that was asked for, serves many, and is in the way of another', async () => {
    const port = await freePort();
    const { ending, exitCode, stdout, listens } = await predict(`node many.js ${port}`);
    const address = JSON.stringify({ address: '127.0.0.1', family: 'IPv4', port });
    assert.deepEqual([ending, exitCode, stdout], ['done', 4, `${address}\n6000000\nEADDRINUSE\n`]);
    assert.deepEqual(listens, [`tcp 127.0.0.1:${port}`]);
  });

  test('both ends know each other by the ports that were asked for, and a server that is gone is gone', async () => {
    const { ending, exitCode, stdout } = await predict(`python3 ends.py ${await freePort()}`);
    const lines = ['True 127.0.0.1 True', "b'hi'", "b''", 'Connection refused', 'True', ''];
    assert.deepEqual([ending, exitCode, stdout], ['done', 0, lines.join('\n')]);
  });

  test('a server in the background is reached by the next program', async () => {
    fs.writeFileSync(path.join(folder, 'page'), 'a page\n');
    const port = await freePort();
    const { stdout } = await predict(
      `python3 -m http.server ${port} --bind 127.0.0.1 2> log & sleep 8; python3 -c 'import urllib.request as r; print(r.urlopen("http://localhost:${port}/page").read())'; kill $!`,
    );
    assert.match(stdout, /b'a page\\n'\n/);
  });

  test('a datagram to a port of this machine that nobody has is sent, as really, and only the next one is refused', async () => {
    const port = await freePort();
    const sending = `import socket
def told(send):
    try: return send()
    except OSError as error: return error.strerror
alone = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for _ in range(2): print(told(lambda: alone.sendto(b'one', ('127.0.0.1', ${port}))))
print(alone.sendmsg([b'four'], [], 0, ('127.0.0.1', ${port})))
tied = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
print(tied.connect(('127.0.0.1', ${port})))
for _ in range(2): print(told(lambda: tied.send(b'two')))`;
    fs.writeFileSync(path.join(folder, 'sending.py'), sending);
    const really = execFileSync('python3', ['sending.py'], { cwd: folder, encoding: 'utf8' });
    const { ending, exitCode, stdout } = await predict('python3 sending.py');
    assert.equal(really, '3\n3\n4\nNone\n3\nConnection refused\n');
    if (engine === 'supervision') assert.equal(ending, 'abstained');
    else assert.deepEqual([ending, exitCode, stdout], ['done', 0, really]);
  });

  // By supervision such a connection is refused at once, whether or not it is waited for.
  test('a connection to a port of this machine that nobody has is refused when it is really refused', {
    skip: engine === 'supervision',
  }, async () => {
    const port = await freePort();
    const connecting = `import errno, select, socket
def told(family, host, waits):
    one = socket.socket(family, socket.SOCK_STREAM)
    one.setblocking(waits)
    code = one.connect_ex((host, ${port}))
    if not waits: select.select([], [one], [])
    return [errno.errorcode[code], errno.errorcode.get(one.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR))]
print(told(socket.AF_INET, '127.0.0.1', True), told(socket.AF_INET, '127.0.0.1', False))`;
    fs.writeFileSync(path.join(folder, 'connecting.py'), connecting);
    const really = execFileSync('python3', ['connecting.py'], { cwd: folder, encoding: 'utf8' });
    const { ending, stdout } = await predict('python3 connecting.py');
    assert.equal(really, "['ECONNREFUSED', None] ['EINPROGRESS', 'ECONNREFUSED']\n");
    assert.deepEqual([ending, stdout], ['done', really]);
  });

  test('with consent a program that asks others reaches a server of the command, and nobody else', async () => {
    fs.writeFileSync(path.join(folder, 'page'), 'a page\n');
    const port = await freePort();
    const asking = (asked: string) =>
      predictIn(
        { ...made, folder },
        `python3 -m http.server ${port} --bind 127.0.0.1 2> log & sleep 2; curl -s ${asked}; echo "ended $?"; kill $!`,
        true,
      );
    const own = await asking(`http://127.0.0.1:${port}/page`);
    assert.deepEqual([own.ending, own.stdout], ['done', 'a page\nended 0\n']);
    const other = await asking('http://127.0.0.1:1/page');
    assert.notEqual(other.stdout, 'a page\nended 0\n');
    const away = await asking(`http://name.invalid:${port}/page`);
    assert.deepEqual([away.ending, away.stdout.includes('ended')], ['abstained', false]);
  });

  test('with consent a program that asks this machine is refused where nobody serves, and waits for a server of the command', async () => {
    fs.writeFileSync(path.join(folder, 'page'), 'a page\n');
    const port = await freePort();
    const asked = `http://localhost:${port}/page`;
    const there = { ...made, folder };
    const refused = await predictIn(there, `curl -s ${asked}; echo "ended $?"`, true);
    assert.deepEqual([refused.ending, refused.stdout], ['done', 'ended 7\n']);
    const server = `python3 -m http.server ${port} --bind 127.0.0.1 2> log & P=$!`;
    const waits = `${server}; until curl -s ${asked}; do sleep 0.2; done; kill $P`;
    const waited = await predictIn(there, waits, true);
    assert.deepEqual([waited.ending, waited.stdout, waited.volatile], ['done', 'a page\n', false]);
    const other = net.createServer((socket) => socket.end());
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
    const served = await predictIn(there, `curl -s ${asked}; echo "ended $?"`, true);
    other.close();
    assert.equal(served.ending, 'abstained');
  });

  test('with consent a program reaches a socket that the command has made, and no other', async () => {
    const serving = `import socket
one = socket.socket(socket.AF_UNIX); one.bind('own.sock'); one.listen()
with one.accept()[0] as peer: peer.recv(999); peer.send(b'HTTP/1.0 200 OK\\r\\n\\r\\nby unix\\n')`;
    fs.writeFileSync(path.join(folder, 'unix.py'), serving.replaceAll('\\\\', '\\'));
    const ask = (name: string) => `python3 unix.py & sleep 1; curl -s --unix-socket ${name} http://x/; echo "ended $?"`;
    const own = await predictIn({ ...made, folder }, ask('./own.sock'), true);
    assert.deepEqual([own.ending, own.stdout], ['done', 'by unix\nended 0\n']);
    const other = await predictIn({ ...made, folder }, ask('/tmp/other.sock'), true);
    assert.equal(other.ending, 'abstained');
  });
});

/** The sockets that listen on this machine: their ports and inodes. */
function listening(): string[] {
  return fs
    .readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
      return state === '0A' ? [`${Number.parseInt(local.split(':')[1] ?? '', 16)} ${inode}`] : [];
    });
}

/** Waits until a server is there and comes to it from outside, again and again; returns how often. */
async function comingFromOutside(during: () => Promise<void>): Promise<number> {
  const before = new Set(listening());
  let tried = 0;
  const timer = setInterval(() => {
    for (const entry of listening().filter((entry) => !before.has(entry))) {
      tried += 1;
      const socket = net.connect(Number(entry.split(' ')[0]), '127.0.0.1').on('error', () => undefined);
      setTimeout(() => socket.destroy(), 200);
    }
  }, 50);
  await during();
  clearInterval(timer);
  return tried;
}

/** Serves for three seconds, and says who came. */
const served = (port: number) => `import socket, time
server = socket.create_server(('127.0.0.1', ${port}))
end = time.perf_counter() + 3
while time.perf_counter() < end: pass
server.setblocking(False)
try: print(server.accept())
except BlockingIOError: print('nobody')`;

test('nobody else gets through to a server, also not by its real port', async () => {
  const made = makeForetell('loopback', 'supervision');
  fs.writeFileSync(path.join(made.folder, 'served.py'), served(await freePort()));
  let stdout = '';
  const tried = await comingFromOutside(async () => {
    ({ stdout } = await predictIn(made, 'python3 served.py'));
  });
  assert.equal(stdout, 'nobody\n');
  assert.ok(tried > 0);
});

const isRoot = process.getuid?.() === 0;

// Some kernels let ordinary users filter nothing (SO_ATTACH_FILTER): there somebody else gets as far as accept(2), which ends the run.
test('the server of an ordinary user tells nobody else', { skip: !isRoot && 'takes root' }, async () => {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-served-')));
  fs.chownSync(folder, 1, 1);
  fs.writeFileSync(path.join(folder, 'served.py'), served(await freePort()));
  const env = { PATH: '/usr/bin:/bin', HOME: folder, FORETELL_ENGINE: 'supervision' };
  const words = [path.resolve('dist/cli.js'), '--json', '--open-gate', 'python3 served.py'];
  let printed = '';
  const tried = await comingFromOutside(async () => {
    const child = spawn(process.execPath, words, {
      cwd: folder,
      env,
      uid: 1,
      gid: 1,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout.on('data', (text) => {
      printed += text;
    });
    await once(child, 'close');
  });
  fs.rmSync(folder, { recursive: true });
  const { ending, reason, output } = JSON.parse(printed);
  const text = output.map((piece: { text: string }) => piece.text).join('');
  assert.ok(tried > 0);
  if (ending === 'done') assert.equal(text, 'nobody\n');
  else assert.deepEqual([ending, /a connection from outside/.test(reason), text], ['abstained', true, '']);
});
