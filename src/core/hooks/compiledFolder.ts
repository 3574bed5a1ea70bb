import path from 'node:path';

/**
 * Where is kept what V8 compiled of us: with the user's caches (XDG Base Directory Specification); `undefined` where nobody says
 * where they are. It is run, so no agent may write there.
 */
export function compiledFolder(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const { XDG_CACHE_HOME: caches, HOME: home } = env;
  const folder = caches ?? (home === undefined ? undefined : path.join(home, '.cache'));
  return folder !== undefined && path.isAbsolute(folder) ? path.join(folder, 'foretell', 'compiled') : undefined;
}
