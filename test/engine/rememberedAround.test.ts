import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { isRemembered, predict, settle, shut, usual } from './rememberedFixture.ts';

/** What lies around the workspace, and what a process gets of whoever starts it. */

/** A workspace with a folder of its own around it: nobody else changes that. */
async function within(): Promise<{ place: string; around: string }> {
  const around = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-around-')));
  const place = path.join(around, 'place');
  fs.mkdirSync(place);
  fs.writeFileSync(path.join(around, 'thing'), 'thing\n');
  await settle();
  return { place, around };
}

const stat = (name: string) => `node -e 'console.log(require("fs").statSync("${name}").mtimeMs)'`;
const kinds =
  'python3 -c \'import os; print(sorted((one.name, one.is_file(follow_symlinks=False)) for one in os.scandir("..")))\'';

/** What is asked of the folder around the workspace, and a change of it that the answer tells. */
const asked: readonly (readonly [script: string, change: (around: string) => void])[] = [
  ['node -e 1; ls -la', (around) => fs.mkdirSync(path.join(around, 'more'))],
  ['node -e 1; stat -c "%y %h" ..', (around) => fs.writeFileSync(path.join(around, 'more'), '')],
  ['node -e 1; find .. -maxdepth 0 -printf "%T@ %n"', (around) => fs.mkdirSync(path.join(around, 'more'))],
  ['node -e 1; ls -ld $PWD/..', (around) => fs.mkdirSync(path.join(around, 'more'))],
  [stat('..'), (around) => fs.writeFileSync(path.join(around, 'more'), '')],
  [stat('./..//'), (around) => fs.writeFileSync(path.join(around, 'more'), '')],
  ['python3 -c \'import os; print(os.stat("..").st_nlink)\'', (around) => fs.mkdirSync(path.join(around, 'more'))],
  [
    kinds,
    (around) => {
      fs.rmSync(path.join(around, 'thing'));
      execFileSync('mkfifo', [path.join(around, 'thing')]);
    },
  ],
];

for (const [script, change] of asked) {
  test(`what is asked of the folder around the workspace counts: ${script}`, async () => {
    const { place, around } = await within();
    const options = { env: { ...usual, HOME: around } };
    const first = await predict(script, place, options);
    assert.ok(isRemembered(await predict(script, place, { ...options, ...shut })), 'it is remembered at first');
    change(around);
    await settle();
    const next = await predict(script, place, options);
    assert.ok(!isRemembered(next));
    assert.notEqual(next.stdout, first.stdout);
    fs.rmSync(around, { recursive: true });
  });
}

test('who asks nothing of the folder around the workspace is answered whatever comes into it', async () => {
  const { place, around } = await within();
  const options = { env: { ...usual, HOME: around } };
  for (const script of ['node -e 1; ls -a', "node -p \"require('fs').existsSync('../other')\""]) {
    await predict(script, place, options);
    fs.writeFileSync(path.join(around, `more-${script.length}`), '');
    await settle();
    assert.ok(isRemembered(await predict(script, place, { ...options, ...shut })), script);
  }
  fs.rmSync(around, { recursive: true });
});

// /var belongs to root, and so does /var/tmp.
test('a folder below those of somebody else is written as it really is', async () => {
  const place = fs.realpathSync(fs.mkdtempSync('/var/tmp/foretell-below-'));
  const { stdout, ending, endingReason } = await predict(`node -e 'fs.writeFileSync("made", "x")'; cat made`, place);
  assert.deepEqual([stdout, ending], ['x', 'done'], endingReason);
  fs.rmSync(place, { recursive: true });
});

test('priority counts, which programs have from whoever starts them', async () => {
  const { place, around } = await within();
  const script = "python3 -c 'import os; print(os.nice(0))'";
  const first = await predict(script, place);
  assert.ok(isRemembered(await predict(script, place, shut)));
  const before = os.getPriority();
  os.setPriority(before + 3);
  const next = await predict(script, place, shut);
  assert.ok(!isRemembered(next), `${first.stdout} was said again`);
  fs.rmSync(around, { recursive: true });
});

test('what a process asks the kernel of itself, and has from whoever starts it, counts', async () => {
  const { place, around } = await within();
  for (const [name, value] of [
    ['oom_score_adj', '400'],
    ['timerslack_ns', '70000'],
    ['coredump_filter', '7'],
  ] as const) {
    const script = `python3 -c 'print(open("/proc/self/${name}").read())'`;
    await predict(script, place);
    assert.ok(isRemembered(await predict(script, place, shut)), name);
    fs.writeFileSync(`/proc/self/${name}`, value);
    assert.ok(!isRemembered(await predict(script, place, shut)), name);
  }
  fs.rmSync(around, { recursive: true });
});

test('a port on which somebody else serves by now counts', async () => {
  const { place, around } = await within();
  const port = 18_953;
  const script = `python3 -c 'import socket as s; print(s.create_server(("127.0.0.1", ${port})).getsockname()[1])'`;
  const first = await predict(script, place);
  assert.deepEqual([first.ending, first.stdout], ['done', `${port}\n`]);
  assert.ok(isRemembered(await predict(script, place, shut)));
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
  const next = await predict(script, place, shut);
  other.close();
  assert.ok(!isRemembered(next), `${first.stdout} was said again`);
  const changed = next.noticed?.flatMap((fact) => (fact.kind === 'inputsChanged' ? fact.changed : []));
  assert.deepEqual(changed, [{ kind: 'path', name: `tcp 127.0.0.1:${port}` }]);
  fs.rmSync(around, { recursive: true });
});

const inPython = (code: string) => `python3 -c '${code}'`;
const inHome = (what: string) => inPython(`import os; print(os.${what})`);

/** What a run may ask of folders that everybody changes, of readers and of locks, and a change that the answer tells. */
const hardlyAsked: readonly (readonly [
  script: string,
  change: (place: string, home: string) => undefined | (() => void),
])[] = [
  [inHome('stat(os.environ["HOME"]).st_mtime_ns'), (_, home) => written(path.join(home, 'more'))],
  ["node -p 'fs.statSync(process.env.HOME).ctimeMs'", (_, home) => written(path.join(home, 'more'))],
  [inHome('stat(os.environ["HOME"]).st_nlink'), (_, home) => done(fs.mkdirSync(path.join(home, 'more')))],
  [inHome('stat(os.path.dirname(os.getcwd())).st_mtime_ns'), (place) => written(path.join(place, '../more'))],
  [inHome('stat("/tmp").st_mtime_ns'), () => done(fs.rmdirSync(fs.mkdtempSync('/tmp/foretell-passing-')))],
  [
    inHome('stat(os.path.dirname(os.getcwd())).st_ino % 2**32'),
    (place) => {
      const around = path.dirname(place);
      fs.renameSync(around, `${around}-old`);
      fs.mkdirSync(around);
      fs.renameSync(`${around}-old/place`, place);
      fs.renameSync(`${around}-old/home`, path.join(around, 'home'));
      return () => fs.rmSync(`${around}-old`, { recursive: true });
    },
  ],
  [
    inHome('listxattr(os.environ["HOME"])'),
    (_, home) => done(execFileSync('python3', ['-c', `import os; os.setxattr("${home}", "user.x", b"1")`])),
  ],
  [inHome('stat("a.txt").st_atime_ns'), (place) => read(place)],
  ['node -p \'fs.statSync("a.txt").atimeMs\'', (place) => read(place)],
  ['node -p \'fs.statSync("a.txt")\'', (place) => read(place)],
  ['node own.js', (place) => read(place)],
  ['node -e 1; [ -N a.txt ] && echo new || echo old', (place) => read(place)],
  ['node -e 1; ls -lu --time-style=full-iso a.txt', (place) => read(place)],
  ['node -e 1; find a.txt -amin -60', (place) => read(place)],
  ['node -e 1; stat -c %x a.txt', (place) => read(place)],
  [
    inPython('import ctypes; print(ctypes.CDLL(None).prctl(30))'),
    () => {
      fs.writeFileSync('/proc/self/timerslack_ns', '90000');
      return () => fs.writeFileSync('/proc/self/timerslack_ns', '50000');
    },
  ],
  [
    inPython(
      'import fcntl; f = open("a.txt")\ntry: fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB); print("free")\nexcept OSError: print("held")',
    ),
    (place) => {
      const holder = spawn('flock', [path.join(place, 'a.txt'), 'sh', '-c', 'echo; sleep 20'], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      execFileSync('sh', ['-c', 'until grep -q FLOCK /proc/locks; do sleep 0.05; done'], { timeout: 5000 });
      return () => execFileSync('pkill', ['-P', String(holder.pid)]);
    },
  ],
  [
    'node -e 1; ionice',
    () => {
      execFileSync('ionice', ['-c2', '-n3', '-p', String(process.pid)]);
      return () => execFileSync('ionice', ['-c0', '-p', String(process.pid)]);
    },
  ],
];

function done(_: unknown): undefined {
  return undefined;
}

function written(file: string): undefined {
  return done(fs.writeFileSync(file, ''));
}

function read(place: string): undefined {
  return done(fs.readFileSync(path.join(place, 'a.txt')));
}

for (const [script, change] of hardlyAsked) {
  test(`what is asked is compared, marked or not kept: ${script}`, async () => {
    const { place, around } = await within();
    const home = path.join(around, 'home');
    fs.mkdirSync(home);
    fs.writeFileSync(path.join(place, 'a.txt'), 'a\n');
    fs.writeFileSync(path.join(place, 'own.js'), 'console.log(require("fs").statSync("a.txt").atimeMs)\n');
    // Then the next reading is noted (relatime).
    fs.utimesSync(path.join(place, 'a.txt'), 1000, 2000);
    await settle();
    const options = { env: { ...usual, HOME: home } };
    const first = await predict(script, place, options);
    assert.deepEqual([first.ending, first.exitCode], ['done', 0]);
    const undo = change(place, home);
    await settle();
    const next = await predict(script, place, { ...options, ...shut });
    undo?.();
    const isMarked = next.output.length > 0 && next.output.every((piece) => piece.volatile);
    assert.ok(!isRemembered(next) || isMarked, `${first.stdout} was said again`);
    fs.rmSync(around, { recursive: true });
  });
}

test('who asks nothing of these folders is answered whatever comes into them', async () => {
  const { place, around } = await within();
  const home = path.join(around, 'home');
  fs.mkdirSync(home);
  await settle();
  const options = { env: { ...usual, HOME: home } };
  for (const script of [
    'node -p "require(\'fs\').existsSync(process.env.HOME)"',
    inPython(
      'import os, tempfile; print(os.path.isdir(os.path.expanduser("~")), os.path.isdir(tempfile.gettempdir()))',
    ),
  ]) {
    const { output } = await predict(script, place, options);
    assert.ok(
      output.every((piece) => !piece.volatile),
      script,
    );
    fs.writeFileSync(path.join(home, `more-${script.length}`), '');
    await settle();
    assert.ok(isRemembered(await predict(script, place, { ...options, ...shut })), script);
  }
  fs.rmSync(around, { recursive: true });
});
