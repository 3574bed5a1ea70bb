import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { createForetell, foldAll } from '../../src/core/foretell.ts';
import { launcherPath } from '../../src/core/launcherPath.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

/** The command line where what it stands in is missing: its folder, HOME, TMPDIR, its descriptors. */

const cli = path.resolve('dist/cli.js');
let base: string;

before(() => {
  base = temporaryFolder('surroundings');
  fs.writeFileSync(path.join(base, 'file'), 'text\n');
});
after(() => fs.rmSync(base, { recursive: true, force: true }));

/** Runs a line of sh in which `f` is the command line; `lost` makes the working directory go away first. */
function sh(line: string, { lost = false, env = {} as Record<string, string | undefined> } = {}) {
  const folder = path.join(base, 'lost');
  fs.mkdirSync(folder, { recursive: true });
  const script = `f() { "${process.execPath}" "${cli}" "$@"; }\n${lost ? `rmdir "${folder}"\n` : ''}${line}`;
  const merged = Object.entries({ ...process.env, NO_COLOR: '1', ...env });
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', script], {
    cwd: folder,
    encoding: 'utf8',
    env: Object.fromEntries(merged.filter(([, value]) => value !== undefined)),
  });
  const said = stderr.replace(/^(sh|shell-init): .*\n/gm, '');
  return { status, stdout, said };
}

const raw = /uv_|ENOENT|syscall|^\s+at /m;

for (const [line, status] of [
  ["f 'ls'", 64],
  ["f --cwd some/where 'ls'", 64],
  ['f --file script.sh --cwd /', 64],
  ['f edit change.patch --cwd /', 64],
  ['f edit --cwd relative - < /dev/null', 64],
  ['f bench', 64],
  ['f trajectory', 64],
  ['f loop serve', 64],
] as const) {
  test(`in a deleted folder, one sentence and what to do: ${line}`, () => {
    const run = sh(line, { lost: true });
    assert.doesNotMatch(run.said, raw);
    assert.match(
      run.said,
      /^foretell: The current folder does not exist any more[^\n]+(absolute|change to)[^\n]*\.\n$/,
    );
    assert.equal(run.status, status);
    assert.equal(run.stdout, '');
  });
}

test('in a deleted folder everything works that needs none', () => {
  assert.match(sh('f --version', { lost: true }).stdout, /^foretell \d/);
  assert.match(sh('f --help', { lost: true }).stdout, /^Usage/);
  assert.match(sh('f status', { lost: true }).stdout, /rehearsed|predicted/);
  const run = sh(`f --json --cwd "${base}" 'cat file; pwd'`, { lost: true });
  assert.equal(JSON.parse(run.stdout).output[0].text, `text\n${base}\n`);
});

test('in a deleted folder each request of a batch has to name its own', () => {
  const requests = [
    { id: 'a', script: 'ls' },
    { id: 'b', script: 'ls', cwd: 'x' },
    { id: 'c', script: 'pwd', cwd: base },
  ];
  const input = requests.map((one) => `printf '%s\\n' '${JSON.stringify(one)}'`).join('; ');
  const answers = sh(`{ ${input}; } | f batch`, { lost: true })
    .stdout.trim()
    .split('\n')
    .map((one) => JSON.parse(one));
  assert.deepEqual(
    answers.map(({ id, ending }) => [id, ending]),
    [
      ['a', 'failed'],
      ['b', 'failed'],
      ['c', 'done'],
    ],
  );
  for (const { reason } of answers.slice(0, 2)) assert.match(reason, /^The current folder does not exist any more/);
});

test('a folder that is a file, is gone or may not be entered is named', () => {
  assert.match(sh(`f --cwd "${base}/file" ls`).stdout, /file is not a folder; choose another/);
  assert.match(sh(`f --cwd "${base}/gone" ls`).stdout, /gone does not exist; choose another/);
  assert.match(sh(`f --cwd "${base}/file/x" ls`).stdout, /does not exist: a part of it is a file/);
});

test('the library says the same of a folder that is deleted', async () => {
  const foretell = createForetell({ launcher: launcherPath(path.resolve('dist')), spareLaunchers: 0 });
  const action = { kind: 'command', script: 'ls', shell: 'bash', cwd: path.join(base, 'gone') } as const;
  const { events, view } = foretell.predict({ action, signal: new AbortController().signal });
  const prediction = await foldAll(action, events);
  await view.close();
  await foretell.dispose();
  assert.equal(prediction.failureCode, 'no-folder');
  assert.match(prediction.endingReason ?? '', /does not exist; choose another working directory\.$/);
});

test('nobody needs HOME, nor a place in the table of users', () => {
  const run = sh(`f --json --cwd "${base}" 'echo "\${HOME-none}"'`, { env: { HOME: undefined } });
  assert.equal(JSON.parse(run.stdout).output[0].text, 'none\n');
  if (process.getuid?.() !== 0) return;
  // Where others may not read the project, its command line is copied to where they may.
  const dist = path.join(base, 'dist');
  fs.cpSync(path.dirname(cli), dist, { recursive: true });
  fs.chmodSync(base, 0o755);
  const node = fs.existsSync('/usr/bin/node') ? '/usr/bin/node' : process.execPath;
  const nobody = sh(
    `setpriv --reuid 54321 --regid 54321 --clear-groups "${node}" "${dist}/cli.js" --json --cwd / 'echo hi'`,
    {
      env: { HOME: undefined },
    },
  );
  assert.doesNotMatch(nobody.said, raw);
  assert.equal(JSON.parse(nobody.stdout).output[0].text, 'hi\n');
});

test("a temporary folder that is missing, or that nobody may write, is the command's own matter", () => {
  for (const folder of ['/no/such', '/proc']) {
    const run = sh(`f --json --cwd "${base}" 'mktemp; echo over'`, { env: { TMPDIR: folder } });
    const { ending, output } = JSON.parse(run.stdout);
    assert.equal(ending, 'done', run.stdout);
    const said = output.find(({ stream }: { stream: string }) => stream === 'stderr');
    assert.match(said?.text ?? '', new RegExp(`^mktemp: failed to create file via template .${folder}/tmp`));
  }
});

test('closed descriptors stop nothing', () => {
  assert.match(sh(`f --cwd "${base}" 'cat; echo over' <&-`).stdout, /over/);
  assert.equal(sh(`f --cwd "${base}" 'echo a' >&-`).said.match(raw), null);
  assert.match(sh(`f --cwd "${base}" 'echo over; echo e >&2' 2>&-`).stdout, /over/);
  assert.match(sh('f --file - <&-').said, /^foretell: .+\.\n$/);
});
