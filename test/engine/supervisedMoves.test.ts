import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { availableIdentities, type Identity, spawnAs } from '../hostile/identity.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

const cli = path.resolve('dist/cli.js');

/** Folders that are moved, before or behind other changes of what is in them: what came along is told once, and what went is told too. */
const scripts = [
  'mv big moved',
  'rm big/one/a; mv big moved',
  'mv big moved; rm moved/one/a',
  'mv big moved; rm -r moved',
  'mv big moved; rm -r moved/one; mkdir moved/one',
  'mv big moved; echo file > big',
  'mv big moved; mkdir -p big/one; echo file > big/two',
  'mv big/one one; rm -r big',
  'mv big/one one; mv big two; mv one two/three',
  'mv big moved; mv moved/one one; rm -r moved',
  'mv big/one one; rm -r big; mkdir -p big/one',
  'mv big moved; mv moved big',
  'echo new > big/one/a; chmod 600 big/two/a; mv big moved; echo new > moved/one/new',
  'mkdir in; mv big in/; rm -r in/big/one in/big/two/a',
  'mv big/one big/two/one; mv big moved',
  'mv big/one/deep deep; mv big moved; rm -r deep',
  'mv big/one/deep deep; rm -r big; mv deep big',
  'mv big/one one; rm big/two/a; mv big moved; mv one moved/two/a',
  'mv big/one one; rm -r big/two; mv one big/two; rm -r big/two/deep',
];

function folderOf(identity: Identity): string {
  const folder = temporaryFolder('moves');
  for (const name of ['', 'big', 'big/one', 'big/one/deep', 'big/two']) {
    fs.mkdirSync(path.join(folder, name), { recursive: true });
    for (const file of name === '' ? [] : ['a', 'b'])
      fs.writeFileSync(path.join(folder, name, file), `${name} ${file}\n`);
  }
  for (const name of ['', ...namesBelow(folder)]) fs.chownSync(path.join(folder, name), identity.uid, identity.gid);
  return folder;
}

const namesBelow = (folder: string) => fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();

interface Told {
  path: string;
  change: string;
  from?: string;
}

describe('by supervision, folders that are moved', () => {
  for (const identity of availableIdentities())
    for (const script of scripts)
      test(`${script}, as ${identity.name}`, () => {
        const cwd = folderOf(identity);
        const env = { PATH: '/usr/bin:/bin', HOME: cwd, XDG_CACHE_HOME: '/nonexistent' };
        const started = { cwd, encoding: 'utf8', ...spawnAs(identity) } as const;
        const before = namesBelow(cwd);
        const words = [cli, '--json', script];
        const run = spawnSync(process.execPath, words, { ...started, env: { ...env, FORETELL_ENGINE: 'supervision' } });
        const prediction = JSON.parse(run.stdout) as { ending: string; files: Told[] };
        assert.equal(prediction.ending, 'done', run.stdout);
        assert.deepEqual(namesBelow(cwd), before);
        spawnSync('/bin/sh', ['-c', script], { ...started, env });
        const relative = (name: string) => path.relative(cwd, name);
        const after = new Set(before);
        const gone = prediction.files.flatMap((one) => (one.change === 'deleted' ? one.path : (one.from ?? [])));
        for (const name of gone) assert.ok(after.delete(relative(name)), `${name} goes twice, or was never there`);
        for (const { path: name, change } of prediction.files)
          if (change === 'created' || change === 'renamed') after.add(relative(name));
        assert.deepEqual([...after].sort(), namesBelow(cwd));
      });
});
