import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { availableIdentities, spawnAs } from '../hostile/identity.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { placeWords, whyNoPlace } from './places.ts';

// Containers let nobody compare two descriptors (kcmp(2)): whose lock it is that a command meets is found out all the same.
const cli = path.join(process.env['FORETELL_PROJECT'] ?? process.cwd(), 'dist/cli.js');

const scripts: Readonly<Record<string, string>> = {
  'is taken again when its holder has ended': '(flock 9; echo one) 9< file; (flock 9; echo two) 9< file',
  'is met by another opening of the same program': 'flock -n folder flock -n folder echo twice || echo busy',
  'is given back by its own descriptor alone':
    'exec 8< file 9< file; flock -n 8 && echo one; flock -u 9; flock -n 9 || echo busy; flock -u 8; flock -n 9 && echo two',
  'is held by a copy of the descriptor':
    'exec 8< file 9<&8; flock -n 8; flock -n 9 && echo one; flock -n file true || echo busy',
  'lets others share it':
    'exec 9< file; flock -s 9; flock -xn file echo alone || echo busy; flock -sn file echo shared',
  'leaves the descriptor as it was':
    'exec 9< file; flock 9; flock -n 9; cut -f 2 /proc/self/fdinfo/9 | sed -n 2p; read line <&9; echo $line',
  'of a child is met by its parent':
    'exec 8< file; (exec 9< file; flock -n 9; flock -n 8 || echo busy); flock -n 8 && echo free',
};

describe('in docker a lock', { skip: whyNoPlace('docker') ?? false }, () => {
  for (const identity of availableIdentities())
    for (const [name, script] of Object.entries(scripts))
      test(`${name}, as ${identity.name}`, () => {
        const cwd = temporaryFolder('locks');
        fs.mkdirSync(path.join(cwd, 'folder'));
        fs.writeFileSync(path.join(cwd, 'file'), 'text\n');
        for (const one of ['', 'folder', 'file']) fs.chownSync(path.join(cwd, one), identity.uid, identity.gid);
        const started = {
          cwd,
          encoding: 'utf8',
          ...spawnAs(identity),
          env: { PATH: '/usr/bin:/bin', HOME: cwd },
        } as const;
        const [program = '', ...words] = [...placeWords('docker'), process.execPath, cli, '--json', script];
        const prediction = JSON.parse(spawnSync(program, words, started).stdout);
        const real = spawnSync('bash', ['-c', script], started);
        assert.equal(prediction.ending, 'done', prediction.reason);
        assert.equal(
          prediction.output.map((piece: { text: string }) => piece.text).join(''),
          real.stdout + real.stderr,
        );
        assert.equal(prediction.exitCode, real.status);
      });
});
