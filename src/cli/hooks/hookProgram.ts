import fs from 'node:fs';
import path from 'node:path';
import { version } from '../../../package.json';
import { builtClient, clientFolder, installClient } from '../../core/hooks/staticClient.ts';
import { foundOnPath } from '../../core/shell/foundOnPath.ts';
import { quoteWord } from '../../core/shell/quoteWord.ts';

/**
 * How agents call the hook of this installation, as a line of sh: by the static client where there is one, else by its name where
 * that leads to it, else by its path, with the program that runs it. `distFolder`: of the built command line.
 */
export function hookProgram(distFolder: string, env: Readonly<Record<string, string | undefined>>): string {
  if (builtClient(distFolder) !== undefined) return quoteWord(path.join(clientFolder(env), 'foretell-hook'));
  const script = path.join(distFolder, 'hook.js');
  const found = foundOnPath('foretell-hook', env);
  if (found !== undefined && fs.realpathSync(found) === fs.realpathSync(script)) return 'foretell-hook';
  const call = `${quoteWord(process.execPath)} ${quoteWord(script)}`;
  // The editor's own program runs scripts only where it is told to.
  return process.versions['electron'] === undefined ? call : `ELECTRON_RUN_AS_NODE=1 ${call}`;
}

/**
 * The same for settings that others share: whoever has Foretell is answered by their own, by the place of the static client or by
 * its name, and for whoever has none the call is made as if there were no hook. Names no folder of this user.
 */
export const sharedProgram = `sh -c ${quoteWord(
  [
    `f="\${XDG_DATA_HOME:-$HOME/.local/share}/foretell/bin/foretell-hook"`,
    '[ -x "$f" ] || f=$(command -v foretell-hook) || exit 0',
    'exec "$f" "$@"',
  ].join('; '),
)} foretell-hook`;

/** Puts the static client into its place, where `hookProgram` names it; false: it cannot be put there. */
export function provideProgram(distFolder: string, env: Readonly<Record<string, string | undefined>>): boolean {
  if (builtClient(distFolder) === undefined) return true;
  const isElectron = process.versions['electron'] !== undefined;
  return installClient({ distFolder, version, node: process.execPath, isElectron }, env) !== undefined;
}
