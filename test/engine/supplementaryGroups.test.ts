import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';

/** A user in more groups than one: a user namespace knows only the first, and shows the files of all others alike. */

const skip = process.getuid?.() !== 0 && 'only root may put a user into groups';
const [user, ours, others] = [54_321, 54_322, 54_323];
// Where others may not read the project's own Node, the system's is there.
const node = fs.existsSync('/usr/bin/node') ? '/usr/bin/node' : process.execPath;
let base: string;
let cli: string;

before(() => {
  base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-groups-')));
  fs.chmodSync(base, 0o755);
  fs.cpSync('dist', path.join(base, 'dist'), { recursive: true });
  cli = path.join(base, 'dist/cli.js');
});
after(() => fs.rmSync(base, { recursive: true, force: true }));

/** A folder of the user with folders and files of root: `team` is of a group of the user, `far` is not. */
function fixture(name: string): string {
  const folder = path.join(base, name);
  for (const [of, group] of [
    ['team', ours],
    ['far', others],
  ] as const) {
    fs.mkdirSync(path.join(folder, of, 'mine'), { recursive: true });
    fs.writeFileSync(path.join(folder, of, 'file'), `${of}\n`);
    for (const [entry, mode] of [
      ['', 0o2775],
      ['file', 0o664],
    ] as const) {
      fs.chownSync(path.join(folder, of, entry), 0, group);
      fs.chmodSync(path.join(folder, of, entry), mode);
    }
    fs.chownSync(path.join(folder, of, 'mine'), user, user);
  }
  fs.chownSync(folder, user, user);
  return folder;
}

function asMember(cwd: string, words: readonly string[]): string {
  const groups = ['--reuid', String(user), '--regid', String(user), '--groups', `${user},${ours}`, '--'];
  const env = { PATH: '/usr/bin:/bin', HOME: cwd, XDG_CACHE_HOME: '/nonexistent', LC_ALL: 'C.UTF-8' };
  return spawnSync('setpriv', [...groups, ...words], { cwd, env, encoding: 'utf8' }).stdout;
}

for (const [number, script] of [
  'cp -p team/file c; stat -c "%u %g %a" c',
  'cp -a team c; stat -c "%u %g %a" c c/file',
  'cp -p far/file c; stat -c "%u %g %a" c',
  'install -g 54322 team/file c; stat -c %g c',
  'touch a; chgrp 54322 a; chgrp 54323 a 2>&1; stat -c %g a',
  'touch team/mine/x far/mine/x; touch team/y far/y 2>&1; ls far team',
  'rm -f team/file far/file 2>&1; ls team far',
  'echo y > team/file; echo z > far/file; cat team/file far/file',
  'find . -writable | sort; test -w far || echo far',
  'mkdir team/d; stat -c "%g %a" team/d; mv team/file c; stat -c "%u %g" c',
].entries()) {
  test(`as it is for a member: ${script}`, { skip }, () => {
    const folder = fixture(`w${number}`);
    const prediction = JSON.parse(asMember(folder, [node, cli, '--json', `{ ${script}; } 2>&1`]));
    assert.equal(prediction.ending, 'done', JSON.stringify(prediction));
    const said = prediction.output.map((piece: { text?: string }) => piece.text ?? '').join('');
    assert.equal(said, asMember(folder, ['bash', '-c', `{ ${script}; } 2>&1`]));
  });
}

// Programs that are let run say nothing where a copy refuses what the machine would not: they were told of an error (EOVERFLOW).
for (const [number, code] of [
  'open(F, ">>", "team/file") && print F "x"',
  'open(F, ">", "team/new")',
  'open(F, "+<", "far/file")',
  'sysopen(F, "team/new", 0100)', // O_CREAT alone
  'truncate("team/file", 0)',
  'mkdir("team/d")',
  'symlink("file", "team/l")',
  'link("own", "team/l")',
  'rename("own", "team/own")',
  'rename("team/file", "file")',
  'unlink("team/file")',
  'unlink("far/file")',
  'chmod(0600, "of-team")',
  'utime(1, 1, "of-team")',
  'open(F, "<", "team/file") && open(G, ">", "own")',
].entries()) {
  test(`as it is for a program of a member: ${code}`, { skip }, () => {
    const folder = fixture(`p${number}`);
    for (const [name, group] of [
      ['own', user],
      ['of-team', ours],
    ] as const) {
      fs.writeFileSync(path.join(folder, name), `${name}\n`);
      fs.chownSync(path.join(folder, name), user, group);
    }
    const script = `perl -e 'print((${code}) ? "done" : "refused: $!")'; find . ! -path './.*' -printf '%P %s %m\n' | sort`;
    const prediction = JSON.parse(asMember(folder, [node, cli, '--open-gate', '--json', script]));
    assert.equal(prediction.ending, 'done', JSON.stringify(prediction));
    const said = prediction.output.map((piece: { text?: string }) => piece.text ?? '').join('');
    assert.equal(said, asMember(folder, ['bash', '-c', script]));
  });
}

// A folder with a mount in it is shown piece by piece to a user, and none of his copies can be given to a further group.
const withMount = (words: readonly string[]) => [
  '-m',
  'sh',
  '-ec',
  'mount -t tmpfs none inner; exec "$@"',
  'sh',
  ...words,
];
const mayMount = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

for (const [number, [script, changed]] of (
  [
    ['true', []],
    ['cat of-team', []],
    ['touch own', []],
    ['stat -c "%u %g %a" of-team far own', []],
    ['echo y >> of-team', ['of-team']],
    ['chmod 600 of-team', ['of-team']],
    ['rm -f of-team', ['of-team']],
  ] as const
).entries()) {
  test(`beside a mount, of what belongs to a further group: ${script}`, { skip: skip || !mayMount }, () => {
    const folder = fixture(`m${number}`);
    for (const [name, group] of [
      ['own', user],
      ['of-team', ours],
      ['of-others', others],
    ] as const) {
      fs.writeFileSync(path.join(folder, name), `${name}\n`);
      fs.chownSync(path.join(folder, name), user, group);
    }
    fs.mkdirSync(path.join(folder, 'inner'));
    const groups = ['setpriv', '--reuid', `${user}`, '--regid', `${user}`, '--groups', `${user},${ours}`, '--'];
    const env = { PATH: '/usr/bin:/bin', HOME: folder, XDG_CACHE_HOME: '/nonexistent', LC_ALL: 'C.UTF-8' };
    const run = (words: readonly string[]) =>
      spawnSync('unshare', withMount([...groups, ...words]), { cwd: folder, env, encoding: 'utf8' }).stdout;
    const prediction = JSON.parse(run([node, cli, '--json', `{ ${script}; } 2>&1`]));
    assert.equal(prediction.ending, 'done', JSON.stringify(prediction));
    const files: { path: string }[] = prediction.files;
    assert.deepEqual(
      files.map((file) => path.relative(folder, file.path)),
      changed,
    );
    const said = prediction.output.map((piece: { text?: string }) => piece.text ?? '').join('');
    assert.equal(said, run(['bash', '-c', `{ ${script}; } 2>&1`]));
  });
}
