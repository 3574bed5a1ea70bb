import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';

const cli = path.resolve('dist/cli.js');

/** What the command line says of arguments on each stream. */
function run(PATH: string, ...args: string[]): { stdout: string; stderr: string } {
  const env = { PATH, HOME: '/nonexistent', XDG_CACHE_HOME: '/nonexistent', LC_ALL: 'C.UTF-8' };
  return spawnSync(process.execPath, [cli, ...args], { cwd: '/', env, encoding: 'utf8' });
}

test('a word of ours with arguments that are none of its own is predicted as a command, and says so', () => {
  for (const args of [
    ['allow', 'ZZZ'],
    ['restore', '99 of them'],
  ]) {
    const { stdout, stderr } = run('/usr/bin:/bin', ...args);
    assert.match(
      stderr,
      new RegExp(`^foretell: This is no call of foretell ${args[0]}, .* it is predicted as a command\\.\n$`),
    );
    assert.match(stdout, /command not found/);
  }
});

test('a program that is called as a word of ours is predicted without a remark', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-slips-'));
  try {
    fs.writeFileSync(path.join(folder, 'allow'), '#!/bin/sh\necho it is mine\n', { mode: 0o755 });
    const { stdout, stderr } = run(`${folder}:/usr/bin:/bin`, 'allow', 'ZZZ');
    assert.equal(stderr, '');
    assert.match(stdout, /it is mine|allow/);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
});
