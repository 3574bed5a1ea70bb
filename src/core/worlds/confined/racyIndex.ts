import fs from 'node:fs';
import path from 'node:path';
import { gitCommandOf } from '../../programs/gitCommand.ts';
import type { StaticProgram } from '../../shell/evaluated.ts';
import { readRegularFile } from '../../view/regularFile.ts';
import { gitFolderAbove } from './gitHooks.ts';

/** Subcommands that read, and write the index anew where its times are in doubt. */
const refreshes = /^(?:status|diff)$/;

/** A larger index is not read for a guess. In bytes: some 10,000 files. */
const mostBytes = 1024 ** 2;

/**
 * Whether git would write the index although it was only asked: a file was changed in the second in which the index was
 * written, so that git writes it again (`has_racy_timestamp` in its read-cache.c). A guess that decides which runs are begun; no
 * fact rests on it.
 */
export function mayRefreshIndex(programs: readonly StaticProgram[], cwd: string): boolean {
  return programs.some(({ argv, cwd: own }) => {
    const call = gitCommandOf(argv, own ?? cwd);
    return call !== undefined && refreshes.test(call.command) && hasRacyIndex(call.cwd);
  });
}

function hasRacyIndex(cwd: string): boolean {
  try {
    const git = gitFolderAbove(cwd);
    if (git === undefined) return false;
    const file = path.join(git, 'index');
    const { mtimeMs } = fs.statSync(file);
    const index = readRegularFile(file, mostBytes);
    return index !== undefined && latestTime(index) >= Math.floor(mtimeMs / 1000);
  } catch {
    return false;
  }
}

/** Latest time of a file in an index, in seconds; 0 where it is of a form that is not read here (gitformat-index(5)). */
function latestTime(index: Buffer): number {
  const version = index.readUInt32BE(4);
  if (index.toString('latin1', 0, 4) !== 'DIRC' || (version !== 2 && version !== 3)) return 0;
  let latest = 0;
  let at = 12;
  for (let left = index.readUInt32BE(8); left > 0; left -= 1) {
    latest = Math.max(latest, index.readUInt32BE(at + 8));
    const flags = index.readUInt16BE(at + 60);
    const end = index.indexOf(0, at + (flags & 0x4000 ? 64 : 62));
    if (end < 0) break;
    // An entry is padded with 1 to 8 NULs to a multiple of 8 bytes.
    at = end + 8 - ((end - at) % 8);
  }
  return latest;
}
