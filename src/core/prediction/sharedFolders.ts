import os from 'node:os';
import path from 'node:path';
import type { PredictRequest } from './rehearsal.ts';

/** Where a run is made. */
export interface RunPlace {
  /** Folders of the workspace, and where the command is run: absolute. */
  folders: readonly string[];
  home: string;
  /** Folder of the machine for temporary files. */
  temporary: string;
}

/** Where the run of a request is made. */
export function runPlaceOf({ workspaceFolders, cwd, home, env }: PredictRequest): RunPlace {
  return { folders: [...workspaceFolders, cwd], home, temporary: env['TMPDIR'] ?? os.tmpdir() };
}

/**
 * Folders that everybody changes: the home folder, those for temporary files, and what is above the workspace. Their times are no inputs
 * that are remembered, since they would never be the same; so they are others in the run that looks for what varies.
 */
export function sharedFolders({ folders, home, temporary }: RunPlace): Set<string> {
  const shared = new Set(['/', '/tmp', '/var/tmp', '/dev/shm', home, temporary]);
  for (const folder of folders)
    for (let at = path.dirname(folder); !shared.has(at); at = path.dirname(at)) shared.add(at);
  return shared;
}
