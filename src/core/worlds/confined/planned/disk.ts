import { constants, realpathSync } from 'node:fs';
import { access, lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { posix } from 'node:path';
import type { FileChange, NodeType } from '../../../view/fileChange.ts';
import { decodePath, encodePath } from '../wire/bytePath.ts';
import { PathNotes } from './pathNotes.ts';

/** What stands at a path, without following a symbolic link. */
export interface DiskNode {
  type: NodeType;
  /** Permission bits. */
  mode: number;
  sizeBytes: number;
  target?: string;
  /** Where its content is on the real disk; absent of what a program would make. */
  real?: string;
  /** Its content, where that is known without reading the disk. */
  content?: Uint8Array;
}

type Entry =
  | { kind: 'gone' }
  /** It is what stands at another place of the real disk, with everything in it. */
  | { kind: 'real'; from: string }
  | { kind: 'made'; node: DiskNode };

/**
 * The real disk, and what programs that could not be run would make of it, one after the other. It is only looked at:
 * every change is a note of ours. Paths are absolute; `place` makes them so.
 */
export interface PlannedDisk {
  /** Absolute path of a word: symbolic links in its folders are followed, the last one only behind a slash at the end. */
  place(cwd: string, word: string): Promise<string>;
  node(path: string): Promise<DiskNode | undefined>;
  /** The path and the node behind symbolic links, where a write would arrive. */
  follow(path: string): Promise<{ path: string; node: DiskNode | undefined }>;
  /** Names in a folder, in no order. */
  names(path: string): Promise<string[]>;
  /** Whether the user may add, remove or rename in that folder. */
  mayChange(folder: string): Promise<boolean>;
  mayWrite(path: string): Promise<boolean>;
  /** Removes a node, a folder with everything in it. False where something of it has to stay. */
  remove(path: string): Promise<boolean>;
  /** A regular file stands there now, with this content or one that is not known. */
  write(path: string, content?: Uint8Array): Promise<void>;
  make(path: string, node: DiskNode): void;
  move(from: string, to: string): Promise<void>;
  /** Another name gets the same content: a file, or a folder with everything in it. */
  copy(from: string, to: string): Promise<void>;
  /** Paths that were touched, each the top of what changed below it. */
  touched(): string[];
  /** Whether something is mounted there or below, so that it cannot go. */
  holdsMount(path: string): Promise<boolean>;
  /** What follows counts for root: what sudo starts. */
  asRoot: boolean;
  /** These are mounted somewhere: they themselves may not go, and what is in them may where they are mounted to be written. */
  readonly held: Map<string, 'readOnly' | 'writable'>;
  /** There was too much to look at all of it. */
  isCut: boolean;
}

/** So many folders are looked into. */
const mostFolders = 20_000;
/** Of so many files and folders that have to stay it is looked whether what is in them has to. */
const mostStaying = 2_000;

/** Makes one on which `changed` has happened already. */
export function createPlannedDisk(changed: readonly FileChange[]): PlannedDisk {
  return new Disk(changed);
}

class Disk implements PlannedDisk {
  asRoot = process.getuid?.() === 0;
  isCut = false;
  readonly held = new Map<string, 'readOnly' | 'writable'>();
  private looked = 0;
  private staying = 0;
  private mounts: Promise<string[]> | undefined;
  private readonly entries = new PathNotes<Entry>();
  private readonly touchedPaths = new Set<string>();

  constructor(changed: readonly FileChange[]) {
    for (const change of changed) {
      if (change.change === 'deleted') this.entries.set(change.path, { kind: 'gone' });
      else if (change.change === 'renamed' && change.from !== undefined) {
        this.entries.set(change.path, { kind: 'real', from: change.from });
        this.entries.set(change.from, { kind: 'gone' });
      } else if (change.change !== 'mode') this.entries.set(change.path, { kind: 'made', node: nodeAfter(change) });
    }
  }

  async place(cwd: string, word: string): Promise<string> {
    const given = word.startsWith('/') ? word : `${cwd}/${word}`;
    const path = posix.resolve(given);
    if (path === '/') return '/';
    const folder = posix.dirname(path);
    const parent = this.hasEntryAbove(folder) ? folder : realFolder(folder);
    const here = posix.join(parent, posix.basename(path));
    return /\/\.?$/.test(word) ? (await this.follow(here)).path : here;
  }

  async node(path: string): Promise<DiskNode | undefined> {
    const at = this.entries.nearest(path);
    if (!at) return nodeOnDisk(path);
    const [key, entry] = at;
    if (entry.kind === 'gone') return undefined;
    if (entry.kind === 'real') return nodeOnDisk(entry.from + path.slice(key.length));
    return key === path ? entry.node : undefined;
  }

  async follow(path: string): Promise<{ path: string; node: DiskNode | undefined }> {
    let at = path;
    for (let hops = 0; hops < 20; hops++) {
      const node = await this.node(at);
      if (node?.type !== 'symlink') return { path: at, node };
      at = await this.place(posix.dirname(at), node.target ?? '');
    }
    return { path: at, node: undefined };
  }

  async names(path: string): Promise<string[]> {
    const real = this.realOf(path);
    const found = new Set(real === undefined ? [] : await namesOnDisk(real));
    const prefix = path === '/' ? '/' : `${path}/`;
    for (const name of this.entries.namesIn(path)) {
      if (await this.node(prefix + name)) found.add(name);
      else found.delete(name);
    }
    return [...found];
  }

  async mayChange(folder: string): Promise<boolean> {
    if (this.isReadOnly(folder)) return false;
    const real = this.realOf(folder);
    return real === undefined || this.may(real, constants.W_OK | constants.X_OK);
  }

  async mayWrite(path: string): Promise<boolean> {
    if (this.isReadOnly(path)) return false;
    const real = this.realOf(path);
    return real === undefined || this.may(real, constants.W_OK);
  }

  /** The innermost of what is mounted around it decides. */
  private isReadOnly(path: string): boolean {
    if (this.held.size === 0) return false;
    const around = [...this.held.keys()].filter(
      (one) => path === one || path.startsWith(one === '/' ? one : `${one}/`),
    );
    const innermost = around.sort((a, b) => b.length - a.length)[0];
    return innermost !== undefined && this.held.get(innermost) === 'readOnly';
  }

  // Immutable files and read-only file systems are refused to root as well: EPERM and EROFS, not EACCES (access(2)).
  private async may(real: string, what: number): Promise<boolean> {
    const code = await access(encodePath(real), what).then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error.code,
    );
    return code === undefined || (code === 'EACCES' && this.asRoot);
  }

  async remove(path: string): Promise<boolean> {
    if (path === '/') return false;
    const folder = posix.dirname(path);
    const node = await this.node(path);
    if (!node) return true;
    const isFree = (await this.mayChange(folder)) && (await this.mayUnlink(folder, path)) && !this.held.has(path);
    this.staying += isFree ? 0 : 1;
    if (this.staying > mostStaying) this.isCut = true;
    if (!isFree && (node.type !== 'directory' || this.isCut)) return false;
    // What is in a folder goes also where the folder itself has to stay.
    if (node.type === 'directory' && !(isFree && (await this.isRemovable(path)))) {
      if (/^\/(proc|sys)(\/|$)/.test(path)) return false;
      for (const name of await this.names(path)) if (!this.isCut) await this.remove(posix.join(path, name));
      return false;
    }
    this.entries.forgetBelow(path);
    this.set(path, { kind: 'gone' });
    return true;
  }

  private async mayUnlink(folder: string, path: string): Promise<boolean> {
    const [real, parent] = [this.realOf(path), this.realOf(folder)];
    if (real === undefined || parent === undefined) return true;
    const [status, around] = [await statusOf(real), await statusOf(parent)];
    if (!status || !around) return true;
    if (status.isFile() && !(await this.isMutable(real))) return false;
    // The sticky bit: only the owner of the file or of the folder may (unlink(2)).
    const uid = process.getuid?.() ?? -1;
    return this.asRoot || (around.mode & 0o1000) === 0 || status.uid === uid || around.uid === uid;
  }

  private async isMutable(real: string): Promise<boolean> {
    return access(encodePath(real), constants.W_OK).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code !== 'EPERM' && error.code !== 'EROFS',
    );
  }

  /** Whether a folder could go with everything in it. */
  private async isRemovable(path: string): Promise<boolean> {
    // The kernel's own file systems are no place for files of anybody.
    if (/^\/(proc|sys)(\/|$)/.test(path) || this.held.has(path)) return false;
    this.looked += 1;
    if (this.looked > mostFolders) {
      this.isCut = true;
      return true;
    }
    const names = await this.names(path);
    if (names.length === 0) return true;
    if (!(await this.mayChange(path))) return false;
    for (const name of names) {
      const child = `${path}/${name}`;
      if ((await this.node(child))?.type === 'directory' && !(await this.isRemovable(child))) return false;
    }
    return true;
  }

  async write(path: string, content?: Uint8Array): Promise<void> {
    const before = await this.node(path);
    const mode = before?.type === 'file' ? before.mode : 0o644;
    const node: DiskNode = { type: 'file', mode, sizeBytes: content?.length ?? 0 };
    if (content) node.content = content;
    this.make(path, node);
  }

  make(path: string, node: DiskNode): void {
    this.entries.forgetBelow(path);
    this.set(path, { kind: 'made', node });
  }

  async move(from: string, to: string): Promise<void> {
    await this.copy(from, to);
    this.entries.forgetBelow(from);
    this.set(from, { kind: 'gone' });
  }

  async copy(from: string, to: string): Promise<void> {
    const node = await this.node(from);
    if (!node) return;
    const real = this.realOf(from);
    this.entries.copyBelow(from, to);
    this.set(to, real === undefined ? { kind: 'made', node } : { kind: 'real', from: real });
  }

  async holdsMount(path: string): Promise<boolean> {
    this.mounts ??= mountPoints();
    return (await this.mounts).some((mount) => mount === path || mount.startsWith(`${path}/`));
  }

  touched(): string[] {
    return [...this.touchedPaths].sort();
  }

  private set(path: string, entry: Entry): void {
    this.entries.set(path, entry);
    this.touchedPaths.add(path);
  }

  private hasEntryAbove(path: string): boolean {
    return this.entries.nearest(path) !== undefined;
  }

  /** Where that is on the real disk; `undefined` of what is not there. */
  private realOf(path: string): string | undefined {
    const at = this.entries.nearest(path);
    if (!at) return path;
    const [key, entry] = at;
    return entry.kind === 'real' ? entry.from + path.slice(key.length) : undefined;
  }
}

function nodeAfter(change: FileChange): DiskNode {
  const node: DiskNode = { type: change.type, mode: Number.parseInt(change.mode, 8), sizeBytes: change.sizeBytes };
  if (change.target !== undefined) node.target = change.target;
  return node;
}

function statusOf(path: string) {
  return lstat(encodePath(path)).catch(() => undefined);
}

/** What stands at a path of the real disk. */
export async function nodeOnDisk(path: string): Promise<DiskNode | undefined> {
  const status = await statusOf(path);
  if (!status) return undefined;
  const mode = status.mode & 0o7777;
  if (status.isDirectory()) return { type: 'directory', mode, sizeBytes: 0, real: path };
  if (status.isFile()) return { type: 'file', mode, sizeBytes: status.size, real: path };
  if (!status.isSymbolicLink()) return { type: 'other', mode, sizeBytes: 0, real: path };
  const target = decodePath(await readlink(encodePath(path), 'buffer').catch(() => Buffer.alloc(0)));
  return { type: 'symlink', mode, sizeBytes: status.size, target, real: path };
}

/** Names in a folder of the real disk; none where it cannot be read. */
export async function namesOnDisk(path: string): Promise<string[]> {
  const names = await readdir(encodePath(path), { encoding: 'buffer' }).catch(() => []);
  return names.map(decodePath);
}

// proc(5): the fifth field, with blanks as octal numbers.
async function mountPoints(): Promise<string[]> {
  const text = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '');
  const points = text.split('\n').flatMap((line) => line.split(' ')[4] ?? []);
  return points.map((point) =>
    point.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8))),
  );
}

function realFolder(folder: string): string {
  try {
    return decodePath(realpathSync.native(encodePath(folder), 'buffer'));
  } catch {
    return folder;
  }
}
