import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { foldAll } from '../../src/core/foretell.ts';
import { fromBytePath, toBytePath } from '../../src/core/loss/bytePath.ts';
import { compareKept } from '../../src/core/safetyNet/compareKept.ts';
import { keepLost } from '../../src/core/safetyNet/keepLost.ts';
import { contentOf, type KeptEntry, listEntries, readEntry } from '../../src/core/safetyNet/keptEntry.ts';
import { type Restored, restoreKept } from '../../src/core/safetyNet/restore.ts';
import { gitSettings } from '../gitSettings.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';
import { destructiveCommands } from './destructiveCommands.ts';
import { everyKind } from './lossFixture.ts';

const { foretell, launcher, folder } = throwAwayForetell('net');
const use = { folder: path.join(folder, 'state', 'kept'), mostBytes: 1024 ** 3, launcher };
const pristine = path.dirname(everyKind());
const { signal } = new AbortController();
let count = 0;

/** A copy of the fixture to be destroyed: `project` in a folder of its own. */
function newProject(): string {
  const place = path.join(folder, `place${count++}`);
  execFileSync('cp', ['-a', pristine, place]);
  const project = path.join(place, 'project');
  const script = `mkdir -p empty/inner locked && echo locked > locked/file && ln -s ../notes locked/way && mkfifo pipe
    chmod 600 notes/deep/a && chmod 555 locked && chmod 750 empty/inner && printf 'latin\\n' > $'caf\\xe9.txt'
    python3 -c 'import os
for one in ("untracked.txt", "data.sqlite", "notes", "notes/deep/a", "locked/file"): os.setxattr(one, "user.note", one.encode())' 2>/dev/null || true
    touch -d '2020-01-02 03:04:05.123456789' untracked.txt notes/deep empty/inner && ln data.sqlite twin.sqlite`;
  execFileSync('bash', ['-euc', script], { cwd: project });
  return project;
}

/** What is said of every node but its times and its number. */
function stateOf(place: string): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (at: string) => {
    const onDisk = Buffer.from(at, 'latin1');
    const status = fs.lstatSync(onDisk, { bigint: true });
    const parts: unknown[] = [status.mode, status.uid, status.gid];
    if (status.isSymbolicLink()) parts.push(fs.readlinkSync(onDisk, 'latin1'));
    if (status.isFile()) parts.push(createHash('sha256').update(fs.readFileSync(onDisk)).digest('hex'));
    found.set(at, parts.join(' '));
    if (status.isDirectory()) for (const name of fs.readdirSync(onDisk, 'latin1')) visit(`${at}/${name}`);
  };
  visit(toBytePath(place));
  return found;
}

/** Extended attributes of everything, a line each; none where the file system has none. */
function attributesIn(place: string): string {
  const script = `import os, sys
for folder, names, files in os.walk(os.fsencode(sys.argv[1])):
    for at in sorted(os.path.join(folder, name) for name in names + files):
        for one in os.listxattr(at, follow_symlinks=False): print(at, one, os.getxattr(at, one, follow_symlinks=False))`;
  const { stdout } = spawnSync('python3', ['-c', script, place], { encoding: 'utf8' });
  return stdout.split('\n').sort().join('\n');
}

async function keep(script: string, cwd: string): Promise<KeptEntry | undefined> {
  const action = { kind: 'command' as const, script, shell: 'bash' as const, cwd };
  const { events, view } = foretell.predict({ action, hash: true, trusted: true, env: environment(), signal });
  const prediction = await foldAll(action, events);
  await view.close();
  return keepLost(prediction, use, { action, cwd, for: { kind: 'run' }, now: Date.now() });
}

function environment(): Record<string, string> {
  const { PATH = '' } = process.env;
  return { PATH, HOME: path.join(folder, 'home'), LANG: 'C.UTF-8', ...gitSettings };
}

async function restore(entry: KeptEntry, replacesNewer = false, paths: string[] = []): Promise<Restored> {
  const now = await compareKept(use.folder, entry, paths);
  return restoreKept(entry, now, { use, replacesNewer, now: Date.now() });
}

/** All of them take some minutes; a run takes every fifth, each run others. FORETELL_SHARE=1: all. */
const share = Number(process.env['FORETELL_SHARE'] ?? 5);
const first = Number(process.env['FORETELL_FIRST'] ?? Math.floor(Date.now() / 60_000)) % share;

for (const script of destructiveCommands.filter((_, at) => at % share === first))
  test(`comes back byte for byte, with mode and time: ${script}`, async () => {
    const cwd = newProject();
    const before = stateOf(path.dirname(cwd));
    const times = new Map(
      [...before.keys()].map((at) => [at, fs.lstatSync(Buffer.from(at, 'latin1'), { bigint: true }).mtimeNs]),
    );
    const attributes = attributesIn(path.dirname(cwd));
    const entry = await keep(script, cwd);
    assert.ok(entry, 'something is kept');
    spawnSync('bash', ['-c', script], { cwd, env: environment(), stdio: 'ignore' });
    const left = stateOf(path.dirname(cwd));
    assert.notDeepEqual([...left], [...before], 'the command does something');
    const restored = await restore(entry, true);
    assert.deepEqual(restored.failed, []);
    const after = stateOf(path.dirname(cwd));
    for (const [at, state] of before) assert.equal(after.get(at), state, fromBytePath(at));
    const now = attributesIn(path.dirname(cwd)).split('\n');
    for (const one of attributes.split('\n')) assert.ok(now.includes(one), one);
    // What was only written anew as it was is not lost.
    for (const [at, time] of times)
      if (!left.has(at) || (left.get(at) !== before.get(at) && !fs.lstatSync(Buffer.from(at, 'latin1')).isDirectory()))
        assert.equal(fs.lstatSync(Buffer.from(at, 'latin1'), { bigint: true }).mtimeNs, time, at);
    // What the command made is left where it is.
    for (const at of left.keys()) assert.ok(after.has(at), `${at} is still there`);
    execFileSync('chmod', ['-R', 'u+rwX', path.dirname(cwd)]);
    fs.rmSync(path.dirname(cwd), { recursive: true });
  });

test('names of one file are names of one file again', async () => {
  for (const [script, paths] of [
    ['rm data.sqlite twin.sqlite', []],
    [': > data.sqlite', []],
    ['rm data.sqlite twin.sqlite', ['twin.sqlite']],
  ] as const) {
    const cwd = newProject();
    const entry = await keep(script, cwd);
    assert.ok(entry);
    const was = fs.readFileSync(path.join(cwd, 'data.sqlite'));
    execFileSync('bash', ['-c', script], { cwd });
    const wanted = paths.map((name) => path.join(cwd, name));
    const restored = await restore(entry, true, wanted);
    assert.deepEqual(restored.failed, []);
    assert.ok(fs.readFileSync(path.join(cwd, 'twin.sqlite')).equals(was));
    if (wanted.length > 0) continue;
    const [one, other] = ['data.sqlite', 'twin.sqlite'].map((name) => fs.statSync(path.join(cwd, name)).ino);
    assert.equal(one, other, script);
  }
});

test('a name is one of its file again where another one is left, and else it is said', async () => {
  for (const [script, after, isApart] of [
    ['rm data.sqlite', '', false],
    ['cp data.sqlite x && echo other > x && mv -f x data.sqlite', '', false],
    // The other name leads to something else by then.
    ['rm data.sqlite', 'echo changed >> twin.sqlite', true],
    ['rm data.sqlite', 'mkdir m && mv twin.sqlite m/', true],
  ] as const) {
    const cwd = newProject();
    const entry = await keep(script, cwd);
    assert.ok(entry, script);
    const was = fs.readFileSync(path.join(cwd, 'data.sqlite'));
    execFileSync('bash', ['-c', `${script}\n${after}`], { cwd });
    const { failed, apart } = await restore(entry, true);
    assert.deepEqual(failed, []);
    assert.deepEqual(apart, isApart ? [path.join(cwd, 'data.sqlite')] : [], script);
    assert.ok(fs.readFileSync(path.join(cwd, 'data.sqlite')).equals(was));
    if (!isApart) assert.equal(fs.statSync(path.join(cwd, 'data.sqlite')).nlink, 2, script);
  }
});

test('nothing is kept where nothing is lost', async () => {
  const cwd = newProject();
  assert.equal(await keep('touch new && mkdir more && cat pushed.txt', cwd), undefined);
});

test('what changed since is left, unless it is asked for; what is replaced is kept itself', async () => {
  const cwd = newProject();
  const entry = await keep('echo other > untracked.txt; rm blob.bin', cwd);
  assert.ok(entry);
  const was = fs.readFileSync(path.join(cwd, 'untracked.txt'), 'utf8');
  execFileSync('bash', ['-c', 'rm blob.bin; echo newer > untracked.txt'], { cwd });
  const first = await restore(entry);
  assert.deepEqual(first.newer, [path.join(cwd, 'untracked.txt')]);
  assert.deepEqual(first.restored, [path.join(cwd, 'blob.bin')]);
  assert.equal(fs.readFileSync(path.join(cwd, 'untracked.txt'), 'utf8'), 'newer\n');
  const second = await restore(entry, true);
  assert.equal(fs.readFileSync(path.join(cwd, 'untracked.txt'), 'utf8'), was);
  const back = readEntry(use.folder, second.keptAs ?? '');
  assert.ok(back);
  await restore(back);
  assert.equal(fs.readFileSync(path.join(cwd, 'untracked.txt'), 'utf8'), 'newer\n');
});

test('only the named paths are restored, with the folders that they need', async () => {
  const cwd = newProject();
  const entry = await keep('rm -rf notes blob.bin', cwd);
  assert.ok(entry);
  execFileSync('rm', ['-rf', 'notes', 'blob.bin'], { cwd });
  await restore(entry, false, [path.join(cwd, 'notes/deep/a')]);
  assert.ok(fs.existsSync(path.join(cwd, 'notes/deep/a')));
  assert.ok(!fs.existsSync(path.join(cwd, 'blob.bin')));
});

test('a folder that has become a link is no way out', async () => {
  const cwd = newProject();
  const outside = path.join(folder, 'outside');
  fs.mkdirSync(path.join(outside, 'deep'), { recursive: true });
  const entry = await keep('rm -rf notes', cwd);
  assert.ok(entry);
  fs.rmSync(path.join(cwd, 'notes'), { recursive: true });
  fs.symlinkSync(outside, path.join(cwd, 'notes'));
  const result = await restore(entry);
  assert.deepEqual(fs.readdirSync(path.join(outside, 'deep')), []);
  assert.ok(result.newer.includes(path.join(cwd, 'notes')));
  // Asked for, the link is taken away (and kept), not followed.
  await restore(entry, true);
  assert.deepEqual(fs.readdirSync(path.join(outside, 'deep')), []);
  assert.ok(fs.lstatSync(path.join(cwd, 'notes')).isDirectory());
  assert.ok(fs.existsSync(path.join(cwd, 'notes/deep/a')));
});

test('a link in the place of a file is not written through', async () => {
  const cwd = newProject();
  const outside = path.join(folder, 'outside.txt');
  fs.writeFileSync(outside, 'outside\n');
  const entry = await keep('rm untracked.txt', cwd);
  assert.ok(entry);
  fs.rmSync(path.join(cwd, 'untracked.txt'));
  fs.symlinkSync(outside, path.join(cwd, 'untracked.txt'));
  await restore(entry, true);
  assert.equal(fs.readFileSync(outside, 'utf8'), 'outside\n');
  assert.ok(fs.lstatSync(path.join(cwd, 'untracked.txt')).isFile());
});

test('what is kept is for its user alone, within its size, and none of it is older than a week', async () => {
  const cwd = newProject();
  const entry = await keep('rm -rf .', cwd).then((found) => found ?? keep('rm -rf *', cwd));
  assert.ok(entry);
  assert.equal(fs.statSync(use.folder).mode & 0o777, 0o700);
  for (const node of entry.nodes.filter(({ content }) => content !== undefined))
    assert.equal(fs.statSync(contentOf(use.folder, entry, node)).mode & 0o777, 0o600);
  assert.ok(listEntries(use.folder, Date.now()).some(({ id }) => id === entry.id));
  assert.deepEqual(listEntries(use.folder, Date.now() + 8 * 24 * 3_600_000), []);
  const action = { kind: 'command' as const, script: 'rm blob.bin untracked.txt', shell: 'bash' as const, cwd };
  const { events, view } = foretell.predict({ action, trusted: true, signal });
  const prediction = await foldAll(action, events);
  await view.close();
  const small = { folder: path.join(folder, 'small'), mostBytes: 250, launcher };
  const asked = { action, cwd, for: { kind: 'run' as const }, now: Date.now() };
  const cut = await keepLost(prediction, small, asked);
  assert.deepEqual(
    cut?.notKept.map(({ path: file, because, isLost }) => [path.basename(file), because.kind, isLost]),
    [['blob.bin', 'room', true]],
  );
  // A second one makes room for itself.
  const next = await keepLost(prediction, small, asked);
  assert.deepEqual(
    listEntries(small.folder, Date.now()).map(({ id }) => id),
    [next?.id],
  );
});

test('a call that the hook lets pass is kept, and the command line restores it', () => {
  const cwd = newProject();
  const env = {
    ...environment(),
    XDG_STATE_HOME: path.join(folder, 'agent'),
    XDG_CACHE_HOME: path.join(folder, 'cache'),
  };
  const own = (args: string[], input = '') =>
    spawnSync(process.execPath, ['dist/cli.js', ...args], { env, input, encoding: 'utf8' });
  const file = path.join(cwd, 'modified.txt');
  const was = fs.readFileSync(file, 'utf8');
  const event = {
    session_id: 's',
    cwd,
    hook_event_name: 'PreToolUse',
    tool_name: 'Edit',
    tool_input: { file_path: file, old_string: 'three\n', new_string: '3\n' },
    tool_use_id: 't1',
  };
  const answered = own(['hook', 'claude', '--within', '60'], JSON.stringify(event));
  assert.doesNotMatch(answered.stdout, /"deny"/);
  fs.writeFileSync(file, was.replace('three\n', '3\n'));
  const listed = JSON.parse(own(['restore', '--json']).stdout);
  assert.deepEqual(listed.kept[0].paths, [file]);
  assert.deepEqual(listed.kept[0].for, { kind: 'agent' });
  assert.match(own(['restore', '--list', 'last']).stdout, /modified\.txt {2}\(would be as it was\)/);
  assert.equal(own(['restore', 'last', path.join(cwd, 'other')]).status, 3);
  assert.equal(own(['restore', 'ffffff']).status, 3);
  const restored = own(['restore', 'last']);
  assert.equal(restored.status, 0, restored.stdout + restored.stderr);
  assert.equal(fs.readFileSync(file, 'utf8'), was);
});
