import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { CommandAction } from '../../src/core/action/action.ts';
import { foldAll } from '../../src/core/foretell.ts';
import type { Prediction } from '../../src/core/prediction/prediction.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

/** What programs that nobody runs write anew by their own words: what stands there is lost as behind a redirection. */

const { foretell, folder } = throwAwayForetell('overwritten');
const stopped = ['curl', 'wget', 'openssl', 'ffmpeg', 'scp', 'docker', 'gpg', 'strace', 'aria2c', 'ssh', 'mkfs.ext4'];

/** Each of these files has something in it that is nowhere else. */
const files = ['notes.txt', 'two words.txt', 'sub/notes.txt', 'home/notes.txt'];

function workspace(): { place: string; env: Record<string, string> } {
  const place = fs.mkdtempSync(path.join(folder, 'w-'));
  for (const name of ['.bin', 'sub', 'home']) fs.mkdirSync(path.join(place, name));
  for (const name of stopped) fs.symlinkSync(process.execPath, path.join(place, '.bin', name));
  // Another file than what it starts.
  fs.symlinkSync('/usr/bin/perl', path.join(place, '.bin', 'sudo'));
  for (const name of files) fs.writeFileSync(path.join(place, name), 'one\ntwo\n');
  fs.symlinkSync('notes.txt', path.join(place, 'link'));
  fs.writeFileSync(path.join(place, 'fixed.txt'), 'kept\n', { mode: 0o444 });
  const env = { PATH: `${place}/.bin:/usr/bin:/bin`, HOME: `${place}/home`, LC_ALL: 'C.UTF-8' };
  return { place, env };
}

async function predict(script: string): Promise<Prediction & { place: string }> {
  const { place, env } = workspace();
  const action: CommandAction = { kind: 'command', script, shell: 'bash', cwd: place };
  const settings = { action, env, hash: true, workspaceFolders: [place], signal: new AbortController().signal };
  const { events, view } = foretell.predict(settings);
  try {
    return { ...(await foldAll(action, events)), place };
  } finally {
    await view.close();
  }
}

const url = 'https://example.com/a/notes.txt?x=1#y';
const overwriting: readonly (readonly [script: string, file: string])[] = [
  [`curl -o notes.txt ${url}`, 'notes.txt'],
  [`curl -sSLonotes.txt ${url}`, 'notes.txt'],
  [`curl -fsSL ${url} --output sub/notes.txt`, 'sub/notes.txt'],
  [`curl -o 'two words.txt' ${url}`, 'two words.txt'],
  [`curl -o ~/notes.txt ${url}`, 'home/notes.txt'],
  [`curl -sO ${url}`, 'notes.txt'],
  [`curl -O --output-dir sub ${url}`, 'sub/notes.txt'],
  [`curl -sD notes.txt -o /dev/null ${url}`, 'notes.txt'],
  [`curl -o link ${url}`, 'notes.txt'],
  [`wget -O notes.txt ${url}`, 'notes.txt'],
  [`wget -qO- ${url} | wget -qOsub/notes.txt ${url}`, 'sub/notes.txt'],
  [`wget --output-document=notes.txt ${url}`, 'notes.txt'],
  ['openssl rand -out notes.txt 8', 'notes.txt'],
  ['echo x | openssl enc -base64 -out sub/notes.txt', 'sub/notes.txt'],
  ['ffmpeg -y -i a.mp4 notes.txt', 'notes.txt'],
  ['scp host:/etc/notes.txt .', 'notes.txt'],
  ['scp -P 22 host:other sub/notes.txt', 'sub/notes.txt'],
  ['rsync -az host:/etc/notes.txt .', 'notes.txt'],
  ['cd sub && rsync -e "ssh -p 22" me@host:other notes.txt', 'sub/notes.txt'],
  ['mkfs.ext4 -F -L data notes.txt', 'notes.txt'],
  ['docker save -o notes.txt image', 'notes.txt'],
  ['gpg --yes -o notes.txt -d a.gpg', 'notes.txt'],
  ['strace -o notes.txt ls', 'notes.txt'],
  ['aria2c --allow-overwrite=true -o notes.txt https://e.com/x', 'notes.txt'],
  [`for i in 1 2; do curl -o notes.txt ${url}; done`, 'notes.txt'],
  [`cd sub && curl -o ../notes.txt ${url}`, 'notes.txt'],
  [`bash -c "curl -o notes.txt ${url}"`, 'notes.txt'],
  [`sudo curl -o notes.txt ${url}`, 'notes.txt'],
  [`echo notes.txt | xargs -I{} curl -o {} ${url}`, 'notes.txt'],
];
for (const [script, file] of overwriting) {
  test(`what stands there is lost: ${script}`, async () => {
    const prediction = await predict(script);
    const { place } = prediction;
    assert.equal(prediction.verdict?.level, 'danger');
    assert.deepEqual(
      prediction.loss.map((one) => [path.relative(place, one.path), one.recoverable, one.lines]),
      [[file, 'no', 2]],
    );
    assert.deepEqual(
      prediction.files.map((one) => [path.relative(place, one.path), one.change, one.basis, one.sha256]),
      [[file, 'modified', 'unknown', undefined]],
    );
    assert.equal(prediction.ending, 'abstained');
    assert.ok(prediction.assumptions.some(({ assumed }) => /overwrites \S/.test(assumed)));
  });
}

const sparing: readonly string[] = [
  `wget ${url}`,
  `wget -P sub ${url}`,
  `wget -c -O notes.txt ${url}`,
  `curl -C - -o notes.txt ${url}`,
  `curl --no-clobber -o notes.txt ${url}`,
  `curl -XPOST ${url}`,
  `curl -o /dev/null -H 'O: notes.txt' ${url}`,
  `curl -T notes.txt ${url}`,
  `curl -o fixed.txt ${url}`,
  `curl -o sub ${url}`,
  'ffmpeg -i a.mp4 notes.txt',
  'ffmpeg -y -f null -i notes.txt',
  'docker build --file notes.txt .',
  'scp notes.txt host:notes.txt',
  'rsync -a notes.txt host:notes.txt',
  'rsync -au host:notes.txt .',
  'rsync --ignore-existing host:notes.txt .',
  'rsync -a host:notes.txt/ .',
  'gpg -o notes.txt -d a.gpg',
  'aria2c -o notes.txt https://e.com/x',
];
for (const script of sparing) {
  test(`what stays, or may stay, is no loss: ${script}`, async () => {
    const prediction = await predict(script);
    assert.deepEqual([prediction.loss, prediction.files], [[], []]);
  });
}

const making: readonly (readonly [script: string, files: string[]])[] = [
  [`curl -fsSLo new.sh ${url} && chmod +x new.sh`, ['new.sh']],
  [`curl -o a -o b ${url} ${url}`, ['a', 'b']],
  [`curl --output-dir sub -O https://example.com/new.txt`, ['sub/new.txt']],
  ['wget -q https://example.com/new.tgz', ['new.tgz']],
  ['wget https://example.com/a/new.tgz && mv new.tgz sub/', ['sub/new.tgz']],
  ['wget https://example.com/new.tgz; rm new.tgz', []],
  ['openssl genrsa -out new.pem 2048', ['new.pem']],
  // Where it goes, or whether there is one, the words alone do not tell, or it cannot be.
  ['wget -P sub https://example.com/new.tgz', []],
  ['wget --spider https://example.com/new.tgz', []],
  ['wget -O - https://example.com/new.tgz', []],
  [`curl -o nosuch/new ${url}`, []],
  [`curl -o new/ ${url}`, []],
  [`curl -o /proc/new ${url}`, []],
];
for (const [script, made] of making) {
  test(`what is fetched into a new file is there, with content that nobody knows: ${script}`, async () => {
    const { files, assumptions, place } = await predict(script);
    assert.deepEqual(
      files.map((one) => [path.relative(place, one.path), one.change, one.basis, one.sha256]),
      made.map((file) => [file, 'created', 'unknown', undefined]),
    );
    if (made.length > 0) assert.ok(assumptions.some(({ assumed }) => /writes \S/.test(assumed)));
  });
}

test('what reads the file behind it is not known, and where it fails nothing is lost', async () => {
  const behind = await predict(`curl -o notes.txt ${url}; cat notes.txt`);
  assert.deepEqual(
    behind.output.map(({ basis, text }) => [basis, text]),
    [['unknown', undefined]],
  );
  const failed = await predict(`curl -o notes.txt ${url} || rm -r sub`);
  assert.ok(failed.otherwise?.some(({ files }) => files.length === 2));
});

test('a model that says nothing of the file does not make the verdict better', async () => {
  const { place, env } = workspace();
  const action: CommandAction = { kind: 'command', script: `curl -o notes.txt ${url}`, shell: 'bash', cwd: place };
  const nothing = Buffer.alloc(0);
  const handOver = async () => ({
    stdout: nothing,
    stderr: nothing,
    exitCode: 0,
    changes: [],
    basis: 'imagined' as const,
  });
  const settings = { action, env, handOver, workspaceFolders: [place], signal: new AbortController().signal };
  const { events, view } = foretell.predict(settings);
  const prediction = await foldAll(action, events);
  await view.close();
  assert.equal(prediction.verdict?.level, 'danger');
  assert.deepEqual(
    prediction.files.map((one) => [path.relative(place, one.path), one.change, one.content]),
    [['notes.txt', 'modified', 'notAsked']],
  );
});
