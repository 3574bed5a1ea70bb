import fs from 'node:fs';
import path from 'node:path';
import { quoteWord } from '../../core/shell/quoteWord.ts';

/**
 * How agents call the hook of this installation, as a line of sh: by its name where that leads to it, else by its path, with the
 * program that runs it. `distFolder`: of the built command line.
 */
export function hookProgram(distFolder: string, env: Readonly<Record<string, string | undefined>>): string {
  const script = path.join(distFolder, 'hook.js');
  for (const folder of (env['PATH'] ?? '').split(path.delimiter)) {
    const found = path.join(folder, 'foretell-hook');
    if (path.isAbsolute(folder) && fs.existsSync(found)) {
      if (fs.realpathSync(found) === fs.realpathSync(script)) return 'foretell-hook';
      break;
    }
  }
  const call = `${quoteWord(process.execPath)} ${quoteWord(script)}`;
  // The editor's own program runs scripts only where it is told to.
  return process.versions['electron'] === undefined ? call : `ELECTRON_RUN_AS_NODE=1 ${call}`;
}
