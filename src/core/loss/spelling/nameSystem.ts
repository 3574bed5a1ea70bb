import fs from 'node:fs/promises';

/** A node of the file system: which one it is, and where it points if it is a symbolic link. */
export interface NamedNode {
  /** The same for two names of one file. */
  identity: string;
  target?: string;
}

/** One mount: the folder `root` of a file system is seen at `place`. */
export interface Mount {
  /** Tells file systems apart. */
  device: string;
  root: string;
  place: string;
}

/** What is asked of a file system about names; links are never followed. A test gives its own. */
export interface NameSystem {
  node(path: string): Promise<NamedNode | undefined>;
  /** Names in a folder as it lists them, and whether each is a link; `undefined` where it cannot be listed. */
  names(folder: string): Promise<ReadonlyMap<string, boolean> | undefined>;
  mounts(): Promise<readonly Mount[]>;
}

/** The file system of this machine, before the action. Every folder is listed once. */
export function realNames(): NameSystem {
  const listed = new Map<string, Promise<ReadonlyMap<string, boolean> | undefined>>();
  return {
    async node(path) {
      try {
        const status = await fs.lstat(path, { bigint: true });
        const identity = `${status.dev}:${status.ino}`;
        return status.isSymbolicLink() ? { identity, target: await fs.readlink(path) } : { identity };
      } catch {
        return undefined;
      }
    },
    names(folder) {
      const known = listed.get(folder) ?? list(folder);
      listed.set(folder, known);
      return known;
    },
    async mounts() {
      try {
        return readMounts(await fs.readFile('/proc/self/mountinfo', 'utf8'));
      } catch {
        return [];
      }
    },
  };
}

async function list(folder: string): Promise<ReadonlyMap<string, boolean> | undefined> {
  try {
    const entries = await fs.readdir(folder, { withFileTypes: true });
    return new Map(entries.map((entry) => [entry.name, entry.isSymbolicLink()]));
  } catch {
    return undefined;
  }
}

/** proc_pid_mountinfo(5): `36 35 98:0 /root /place options …`, with blanks and backslashes as octal numbers. */
export function readMounts(text: string): Mount[] {
  const plain = (word: string) =>
    word.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
  return text.split('\n').flatMap((line) => {
    const [, , device, root, place] = line.split(' ');
    return device && root && place ? [{ device, root: plain(root), place: plain(place) }] : [];
  });
}
