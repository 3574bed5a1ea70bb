import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { bothEnds, freePort, manyRequests } from '../loopbackPrograms.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { placeWords, whyNoPlace } from './places.ts';

// Containers let nobody copy a descriptor of another process: there the sockets of a command are made for it, and it notices nothing.
const cli = path.join(process.env['FORETELL_PROJECT'] ?? process.cwd(), 'dist/cli.js');

/** Options of sockets, one that is closed unused, many at once, and streams and datagrams with a path. */
const local = `import fcntl, os, socket, sys, threading
for kind in (socket.SOCK_STREAM, socket.SOCK_STREAM | socket.SOCK_NONBLOCK):
    one = socket.socket(socket.AF_INET, kind)
    print(fcntl.fcntl(one, fcntl.F_GETFD), bool(fcntl.fcntl(one, fcntl.F_GETFL) & os.O_NONBLOCK), one.getsockname())
    one.close()
for at in range(700): socket.socket().close()
held = [socket.socket() for at in range(300)]
print(held[0].fileno() < held[-1].fileno())
for one in held: one.close()
probe = socket.socket(); probe.bind(('127.0.0.1', 0)); port = probe.getsockname()[1]; probe.close()
print(port > 0)
server = socket.socket(socket.AF_UNIX); server.bind('stream'); server.listen()
client = socket.socket(socket.AF_UNIX); client.connect('stream')
served, _ = server.accept()
print(server.getsockname(), served.getsockname())
client.sendall(b'over a path'); client.close()
print(served.recv(20), served.recv(20))
server.close()
try: socket.socket(socket.AF_UNIX).connect('stream')
except OSError as error: print(error.strerror)
taker = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); taker.bind('letters')
giver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); giver.connect('letters'); giver.send(b'a letter')
print(taker.recv(20)); taker.close()
try: giver.send(b'nobody')
except OSError as error: print(error.strerror)
a, b = socket.socketpair(); a.send(b'pair'); print(b.recv(9))
print(socket.getaddrinfo('localhost', 80, socket.AF_INET, socket.SOCK_STREAM)[0][4])
try: socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_UDP)
except OSError as error: print(error.strerror)
def ask():
    for at in range(50): socket.socket().close()
threads = [threading.Thread(target=ask) for at in range(8)]
for one in threads: one.start()
for one in threads: one.join()
if os.fork() == 0: ask(); os._exit(0)
print(os.wait()[1])
`;

const isRoot = process.getuid?.() === 0;
const missing = isRoot ? whyNoPlace('no-getfd') : 'needs root';

// As root, and as somebody whom some kernels let filter nothing (SO_ATTACH_FILTER), so that others are kept away in another way.
for (const uid of [0, 1])
  describe(`in no-getfd, as ${uid === 0 ? 'root' : 'an ordinary user'}`, { skip: missing ?? false }, () => {
    const folder = temporaryFolder('sockets');
    fs.chownSync(folder, uid, uid);
    const env = { PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`, HOME: folder, LC_ALL: 'C.UTF-8' };
    const inPlace = (words: readonly string[]) => {
      const [program = '', ...rest] = [...placeWords('no-getfd'), ...words];
      return spawnSync(program, rest, {
        cwd: folder,
        uid,
        gid: uid,
        encoding: 'utf8',
        env: { ...env, FORETELL_ENGINE: 'supervision' },
      });
    };
    const predict = (script: string) => {
      const prediction = JSON.parse(inPlace([process.execPath, cli, '--json', '--open-gate', script]).stdout);
      const printed = prediction.output.map(({ text }: { text: string }) => text).join('');
      return [prediction.ending, prediction.exitCode, printed];
    };

    test('a socket is what the kernel would have made', () => {
      fs.writeFileSync(path.join(folder, 'local.py'), local);
      const plain = inPlace(['/usr/bin/python3', 'local.py']);
      assert.equal(plain.status, 0, plain.stderr);
      for (const name of ['stream', 'letters']) fs.rmSync(path.join(folder, name));
      assert.deepEqual(predict('/usr/bin/python3 local.py'), ['done', 0, plain.stdout]);
    });

    test('a server of the command is reached', async () => {
      fs.writeFileSync(path.join(folder, 'many.js'), manyRequests);
      fs.writeFileSync(path.join(folder, 'ends.py'), bothEnds);
      const port = await freePort();
      const address = JSON.stringify({ address: '127.0.0.1', family: 'IPv4', port });
      assert.deepEqual(predict(`node many.js ${port}`), ['done', 4, `${address}\n6000000\nEADDRINUSE\n`]);
      const lines = ['True 127.0.0.1 True', "b'hi'", "b''", 'Connection refused', 'True', ''];
      assert.deepEqual(predict(`/usr/bin/python3 ends.py ${port}`), ['done', 0, lines.join('\n')]);
    });
  });
