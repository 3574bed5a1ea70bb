import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { CommandAction } from '../../src/core/action/action.ts';
import { foldAll } from '../../src/core/foretell.ts';
import type { Prediction } from '../../src/core/prediction/prediction.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

/** What programs that may not run would start: their words tell what these would destroy. */

const { foretell, folder } = throwAwayForetell('starters');

/** Starters that are scripts themselves, and need a helper first. */
const scripts = {
  fakeroot: 'key=$(helper); [ -n "$key" ] || exit 1; exec "$@"',
  'xvfb-run': '"$@"; [ -n "$(helper)" ]',
  unknown: 'key=$(helper); [ -n "$key" ] || exit 1; exec "$@"',
};

async function predict(script: string): Promise<{ prediction: Prediction; lost: string[] }> {
  const place = fs.mkdtempSync(path.join(folder, 'w-'));
  const bin = path.join(place, 'node_modules/.bin');
  fs.mkdirSync(bin, { recursive: true });
  for (const name of [
    ...['node', 'npx', 'docker', 'podman', 'rimraf', 'shx'],
    ...['tmux', 'screen', 'uv', 'systemd-run', 'concurrently', 'helper'],
  ])
    fs.symlinkSync(process.execPath, path.join(bin, name));
  for (const [name, text] of Object.entries(scripts))
    fs.writeFileSync(path.join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  fs.mkdirSync(path.join(place, 'src/lib'), { recursive: true });
  for (const name of ['src/a.ts', 'src/lib/b.ts', 'notes.txt', 'my file.txt'])
    fs.writeFileSync(path.join(place, name), 'one\ntwo\nthree\n');
  const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: '/nonexistent', LC_ALL: 'C.UTF-8' };
  const action: CommandAction = { kind: 'command', script, shell: 'bash', cwd: place };
  const { events, view } = foretell.predict({ action, env, hash: true, signal: new AbortController().signal });
  try {
    const prediction = await foldAll(action, events);
    const gone = prediction.loss.filter(({ recovery }) => recovery.kind === 'none');
    return { prediction, lost: gone.map((loss) => path.relative(place, loss.path)).sort() };
  } finally {
    await view.close();
  }
}

const destroying: readonly (readonly [string, readonly string[]])[] = [
  ['npx rimraf src', ['src/a.ts', 'src/lib/b.ts']],
  ['npx --yes del-cli notes.txt', ['notes.txt']],
  ['npx shx rm -rf src/lib', ['src/lib/b.ts']],
  ['rimraf src "my file.txt"', ['my file.txt', 'src/a.ts', 'src/lib/b.ts']],
  ['docker run -v $PWD:/x alpine rm -rf /x/src', ['src/a.ts', 'src/lib/b.ts']],
  ['docker run --rm -v "$PWD":/app -w /app alpine rm -rf src/lib', ['src/lib/b.ts']],
  ['docker run --rm -v $PWD/src:/x alpine rm -rf /x', ['src/a.ts', 'src/lib/b.ts']],
  ["podman run -v $PWD:/x alpine sh -c 'cd /x && rm -rf src/*'", ['src/a.ts', 'src/lib/b.ts']],
  ["docker run -v $PWD:/x alpine sh -c 'rm -f /x/*.txt'", ['my file.txt', 'notes.txt']],
  ["docker run -v $PWD:/x alpine find /x -name '*.txt' -delete", ['my file.txt', 'notes.txt']],
  ['docker run --mount type=bind,source="$PWD",target=/x alpine truncate -s 0 /x/notes.txt', ['notes.txt']],
  ["docker run -v $PWD:/x alpine sh -c 'date > /x/notes.txt; : > /tmp/a'", ['notes.txt']],
  ['docker run -v $PWD:/x -w /x alpine sh -c \'ls | tee "my file.txt" > notes.txt\'', ['my file.txt', 'notes.txt']],
  ['docker run -v $PWD:/x:ro -v $PWD/src:/x/src alpine rm -rf /x', ['src/a.ts', 'src/lib/b.ts']],
  ["tmux new-session -d -s work 'rm -rf src'", ['src/a.ts', 'src/lib/b.ts']],
  ["tmux new -d -c src 'rm -rf lib ../notes.txt'", ['notes.txt', 'src/lib/b.ts']],
  ['screen -dmS work rm notes.txt', ['notes.txt']],
  ['docker run --rm -v $PWD:/x --entrypoint rm alpine -rf /x/src', ['src/a.ts', 'src/lib/b.ts']],
  ['docker run --rm -v $PWD:/x postgres pg_dump -f /x/notes.txt', ['notes.txt']],
  ['uv run rm notes.txt', ['notes.txt']],
  ['systemd-run --user --scope rm notes.txt', ['notes.txt']],
  ['fakeroot rm notes.txt', ['notes.txt']],
  ["fakeroot -- sh -c 'rm -r src/lib'", ['src/lib/b.ts']],
  ["concurrently npm:build 'rm notes.txt'", ['notes.txt']],
];
for (const [script, files] of destroying) {
  test(`what a stopped program would destroy by what it starts is told: ${script}`, async () => {
    const { prediction, lost } = await predict(script);
    assert.deepEqual(lost, files);
    assert.equal(prediction.ending, 'abstained');
    assert.equal(prediction.verdict?.level, 'danger');
    assert.ok(prediction.files.every(({ basis }) => basis === 'assumed'));
  });
}

test('what a starter did before its helper was stopped is told once', async () => {
  const { prediction, lost } = await predict('xvfb-run rm notes.txt');
  assert.deepEqual(lost, ['notes.txt']);
  assert.deepEqual(
    prediction.files.map(({ basis }) => basis),
    ['rehearsed'],
  );
});

test('what is mounted stays itself, and so does what a container has of its own', async () => {
  const { prediction } = await predict('docker run --rm -v $PWD/src:/x alpine rm -rf /x');
  assert.ok(!prediction.files.some((file) => file.path.endsWith('/src')));
  const harmless = [
    'docker run --rm -v $PWD/src:/x:ro alpine rm -rf /x/lib',
    'docker run --rm -v $PWD/src:/x alpine ls /x',
    'docker run --rm -v $PWD/src:/x alpine rm -rf /tmp/src',
    'docker run --rm -v $PWD/src:/x alpine rm -rf lib',
    'docker run --rm -v $PWD/src:/x alpine sh -c \'rm -rf "$DIR"/lib\'',
    "docker run --rm -v $PWD/src:/x alpine sh -c 'echo > /tmp/notes.txt'",
    'docker run --rm -v $PWD:/x:ro alpine rm -rf /x',
    "docker run --rm -v $PWD:/x:ro alpine sh -c 'echo > /x/notes.txt; rm -rf /x/*'",
    'systemd-run --user rm notes.txt',
    "tmux new-window 'rm notes.txt'",
    'tmux new -d -s work',
    'uv run git status',
    'screen -ls',
    'fakeroot ls src',
    'unknown rm notes.txt',
    'docker exec web rm -rf /x/lib',
    "npx rimraf 'src/*'",
    'npx rimraf nowhere',
    'npx del-cli src "!src/lib"',
  ];
  for (const script of harmless) {
    const told = await predict(script);
    assert.deepEqual([told.lost, told.prediction.files], [[], []], script);
  }
});

test('what follows what a container may have deleted is unknown', async () => {
  const { prediction } = await predict('docker run --rm -v $PWD:/x alpine rm /x/notes.txt && ls');
  assert.deepEqual(
    prediction.output.map(({ basis }) => basis),
    ['unknown'],
  );
});

test('what follows a known tool goes on from what it leaves', async () => {
  const { prediction } = await predict('npx rimraf src && mkdir src && ls');
  assert.equal(prediction.output.map(({ text }) => text).join(''), 'my file.txt\nnode_modules\nnotes.txt\nsrc\n');
});
