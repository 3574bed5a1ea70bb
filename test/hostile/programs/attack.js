// attack.js NAME: what a program of Node could try. Every target is in the environment, and is a canary.
const fs = require('node:fs');
const os = require('node:os');
const net = require('node:net');
const path = require('node:path');
const dgram = require('node:dgram');
const { execFileSync, spawn } = require('node:child_process');
const { Worker } = require('node:worker_threads');

const { VICTIM: victim, SECOND_VICTIM: second, OUTSIDE: outside, HOME: home, VIEW: view, ...env } = process.env;
const pid = Number(env.PID);
const connect = (...to) =>
  new Promise((resolve, reject) => {
    const socket = net.connect(...to);
    socket.on('connect', () => socket.end('x', resolve)).on('error', reject);
  });
const udp = (kind, port, host) => new Promise((resolve, reject) => {
  const socket = dgram.createSocket(kind);
  socket.send('x', port, host, (error) => (socket.close(), error ? reject(error) : setTimeout(resolve, 20)));
});
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const attacks = {
  overwrite: () => fs.writeFileSync(victim, 'changed\n'),
  append: () => fs.promises.appendFile(victim, 'more\n'),
  truncate: () => fs.truncateSync(victim),
  mode: () => fs.chmodSync(victim, 0o600),
  setuid: () => fs.promises.chmod(victim, 0o4777),
  times: () => fs.utimesSync(victim, 1, 1),
  unlink: () => fs.unlinkSync(victim),
  rename: () => fs.renameSync(victim, second),
  make: () => fs.writeFileSync(`${outside}/new`, ''),
  folder: () => fs.mkdirSync(`${outside}/a/b`, { recursive: true }),
  symlink: () => fs.symlinkSync('x', `${outside}/soft`),
  link: () => fs.linkSync(victim, `${outside}/link`),
  copy: () => fs.copyFileSync(`${view}/a`, victim),
  copyTree: () => fs.cpSync(`${view}/sub`, `${outside}/sub`, { recursive: true }),
  removeTree: () => fs.rmSync(`${home}/.ssh`, { recursive: true }),
  temporary: () => fs.mkdtempSync(`${outside}/temporary-`),
  soft: () => (fs.symlinkSync(victim, `${view}/soft`), fs.writeFileSync(`${view}/soft`, 'x')),
  softFolder: () => (fs.symlinkSync(outside, `${view}/door`), fs.writeFileSync(`${view}/door/victim`, 'x')),
  reopened: () => fs.writeFileSync(`/proc/self/fd/${fs.openSync(victim, 'r')}`, 'x'),
  roots: () => {
    for (const file of [`/proc/${pid}/root${victim}`, `/proc/${pid}/cwd/victim`, `/proc/self/root${victim}`])
      try {
        fs.writeFileSync(file, 'x');
      } catch {}
  },
  dots: () => fs.writeFileSync(path.join('..', 'outside', 'victim'), 'x'),
  stream: () => new Promise((end) => fs.createWriteStream(victim).end('x', end)),
  vectors: () => fs.writevSync(fs.openSync(victim, 'r+'), [Buffer.from('a'), Buffer.from('b')]),
  asynchronous: () => Promise.all(Array.from({ length: 20 }, (_, at) => fs.promises.writeFile(`${outside}/many${at}`, 'x'))),
  home: () => fs.appendFileSync(`${home}/.bashrc`, 'echo hit\n'),
  keys: () => fs.writeFileSync(`${home}/.ssh/authorized_keys`, 'x'),
  settings: () => fs.writeFileSync(`${home}/.gitconfig`, '[core]\n\tfsmonitor = true\n'),
  autostart: () => (fs.mkdirSync(`${home}/.config/systemd/user`, { recursive: true }), fs.writeFileSync(`${home}/.config/systemd/user/x.service`, '')),
  repository: () => fs.writeFileSync(`${view}/.git/hooks/post-checkout`, 'x'),
  workspace: () => fs.rmSync(`${view}/precious`),
  worker: () => new Promise((end) => new Worker(`require('node:fs').writeFileSync(${JSON.stringify(victim)}, 'x')`, { eval: true }).on('exit', end)),
  memory: () => fs.writeSync(fs.openSync(`/proc/${pid}/mem`, 'r+'), Buffer.from('hit\0'), 0, 4, Number(env.ADDR)),
  oom: () => fs.writeFileSync(`/proc/${pid}/oom_score_adj`, '700'),
  signal: () => process.kill(pid, 'SIGUSR1'),
  stopped: () => (process.kill(pid, 'SIGSTOP'), process.kill(pid, 'SIGCONT')),
  debugger: () => process._debugProcess(pid),
  priority: () => os.setPriority(pid, 5),
  daemon: () => {
    const script = `setTimeout(() => require('node:fs').writeFileSync(${JSON.stringify(victim)}, 'x'), 300)`;
    spawn(process.execPath, ['-e', script], { detached: true, stdio: 'ignore' }).unref();
    return wait(700);
  },
  waiting: () => fs.writeSync(fs.openSync(`${outside}/fifo`, fs.constants.O_WRONLY | fs.constants.O_NONBLOCK), 'x'),
  tcp: () => connect(Number(env.TCP_PORT), '127.0.0.1'),
  tcpByName: () => connect(Number(env.TCP_PORT), 'localhost'),
  tcp6: () => connect(Number(env.TCP6_PORT), '::1'),
  fetched: () => fetch(`http://127.0.0.1:${env.TCP_PORT}/`, { signal: AbortSignal.timeout(300) }),
  udp: () => udp('udp4', Number(env.UDP_PORT), '127.0.0.1'),
  unix: () => connect(`${outside}/listen.sock`),
  terminalText: () => fs.writeSync(fs.openSync(env.PTY, fs.constants.O_WRONLY | fs.constants.O_NOCTTY), 'x'),
  shared: () => fs.writeFileSync(`/dev/shm${env.IPC_NAME}`, 'hit', { flag: 'r+' }),
  unshared: () => fs.unlinkSync(`/dev/shm${env.IPC_NAME}`),
  descriptors: () => {
    for (let fd = 3; fd < 256; fd++)
      try {
        if (!fs.fstatSync(fd).isFile()) continue;
        fs.writeSync(fd, 'x');
        console.log('HIT descriptor', fd);
      } catch {}
  },
  child: () => execFileSync('sh', ['-c', 'echo changed > "$VICTIM"']),
  program: () => execFileSync(env.EVIL, ['changes'], { stdio: 'inherit' }),
  addon: () => process.dlopen({ exports: {} }, env.LIBRARY),
  python: () => execFileSync('python3', [`${env.BIN}/attack.py`, 'written'], { stdio: 'inherit' }),
};

Promise.resolve()
  .then(attacks[process.argv[2]])
  .then(() => (console.log('came to its end'), process.exit(0)))
  .catch((error) => (console.log('refused:', error.code ?? error), process.exit(1)));
