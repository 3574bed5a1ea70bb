import path from 'node:path';
import { homeFolder } from './user.ts';

/**
 * Where is kept what can be made again: the state of the user's shell, replies, what V8 compiled of us (XDG Base Directory
 * Specification; a variable that is empty or no absolute path says nothing). Absolute; not made yet.
 */
export function cacheFolder(env: Readonly<Record<string, string | undefined>>): string {
  const caches = env['XDG_CACHE_HOME'] ?? '';
  return path.join(path.isAbsolute(caches) ? caches : path.join(homeFolder(env), '.cache'), 'foretell');
}
