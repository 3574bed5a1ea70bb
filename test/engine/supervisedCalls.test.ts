import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { availableIdentities, type Identity, spawnAs } from '../hostile/identity.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

// Calls that few inert programs make, answered by supervision as the kernel answers them: the same program runs rehearsed and for real.
const cli = path.resolve('dist/cli.js');
const python = '/usr/bin/python3';

const programs: Readonly<Record<string, string>> = {
  'a socket with a path serves its own command': `
import os, socket
def refused(call, *words):
    try: call(*words)
    except OSError as error: print(error)
server = socket.socket(socket.AF_UNIX); server.bind('here'); server.listen()
print(server.getsockname(), oct(os.stat('here').st_mode))
client = socket.socket(socket.AF_UNIX); client.connect('./here'); client.send(b'hello')
other, _ = server.accept(); print(other.recv(9), client.getpeername())
refused(server.bind, 'second'); refused(socket.socket(socket.AF_UNIX).bind, 'here')
os.rename('here', 'there'); late = socket.socket(socket.AF_UNIX)
refused(late.connect, 'here'); late.connect('there'); print(sorted(os.listdir('.')))
server.close(); refused(socket.socket(socket.AF_UNIX).connect, 'there')
os.remove('there'); print(sorted(os.listdir('.')))`,
  'any free port of the loopback is taken and given back': `
import socket
for family, host in ((socket.AF_INET, '127.0.0.1'), (socket.AF_INET6, '::1'), (socket.AF_INET, '127.1.2.3')):
    one = socket.socket(family)
    try: one.bind((host, 0)); print(one.getsockname()[0], one.getsockname()[1] > 0); one.bind((host, 0))
    except OSError as error: print(error)
    one.close()`,
  'a file without a name gets one': `
import ctypes, os
file = os.open('.', os.O_TMPFILE | os.O_RDWR, 0o640); os.write(file, b'text'); print(os.fstat(file).st_nlink, os.listdir('folder'))
link = ctypes.CDLL(None).linkat
print(link(-100, b'/proc/self/fd/%d' % file, -100, b'folder/named', 0x400), open('folder/named').read(), os.fstat(file).st_nlink)
print(oct(os.stat('folder/named').st_mode), link(-100, b'/proc/self/fd/%d' % file, -100, b'folder/named', 0x400))`,
  'attributes of files and folders': `
import os
def told(call, *words):
    try: print(call(*words))
    except OSError as error: print(error)
for one in ('file', 'folder'):
    told(os.setxattr, one, 'user.first', b'1'); told(os.setxattr, one, 'user.first', b'2', os.XATTR_CREATE)
    told(os.setxattr, one, 'user.first', b'3', os.XATTR_REPLACE); told(os.setxattr, one, 'user.second', b'', os.XATTR_REPLACE)
    told(os.getxattr, one, 'user.first'); told(os.listxattr, one); told(os.getxattr, one, 'user.second')
    told(os.removexattr, one, 'user.first'); told(os.removexattr, one, 'user.first'); told(os.listxattr, one)
told(os.setxattr, 'file', 'other.name', b''); os.symlink('file', 'link')
told(lambda: os.setxattr('link', 'user.x', b'', follow_symlinks=False))
os.rename('folder', 'moved'); os.setxattr('moved', 'user.kept', b'yes'); os.rename('moved', 'again'); told(os.getxattr, 'again', 'user.kept')
held = os.open('file', os.O_RDWR); os.setxattr(held, 'user.held', b'h'); os.write(held, b'new'); print(os.listxattr(held), os.getxattr('file', 'user.held'))`,
  'access lists say who may, and are inherited': `
import os, struct
def entries(*all): return struct.pack('<I', 2) + b''.join(struct.pack('<HHI', *one) for one in all)
NOBODY = 0xffffffff
wide = entries((1, 6, NOBODY), (2, 7, 12345), (4, 4, NOBODY), (16, 7, NOBODY), (32, 0, NOBODY))
def mode(path): return oct(os.stat(path).st_mode)
os.setxattr('file', 'system.posix_acl_access', wide); print(mode('file'), os.getxattr('file', 'system.posix_acl_access') == wide)
os.chmod('file', 0o640); print(os.getxattr('file', 'system.posix_acl_access').hex(), mode('file'))
os.setxattr('folder', 'system.posix_acl_default', wide); os.umask(0o77)
open('folder/made', 'w').close(); os.mkdir('folder/below'); print(mode('folder/made'), mode('folder/below'))
print(os.getxattr('folder/made', 'system.posix_acl_access').hex(), os.listxattr('folder/below'))
os.removexattr('folder', 'system.posix_acl_default'); open('folder/plain', 'w').close(); print(mode('folder/plain'), os.listxattr('folder/plain'))
try: os.setxattr('file', 'system.posix_acl_default', wide)
except OSError as error: print(error)`,
};

function folderOf(identity: Identity): string {
  const folder = temporaryFolder('calls');
  fs.mkdirSync(path.join(folder, 'folder'));
  fs.writeFileSync(path.join(folder, 'file'), 'text\n', { mode: 0o644 });
  for (const name of ['', 'folder', 'file']) fs.chownSync(path.join(folder, name), identity.uid, identity.gid);
  return folder;
}

/** A file that touch(1) opens is not copied; what is done to it before and afterwards finds its content and its times. */
const touches: Readonly<Record<string, string>> = {
  'and is read': 'touch file && cat file && wc -c < file && [ file -nt folder ] && echo newer',
  'and is written': 'touch -d 2020-01-02 file && echo more >> file && cat file && [ file -nt folder ] || echo older',
  'with a time':
    'touch -d 2020-01-02T03:04:05.678 file && stat -c "%s %a %h %Y %.Y" file && touch -a file && stat -c %Y file',
  'that cannot be read': 'chmod 200 file && touch -d 2020-01-02 file && chmod 600 file && stat -c %Y file && cat file',
  'that cannot be written': 'chmod 400 file; touch file; echo $?; touch -d 2020-01-02 file; stat -c %Y file; cat file',
  'that was moved':
    'mv file moved && touch -d 2020-01-02 moved && stat -c "%n %s %Y" moved && cat moved; touch file; ls',
  'that was written': 'echo new > file && touch -d 2020-01-02 file && stat -c "%s %Y" file && cat file',
  'with two names': 'ln file other && touch -d 2020-01-02 file && stat -c "%n %h %Y" file other && cat other',
  'behind a link':
    'ln -s file link && touch -d 2020-01-02 link && touch -h -d 2021-01-02 link && stat -c "%n %Y" file link',
  'like another':
    'touch -d 2020-01-02 folder && touch -r folder file && touch -r file new && stat -c "%n %s %Y" file new',
  'twice, and a folder':
    'touch -d 2020-01-02 file && touch -m -d 2021-01-02 file folder && stat -c "%n %X %Y" file; stat -c %Y folder',
};

describe('by supervision, touch of a file', () => {
  for (const identity of availableIdentities()) compareAll(identity, touches);
});

/** Whoever has a file open reads what is written into it meanwhile. */
const readMeanwhile: Readonly<Record<string, string>> = {
  'by its own shell': 'exec 3<file; echo changed > file; read line <&3; echo $line; cat file',
  'by a loop':
    'while read line; do echo "again $line"; [ $line = more ] && break; echo more >> file; done < file; cat file',
  'by its program':
    "dd if=file of=file conv=notrunc bs=2 skip=1 status=none; cat file; awk '{ print $0, 1 > FILENAME }' file; cat file",
  'by another program':
    'echo a >> folder/log; { sleep 0.2; cat; } < file & sleep 0.1; echo late >> file; wait; cat file folder/log',
  'of two':
    'cp file folder/other; exec 3<file 4<folder/other; echo 1 > file; echo 2 > folder/other; cat <&3 <&4; cat /dev/fd/3',
  'by another name': 'ln file folder/second; exec 3<folder/second; echo new > file; cat <&3; stat -c %h file',
  'and closed to others': 'exec 3<file; chmod 200 file; echo new > file; cat <&3; cat file; chmod 600 file',
};

describe('by supervision, a file is written that is read', () => {
  for (const identity of availableIdentities()) compareAll(identity, readMeanwhile);
});

/** Links of procfs say what is open by the names that the command gave or took. */
const opened: Readonly<Record<string, string>> = {
  'a file that is renamed': 'exec 3<file; mv file b; readlink /proc/self/fd/3; rm b; readlink /proc/self/fd/3',
  'a file that another replaces': 'exec 3<file; echo n > n; mv n file; readlink /proc/self/fd/3; cat <&3',
  'a file whose folder is renamed':
    'exec 3<folder; cd folder; echo x > f; exec 4<f; mv ../folder ../moved; readlink /proc/self/fd/3 /proc/self/fd/4 /proc/self/cwd; rm f; readlink /proc/self/fd/4',
  'a folder that is gone': 'cd folder; rmdir ../folder; readlink /proc/self/cwd',
  'a new folder that is gone': 'mkdir n; cd n; readlink /proc/self/cwd; rmdir ../n; readlink /proc/self/cwd',
  'a folder whose parent is renamed':
    'mkdir folder/in; cd folder/in; mv ../../folder ../../moved; readlink /proc/self/cwd; rmdir ../in; readlink /proc/self/cwd',
};
/** It is the name by which it was opened, and only the kernel knows that. */
const openedByOne: Readonly<Record<string, string>> = {
  'a new file with two names': 'echo x > n; exec 3<n; ln n b; readlink /proc/self/fd/3',
  'a written file with two names': 'ln file b; echo x >> file; exec 3<b; readlink /proc/self/fd/3',
  'a file whose first name is gone': 'exec 3<file; ln file b; rm file; readlink /proc/self/fd/3',
};

describe('by supervision, the link of', () => {
  for (const identity of availableIdentities()) {
    compareAll(identity, opened);
    compareAll(identity, openedByOne, 'or nothing');
  }
});

function compareAll(identity: Identity, scripts: Readonly<Record<string, string>>, ...how: ['or nothing'?]): void {
  for (const [name, script] of Object.entries(scripts))
    test(`${name}, as ${identity.name}`, () => compare(identity, script, {}, [], ...how));
}

/** The same, rehearsed by supervision and run for real, prints the same. */
function compare(
  identity: Identity,
  script: string,
  more: Readonly<Record<string, string>>,
  options: string[],
  claims: 'all' | 'or nothing' = 'all',
): void {
  const cwd = folderOf(identity);
  const env = { PATH: '/usr/bin:/bin', HOME: cwd, XDG_CACHE_HOME: '/nonexistent', ...more };
  const started = { cwd, encoding: 'utf8', ...spawnAs(identity) } as const;
  const words = [cli, '--json', ...options, script];
  const run = spawnSync(process.execPath, words, { ...started, env: { ...env, FORETELL_ENGINE: 'supervision' } });
  const prediction = JSON.parse(run.stdout);
  assert.deepEqual(fs.readdirSync(cwd).sort(), ['file', 'folder']);
  if (claims === 'or nothing' && prediction.ending === 'abstained') return;
  const real = spawnSync('/bin/sh', ['-c', script], { ...started, env });
  assert.equal(prediction.ending, 'done', prediction.reason);
  const shown = prediction.output.map((piece: { text: string }) => piece.text).join('');
  assert.equal(shown, real.stdout + real.stderr);
  assert.equal(prediction.exitCode, real.status);
}

describe('by supervision', { skip: fs.existsSync(python) ? false : 'python3 is not installed' }, () => {
  for (const identity of availableIdentities())
    for (const [name, program] of Object.entries(programs))
      test(`${name}, as ${identity.name}`, () =>
        compare(identity, `${python} -c "$PROGRAM"`, { PROGRAM: program }, ['--open-gate']));
});
