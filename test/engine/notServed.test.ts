import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { foldAll } from '../../src/core/foretell.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

/** Calls that a rehearsal does not serve as the machine would: nothing that comes of them is claimed. */

const { foretell, folder } = throwAwayForetell('notServed');
const hasPython = spawnSync('/usr/bin/python3', ['-c', '1']).status === 0;

async function predict(script: string, openGate = true) {
  const action = { kind: 'command', script, shell: 'bash', cwd: folder } as const;
  const env = { PATH: '/usr/bin:/bin', HOME: folder, LC_ALL: 'C.UTF-8' };
  const { events, view } = foretell.predict({ action, env, openGate, signal: new AbortController().signal });
  const prediction = await foldAll(action, events);
  await view.close();
  const { ending, exitBasis, doubt, output, programs, verdict } = prediction;
  return {
    ending,
    exitBasis,
    doubt: doubt?.kind,
    shown: output.map(({ text, basis }) => [text, basis]),
    ended: programs.map(({ argv, exitCode }) => [argv[0], exitCode]),
    risks: verdict.reasons.map(({ kind }) => kind),
  };
}

test('a program that fails behind a call that is refused is not said to fail', { skip: !hasPython }, async () => {
  fs.writeFileSync(path.join(folder, 'raw.py'), 'import socket\nsocket.socket(socket.AF_INET, socket.SOCK_RAW, 1)\n');
  const { ending, exitBasis, doubt, shown } = await predict('echo before; /usr/bin/python3 raw.py');
  assert.deepEqual([ending, exitBasis, doubt], ['abstained', 'unknown', 'asksSystem']);
  assert.deepEqual(shown[0], ['before\n', 'rehearsed']);
  assert.ok(shown.slice(1).every(([text, basis]) => text === undefined && basis === 'unknown'));
});

test('the same of a program that is inert', async () => {
  // As root it is the view that refuses, as an ordinary user the kernel would.
  const isRoot = process.getuid?.() === 0;
  const { exitBasis, ended, risks } = await predict('chrt -f 5 true; echo $?', false);
  if (!isRoot) return assert.deepEqual([exitBasis, ended], ['rehearsed', [['chrt', 1]]]);
  assert.deepEqual([exitBasis, ended], ['unknown', [['chrt', undefined]]]);
  assert.ok(!risks?.includes('fails'), JSON.stringify(risks));
});

test('a program that goes on behind it is shown as it went on', { skip: !hasPython }, async () => {
  const tries = `import socket
try: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)
except OSError: pass
print("went on")
`;
  fs.writeFileSync(path.join(folder, 'tries.py'), tries);
  const { ending, exitBasis, shown } = await predict('/usr/bin/python3 tries.py');
  assert.deepEqual([ending, exitBasis, shown], ['abstained', 'rehearsed', [['went on\n', 'rehearsed']]]);
});

test('who asks for a lock that somebody holds is not said to have it', { skip: !hasPython }, async () => {
  const lock = path.join(folder, 'lock');
  fs.writeFileSync(lock, '');
  const asks = `import fcntl
file = open("lock", "r+")
print("opened", flush=True)
try: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB); print("got")
except OSError: print("busy")
`;
  fs.writeFileSync(path.join(folder, 'asks.py'), asks);
  const holder = spawn('flock', [lock, '-c', 'echo; exec sleep 30'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  try {
    await new Promise((held) => holder.stdout.once('data', held));
    const { ending, shown } = await predict('/usr/bin/python3 asks.py');
    assert.equal(ending, 'abstained');
    assert.ok(!shown.some(([text]) => text?.includes('got') || text?.includes('busy')), JSON.stringify(shown));
  } finally {
    process.kill(-(holder.pid ?? 0), 'SIGKILL');
  }
});
