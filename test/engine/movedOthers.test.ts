import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { availableIdentities, spawnAs } from '../hostile/identity.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

/**
 * Whoever may rename a folder does so whatever lies in it. Overlays complete that by copying, which an ordinary user cannot
 * where something of others lies in it: then it is not claimed that the renaming fails.
 */

const cli = path.resolve('dist/cli.js');
const skip = process.getuid?.() !== 0 && 'only root can make files of others';
// A program that keeps the refusal to itself.
const script = `python3 -c 'import os
try: os.rename("folder", "moved"); print("moved")
except OSError as e: print(e.errno)'`;

/** What somebody else has in the folder: names, their modes, and text where it is a file. */
const others: Readonly<Record<string, readonly [name: string, mode: number, text?: string][]>> = {
  'a file that nobody else may read': [['private', 0o600, 'secret\n']],
  'a folder that nobody else may empty': [
    ['theirs', 0o755],
    ['theirs/file', 0o644, 'stays\n'],
  ],
  'a folder that nobody else may list': [['closed', 0o700]],
};

describe('a folder with something of others is moved', { skip }, () => {
  for (const engine of [undefined, 'overlays', 'supervision'])
    for (const [what, nodes] of Object.entries(others))
      test(`${what}, by ${engine ?? 'what the engine chooses'}`, () => {
        const [user] = availableIdentities();
        assert.ok(user);
        const cwd = temporaryFolder('moved-others');
        fs.mkdirSync(path.join(cwd, 'folder'));
        fs.writeFileSync(path.join(cwd, 'folder/mine'), 'mine\n');
        for (const name of ['', 'folder', 'folder/mine']) fs.chownSync(path.join(cwd, name), user.uid, user.gid);
        for (const [name, mode, text] of nodes) {
          const node = path.join(cwd, 'folder', name);
          if (text === undefined) fs.mkdirSync(node);
          else fs.writeFileSync(node, text);
          fs.chmodSync(node, mode);
        }
        const env = { PATH: '/usr/bin:/bin', HOME: cwd, XDG_CACHE_HOME: '/nonexistent', LC_ALL: 'C.UTF-8' };
        const found = spawnSync(process.execPath, [cli, '--json', script], {
          cwd,
          env: engine ? { ...env, FORETELL_ENGINE: engine } : env,
          encoding: 'utf8',
          ...spawnAs(user),
        });
        const prediction = JSON.parse(found.stdout) as { ending: string; output: { text: string }[] };
        const text = prediction.output.map((piece) => piece.text).join('');
        if (prediction.ending === 'done') assert.equal(text, 'moved\n');
        // Nobody can be told what lies in a folder that he may not list.
        else if (engine !== 'overlays') assert.equal(what, 'a folder that nobody else may list', found.stdout);
      });
});
