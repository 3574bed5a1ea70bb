import fs from 'node:fs';
import path from 'node:path';
import { homeFolder } from '../context/user.ts';
import { writeWhole } from '../view/writeWhole.ts';

/** An installation that the static client can lead to. */
export interface Installation {
  /** Of the built command line, absolute. */
  distFolder: string;
  version: string;
  /** The program that runs Node's scripts, absolute. */
  node: string;
  /** It is an editor, which has to be told. */
  isElectron: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

const programs = ['foretell-hook', 'foretell', 'foretell-enter'] as const;

/**
 * Where the static client lies for this user: settings of agents name it, so it stays where it is when Foretell is updated (XDG
 * Base Directory Specification).
 */
export function clientFolder(env: Environment): string {
  const configured = env['XDG_DATA_HOME'];
  const folder =
    configured !== undefined && path.isAbsolute(configured)
      ? configured
      : path.join(homeFolder(env), '.local', 'share');
  return path.join(folder, 'foretell', 'bin');
}

/** The static client for this machine, as it was built; `undefined` where there is none. */
export function builtClient(distFolder: string): string | undefined {
  const file = path.join(distFolder, 'native', `client-linux-${process.arch === 'arm64' ? 'arm64' : 'x64'}`);
  return process.platform === 'linux' && fs.existsSync(file) ? file : undefined;
}

/**
 * Puts the client into its place, which leads to this installation from now on; each file is replaced as a whole. Gives the path
 * of `foretell-hook`; `undefined` where it cannot be written, or not be run from there.
 */
export function installClient(installation: Installation, env: Environment): string | undefined {
  const built = builtClient(installation.distFolder);
  const text = installationText(installation);
  if (built === undefined || text === undefined) return undefined;
  const folder = clientFolder(env);
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const binary = fs.readFileSync(built);
    // What it leads to is there before it is.
    writeWhole(path.join(folder, 'installation'), text, 0o600);
    for (const name of programs) {
      const file = path.join(folder, name);
      if (!isSame(file, binary)) writeWhole(file, binary, 0o700);
      fs.accessSync(file, fs.constants.X_OK);
    }
    return path.join(folder, 'foretell-hook');
  } catch {
    return undefined;
  }
}

/** Where the client is installed and leads to an older version, or to one that is gone, it leads to this one from now on. */
export function refreshClient(installation: Installation, env: Environment): void {
  const [, node = '', distFolder = '', , version = ''] = (
    readText(path.join(clientFolder(env), 'installation')) ?? ''
  ).split('\n');
  if (distFolder === '') return;
  const isThere = fs.existsSync(node) && fs.existsSync(path.join(distFolder, 'cli.js'));
  const isOlder = version.localeCompare(installation.version, 'en', { numeric: true }) < 0;
  if (!isThere || isOlder) installClient(installation, env);
}

/** Lines, as `src/native/client/itself.c` reads them. */
function installationText({ distFolder, version, node, isElectron }: Installation): string | undefined {
  const lines = ['foretell 1', node, distFolder, isElectron ? 'ELECTRON_RUN_AS_NODE=1' : '', version];
  return lines.some((line) => line.includes('\n')) ? undefined : `${lines.join('\n')}\n`;
}

function readText(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function isSame(file: string, bytes: Buffer): boolean {
  try {
    return fs.readFileSync(file).equals(bytes);
  } catch {
    return false;
  }
}
