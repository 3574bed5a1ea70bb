import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { availableIdentities, type Identity, spawnAs } from '../hostile/identity.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

// By supervision the kernel itself says the status of what nothing is noted of. What is noted under another name, or in a folder
// that the command has opened or closed, it does not know.
const cli = path.resolve('dist/cli.js');

/** What is really there before each. */
const prepare = `umask 022; mkdir open shut; echo text > a; ln a b; ln a open/c; echo in > open/in; echo in > shut/in
  ln -s a link; ln -s in open/link; ln -s open folder; ln -s nowhere broken; chmod 600 shut`;

const scripts: Readonly<Record<string, string>> = {
  'another name of a file with another mode':
    'chmod 640 a; stat -c "%n %a %h" b open/c link; stat -Lc %a link; find . -perm 640 | sort',
  'another name of a file with another time':
    'touch -d 2020-01-02 open/c; stat -c "%n %Y" a b open/c; ls -l a b | wc -l',
  'another name of a file that is written': 'echo more >> b; stat -c "%n %s %h" a b open/c folder/c; wc -c < a',
  'another name of a file that goes': 'rm b; stat -c "%n %h" a open/c; stat b; find . -links 2 | sort',
  'a file with another mode, by its folder':
    'chmod 600 open/in; cd open; stat -c "%n %a" in ../open/in ../folder/in link',
  'files that are changed one by one': 'chmod -R o-r open a; find . -type f -exec stat -c "%n %a" {} + | sort',
  'what is not there':
    'chmod 600 open/in; stat nothing open/nothing nothing/in a/b link/b broken/; stat -c %F broken link/',
  'what is in a folder that it closes': 'chmod 000 open; stat -c %n open/in; chmod 755 open; stat -c %n open/in open/c',
  'what is in a folder that is moved':
    'mv open moved; stat -c %n moved/in open/in folder/in; mkdir open; stat -c %n open/in',
  'what is in a folder that another replaces': 'mv open moved; mkdir open; cd moved; stat -c "%n %s" in ../open/in ./c',
  'two names of one file, of which one is renamed to the other':
    'perl -e "rename qw(a b) or die"; stat -c "%n %h" a b; exec 3< a; rm a; stat -L -c %h /dev/fd/3',
  'an open file whose name goes':
    'exec 3< open/in; rm open/in; stat -L -c "%h %s" /dev/fd/3; cat /proc/$$/fd/3; echo other > open/in; cat /dev/fd/3 open/in',
  'a link to a link of procfs': 'ln -s /dev/fd/0 in; echo abc | cat in; cat in < a; ln -s /dev/fd fds; cat fds/3 3< a',
  'what it makes':
    'mkdir new; echo x > new/f; ln -s f new/l; stat -c "%n %s %F" new/f new/l; mv new/f open/; stat -c %s open/f',
};
/** The command could look into it, and its user really cannot. */
const unknowable: Readonly<Record<string, string>> = {
  'what is in a folder that it opens':
    'stat -c %n shut/in; chmod 700 shut; stat -c "%n %s" shut/in; cd shut; stat -c %n in',
};

/** The same, rehearsed by supervision and run for real, prints the same. */
function compare(identity: Identity, script: string, mayAbstain: boolean): void {
  const cwd = temporaryFolder('status');
  fs.chownSync(cwd, identity.uid, identity.gid);
  const env = { PATH: '/usr/bin:/bin', HOME: cwd, XDG_CACHE_HOME: '/nonexistent', LC_ALL: 'C' };
  const started = { cwd, encoding: 'utf8', ...spawnAs(identity) } as const;
  assert.equal(spawnSync('/bin/sh', ['-c', prepare], { ...started, env }).status, 0);
  const words = [cli, '--fresh', '--json', script];
  const run = spawnSync(process.execPath, words, { ...started, env: { ...env, FORETELL_ENGINE: 'supervision' } });
  const prediction = JSON.parse(run.stdout);
  if (mayAbstain && prediction.ending === 'abstained') return;
  const real = spawnSync('/bin/sh', ['-c', script], { ...started, env });
  assert.equal(prediction.ending, 'done', prediction.reason);
  const shown = (stream: string) =>
    prediction.output
      .filter((piece: { stream: string }) => piece.stream === stream)
      .map((piece: { text: string }) => piece.text)
      .join('');
  assert.deepEqual([shown('stdout'), shown('stderr')], [real.stdout, real.stderr]);
  assert.equal(prediction.exitCode, real.status);
}

describe('by supervision, the status of', () => {
  for (const identity of availableIdentities()) {
    for (const [name, script] of Object.entries(scripts))
      test(`${name}, as ${identity.name}`, () => compare(identity, script, false));
    for (const [name, script] of Object.entries(unknowable))
      test(`${name}, as ${identity.name}`, () => compare(identity, script, true));
  }
});
