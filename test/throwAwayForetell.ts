import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { createForetell, type Foretell } from '../src/core/foretell.ts';
import { launcherPath } from '../src/core/launcherPath.ts';

/**
 * The built engine and a new folder for the tests of one file; both are gone after its last test. `name`: what the folder is
 * called. `keepsShells`: it has a place for the state of interactive shells, `storage` in the folder.
 */
export function throwAwayForetell(
  name: string,
  { spareLaunchers, keepsShells = false }: { spareLaunchers?: number; keepsShells?: boolean } = {},
): { foretell: Foretell; folder: string } {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), `foretell-${name}-`)));
  const foretell = createForetell({
    launcher: launcherPath(path.resolve('dist')),
    ...(spareLaunchers === undefined ? {} : { spareLaunchers }),
    ...(keepsShells ? { storageFolder: path.join(folder, 'storage') } : {}),
  });
  after(async () => {
    await foretell.dispose();
    fs.rmSync(folder, { recursive: true, force: true });
  });
  return { foretell, folder };
}
