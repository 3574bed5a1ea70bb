import path from 'node:path';

/** Where the launcher of this machine lies in the folder that holds the built files. */
export function launcherPath(distFolder: string): string {
  return path.join(distFolder, 'native', `confine-linux-${process.arch === 'arm64' ? 'arm64' : 'x64'}`);
}
