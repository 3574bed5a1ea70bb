import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { cliFile } from '../hostile/batch.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

/** Other file systems within a workspace: commands that meet several, and one that is small. Only root can make them. */
const base = temporaryFolder('mounts');
const canMount =
  process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'x', base]).status === 0;

const prepared = `set -e; cd ${base}; mkdir -p ws/dir ws/inner small home; echo x > ws/dir/x; echo f > ws/file
mount -t tmpfs -o size=1m,mode=777 small small; mount -t tmpfs -o mode=777 inner ws/inner; echo in > ws/inner/in; chown -R 5:60 ws small home .; chmod 755 .`;

/** An image of a file system in place of the whole base; undefined where it cannot be made or mounted here. */
function image(format: 'btrfs' | 'xfs', size: string): string | undefined {
  const file = `${base}.${format}`;
  const isMade =
    canMount && spawnSync('sh', ['-c', `truncate -s ${size} ${file} && mkfs.${format} -q ${file}`]).status === 0;
  const isUsable = isMade && spawnSync('unshare', ['-m', 'mount', '-o', 'loop', file, base]).status === 0;
  if (!isUsable) fs.rmSync(file, { force: true });
  return isUsable ? file : undefined;
}

/** Predicts, or really runs, a command in a namespace of mounts that is gone with it. */
function within(script: string, command: readonly string[], disk?: string) {
  const words = ['setpriv', '--reuid=5', '--regid=60', '--clear-groups', ...command]
    .map((word) => `'${word}'`)
    .join(' ');
  const env = {
    PATH: process.env['PATH'],
    HOME: path.join(base, 'home'),
    XDG_CACHE_HOME: path.join(base, 'home'),
    LANG: 'C.UTF-8',
  };
  const { stdout, stderr, status } = spawnSync(
    'unshare',
    [
      '-m',
      'sh',
      '-c',
      `${disk ? `mount -o loop ${disk} ${base}; rm -rf ${base}/*; ` : ''}${prepared}; exec ${words} "$0"`,
      script,
    ],
    {
      env: { ...env, ...(process.env['FORETELL_ENGINE'] ? { FORETELL_ENGINE: process.env['FORETELL_ENGINE'] } : {}) },
      encoding: 'utf8',
    },
  );
  for (const name of fs.readdirSync(base)) fs.rmSync(path.join(base, name), { recursive: true, force: true });
  return { stdout, stderr, status };
}

interface Predicted {
  ending: string;
  reason?: string;
  exitCode?: number;
  output: { stream: string; text?: string }[];
}

const predicted = (script: string, disk?: string) =>
  JSON.parse(within(script, [process.execPath, cliFile, '--json'], disk).stdout) as Predicted;

for (const script of [
  'cp -rx ws copy; find copy | sort',
  'mv ws moved; echo $?; find . -name x; ls',
  'mv ws/dir small/; ls small ws; mv small/dir .; ls small',
  'tar cf t.tar --one-file-system ws; tar tf t.tar | sort; rm -rf ws 2>&1; ls -A ws',
  'truncate -s 600K small/a; rm small/a; dd if=/dev/zero of=small/b bs=64K count=12 status=none; stat -c %s small/b',
])
  test(`several file systems: ${script}`, { skip: !canMount }, () => {
    const real = within(script, ['bash', '-c']);
    const { ending, reason, exitCode, output } = predicted(script);
    assert.equal(ending, 'done', reason);
    const text = (stream: string) =>
      output.map((piece) => (piece.stream === stream ? (piece.text ?? '') : '')).join('');
    assert.deepEqual([text('stdout'), text('stderr'), exitCode], [real.stdout, real.stderr, real.status]);
  });

for (const script of ['head -c 2000000 /dev/zero > small/big', 'fallocate -l 900K small/a; fallocate -l 900K small/b'])
  test(`more than a small file system has room for is not claimed: ${script}`, { skip: !canMount }, () => {
    const { ending, reason } = predicted(script);
    assert.equal(ending, 'abstained');
    assert.match(reason ?? '', /small has room for 1 MB, and it needs/);
  });

for (const [format, size] of [
  ['btrfs', '130M'],
  ['xfs', '320M'],
] as const) {
  const disk = image(format, size);
  if (disk) after(() => fs.rmSync(disk, { force: true }));
  test(`sizes of folders on ${format}, and clones of blocks`, { skip: !disk }, () => {
    const script =
      "mkdir d; touch d/one; mkdir d/e; stat -c '%h %s %b' d d/e ws; rm d/one; ls -la d ws | awk '{print $1, $2, $5}'";
    const { ending, reason, output } = predicted(script, disk);
    assert.equal(ending, 'done', reason);
    assert.equal(output.map(({ text }) => text ?? '').join(''), within(script, ['bash', '-c'], disk).stdout);
    assert.equal(predicted('cp --reflink=always ws/file copy', disk).ending, 'abstained');
  });
}
