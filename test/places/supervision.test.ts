import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { availableIdentities, spawnAs } from '../hostile/identity.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { placeWords, whyNoPlace } from './places.ts';

// Where namespaces and mounts are refused, a command that changes something is rehearsed all the same, and changes nothing.
const cli = path.join(process.env['FORETELL_PROJECT'] ?? process.cwd(), 'dist/cli.js');
const script = 'rm -rf data; mkdir new; echo text > new/file; mv new moved; chmod 600 kept; cat moved/file; ls';

for (const place of ['docker', 'docker-none', 'no-namespaces', 'no-landlock', 'kernel-5.10']) {
  const missing = whyNoPlace(place);
  describe(`in ${place}`, { skip: missing ?? false }, () => {
    for (const identity of availableIdentities()) {
      test(`changes are rehearsed as ${identity.name}`, () => {
        const folder = temporaryFolder('supervised');
        fs.mkdirSync(path.join(folder, 'data'));
        fs.writeFileSync(path.join(folder, 'data/one'), 'one\n');
        fs.writeFileSync(path.join(folder, 'kept'), 'kept\n', { mode: 0o644 });
        for (const name of ['', 'data', 'data/one', 'kept'])
          fs.chownSync(path.join(folder, name), identity.uid, identity.uid);
        const [program = '', ...words] = [...placeWords(place), process.execPath, cli, '--json', script];
        const run = spawnSync(program, words, {
          cwd: folder,
          encoding: 'utf8',
          ...spawnAs(identity),
          env: { PATH: '/usr/bin:/bin', HOME: folder },
        });
        const prediction = JSON.parse(run.stdout);
        assert.equal(prediction.ending, 'done', run.stdout.slice(0, 2000));
        assert.equal(prediction.exitBasis, 'rehearsed');
        assert.equal(prediction.output.map((piece: { text: string }) => piece.text).join(''), 'text\nkept\nmoved\n');
        const files = prediction.files.map((file: { path: string; change: string }) => [
          path.relative(folder, file.path),
          file.change,
        ]);
        assert.deepEqual(files, [
          ['data', 'deleted'],
          ['data/one', 'deleted'],
          ['kept', 'mode'],
          ['moved', 'created'],
          ['moved/file', 'created'],
        ]);
        assert.deepEqual(fs.readdirSync(folder).sort(), ['data', 'kept']);
        assert.equal(fs.statSync(path.join(folder, 'kept')).mode & 0o777, 0o644);
      });
    }
  });
}
