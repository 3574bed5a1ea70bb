import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { commitAll } from '../gitSettings.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';
import { type CommandLine, type ServicePlace, servicePlace, until } from './servicePlace.ts';

/** `foretell` as the static client: what it says must be what Node says without any service. */
const { folder, workspace } = throwAwayForetell('service-foretell');
const places: ServicePlace[] = [];

function newPlace(node?: string): ServicePlace {
  const home = path.join(folder, `home${places.length}`);
  fs.mkdirSync(home);
  const place = servicePlace(home, undefined, node);
  places.push(place);
  return place;
}

after(async () => {
  await Promise.all(places.map((place) => place.end()));
});

function repository(): string {
  const cwd = workspace({ 'kept.txt': 'kept\n', 'src/a.ts': 'export const a = 1;\n', 'run.sh': 'rm notes.txt\n' });
  commitAll(cwd);
  fs.writeFileSync(path.join(cwd, 'notes.txt'), 'one\ntwo\n');
  return cwd;
}

/** Nothing takes the same time twice. */
const plain = ({ stdout, stderr, status }: CommandLine) => ({
  stdout: stdout
    .replace(/\b[\d.]+ m?s\b/g, 'TIME')
    .replace(/"durationMs":[\d.]+/g, '"durationMs":0')
    .replace(/kept-\d{8}-\d{6}/g, 'kept-TIME'),
  stderr,
  status,
});

describe('the same output, byte for byte, and the same exit status', () => {
  const node = path.join(folder, 'node');
  const log = path.join(folder, 'starts');
  fs.writeFileSync(node, `#!/bin/sh\necho >>'${log}'\nexec '${process.execPath}' "$@"\n`, { mode: 0o755 });
  const starts = () => fs.statSync(log).size;
  const place = newPlace(node);
  const cwd = repository();
  const patch = path.join(cwd, 'c.patch');
  fs.writeFileSync(patch, '--- a/kept.txt\n+++ b/kept.txt\n@@ -1 +1 @@\n-kept\n+held\n');
  const cases: { args: string[]; input?: string; env?: Record<string, string>; isAlone?: boolean }[] = [
    { args: ['true'] },
    { args: ['rm', 'notes.txt'] },
    { args: ['rm -rf src && git clean -fdx; exit 7'] },
    { args: ['--json', 'sed -i s/kept/held/ kept.txt; cat kept.txt; ls -l --time-style=+'] },
    {
      args: ['--json', '--color', 'always', 'env; umask; ulimit -a; pwd; id; cat /proc/self/cgroup; tty'],
      env: { B: '2', A: '1' },
    },
    { args: ['--color', 'always', 'git rm -q kept.txt'] },
    { args: ['ps -C foretell -o comm=; echo $PPID > /dev/null; sh -c "echo x >&2"'] },
    { args: ['cat; echo read'], input: 'never read by the command\n' },
    { args: ['--tty', '80x24', '--json', 'tput cols; read -r x; echo "$x"'], input: 'typed\n' },
    { args: ['--open-gate', '--json', 'node -e "console.log(1+1)"'] },
    { args: ['--safer', '--json', 'git checkout -- . && rm notes.txt'] },
    { args: ['--file', '-'], input: 'rm notes.txt\n' },
    { args: ['--file', '-'], input: '' },
    { args: ['--file', 'run.sh'] },
    { args: ['--file', 'no such'] },
    { args: ['--file', '.'] },
    { args: ['--cwd', 'src', 'rm a.ts'] },
    { args: ['--cwd', '/no/such/folder', 'rm a.ts'] },
    { args: ['edit', 'c.patch', '--then', 'cat kept.txt'] },
    { args: ['edit', '--json'], input: fs.readFileSync(patch, 'utf8') },
    { args: ['edit', '-'], input: 'nothing of use' },
    { args: ['compare', 'rm notes.txt', 'mv notes.txt other'] },
    { args: ['--shell', 'sh', 'type local; echo $0'] },
    { args: ['--time-limit', '0.3', '--json', 'sleep 5'] },
    { args: ['--help'] },
    { args: ['--version'] },
    { args: ['--nonsense'], isAlone: true },
    { args: ['--under', 'list'] },
    { args: [] },
    { args: ['allow the command'] },
    { args: ['policy', 'explain', 'rm notes.txt'], isAlone: true },
    { args: ['status'], isAlone: true },
    { args: ['--apply', 'rm notes.txt'], isAlone: true },
    { args: ['batch'], input: '{"id":"1","script":"cat kept.txt","cwd":"/"}\n', isAlone: true },
    { args: ['hook', 'claude'], input: '{}', isAlone: true },
  ];
  for (const { args, input = '', env = {}, isAlone = false } of cases)
    test(`foretell ${args.join(' ')}`, async () => {
      const service = await place.start();
      const asked = { args, input, env, cwd };
      const startsBefore = starts();
      const served = place.foretell(asked);
      assert.equal(starts() > startsBefore, isAlone, 'whether Node was started');
      assert.deepEqual(plain(served), plain(place.foretellItself(asked)));
      assert.deepEqual(place.services(), [service]);
    });
});

interface Ended {
  stdout: string;
  stderr: string;
  status: number | null;
}

/** Begins a command line; `ended` once it is over. */
function begin(
  [program, ...args]: [string, ...string[]],
  { cwd, env }: { cwd: string; env: Record<string, string> },
): { child: ChildProcess; ended: Promise<Ended>; soFar(): string } {
  const child = spawn(program, args, { cwd, env, stdio: 'pipe' });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (piece) => {
    said.stdout += piece;
  });
  child.stderr.on('data', (piece) => {
    said.stderr += piece;
  });
  const ended = new Promise<Ended>((resolve) => child.once('close', (status) => resolve({ ...said, status })));
  return { child, ended, soFar: () => said.stdout };
}

/** The connection to the service is there, and the request is sent. */
const isConnected = (child: ChildProcess) => () => {
  const folderOf = `/proc/${child.pid}/fd`;
  return fs.existsSync(folderOf) && fs.readdirSync(folderOf).length > 4;
};

const serviceFolder = (place: ServicePlace) => path.join(place.env['XDG_STATE_HOME'] ?? '', 'foretell/service');

function fileOf(place: ServicePlace, ending: string): string {
  const name = fs.readdirSync(serviceFolder(place)).find((one) => one.endsWith(ending));
  return path.join(serviceFolder(place), name ?? 'none');
}

describe('at a terminal', () => {
  const place = newPlace();
  /** Both at a pseudo terminal; `keys` are typed when `mark` is shown. */
  async function shown(program: string[], args: string[], cwd: string, keys = '', mark = ''): Promise<string> {
    const words = ['env', 'TERM=xterm', ...program, ...args]
      .map((word) => `'${word.replaceAll("'", "'\\''")}'`)
      .join(' ');
    const { child, ended, soFar } = begin(['script', '-qefc', words, '/dev/null'], { cwd, env: place.env });
    if (keys !== '') {
      await until(() => soFar().includes(mark));
      child.stdin?.write(keys);
    }
    const { stdout, status } = await ended;
    const text = plain({ stdout, stderr: '', status }).stdout;
    // What is told before is progress.
    return `${text.slice(text.lastIndexOf('\r\u001b[K'))}${status}`;
  }
  const itself = [process.execPath, path.resolve('dist/cli.js')];

  test('colours, safer commands and questions that are answered', async () => {
    const service = await place.start();
    const cwd = repository();
    for (const args of [
      ['rm notes.txt'],
      ['tty; cut -d" " -f7 /proc/self/stat; cat < /dev/tty'],
      ['git checkout -- . && rm notes.txt'],
    ])
      assert.equal(await shown([place.program], args, cwd), await shown(itself, args, cwd), args.join(' '));
    // All of its colours, though this process and the service have no terminal.
    assert.match(place.foretell({ args: ['--color', 'always', 'true'], cwd }).stdout, /\u001b\[90mexit code 0/);
    const asks = ['--tty', '80x24', 'printf "name? "; read -r name; [ "$name" = Ada ] && exit 5'];
    const typed = await shown([place.program], asks, cwd, 'Ada\n', 'it asks');
    assert.match(typed, /Fails with exit code 5/);
    assert.equal(typed, await shown(itself, asks, cwd, 'Ada\n', 'it asks'));
    assert.deepEqual(place.services(), [service]);
  });

  test('the service is killed when a part of the input was taken: one sentence, and nothing is done anew', async () => {
    const service = await place.start();
    const cwd = repository();
    const asks = `'${place.program}' --tty 80x24 'read a; read -p "second? " b; echo "$a$b"'`;
    const { child, ended, soFar } = begin(['script', '-qefc', asks, '/dev/null'], { cwd, env: place.env });
    await until(() => soFar().includes('it asks'));
    child.stdin?.write('one\n');
    await until(() => soFar().includes('second?'));
    process.kill(service, 'SIGKILL');
    const { stdout, status } = await ended;
    assert.match(stdout, /foretell: The service ended in the middle of its answer; ask again\./);
    assert.equal(status, 3);
  });
});

test('Ctrl+C ends it in the service too, as it does without one', async () => {
  const place = newPlace();
  const service = await place.start();
  const cwd = repository();
  const itself = [process.execPath, path.resolve('dist/cli.js')] as const;
  const told: CommandLine[] = [];
  const endless = ['seq', '1', '99999999999999', ''].join('\0');
  for (const program of [[place.program], itself] as const) {
    const mark = path.join(cwd, 'never');
    const line = begin(
      [...program, '--time-limit', '60', 'seq 1 99999999999999 >/dev/null; : > never'] as [string, ...string[]],
      {
        cwd,
        env: place.env,
      },
    );
    await until(() => commands().some((words) => words === endless));
    line.child.kill('SIGINT');
    told.push(plain(await line.ended));
    await until(() => !commands().some((words) => words === endless));
    assert.equal(fs.existsSync(mark), false);
  }
  assert.equal(told[0]?.status, 3);
  assert.deepEqual(told[0], told[1]);
  assert.deepEqual(place.services(), [service]);
});

function commands(): string[] {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((id) => {
      try {
        return fs.readFileSync(`/proc/${id}/cmdline`, 'utf8');
      } catch {
        return '';
      }
    });
}

describe('whatever happens to the service, the line is answered', () => {
  test('it is killed in the middle: the client does it itself', async () => {
    const place = newPlace();
    const service = await place.start();
    const cwd = repository();
    const { child, ended } = begin([place.program, 'sleep 1; rm notes.txt'], { cwd, env: place.env });
    await until(isConnected(child));
    process.kill(service, 'SIGKILL');
    const { stdout, stderr, status } = await ended;
    assert.match(stdout, /Deletes 1 file with 2 uncommitted lines/);
    assert.equal(stderr, '');
    assert.equal(status, 2);
  });

  test('it is of another version: the client does it itself, and the next service is a new one', async () => {
    const dist = path.join(folder, 'dist');
    fs.cpSync(path.resolve('dist'), dist, { recursive: true });
    const home = path.join(folder, 'upgraded');
    fs.mkdirSync(home);
    const place = servicePlace(home, dist);
    places.push(place);
    const service = await place.start();
    const now = new Date();
    fs.utimesSync(path.join(dist, 'main.js'), now, now);
    const cwd = repository();
    assert.equal(place.foretell({ args: ['rm notes.txt'], cwd }).status, 2);
    await until(() => !place.services().includes(service));
    assert.notEqual(await place.start(), service);
  });

  test('another user listens there, or owns the folder', async (context) => {
    if (process.getuid?.() !== 0) return context.skip('another user takes root');
    const place = newPlace();
    await place.start();
    const cwd = repository();
    await place.end();
    const socket = fileOf(place, '.socket');
    const outside = path.join(folder, 'stranger');
    fs.mkdirSync(outside);
    fs.chownSync(outside, 54_321, 54_321);
    fs.chmodSync(folder, 0o755);
    const theirs = path.join(outside, 's');
    const script = `require('net').createServer((s) => { s.on('error', () => {}); s.write(Buffer.from('X\\x01\\0\\0\\0\\0')); }).listen(process.argv[1])`;
    const user = ['setpriv', '--reuid', '54321', '--regid', '54321', '--clear-groups'];
    const stranger = spawn(user[0] ?? '', [...user.slice(1), process.execPath, '-e', script, theirs]);
    await until(() => fs.existsSync(theirs));
    fs.rmSync(socket, { force: true });
    fs.renameSync(theirs, socket);
    assert.equal(place.foretell({ args: ['rm notes.txt'], cwd }).status, 2);
    stranger.kill();
    const own = serviceFolder(place);
    fs.chownSync(own, 54_321, 54_321);
    assert.equal(place.foretell({ args: ['rm notes.txt'], cwd }).status, 2);
    assert.deepEqual(place.services().length <= 1, true);
    fs.chownSync(own, 0, 0);
    fs.chmodSync(folder, 0o700);
  });
});

describe('whatever a client does, others are answered', () => {
  const place = newPlace();
  const text = (part: string) => {
    const bytes = Buffer.from(part);
    const head = Buffer.alloc(4);
    head.writeUInt32LE(bytes.length);
    return Buffer.concat([head, bytes]);
  };
  /** A request as the static client sends it. */
  const request = (token: string, cwd: string, script: string) =>
    Buffer.concat([
      Buffer.from('FTELL2'),
      text(
        Buffer.concat(
          [
            token,
            'foretell',
            cwd,
            String(process.pid),
            '---',
            `PATH=${process.env['PATH']}\0HOME=/\0`,
            `${script}\0`,
          ].map(text),
        ).toString('latin1'),
      ),
    ]);
  const connect = () => net.connect(fileOf(place, '.socket'));

  test('garbage, halves of requests, unknown frames, endless input, and nobody who reads', async () => {
    await place.start();
    const cwd = repository();
    const token = fs.readFileSync(fileOf(place, '.token'), 'utf8');
    const good = request(token, cwd, 'seq 1 200000');
    const sockets = [
      Buffer.alloc(0),
      Buffer.from('FTELL2'),
      Buffer.concat([Buffer.from('FTELL2'), Buffer.from([255, 255, 255, 255])]),
      good.subarray(0, good.length - 3),
      Buffer.from('FTELL2\u0004\0\0\0\u00ff\u00ff\u00ff\u007f', 'latin1'),
      request('0'.repeat(32), cwd, 'true'),
      Buffer.concat([good, Buffer.from('Z\0\0\0\0')]),
      Buffer.concat([good, Buffer.from([0x49, 255, 255, 255, 255])]),
      // Nobody reads these.
      ...Array.from({ length: 5 }, () => good),
    ].map((bytes) => {
      const socket = connect();
      socket.on('error', () => {});
      socket.pause();
      socket.write(bytes);
      return socket;
    });
    const flood = connect();
    flood.on('error', () => {});
    const gone = new Promise((resolve) => flood.once('close', resolve));
    flood.write(request(token, cwd, 'cat'));
    const piece = Buffer.concat([Buffer.from([0x49, 0, 0, 16, 0]), Buffer.alloc(2 ** 20)]);
    for (let at = 0; at < 40; at++) flood.write(piece);
    flood.resume();
    await gone;
    for (let round = 0; round < 3; round++) {
      const { stdout, status } = place.foretell({ args: ['rm notes.txt'], cwd });
      assert.match(stdout, /Deletes 1 file with 2 uncommitted lines/);
      assert.equal(status, 2);
    }
    for (const socket of sockets) socket.destroy();
    // Where the machine is busy, a client may take it for one that hangs, and start another in its place.
    await until(() => place.services().length === 1);
  });

  test('fifty at once, some of them killed', async () => {
    await place.start();
    const cwd = repository();
    const lines = Array.from({ length: 50 }, (_, at) => {
      const script = at % 2 ? 'rm notes.txt' : `echo ${at} > new.txt && cat new.txt`;
      return { at, ...begin([place.program, '--json', script], { cwd, env: place.env }) };
    });
    for (const { at, child } of lines) if (at % 10 === 5) child.kill('SIGKILL');
    for (const { at, ended } of lines) {
      const { stdout, status } = await ended;
      if (at % 10 === 5) continue;
      const { verdict, files, output } = JSON.parse(stdout);
      assert.equal(status, at % 2 ? 2 : 0);
      assert.equal(verdict.level, at % 2 ? 'danger' : 'safe');
      assert.equal(files.length, 1);
      if (at % 2 === 0) assert.equal(output[0].text, `${at}\n`);
    }
    await until(() => place.services().length === 1);
    assert.equal(fs.existsSync(path.join(cwd, 'new.txt')), false);
  });
});
