import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import type { ShellName } from '../src/core/action/action.ts';
import { createForetell, type Foretell, type ForetellRequest, foldAll } from '../src/core/foretell.ts';
import { launcherPath } from '../src/core/launcherPath.ts';
import type { Prediction } from '../src/core/prediction/prediction.ts';

type Also = { shell?: ShellName } & Pick<ForetellRequest, 'interactive' | 'terminal'>;

/**
 * The built engine and a new folder for the tests of one file; both are gone after its last test. `name`: what the folder is
 * called. `keepsShells`: it has a place for the state of interactive shells, `storage` in the folder. `workspace` makes a
 * new folder in it with these files (text by path; what begins with `#!` may be executed) and gives its path. `predicted`: what
 * is predicted of a script in a folder, with these variables and nothing else; of bash, where no other shell is named. `also`: more of the request.
 */
export function throwAwayForetell(
  name: string,
  { spareLaunchers, keepsShells = false }: { spareLaunchers?: number; keepsShells?: boolean } = {},
): {
  foretell: Foretell;
  launcher: string;
  folder: string;
  workspace(files: Readonly<Record<string, string>>): string;
  predicted(script: string, cwd: string, env: Readonly<Record<string, string>>, also?: Also): Promise<Prediction>;
} {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), `foretell-${name}-`)));
  const launcher = launcherPath(path.resolve('dist'));
  const foretell = createForetell({
    launcher,
    ...(spareLaunchers === undefined ? {} : { spareLaunchers }),
    ...(keepsShells ? { storageFolder: path.join(folder, 'storage') } : {}),
  });
  after(async () => {
    await foretell.dispose();
    fs.rmSync(folder, { recursive: true, force: true });
  });
  let count = 0;
  const workspace = (files: Readonly<Record<string, string>>) => {
    const place = path.join(folder, `workspace${count++}`);
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(place, name);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
    }
    return place;
  };
  const predicted = async (
    script: string,
    cwd: string,
    env: Readonly<Record<string, string>>,
    { shell = 'bash', ...also }: Also = {},
  ) => {
    const action = { kind: 'command', script, shell, cwd } as const;
    const { signal } = new AbortController();
    const settings = { action, env, hash: false, workspaceFolders: [cwd], ...also, signal };
    const { events, view } = foretell.predict(settings);
    try {
      return await foldAll(action, events);
    } finally {
      await view.close();
    }
  };
  return { foretell, launcher, folder, workspace, predicted };
}
