import { stat } from 'node:fs/promises';
import { posix } from 'node:path';
import { gitCommandOf } from '../../../programs/gitCommand.ts';
import type { RecordedProgram, RunRecord } from '../wire/runRecord.ts';

/** The code with which git dies, also where it finds no repository (git's usage.c). */
const died = 128;

/** git may have found no repository because the parts of a view of overlays are different file systems. */
export function mayMissRepository({ argv, cwd, exitCode }: RecordedProgram): boolean {
  return exitCode === died && gitCommandOf(argv, cwd) !== undefined;
}

/**
 * git looks for a repository upwards, and stops where the device of a folder is another one (git's setup.c). True where it
 * may have stopped in a view of overlays, and really the folders up to the root are on one device: told not to mind
 * (`GIT_DISCOVERY_ACROSS_FILESYSTEM`), it then says what it really says.
 */
export async function stopsAtViewBoundary(record: RunRecord): Promise<boolean> {
  const missed = record.programs.filter(mayMissRepository);
  const isOne = await Promise.all(missed.map(({ argv, cwd }) => isOneDevice(gitCommandOf(argv, cwd)?.cwd ?? cwd)));
  return missed.length > 0 && isOne.every((one) => one);
}

/** Folders that are not there yet are on the device of those above them. */
async function isOneDevice(folder: string): Promise<boolean> {
  const devices = new Set<number>();
  for (let at = folder; ; at = posix.dirname(at)) {
    const found = await stat(at).catch(() => undefined);
    if (found) devices.add(found.dev);
    if (at === posix.dirname(at)) return devices.size === 1;
  }
}
