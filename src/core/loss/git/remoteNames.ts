import { readdir, readFile, stat } from 'node:fs/promises';
import { below } from '../bytePath.ts';

/** A longer list of packed names is left to git, in bytes. */
const longList = 1024 * 1024;

/**
 * Whether a repository may have names of a remote's branches. Git keeps names as files below `refs` and as lines of
 * `packed-refs`; where neither has one, it need not be asked. Yes where this cannot be seen.
 *
 * @param commonFolder Where its refs live, absolute.
 */
export async function mayHaveRemoteNames(commonFolder: string): Promise<boolean> {
  try {
    // Where names are kept in another way, `refs/heads` is a file.
    if (!(await stat(below(commonFolder, 'refs/heads'))).isDirectory()) return true;
    const loose = await readdir(below(commonFolder, 'refs/remotes')).catch(unlessMissing);
    return (loose !== undefined && loose.length > 0) || (await hasPacked(below(commonFolder, 'packed-refs')));
  } catch {
    return true;
  }
}

async function hasPacked(file: string): Promise<boolean> {
  const status = await stat(file).catch(unlessMissing);
  if (!status) return false;
  return !status.isFile() || status.size > longList || (await readFile(file, 'latin1')).includes(' refs/remotes/');
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
