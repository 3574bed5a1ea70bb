import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../temporaryFolder.ts';

// What every file system does in its own way, of which what holds the copies says nothing; and what root may do, but not his rehearsed command.
const cli = path.resolve('dist/cli.js');
const folder = temporaryFolder('own-powers');

fs.writeFileSync(path.join(folder, 'kept'), 'kept');

interface Predicted {
  ending: string;
  reason?: string;
  output: { stream: string; text: string }[];
}

function predicted(script: string, engine: string): Predicted {
  const env = { PATH: '/usr/bin:/bin', HOME: folder, FORETELL_ENGINE: engine };
  const words = [cli, '--json', '--fresh', '--open-gate', script];
  const { stdout } = spawnSync(process.execPath, words, { cwd: folder, env, encoding: 'utf8' });
  return JSON.parse(stdout) as Predicted;
}

for (const engine of ['overlays', 'supervision']) {
  for (const script of [
    'truncate -s 1E big; echo $?; rm -f big',
    'fallocate -l 5T big; rm big',
    'dd if=/dev/zero of=big bs=1 count=1 seek=5T 2> told; rm big told',
    'dd if=/dev/zero of=big bs=1 count=1 seek=5T conv=notrunc 2> told; rm big told',
    `python3 -c "import os; open('big', 'w'); os.truncate('big', 5 << 40)"; rm big`,
    `python3 -c "import os; os.pwrite(os.open('big', os.O_CREAT | os.O_WRONLY), b'x', 5 << 40)"; rm big`,
    'echo x > new; lsattr new; rm new',
    'echo x >> kept; lsattr kept',
    'chattr +d kept',
    "grep -E 'NoNewPrivs|Seccomp:|TracerPid' /proc/self/status",
    'cat /proc/$$/status | head -1',
  ])
    test(`not claimed by ${engine}: ${script}`, () => {
      const { ending, reason } = predicted(script, engine);
      assert.equal(ending, 'abstained');
      assert.match(reason ?? '', /a file of that length|what the file system itself notes|not what it really is/);
    });

  // A copy has less room than the disk may have.
  test(`that there is no room for a file is not claimed by ${engine}`, () => {
    for (const script of ['fallocate -l 3G big', 'fallocate -l 900G big; echo $?']) {
      const { ending, output } = predicted(script, engine);
      assert.deepEqual([ending, output], ['failed', []], script);
    }
  });

  for (const script of [
    'fallocate -l 10M big; stat -c %s big; rm big',
    'echo x > small; fallocate -p -o 0 -l 1 small; fallocate -n -l 8K small; stat -c %s small',
    'truncate -s 3T big; stat -c %s big; rm big',
    `python3 -c "open('/proc/self/mem', 'rb').seek(0x7fff00000000)"`,
    `python3 -c "import os; print(os.lseek(os.open('/etc/passwd', 0), -4, os.SEEK_END) > 0)"`,
  ])
    test(`claimed by ${engine}: ${script}`, () => {
      const { ending, reason } = predicted(script, engine);
      assert.equal(ending, 'done', reason);
    });

  for (const script of [
    'lsattr kept',
    'nice -n -5 nice',
    'ionice -c 3 ionice',
    'chrt -b 0 true; echo $?',
    'renice -n -2 $$ > told; nice; rm told',
    `python3 -c "import os; print(os.nice(-3))"`,
  ])
    test(`as it is for real by ${engine}: ${script}`, () => {
      const real = spawnSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8' });
      const { ending, reason, output } = predicted(script, engine);
      assert.equal(ending, 'done', reason);
      const text = (stream: string) => output.map((one) => (one.stream === stream ? one.text : '')).join('');
      assert.equal(text('stdout'), real.stdout);
    });

  const isRoot = process.getuid?.() === 0;
  for (const script of [
    `python3 -c "import os; os.setxattr('kept', 'trusted.x', b'1')"; echo $?`,
    `python3 -c "import os; os.setxattr('kept', 'security.x', b'1')"; echo $?`,
    `python3 -c "import ctypes; print(ctypes.CDLL(None).mlockall(3))"`,
    'ionice -c 1 -n 3 ionice',
    'chrt -f 10 true; echo $?',
    `python3 -c "import os; print(os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(5)))"`,
    `python3 -c "import socket; socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)"`,
    // RTM_NEWLINK with NLM_F_REQUEST, NLM_F_ACK and NLM_F_CREATE, as ip(8) sends it.
    `python3 -c "import socket, struct; s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0); s.bind((0, 0)); s.sendto(struct.pack('IHHIIBxHiII', 32, 16, 0x405, 1, 0, 0, 0, 0, 0, 0), (0, 0)); print(struct.unpack('i', s.recv(99)[16:20])[0])"`,
  ])
    test(`not claimed by ${engine}, as root: ${script}`, { skip: !isRoot }, () => {
      assert.equal(predicted(script, engine).ending, 'abstained');
    });
}
