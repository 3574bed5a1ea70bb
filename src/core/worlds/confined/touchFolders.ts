import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import type { PredictRequest } from '../../prediction/rehearsal.ts';
import { runPlaceOf, sharedFolders } from '../../prediction/sharedFolders.ts';
import type { Launcher } from './wire/launcher.ts';

/** A name that nobody else takes; it is gone before anything runs. */
const passing = '.foretell-passing';

/**
 * Gives the folders that everybody changes other times in a copy, and what else a copy of a folder has differently. What a run makes of
 * them then differs from another run.
 */
export async function touchFolders(launcher: Launcher, request: PredictRequest): Promise<void> {
  const folders = sharedFolders(runPlaceOf(request));
  const own = [...folders].filter((folder) => path.isAbsolute(folder) && folder !== '/');
  await Promise.all(
    own.map(async (folder) => {
      const name = path.join(folder, passing);
      // Where nothing can be made, or something of that name stands, nothing is done. That is asked of the machine: a folder that was
      // looked at in the view before the launcher made it ready (`parents.c`) could not be written below.
      if (!(await mayMake(folder)) || (await launcher.stat(name, 'before'))) return;
      if ((await launcher.put(name, 'file', new Uint8Array())) === undefined)
        await launcher.put(name, 'delete', new Uint8Array());
    }),
  );
}

async function mayMake(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
}
