import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

let own: string | undefined;

/**
 * A new folder for a test, which everybody may enter, below one of this process: so tests that run side by side do not
 * change each other's surroundings, and nothing is left when the process ends, whatever failed.
 */
export function temporaryFolder(name: string): string {
  if (own === undefined) {
    own = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-tests-')));
    // As /tmp itself: users make what belongs to them beside their folder.
    fs.chmodSync(own, 0o1777);
    goneAtExit(own);
  }
  const folder = fs.mkdtempSync(path.join(own, `${name}-`));
  fs.chmodSync(folder, 0o755);
  return folder;
}

const passing: string[] = [];

/** Takes a folder away when this process ends, also by an interruption or because it takes too long. */
export function goneAtExit(folder: string): void {
  passing.push(folder);
  if (passing.length > 1) return;
  // Not by Node: what tests leave can be deeper than a path is long.
  process.once('exit', () => spawnSync('rm', ['-rf', ...passing], { stdio: 'ignore' }));
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    process.once(signal, () => process.exit(code));
}
