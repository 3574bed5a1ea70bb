import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { type Applied, applyPrediction } from '../../src/core/apply/applyPrediction.ts';
import { type Preparation, prepareApply } from '../../src/core/apply/prepareApply.ts';
import type { ApplyRefusal } from '../../src/core/facts/applyFact.ts';
import { type ForetellPrediction, foldAll } from '../../src/core/foretell.ts';
import { compareKept } from '../../src/core/safetyNet/compareKept.ts';
import { readEntry } from '../../src/core/safetyNet/keptEntry.ts';
import { restoreKept } from '../../src/core/safetyNet/restore.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

const { foretell, launcher, folder, workspace } = throwAwayForetell('apply');
const use = { folder: path.join(folder, 'state', 'kept'), mostBytes: 1024 ** 3, launcher };
const { signal } = new AbortController();

/** Many lines, so that edits at both ends do not meet. */
const lines = Array.from({ length: 60 }, (_, at) => `line ${at}`);
const text = `${lines.join('\n')}\n`;

async function prepared(
  script: string,
  cwd: string,
): Promise<{ view: ForetellPrediction['view']; preparation: Preparation | { refused: ApplyRefusal } }> {
  const beganAt = Date.now();
  const action = { kind: 'command' as const, script, shell: 'bash' as const, cwd };
  const { events, view } = foretell.predict({ action, hash: true, trusted: true, signal });
  const prediction = await foldAll(action, events);
  return { view, preparation: await prepareApply(prediction, view, beganAt) };
}

/** Predicts, lets something happen meanwhile, and applies. */
async function apply(
  script: string,
  cwd: string,
  meanwhile: () => void = () => {},
  only?: string[],
): Promise<Applied | { refused: ApplyRefusal }> {
  const { view, preparation } = await prepared(script, cwd);
  try {
    meanwhile();
    if ('refused' in preparation) return preparation;
    return await applyPrediction(preparation, {
      use,
      cwd,
      now: Date.now(),
      ...(only ? { only: new Set(only) } : {}),
    });
  } finally {
    await view.close();
  }
}

const read = (...parts: string[]) => fs.readFileSync(path.join(...parts), 'utf8');
const refusalOf = (end: Applied | { refused: ApplyRefusal }) => ('refused' in end ? end.refused.kind : '');
const done = (end: Applied | { refused: ApplyRefusal }): Applied => {
  if ('refused' in end) assert.fail(`refused: ${end.refused.kind}`);
  return end;
};

test('the result stands there, and all of it is taken back at once', async () => {
  const cwd = workspace({ 'a.txt': text, 'old/b.txt': 'b\n', 'keep.txt': 'keep\n' });
  execFileSync('touch', ['-d', '2020-01-02 03:04:05.123456789', 'a.txt', 'keep.txt', 'old/b.txt'], { cwd });
  const all = () => execFileSync('find', ['.', '-type', 'f', '-printf', '%p %m %T@ %s\\n'], { cwd, encoding: 'utf8' });
  const before = all();
  const script =
    'sed -i 1d a.txt && mv old new && cp -p keep.txt new/kept.txt && chmod 600 keep.txt && ln -s a.txt way';
  const end = done(await apply(script, cwd));
  assert.deepEqual([end.conflicts, end.failed], [[], []]);
  assert.equal(read(cwd, 'a.txt'), text.replace('line 0\n', ''));
  assert.equal(fs.readlinkSync(path.join(cwd, 'way')), 'a.txt');
  assert.ok(!fs.existsSync(path.join(cwd, 'old')));
  const time = (name: string) => fs.lstatSync(path.join(cwd, name), { bigint: true }).mtimeNs;
  // What keeps its time in a real run keeps it to the nanosecond.
  for (const name of ['new/b.txt', 'new/kept.txt', 'keep.txt']) assert.equal(time(name) % 1_000_000_000n, 123456789n);
  assert.ok(time('a.txt') > BigInt(Date.UTC(2026, 0, 1)) * 1_000_000n || time('a.txt') > time('keep.txt'));
  const entry = readEntry(use.folder, end.keptAs ?? '');
  assert.ok(entry);
  const now = await compareKept(use.folder, entry);
  const back = await restoreKept(entry, now, { use, replacesNewer: false, now: Date.now() });
  assert.deepEqual([back.failed, back.newer], [[], []]);
  assert.equal(all(), before);
  assert.deepEqual(fs.readdirSync(cwd).sort(), ['a.txt', 'keep.txt', 'old']);
});

// What goes and what comes stand in each other's way.
for (const script of [
  'mkdir in && mv d in/d && echo x > d',
  'mv a t && mkdir a && mv t a/b',
  'mv a t && mv d a && mv t d',
  'mv d/sub t && rm -r d && mv t d',
  'mv d/f t && rm -r d && mv t d',
  'mv d/f t && mv d/sub s && rmdir d && mv t d && mkdir u && mv s u/d',
  'mv a t && mv b a && mv t b',
  'mv a t && mv b a && mv c b && mv t c',
  'mv d t && mv e d && mv t e',
  'mv a e/b && echo z > a',
  'mv a e/x && mv d/f a && mv e/x d/f',
  'rm way && mv d way && ln -s way d',
  'mv a d/a && mv d/f a && mv d a2 && mkdir d && mv a2 d/d',
  'rm -r d && ln -s e d && rm a && mkdir a && cp b a/a',
])
  test(`names that change places: ${script}`, async () => {
    const files = { a: 'a\n', b: 'b\n', c: 'c\n', 'd/f': 'f\n', 'd/sub/g': 'g\n', 'e/h': 'h\n' };
    const [cwd, real] = [workspace(files), workspace(files)];
    for (const place of [cwd, real]) fs.symlinkSync('e', path.join(place, 'way'));
    // Made in one moment, as they are when an archive is unpacked: equal sizes and times say nothing of what is in them.
    execFileSync('touch', ['-d', '2024-01-02', 'a', 'b', 'c'], { cwd });
    const all = (place: string) =>
      execFileSync('bash', ['-c', "find . -printf '%P %y %m %l\\n' | sort; find . -type f | sort | xargs grep ."], {
        cwd: place,
        encoding: 'utf8',
      });
    const before = all(cwd);
    execFileSync('bash', ['-c', script], { cwd: real });
    const end = done(await apply(script, cwd));
    assert.deepEqual([end.conflicts, end.failed], [[], []]);
    assert.equal(all(cwd), all(real));
    const entry = readEntry(use.folder, end.keptAs ?? '');
    assert.ok(entry);
    const back = await restoreKept(entry, await compareKept(use.folder, entry), {
      use,
      replacesNewer: false,
      now: Date.now(),
    });
    assert.deepEqual([back.failed, back.newer], [[], []]);
    assert.equal(all(cwd), before);
  });

test('a file that is written anew with another mode has a new time, and one from before 1970 its own', async () => {
  const cwd = workspace({ 'a.txt': text });
  execFileSync('touch', ['-d', '2020-01-02', 'a.txt'], { cwd });
  const end = done(await apply('cp a.txt t && mv t a.txt && chmod 755 a.txt && touch -d @-5 old', cwd));
  assert.deepEqual([end.conflicts, end.failed], [[], []]);
  const { mode, mtimeMs } = fs.lstatSync(path.join(cwd, 'a.txt'));
  assert.equal(mode & 0o777, 0o755);
  assert.ok(mtimeMs > Date.UTC(2021, 0, 1));
  assert.equal(fs.lstatSync(path.join(cwd, 'old')).mtimeMs, -5_000);
});

for (const [script, kind] of [
  ['cat a.txt', 'nothing'],
  ['./build.sh; rm a.txt', 'notExact'],
  ['node -e 1 build.js && rm a.txt; ./build.sh', 'notExact'],
  ['touch -d yesterday a.txt', 'effect'],
  ['ln a.txt twin', 'severalNames'],
  ['mkfifo pipe', 'special'],
  ['rm a.txt; echo x > /dev/tcp/192.0.2.1/80', 'effect'],
] as const)
  test(`not applied (${kind}): ${script}`, async () => {
    const cwd = workspace({ 'a.txt': text, 'build.sh': '#!/usr/bin/env node\n' });
    const kindNow = refusalOf(await apply(script, cwd));
    if (kind === 'effect') assert.ok(['effect', 'notExact'].includes(kindNow), kindNow);
    else assert.equal(kindNow, kind);
    assert.deepEqual(fs.readdirSync(cwd).sort(), ['a.txt', 'build.sh']);
    assert.equal(read(cwd, 'a.txt'), text);
  });

/** Ways in which somebody edits a file meanwhile. */
const edits: Readonly<Record<string, (file: string) => void>> = {
  'written in place': (file) => fs.appendFileSync(file, 'mine\n'),
  'replaced as editors do': (file) => {
    fs.writeFileSync(`${file}.new`, `${text}mine\n`);
    fs.renameSync(`${file}.new`, file);
  },
  'the same length': (file) => fs.writeFileSync(file, text.replace('line 50', 'mine 50')),
  removed: (file) => fs.rmSync(file),
  'another mode': (file) => fs.chmodSync(file, 0o600),
};
const commands = [
  'sed -i 1d a.txt',
  'rm a.txt',
  'mv a.txt b.txt',
  'echo other > a.txt',
  'sort -r -o a.txt a.txt',
  'truncate -s 0 a.txt',
  'mv c.txt a.txt',
  'ln -sf c.txt a.txt',
  'rm a.txt && mkdir a.txt',
  'chmod 755 a.txt',
];

// 50 cases: whatever is done meanwhile, nothing is applied to the file, and what was edited stays to the byte.
for (const script of commands)
  for (const [name, edit] of Object.entries(edits))
    test(`edited meanwhile (${name}), nothing is lost: ${script}`, async () => {
      const cwd = workspace({ 'a.txt': text, 'c.txt': 'c\n' });
      const file = path.join(cwd, 'a.txt');
      let mine: string | undefined;
      const end = await apply(script, cwd, () => {
        edit(file);
        mine = fs.existsSync(file) ? read(file) : undefined;
      });
      assert.equal(refusalOf(end), 'changed');
      assert.equal(fs.existsSync(file) ? read(file) : undefined, mine);
      assert.deepEqual(fs.readdirSync(cwd).sort(), mine === undefined ? ['c.txt'] : ['a.txt', 'c.txt']);
    });

test('of chosen files those that were edited elsewhere get both changes, and where both meet yours stays', async () => {
  const cwd = workspace({ 'a.txt': text, 'b.txt': text, 'c.txt': text });
  const at = (name: string) => path.join(cwd, name);
  const mine = () => {
    fs.writeFileSync(at('a.txt'), text.replace('line 50', 'mine 50'));
    fs.writeFileSync(at('b.txt'), text.replace('line 0\n', 'mine 0\n'));
  };
  const script = "sed -i 's/^line 0$/theirs 0/' a.txt b.txt c.txt";
  const end = done(await apply(script, cwd, mine, [at('a.txt'), at('b.txt')]));
  assert.deepEqual([end.merged, end.conflicts, end.applied], [[at('a.txt')], [at('b.txt')], []]);
  assert.equal(read(cwd, 'a.txt'), text.replace('line 50', 'mine 50').replace('line 0\n', 'theirs 0\n'));
  assert.equal(read(cwd, 'b.txt'), text.replace('line 0\n', 'mine 0\n'));
  assert.equal(read(cwd, 'c.txt'), text);
});

test('a writer that never stops loses no line', async () => {
  const cwd = workspace({ 'log.txt': 'start\n', 'a.txt': text });
  const file = path.join(cwd, 'log.txt');
  // As editors do: whole new files, one after the other, each with one line more.
  const writer = spawn(
    'bash',
    [
      '-c',
      'for ((n = 1; n <= 400; n++)); do { cat log.txt; echo "line $n"; } > new 2>/dev/null && mv new log.txt; done',
    ],
    { cwd, stdio: 'ignore' },
  );
  const ended = new Promise((resolve) => writer.once('close', resolve));
  for (let round = 0; round < 20; round++) await apply('sed -i s/start/START/ log.txt', cwd, undefined, [file]);
  await ended;
  const wanted = Array.from({ length: 400 }, (_, at) => `line ${at + 1}`);
  const left = fs
    .readdirSync(cwd)
    .filter((name) => name.startsWith('log.txt'))
    .map((name) => read(cwd, name));
  assert.ok(
    left.some((one) => wanted.every((line) => one.includes(`${line}\n`))),
    `lost: ${wanted.filter((line) => !left[0]?.includes(`${line}\n`)).slice(0, 5)}`,
  );
});

test('a folder that has become a link is no way out', async () => {
  const outside = workspace({ 'b.txt': 'outside\n' });
  const cwd = workspace({ 'd/b.txt': 'inside\n' });
  for (const script of ['echo new > d/b.txt', 'rm d/b.txt', 'echo new > d/c.txt', 'rm -rf d']) {
    fs.rmSync(path.join(cwd, 'd'), { recursive: true, force: true });
    fs.mkdirSync(path.join(cwd, 'd'));
    fs.writeFileSync(path.join(cwd, 'd/b.txt'), 'inside\n');
    const swap = () => {
      fs.renameSync(path.join(cwd, 'd'), path.join(cwd, 'moved'));
      fs.symlinkSync(outside, path.join(cwd, 'd'));
    };
    await apply(script, cwd, swap);
    assert.deepEqual(fs.readdirSync(outside), ['b.txt'], script);
    assert.equal(read(outside, 'b.txt'), 'outside\n');
    fs.rmSync(path.join(cwd, 'moved'), { recursive: true });
    fs.rmSync(path.join(cwd, 'd'));
  }
});

test('names with line breaks, and such that are no text', async () => {
  const cwd = workspace({ 'a.txt': 'a\n' });
  const script = "cp a.txt $'new\\nline' && cp a.txt $'raw\\xff' && mkdir $'d\\xe9' && mv a.txt $'d\\xe9/x\\xe9'";
  const end = done(await apply(script, cwd));
  assert.deepEqual(end.failed, []);
  const names = fs.readdirSync(Buffer.from(cwd), 'latin1').sort();
  assert.deepEqual(names, ['d\xe9', 'new\nline', 'raw\xff']);
  assert.equal(fs.readFileSync(Buffer.from(`${cwd}/d\xe9/x\xe9`, 'latin1'), 'utf8'), 'a\n');
});

test('the command line asks, applies, and says how it is taken back', () => {
  const cwd = workspace({ 'a.txt': text });
  const env = { ...process.env, XDG_STATE_HOME: path.join(folder, 'own'), XDG_CACHE_HOME: path.join(folder, 'cache') };
  const own = (...args: string[]) => spawnSync(process.execPath, ['dist/cli.js', ...args], { env, encoding: 'utf8' });
  assert.equal(own('--apply', '--cwd', cwd, 'rm a.txt').status, 64);
  assert.equal(own('--yes', '--cwd', cwd, 'rm a.txt').status, 64);
  assert.equal(read(cwd, 'a.txt'), text);
  const json = own('--apply', '--yes', '--json', '--cwd', cwd, 'rm a.txt');
  assert.equal(json.status, 0, json.stderr);
  assert.deepEqual(JSON.parse(json.stdout).applied.applied, [path.join(cwd, 'a.txt')]);
  assert.deepEqual(fs.readdirSync(cwd), []);
  assert.equal(own('restore', 'last').status, 0);
  assert.equal(read(cwd, 'a.txt'), text);
  const refused = own('--apply', '--yes', '--cwd', cwd, 'cat a.txt');
  assert.equal(refused.status, 3);
  assert.match(refused.stdout, /there is nothing to apply/);
});

/** What a node has besides content, mode and times; python3 is there wherever a repository is tested. */
function attributesOf(file: string): string {
  const script = `import os, sys
print({one: os.getxattr(sys.argv[1], one).hex() for one in sorted(os.listxattr(sys.argv[1]))})`;
  return execFileSync('python3', ['-c', script, file], { encoding: 'utf8' });
}

/** Gives a node an attribute and an access list: another user may read it, and its group may not write. */
function giveAttributes(file: string): boolean {
  const script = `import os, struct, sys
os.setxattr(sys.argv[1], 'user.note', b'kept')
everybody = 0xffffffff
entries = ((1, 6, everybody), (2, 6, 12345), (4, 4, everybody), (16, 6, everybody), (32, 4, everybody))
os.setxattr(sys.argv[1], 'system.posix_acl_access', struct.pack('<I', 2) + b''.join(struct.pack('<HHI', *one) for one in entries))`;
  return spawnSync('python3', ['-c', script, file]).status === 0;
}

test('extended attributes and access lists stay', async (context) => {
  const cwd = workspace({ 'a.txt': text, 'b.txt': text, 'folder/c.txt': text });
  const files = ['a.txt', 'b.txt', 'folder', 'folder/c.txt'].map((name) => path.join(cwd, name));
  if (!files.every(giveAttributes)) return context.skip('this file system has none');
  const [attributes = ''] = files.map(attributesOf);
  assert.match(attributes, /user\.note.*|posix_acl/);
  const end = done(await apply('echo more >> a.txt; mv b.txt d.txt; mv folder other', cwd));
  assert.deepEqual([end.conflicts, end.failed], [[], []]);
  for (const name of ['a.txt', 'd.txt', 'other', 'other/c.txt'])
    assert.equal(attributesOf(path.join(cwd, name)), attributes, name);
  const entry = readEntry(use.folder, end.keptAs ?? '');
  assert.ok(entry);
  const now = await compareKept(use.folder, entry);
  const back = await restoreKept(entry, now, { use, replacesNewer: false, now: Date.now() });
  assert.deepEqual([back.failed, back.newer], [[], []]);
  for (const file of files) {
    assert.equal(attributesOf(file), attributes, file);
    assert.equal(fs.statSync(file).mode & 0o777, 0o664, file);
  }
  const other = await apply('cp a.txt new && mv new a.txt', cwd);
  assert.equal(refusalOf(other), 'effect', 'what a command does to attributes is not applied');
});
