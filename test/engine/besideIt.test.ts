import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { foldAll } from '../../src/core/foretell.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

/** What is deleted and still stands on the disk is not lost for good: another name of the same file, a copy beside it. */

const { foretell, folder, workspace } = throwAwayForetell('beside', { spareLaunchers: 0 });
const env = { PATH: '/usr/bin:/bin', HOME: folder };
const text = 'a line of some words\n'.repeat(20);

async function lostBy(script: string, files: Record<string, string>, links: Record<string, string> = {}) {
  const place = workspace(files);
  for (const [name, of] of Object.entries(links)) {
    fs.mkdirSync(path.dirname(path.join(place, name)), { recursive: true });
    fs.linkSync(path.join(place, of), path.join(place, name));
  }
  const action = { kind: 'command', script, shell: 'bash', cwd: place } as const;
  const { events, view } = foretell.predict({ action, env, signal: new AbortController().signal });
  const { loss } = await foldAll(action, events);
  await view.close();
  const from = ({ recovery }: (typeof loss)[number]) =>
    recovery.kind === 'file' ? path.relative(place, recovery.file) : recovery.kind;
  return Object.fromEntries(loss.map((one) => [path.relative(place, one.path), from(one)]));
}

test('another name of the same file in its folder', async () => {
  assert.deepEqual(await lostBy('rm a', { a: text }, { b: 'a' }), { a: 'b' });
  assert.deepEqual(await lostBy('rm -f a', { a: 'x' }, { b: 'a' }), { a: 'b' });
});

test('what it was packed into stands beside it', async () => {
  const packed = async (script: string) => {
    const place = workspace({ a: text, 'b.gz': 'no archive' });
    execFileSync('gzip', ['-k', 'a'], { cwd: place });
    const action = { kind: 'command', script, shell: 'bash', cwd: place } as const;
    const { events, view } = foretell.predict({ action, env, signal: new AbortController().signal });
    const { loss, verdict } = await foldAll(action, events);
    await view.close();
    const [first] = loss;
    if (first?.recovery.kind === 'file' && first.recovery.command !== undefined) {
      execFileSync('bash', ['-c', `rm a; ${first.recovery.command}`], { cwd: place });
      assert.equal(fs.readFileSync(path.join(place, 'a'), 'utf8'), text);
    }
    return [first?.recovery.kind, verdict.level];
  };
  assert.deepEqual(await packed('rm a'), ['file', 'safe']);
  assert.deepEqual(await packed('gzip -f a'), ['file', 'safe']);
  assert.deepEqual(await packed('rm a a.gz'), ['none', 'danger']);
  assert.deepEqual(await packed('mv b.gz a.gz && rm a'), ['none', 'danger']);
});

test('another name that nobody has looked for', async () => {
  assert.deepEqual(await lostBy('rm -r x', { 'x/a': text }, { 'y/b': 'x/a' }), { 'x/a': 'otherNames' });
});

test('a name that another file gets', async () => {
  assert.deepEqual(await lostBy('echo other > n; mv n a', { a: text }, { b: 'a' }), { a: 'b' });
  assert.deepEqual(await lostBy('mv n x/a', { 'x/a': text, n: 'other' }, { 'y/b': 'x/a' }), { 'x/a': 'otherNames' });
  assert.deepEqual(await lostBy('ln -sf n a', { a: text, n: 'other' }, { b: 'a' }), { a: 'b' });
  assert.deepEqual(await lostBy('mkdir d; mv -f n a; rm b', { a: text, n: 'other' }, { b: 'a' }), {
    a: 'none',
    b: 'none',
  });
  assert.deepEqual(await lostBy('cp n a', { a: text, n: 'other' }, { b: 'a' }), { a: 'none', b: 'none' });
  assert.deepEqual(await lostBy('cp n a; rm b', { a: text, n: 'other' }, { b: 'a' }), { a: 'none', b: 'none' });
});

test('all its names', async () => {
  assert.deepEqual(await lostBy('rm a b', { a: text }, { b: 'a' }), { a: 'none', b: 'none' });
  const lost = await lostBy('rm -r x y', { 'x/a': text }, { 'y/b': 'x/a', 'y/c': 'x/a' });
  assert.deepEqual(lost, { 'x/a': 'none', 'y/b': 'none', 'y/c': 'none' });
});

test('names of one file lose one content', async () => {
  const told = async (script: string) => {
    const place = workspace({ a: text, c: text.replace('words', 'swords') });
    fs.linkSync(path.join(place, 'a'), path.join(place, 'b'));
    const action = { kind: 'command', script, shell: 'bash', cwd: place } as const;
    const { events, view } = foretell.predict({ action, env, signal: new AbortController().signal });
    const { loss, verdict } = await foldAll(action, events);
    await view.close();
    const lost = loss.map((one) => `${path.relative(place, one.path)}: ${one.why}`);
    return [verdict.reasons[0]?.text, ...lost];
  };
  const outside = 'outside any git repository';
  const again = 'another name of a, whose content is lost once';
  const once = '1 file with 20 lines that no repository has.';
  const both = [`a: ${outside}`, `b: ${again}`];
  assert.deepEqual(await told(': > b'), [`Overwrites ${once}`, ...both]);
  assert.deepEqual(await told('rm a b'), [`Deletes ${once}`, ...both]);
  assert.deepEqual(await told('rm a b; : > c'), [`Deletes ${once}`, ...both, `c: ${outside}`]);
  assert.deepEqual(await told('printf other > n; mv n a; rm a b'), [`Deletes ${once}`, ...both]);
});

test('a copy beside it', async () => {
  assert.deepEqual(await lostBy('rm conf', { conf: text, 'conf.bak': text }), { conf: 'conf.bak' });
  assert.deepEqual(await lostBy('cat b > a; rm b', { a: '', b: text }), {});
});

test('a copy that goes too, is overwritten, has other bytes, or is there by chance', async () => {
  const files = { conf: text, 'conf.bak': text };
  assert.deepEqual(await lostBy('rm conf conf.bak', files), { conf: 'none', 'conf.bak': 'none' });
  assert.deepEqual(await lostBy('rm conf; echo > conf.bak', files), { conf: 'none', 'conf.bak': 'none' });
  assert.deepEqual(await lostBy('rm conf', { conf: text, other: text.replace('words', 'swords') }), { conf: 'none' });
  assert.deepEqual(await lostBy('rm conf', { conf: 'x\n', other: 'x\n' }), { conf: 'none' });
});

test('bytes of an earlier step are not those of the disk', async () => {
  const script = 'printf "%s" "another content of the same file" > a; rm a';
  assert.deepEqual(await lostBy(script, { a: text }, { b: 'a' }), { a: 'none', b: 'none' });
});

test('a repository whose commits the one of the working directory holds', async () => {
  const lostOf = async (script: string, before: string) => {
    const place = workspace({ x: '' });
    const own = { ...env, GIT_CONFIG_GLOBAL: path.join(folder, 'gitconfig') };
    const make = `git init -q work && cd work && echo a > a && git add a && git commit -qm one && git clone -q --bare . ../bare.git && git -C ../bare.git remote remove origin; ${before}`;
    fs.writeFileSync(own.GIT_CONFIG_GLOBAL, '[user]\nname = a\nemail = a@b\n');
    assert.equal(spawnSync('bash', ['-c', make], { cwd: place, env: own }).status, 0);
    const action = { kind: 'command', script, shell: 'bash', cwd: path.join(place, 'work') } as const;
    const { events, view } = foretell.predict({ action, env: own, signal: new AbortController().signal });
    const { loss } = await foldAll(action, events);
    await view.close();
    return loss.map(({ because, recovery }) => [because.kind, recovery.kind]);
  };
  assert.deepEqual(await lostOf('rm -rf ../bare.git', 'true'), [['allBeside', 'remote']]);
  const more = 'git -C ../bare.git update-ref refs/heads/more $(git -C ../bare.git commit-tree -m more HEAD^{tree})';
  assert.deepEqual(await lostOf('rm -rf ../bare.git', more), [['onNoRemote', 'none']]);
  const two = 'git commit -q --allow-empty -m two';
  const packed = async (script: string) => (await lostOf(`cd ..; ${script}; rm -rf work`, two)).at(-1);
  assert.deepEqual(await packed('tar czf w.tgz work'), ['packedWhole', 'file']);
  assert.deepEqual(await packed('tar czf w.tgz --exclude=refs work'), ['onNoRemote', 'none']);
  assert.deepEqual(await packed('mkdir q; git clone -q --mirror work q/w.git'), ['allBeside', 'remote']);
  const borrowed =
    'echo "$PWD/../bare.git/objects" > .git/objects/info/alternates && git repack -qadl && git prune-packed && rm -rf .git/objects/??';
  assert.deepEqual(await lostOf('rm -rf ../bare.git', borrowed), [['onNoRemote', 'none']]);
});
