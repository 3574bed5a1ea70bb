import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';

/** git looks for a repository upwards, on one file system: a copy has the boundaries of the real one, and no others. */

const cli = path.resolve('dist/cli.js');
// The system's own programs: one that stands in for another is no known one.
const env = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', HOME: '/nonexistent', LC_ALL: 'C.UTF-8' };
let folder: string;

before(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-boundary-')));
});
after(() => fs.rmSync(folder, { recursive: true, force: true }));

interface Said {
  exitCode: number | null;
  text: string;
  basis: string | undefined;
}

// A mount of our own, gone with the program: who may not make one cannot try this.
const onMount = (command: string) =>
  `mount -t tmpfs none "$0/repository/inner" && cd "$0/repository/inner" && ${command}`;
const mayMount = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

function workspace(): string {
  const place = fs.mkdtempSync(path.join(folder, 'w-'));
  fs.mkdirSync(path.join(place, 'plain'));
  fs.mkdirSync(path.join(place, 'repository/inner'), { recursive: true });
  spawnSync('git', ['init', '-q', path.join(place, 'repository')]);
  return place;
}

function really(argv: readonly string[], cwd: string): Said {
  const [program = '', ...args] = argv;
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8' });
  return { exitCode: status, text: stdout + stderr, basis: 'rehearsed' };
}

function predicted(argv: readonly string[], cwd: string): Said {
  const { text } = really(argv, cwd);
  const { exitCode, exitBasis, output } = JSON.parse(text) as {
    exitCode: number;
    exitBasis: string;
    output: { text?: string }[];
  };
  return { exitCode, text: output.map((piece) => piece.text ?? '').join(''), basis: exitBasis };
}

const scripts = [
  'touch a; git status',
  'touch a; git status 2>&1 | head -1; echo GIT_DISCOVERY_ACROSS_FILESYSTEM; env | grep -c GIT_DISCOVERY',
  'mkdir b; git -C b log',
  'python3 -c "print(4)"; git status',
];

for (const script of scripts) {
  test(`outside of a repository: ${script}`, () => {
    const cwd = path.join(workspace(), 'plain');
    const found = predicted([process.execPath, cli, '--json', script], cwd);
    assert.deepEqual(found, really(['bash', '-c', script], cwd));
  });

  test(`on a mount in a repository: ${script}`, { skip: !mayMount }, () => {
    const inside = (command: string, ...args: string[]) => ['unshare', '-m', 'sh', '-c', onMount(command), ...args];
    const place = workspace();
    const command = '"$1" "$2" --json "$3"';
    const found = predicted(inside(command, place, process.execPath, cli, script), place);
    assert.deepEqual(found, really(inside('exec bash -c "$1"', place, script), place));
  });
}

test('a loop that waits for git without end waits for what git really says', () => {
  const place = path.join(workspace(), 'plain');
  const script = 'while ! git status; do sleep 1; done';
  const words = [cli, '--json', '--time-limit', '3', script];
  const { stdout } = spawnSync(process.execPath, words, { cwd: place, env, encoding: 'utf8' });
  const { ending, output } = JSON.parse(stdout) as { ending: string; output: { text: string }[] };
  const real = really(['git', 'status'], place);
  assert.equal(ending, 'failed');
  assert.ok(
    output.length > 0 && output.every(({ text }) => text.split('\n').every((line) => real.text.includes(line))),
  );
});
