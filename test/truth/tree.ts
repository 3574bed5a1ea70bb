import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  type Dirent,
  lchownSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';

/**
 * A path below the root of a tree, as bytes in a string (Latin-1), because file names are bytes.
 * `''` is the root itself.
 */
export type BytePath = string;

export type NodeKind = 'file' | 'directory' | 'symlink' | 'other';

/** What `lstat` says about one node, with the times that betray any touch. */
export interface TreeNode {
  type: NodeKind;
  /** Permission bits, 07777. */
  mode: number;
  uid: number;
  gid: number;
  sizeBytes: number;
  links: number;
  inode: bigint;
  mtimeNanos: bigint;
  ctimeNanos: bigint;
  /** Target of a symbolic link, as bytes. */
  target?: string;
}

/** Every node below a root by its path; parents stand before their children. */
export type Tree = Map<BytePath, TreeNode>;

/** The bytes of a path below `root`, for a call to the file system. */
export function pathBytes(root: string, path: BytePath): Buffer {
  const bytes = Buffer.from(path, 'latin1');
  return path === '' ? Buffer.from(root) : Buffer.concat([Buffer.from(`${root}/`), bytes]);
}

/** A path as text for people; what is not UTF-8 becomes U+FFFD. */
export function pathText(path: BytePath): string {
  return Buffer.from(path, 'latin1').toString('utf8');
}

/** The reverse of `pathText`, for paths that are valid UTF-8. */
export function pathFromText(text: string): BytePath {
  return Buffer.from(text, 'utf8').toString('latin1');
}

function kindOf(entry: { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean }): NodeKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'symlink' : 'other';
}

/** Reads the status of one node. */
export function readNode(root: string, path: BytePath): TreeNode {
  const bytes = pathBytes(root, path);
  const status = lstatSync(bytes, { bigint: true });
  const type = kindOf(status);
  const node: TreeNode = {
    type,
    mode: Number(status.mode) & 0o7777,
    uid: Number(status.uid),
    gid: Number(status.gid),
    sizeBytes: Number(status.size),
    links: Number(status.nlink),
    inode: status.ino,
    mtimeNanos: status.mtimeNs,
    ctimeNanos: status.ctimeNs,
  };
  if (type === 'symlink') node.target = readlinkSync(bytes, 'latin1');
  return node;
}

/** Reads a whole tree. A directory that may not be read is listed without what is in it. */
export function readTree(root: string): Tree {
  const tree: Tree = new Map();
  const visit = (path: BytePath): void => {
    const node = readNode(root, path);
    tree.set(path, node);
    if (node.type !== 'directory') return;
    let entries: Dirent<Buffer>[];
    try {
      entries = readdirSync(pathBytes(root, path), { withFileTypes: true, encoding: 'buffer' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EACCES') return;
      throw error;
    }
    const names = entries.map((entry) => entry.name.toString('latin1')).sort();
    for (const name of names) visit(path === '' ? name : `${path}/${name}`);
  };
  visit('');
  return tree;
}

/** SHA-256 of a regular file below `root`; `undefined` when it may not be read. */
export function hashFile(root: string, path: BytePath): string | undefined {
  const bytes = readBytes(root, path);
  return bytes && hashBytes(bytes);
}

export function hashBytes(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function readBytes(root: string, path: BytePath): Buffer | undefined {
  try {
    return readFileSync(pathBytes(root, path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return undefined;
    throw error;
  }
}

/** Paths that were touched in any way (content, mode, owner, times, identity) between two readings of one tree. */
export function touchedPaths(before: Tree, after: Tree): BytePath[] {
  const touched: BytePath[] = [];
  for (const [path, node] of after) {
    const old = before.get(path);
    // gVisor does not note the time of every change.
    const same =
      old?.ctimeNanos === node.ctimeNanos &&
      old.inode === node.inode &&
      old.type === node.type &&
      old.mtimeNanos === node.mtimeNanos &&
      old.mode === node.mode &&
      old.sizeBytes === node.sizeBytes &&
      old.links === node.links;
    if (!same) touched.push(path);
  }
  for (const path of before.keys()) if (!after.has(path)) touched.push(path);
  return touched.sort();
}

/** A tree as it was, with the content of its files, from which it can be set right again. */
export interface Pristine {
  root: string;
  tree: Tree;
  content: Map<BytePath, Buffer>;
  hashes: Map<BytePath, string>;
}

/** Reads a tree with the content of all its files. */
export function readPristine(root: string): Pristine {
  const pristine: Pristine = { root, tree: readTree(root), content: new Map(), hashes: new Map() };
  for (const [path, node] of pristine.tree) if (node.type === 'file') keepContent(pristine, path);
  return pristine;
}

/** Reads the content of one file anew: what stands on the disk now is what is right. */
export function keepContent(pristine: Pristine, path: BytePath): void {
  const bytes = readBytes(pristine.root, path);
  if (!bytes) return;
  pristine.content.set(path, bytes);
  pristine.hashes.set(path, hashBytes(bytes));
}

/**
 * Sets a tree right again after a command ran in it: contents, modes, owners, times, hard links.
 * `touched` are the paths that differ. Inode numbers and change times are new where something was touched;
 * the pristine tree is brought up to date with them.
 */
export function restoreTree(pristine: Pristine, touched: readonly BytePath[]): void {
  const { root, tree } = pristine;
  unlockFolders(pristine, touched);
  for (const path of touched) {
    const keepsFolder = tree.get(path)?.type === 'directory' && nodeKindNow(root, path) === 'directory';
    if (!keepsFolder) rmSync(pathBytes(root, path), { recursive: true, force: true });
  }
  const groups = new Map<bigint, BytePath>();
  for (const [path, node] of tree)
    if (node.links > 1 && node.type === 'file' && exists(root, path)) groups.set(node.inode, path);
  const again = [...tree].filter(([path]) => !exists(root, path));
  for (const [path, node] of again) makeNode(pristine, path, node, groups);
  const rewritten = new Set([...touched, ...again.map(([path]) => path)].filter((path) => tree.has(path)));
  for (const path of [...rewritten]) rewritten.add(parentOf(path));
  const order = [...rewritten].sort().reverse();
  for (const path of order) setStatus(root, path, tree.get(path));
  const now = readTree(root);
  assertSame(tree, now);
  pristine.tree = now;
}

function nodeKindNow(root: string, path: BytePath): NodeKind | undefined {
  const status = lstatSync(pathBytes(root, path), { throwIfNoEntry: false });
  return status && kindOf(status);
}

function exists(root: string, path: BytePath): boolean {
  return nodeKindNow(root, path) !== undefined;
}

export function parentOf(path: BytePath): BytePath {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

/** An ordinary user can put nothing back into a directory without the write permission: it is given for the while. */
function unlockFolders(pristine: Pristine, touched: readonly BytePath[]): void {
  if (process.getuid?.() === 0) return;
  for (const path of touched) {
    for (let folder = parentOf(path); ; folder = parentOf(folder)) {
      if (nodeKindNow(pristine.root, folder) === 'directory') chmodSync(pathBytes(pristine.root, folder), 0o755);
      if (folder === '') break;
    }
    if (nodeKindNow(pristine.root, path) === 'directory') chmodSync(pathBytes(pristine.root, path), 0o755);
  }
}

function makeNode(pristine: Pristine, path: BytePath, node: TreeNode, groups: Map<bigint, BytePath>): void {
  const bytes = pathBytes(pristine.root, path);
  if (node.type === 'directory') mkdirSync(bytes);
  else if (node.type === 'symlink') symlinkSync(Buffer.from(node.target ?? '', 'latin1'), bytes);
  else if (node.type === 'other') execFileSync('mkfifo', [bytes.toString()]);
  else {
    const sibling = groups.get(node.inode);
    if (sibling !== undefined) linkSync(pathBytes(pristine.root, sibling), bytes);
    else writeFileSync(bytes, pristine.content.get(path) ?? '');
    if (node.links > 1) groups.set(node.inode, path);
  }
}

function setStatus(root: string, path: BytePath, node: TreeNode | undefined): void {
  if (!node) return;
  const bytes = pathBytes(root, path);
  if (process.getuid?.() === 0) lchownSync(bytes, node.uid, node.gid);
  if (node.type !== 'symlink') chmodSync(bytes, node.mode);
  const seconds = Number(node.mtimeNanos / 1_000_000_000n);
  lutimesSync(bytes, seconds, seconds);
}

function assertSame(right: Tree, now: Tree): void {
  const wrong = [...right].filter(([path, node]) => {
    const other = now.get(path);
    return (
      !other ||
      other.type !== node.type ||
      other.mode !== node.mode ||
      other.uid !== node.uid ||
      other.gid !== node.gid ||
      other.target !== node.target ||
      other.links !== node.links ||
      (node.type === 'file' && other.sizeBytes !== node.sizeBytes) ||
      other.mtimeNanos !== node.mtimeNanos
    );
  });
  const extra = [...now.keys()].filter((path) => !right.has(path));
  if (wrong.length + extra.length === 0) return;
  const names = [...wrong.map(([path]) => path), ...extra].slice(0, 5).map(pathText);
  throw new Error(`The fixture could not be set right again: ${names.join(', ')}`);
}
