import path from 'node:path';

/** Where the launcher of this machine lies in the folder that holds the built files; only for Linux there is one. */
export function launcherPath(distFolder: string, platform: NodeJS.Platform = process.platform): string {
  return path.join(distFolder, 'native', `confine-${platform}-${process.arch === 'arm64' ? 'arm64' : 'x64'}`);
}
