import { realpath } from 'node:fs/promises';
import { posix } from 'node:path';
import { versionCommand, versionLines } from './gatherStable.ts';
import { pathKind, readPlainFile } from './plainFiles.ts';

/** What tells the version of a program without starting it. */
export interface ToolVersion {
  /** A file that is shown as it is. */
  read?: { path: string; text: string };
  /** A command and what it prints. */
  run?: { command: string; text: string };
  /** A package of the system that has its name: dpkg can be asked. */
  packageName?: string;
}

const mostBytes = 4 * 1024;
/** Beside the folder of a program: of virtual environments of Python, of Go, of Java. */
const besideFolder = ['pyvenv.cfg', 'VERSION', 'release'];
const mostFolders = 4;

/**
 * Reads what stands beside the file of a program: the settings of its environment, the version of its distribution, the manifest of
 * its package. Nothing is started. `path`: the value of `PATH` that it is looked up with.
 */
export async function toolVersion(argv0: string, cwd: string, path: string): Promise<ToolVersion | undefined> {
  const file = await fileOf(argv0, cwd, path);
  if (file === undefined) return undefined;
  const real = await realpath(file).catch(() => file);
  for (const place of new Set([file, real])) {
    const above = posix.dirname(posix.dirname(place));
    for (const name of besideFolder) {
      const beside = posix.join(above, name);
      const found = await readPlainFile(beside, { maxBytes: mostBytes });
      if (found.ok && found.missingBytes === 0 && found.text !== '')
        return { read: { path: beside, text: found.text } };
    }
  }
  const manifest = await manifestOf(real);
  if (manifest) return manifest;
  const name = posix.basename(argv0);
  const isPackage =
    /^[a-z0-9][a-z0-9+.-]*$/.test(name) && (await pathKind(`/var/lib/dpkg/info/${name}.list`)) === 'file';
  return isPackage ? { packageName: name } : undefined;
}

async function fileOf(argv0: string, cwd: string, path: string): Promise<string | undefined> {
  if (argv0.includes('/')) return posix.resolve(cwd, argv0);
  for (const folder of path.split(':')) {
    const file = posix.resolve(cwd, folder, argv0);
    if ((await pathKind(file)) === 'file') return file;
  }
  return undefined;
}

/** The manifest of the package of Node that a program is in. */
async function manifestOf(file: string): Promise<ToolVersion | undefined> {
  let folder = posix.dirname(file);
  for (let level = 0; level < mostFolders && file.includes('/node_modules/'); level += 1) {
    const path = posix.join(folder, 'package.json');
    const found = await readPlainFile(path, { maxBytes: 64 * 1024 });
    const lines = found.ok ? versionLines(found.text) : [];
    if (lines.length > 0)
      return { run: { command: `${versionCommand} ${path}`, text: lines.map((line) => `${line}\n`).join('') } };
    folder = posix.dirname(folder);
  }
  return undefined;
}
