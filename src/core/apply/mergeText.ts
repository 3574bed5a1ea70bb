import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * What two versions of a text have become of a third, by `git merge-file`; `undefined` where both changed the same lines, or
 * where they are no texts.
 */
export async function mergeText(
  base: Uint8Array,
  ours: Uint8Array,
  theirs: Uint8Array,
): Promise<Uint8Array | undefined> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-merge-'));
  try {
    const names = ['ours', 'base', 'theirs'] as const;
    const contents = { ours, base, theirs };
    for (const name of names) fs.writeFileSync(path.join(folder, name), contents[name], { mode: 0o600 });
    return await run(folder, names);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function run(folder: string, names: readonly string[]): Promise<Uint8Array | undefined> {
  return new Promise((resolve) => {
    const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
    const child = spawn('git', ['merge-file', '-p', '-q', ...names], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const pieces: Buffer[] = [];
    child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
    child.on('error', () => resolve(undefined));
    // Its status is the number of conflicts, or one above 127 where it failed.
    child.on('close', (code) => resolve(code === 0 ? Buffer.concat(pieces) : undefined));
  });
}
