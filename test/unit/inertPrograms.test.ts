import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { isInertGitHelper } from '../../src/core/programs/gitHelpers.ts';
import { programNamed } from '../../src/core/programs/programOf.ts';
import { inertNow, isOfSystem, resolveInert } from '../../src/core/worlds/confined/gate/inert.ts';

test('a program in a project is not inert, whoever made it, root as well', () => {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-inert-')));
  fs.copyFileSync('/bin/true', path.join(folder, 'ls'));
  fs.chmodSync(path.join(folder, 'ls'), 0o755);
  const { inert } = resolveInert(`${folder}:/usr/bin`);
  assert.deepEqual(
    inert.filter((file) => file.startsWith(folder)),
    [],
  );
  assert.ok(inert.some((file) => file.endsWith('/ls')));
  fs.rmSync(folder, { recursive: true });
});

test('a folder of PATH that nobody can look at, or whose link leads in a circle, is as good as none', (context) => {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-inert-')));
  context.after(() => fs.rmSync(folder, { recursive: true }));
  fs.symlinkSync('circle', path.join(folder, 'circle'));
  const odd = [
    `${folder}/circle`,
    `/${'long/'.repeat(2_000)}`,
    `/${'name'.repeat(100)}`,
    '/etc/passwd',
    '/proc/1/cwd/bin',
  ];
  assert.deepEqual(inertNow([...odd, '/usr/bin'].join(':')), inertNow('/usr/bin'));
});

test('folders of a container where people keep projects are not the system, although all belongs to root there', () => {
  const systems =
    '/usr/bin/ls /bin/ls /sbin/ip /usr/local/bin/node /usr/lib/git-core/git /usr/libexec/x /usr/lib64/x /usr/local/go/bin/go /nix/store/a/bin/ls';
  for (const file of systems.split(' ')) assert.ok(isOfSystem(file, false), file);
  const projects =
    '/app/bin/ls /usr/app/ls /usr/app/bin/ls /usr/src/app/ls /usr/local/app/bin/ls /srv/ls /usr/ls /usr/library/ls /workspace/usr/bin/ls /opt/x/ls';
  for (const file of projects.split(' ')) assert.equal(isOfSystem(file, false), false, file);
  assert.ok(isOfSystem('/app/bin/ls', true), 'Flatpak keeps its programs there');
});

const isInert = (name: string) => programNamed(name)?.inert === true;

test('programs that run code of others in their own process are not inert', () => {
  const hosts = 'perl python python3 ruby node lua php vim emacs gdb gcc cc clang rustc rpm pandoc deno bun ld.so';
  for (const name of hosts.split(' ')) assert.equal(isInert(name), false, name);
});

test('programs that need the network or another daemon are not inert', () => {
  const networked =
    'curl wget ssh scp sftp nc ncat socat ping telnet openssl gpg logger wall crontab at docker systemctl';
  for (const name of networked.split(' ')) assert.equal(isInert(name), false, name);
});

test('what a rehearsal of everyday commands needs is inert', () => {
  for (const name of 'bash sh rm cp mv ls cat grep sed awk find xargs tar gzip git make jq sort'.split(' ')) {
    assert.ok(isInert(name), name);
    assert.equal(programNamed(name)?.asks, undefined, name);
  }
});

test('programs that look at processes, mounts or devices are answered by the real machine', () => {
  assert.deepEqual(programNamed('ps')?.asks, ['processes']);
  assert.deepEqual(programNamed('df')?.asks, ['mounts']);
  for (const name of ['ps', 'df']) assert.equal(programNamed(name)?.momentary, true, name);
  for (const name of 'pgrep pkill killall lsof fuser ss top w who uptime free findmnt lsblk lscpu'.split(' ')) {
    assert.ok(isInert(name), name);
    assert.ok(programNamed(name)?.asks, name);
  }
});

test('git helpers run, except those that reach for the network', () => {
  for (const name of ['git-merge-tree', 'git-submodule', 'git-sh-setup', 'git-difftool--helper']) {
    assert.ok(isInertGitHelper(name), name);
  }
  for (const name of ['git-remote-https', 'git-remote-http', 'git-http-push', 'git-credential-store', 'git-daemon']) {
    assert.equal(isInertGitHelper(name), false, name);
  }
});
