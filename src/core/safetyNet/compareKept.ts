import { createHash } from 'node:crypto';
import fs from 'node:fs';
import type { KeptState } from '../facts/kept.ts';
import { breathe } from '../loss/breathe.ts';
import { folderOf, fromBytePath, nameOf, toBytePath } from '../loss/bytePath.ts';
import { nodeTypeOf } from '../view/nodeTypeOf.ts';
import { byFolder, codeOf, type HeldFolder, holdFolder, statusIn } from './heldFolder.ts';
import { contentOf, type KeptEntry, type KeptNode, nodePrint } from './keptEntry.ts';

/** How what stands at a kept path now is to what was kept of it. */
export interface NodeNow {
  node: KeptNode;
  state: KeptState;
  /** What stands there now, if anything does. */
  status?: fs.BigIntStats;
}

/** More than this is not read to be compared with what was predicted, or has another time than what was kept; in bytes. */
const mostCompared = 64 * 1024 ** 2;

/** Compares what was kept with what is there now. `paths`: only these and what is below them. */
export async function compareKept(folder: string, entry: KeptEntry, paths: readonly string[] = []): Promise<NodeNow[]> {
  const isWanted = ({ path }: KeptNode) =>
    paths.length === 0 || paths.some((one) => path === one || path.startsWith(one === '/' ? '/' : `${one}/`));
  const wanted = new Set(entry.nodes.filter(isWanted));
  // A folder in which something is restored is needed too.
  const byPath = new Map(entry.nodes.map((node) => [node.path, node]));
  for (const { path } of [...wanted])
    for (let above = folderOf(path); above !== '/'; above = folderOf(above)) {
      const node = byPath.get(above);
      if (node) wanted.add(node);
    }
  const found: NodeNow[] = [];
  /** Folders in whose place something else stands, which can be replaced. */
  const replaceable = new Map<string, KeptState>();
  let count = 0;
  for (const [above, nodes] of byFolder(entry.nodes.filter((node) => wanted.has(node)))) {
    const held = holdOrSay(above);
    for (const node of nodes) {
      await breathe(count++);
      if (typeof held === 'object') found.push(nowOf(folder, entry, node, held));
      else found.push({ node, state: held === 'blocked' ? (stateAbove(node.path, replaceable) ?? held) : held });
      const { state, status } = found.at(-1) ?? {};
      if (node.type === 'directory' && status && !status.isDirectory() && state) replaceable.set(node.path, state);
    }
    if (typeof held === 'object') held.close();
  }
  return found;
}

/** What stands on the way to it can be replaced as well: then it is gone, or as new as that. */
function stateAbove(path: string, replaceable: ReadonlyMap<string, KeptState>): KeptState | undefined {
  for (let above = folderOf(path); above !== '/'; above = folderOf(above)) {
    const state = replaceable.get(above);
    if (state !== undefined) return state === 'asLeft' ? 'gone' : state;
  }
  return undefined;
}

function holdOrSay(path: string): HeldFolder | 'gone' | 'blocked' {
  try {
    return holdFolder(path);
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? 'gone' : 'blocked';
  }
}

function nowOf(folder: string, entry: KeptEntry, node: KeptNode, held: HeldFolder): NodeNow {
  const name = nameOf(node.path);
  const status = statusIn(held, name);
  if (!status) return { node, state: 'gone' };
  const now = { node, status };
  if (nodeTypeOf(status) === node.type && isAsKept(folder, entry, node, held, status)) return { ...now, state: 'same' };
  if (status.isDirectory() && !node.isStatusOnly) {
    // Where it is a folder again, that one is somebody's.
    if (node.type === 'directory') return { ...now, state: 'same' };
    if (!holdsOnlyMade(node.path, new Map((entry.made ?? []).map(({ path, left }) => [path, left]))))
      return { ...now, state: 'blocked' };
  }
  return { ...now, state: isLeft(node, held, status) ? 'asLeft' : 'newer' };
}

/** A folder is empty, or all that is in it was made by what is taken back, and goes with that. */
function holdsOnlyMade(path: string, made: ReadonlyMap<string, string>): boolean {
  try {
    const held = holdFolder(path);
    try {
      return fs.readdirSync(held.of('.'), 'latin1').every((bytes) => {
        const name = fromBytePath(bytes);
        const at = `${path}/${name}`;
        const status = statusIn(held, name);
        if (!status?.isDirectory()) return status !== undefined && made.get(at) === nodePrint(status);
        return made.has(at) && holdsOnlyMade(at, made);
      });
    } finally {
      held.close();
    }
  } catch {
    return false;
  }
}

function isAsKept(folder: string, entry: KeptEntry, node: KeptNode, held: HeldFolder, status: fs.BigIntStats): boolean {
  const hasStatus = (Number(status.mode) & 0o7777) === node.mode;
  const hasOwner = Number(status.uid) === node.uid && Number(status.gid) === node.gid;
  if (node.isStatusOnly) return hasStatus && hasOwner;
  if (node.type === 'symlink')
    return fs.readlinkSync(held.of(nameOf(node.path)), 'latin1') === toBytePath(node.target ?? '');
  if (!hasStatus || !hasOwner) return false;
  if (node.type !== 'file') return true;
  if (Number(status.size) !== node.sizeBytes) return false;
  const isSameTime = String(status.mtimeNs) === node.mtimeNs;
  const kept = keptNode(entry, node);
  if ((node.sizeBytes > mostCompared && !isSameTime) || kept.content === undefined) return false;
  // Equal sizes and times say nothing: files that were made at once and change places have them.
  if (!hasContent(held, nameOf(node.path), contentOf(folder, entry, kept))) return false;
  // What the action gave another time, and nobody touched since, gets its own back.
  return isSameTime || !isLeft(node, held, status);
}

/** Whether another name leads to a file that is what was kept in everything: content, mode, owner and time. */
export function isAsItWas(node: KeptNode, held: HeldFolder, name: string, content: string): boolean {
  const status = statusIn(held, name);
  return (
    status?.isFile() === true &&
    (Number(status.mode) & 0o7777) === node.mode &&
    Number(status.uid) === node.uid &&
    Number(status.gid) === node.gid &&
    Number(status.size) === node.sizeBytes &&
    String(status.mtimeNs) === node.mtimeNs &&
    hasContent(held, name, content)
  );
}

/** The node that has the content of a file with several names. */
export function keptNode({ nodes }: KeptEntry, node: KeptNode): KeptNode {
  return nodes.find(({ path }) => path === node.sameAs) ?? node;
}

function read(held: HeldFolder, name: string): Buffer | undefined {
  const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = fs.constants;
  try {
    const descriptor = fs.openSync(held.of(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      return fs.readFileSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

const pieceBytes = 1024 ** 2;

/** A file has the same bytes as the kept one, read piece by piece. */
function hasContent(held: HeldFolder, name: string, content: string): boolean {
  const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = fs.constants;
  const opened: number[] = [];
  const [mine, other] = [Buffer.alloc(pieceBytes), Buffer.alloc(pieceBytes)];
  try {
    const [now, kept] = [
      fs.openSync(held.of(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK),
      fs.openSync(content, O_RDONLY),
    ];
    opened.push(now, kept);
    for (let at = 0; ; at += pieceBytes) {
      const bytes = fs.readSync(now, mine, 0, pieceBytes, at);
      if (fs.readSync(kept, other, 0, pieceBytes, at) !== bytes) return false;
      if (bytes === 0) return true;
      if (!mine.subarray(0, bytes).equals(other.subarray(0, bytes))) return false;
    }
  } catch {
    return false;
  } finally {
    for (const descriptor of opened) fs.closeSync(descriptor);
  }
}

/** It is what the action left there, as it was seen then, or as it was predicted to the byte. */
function isLeft({ left, after, path }: KeptNode, held: HeldFolder, status: fs.BigIntStats): boolean {
  if (left !== undefined) return left === nodePrint(status);
  if (!after || after.type !== nodeTypeOf(status)) return false;
  if (after.type === 'symlink')
    return fs.readlinkSync(held.of(nameOf(path)), 'latin1') === toBytePath(after.target ?? '');
  if ((Number(status.mode) & 0o7777) !== after.mode) return false;
  if (after.type !== 'file') return true;
  if (Number(status.size) !== after.sizeBytes) return false;
  if (after.sizeBytes === 0) return true;
  if (after.sha256 === undefined || after.sizeBytes > mostCompared) return false;
  const bytes = read(held, nameOf(path));
  return bytes !== undefined && createHash('sha256').update(bytes).digest('hex') === after.sha256;
}
