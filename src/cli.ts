import path from 'node:path';
import type { main } from './cli/main.ts';
import { loadCompiled } from './cli/start/loadCompiled.ts';

/** With the user's caches (XDG Base Directory Specification); where nobody says where they are, nothing is kept. */
function compiledFolder({ XDG_CACHE_HOME: caches, HOME: home }: NodeJS.ProcessEnv): string | undefined {
  const folder = caches ?? (home === undefined ? undefined : path.join(home, '.cache'));
  return folder !== undefined && path.isAbsolute(folder) ? path.join(folder, 'foretell', 'compiled') : undefined;
}

const program = loadCompiled(path.join(__dirname, 'main.js'), compiledFolder(process.env));
const { main: run } = program.exports as { main: typeof main };
void run(() => program.keep()).then((code) => process.exit(code));
