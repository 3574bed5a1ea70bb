import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { cliFile } from '../hostile/batch.ts';
import { identities } from './launcherDriver.ts';

// User namespaces in which the system's files belong to nobody (nobody:nogroup), as bubblewrap and Flatpak make them.
const user = identities()[0];
const become =
  process.getuid?.() === 0 && user
    ? ['setpriv', '--reuid', String(user.uid), '--regid', String(user.uid), '--clear-groups']
    : [];
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-nobody-'));
fs.chmodSync(home, 0o777);
after(() => fs.rmSync(home, { recursive: true, force: true }));

/** Runs the command line in a new user namespace. It is killed when it takes far too long. */
function foretell(namespace: readonly string[], ...args: string[]) {
  const [program = '', ...rest] = [...become, 'unshare', '-U', ...namespace, process.execPath, cliFile, ...args];
  return spawnSync(program, rest, {
    cwd: home,
    env: { PATH: '/usr/bin:/bin', HOME: home, XDG_CACHE_HOME: home },
    encoding: 'utf8',
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
}

const namespaces = {
  'no user is mapped': [],
  'the own user alone is mapped': ['--map-current-user'],
  'the own user is called root': ['--map-root-user'],
};
const [program = '', ...rest] = [...become, 'unshare', '-U', 'true'];
const skip = spawnSync(program, rest).status !== 0 ? 'no user namespaces here' : false;

for (const [name, namespace] of Object.entries(namespaces)) {
  test(`${name}: the status ends, with a sentence`, { skip }, () => {
    const { status, signal, stdout } = foretell(namespace, '--json', 'status');
    assert.equal(signal, null, stdout);
    const said = JSON.parse(stdout) as { available: boolean; sentence: string };
    assert.equal(said.available, status === 0);
    assert.match(said.sentence, /^[A-Z].*\.$/);
  });

  test(`${name}: a command is predicted rightly, or the reason is given`, { skip }, () => {
    const script = 'stat -c %U /usr; echo new > file; stat -c %U /usr; cat file';
    const { signal, stdout } = foretell(namespace, '--json', script);
    assert.equal(signal, null, stdout);
    const prediction = JSON.parse(stdout);
    const said = { ending: prediction.ending, assumptions: prediction.assumptions, reason: prediction.reason };
    if (prediction.ending === 'failed') {
      assert.match(prediction.reason, /namespace/, JSON.stringify(said));
      assert.notEqual(prediction.verdict.level, 'safe');
      return;
    }
    assert.equal(prediction.ending, 'done', JSON.stringify(said));
    assert.deepEqual(
      prediction.files.map((file: { path: string; change: string }) => [path.basename(file.path), file.change]),
      [['file', 'created']],
    );
    assert.equal(prediction.output.map((piece: { text: string }) => piece.text).join(''), 'nobody\nnobody\nnew\n');
  });
}

test('a shell that may not run itself is a failure with a reason, not a guess', () => {
  const folder = path.join(home, 'bin');
  fs.mkdirSync(folder);
  fs.copyFileSync('/bin/bash', path.join(folder, 'bash'));
  fs.chmodSync(path.join(folder, 'bash'), 0o757);
  const { stdout } = spawnSync(process.execPath, [cliFile, '--json', 'rm -rf *'], {
    cwd: home,
    env: { PATH: `${folder}:/usr/bin`, HOME: home, XDG_CACHE_HOME: home },
    encoding: 'utf8',
  });
  const prediction = JSON.parse(stdout);
  assert.equal(prediction.ending, 'failed', stdout);
  assert.match(prediction.reason, /bash is not a program that only root can change/);
});

test('who has an empty PATH has a shell all the same', () => {
  const { stdout } = spawnSync(process.execPath, [cliFile, '--json', 'ls 2>&1; echo $0'], {
    cwd: home,
    env: { PATH: '', HOME: home, XDG_CACHE_HOME: home },
    encoding: 'utf8',
  });
  const { output, ending, effects } = JSON.parse(stdout);
  assert.equal(ending, 'done', stdout);
  assert.deepEqual(effects, []);
  assert.equal(
    output.map((piece: { text: string }) => piece.text).join(''),
    'bash: line 1: ls: No such file or directory\nbash\n',
  );
});

test('the user called nobody sees whose the files are', {
  skip: process.getuid?.() !== 0 && 'only root may become nobody',
}, () => {
  const folder = fs.mkdtempSync(path.join(home, 'of-nobody-'));
  fs.chownSync(folder, 65_534, 65_534);
  const args = ['--reuid', '65534', '--regid', '65534', '--clear-groups', process.execPath, cliFile, '--json'];
  const { stdout } = spawnSync('setpriv', [...args, 'echo new > file; stat -c %U /usr file'], {
    cwd: folder,
    env: { PATH: '/usr/bin:/bin', HOME: folder, XDG_CACHE_HOME: folder },
    encoding: 'utf8',
  });
  const prediction = JSON.parse(stdout);
  assert.equal(prediction.ending, 'done', stdout);
  assert.equal(prediction.output.map((piece: { text: string }) => piece.text).join(''), 'root\nnobody\n');
});
