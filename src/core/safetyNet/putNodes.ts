import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { toBytePath } from '../loss/bytePath.ts';
import { codeOf, type HeldFolder, holding, isSameNode, statusIn } from './heldFolder.ts';
import { giveAttributes, type NodeAttributes } from './nodeAttributes.ts';
import { settleNodes } from './settleNodes.ts';

/** What a node is besides its content. */
export interface NodeStatus {
  /** Permission bits, 07777. */
  mode: number;
  /** Absent: as the system makes it. Where it cannot be given it is left out. */
  owner?: { uid: number; gid: number };
  /** Absent: now. */
  mtimeNs?: bigint;
}

/** A node that is to stand at a name. `file`: whose content is taken; `link`: another name of a node in a held folder. */
export interface Put {
  name: string;
  node:
    | { type: 'file'; file: string | Buffer }
    | { type: 'file'; bytes: Uint8Array }
    | { type: 'symlink'; target: string }
    | { type: 'fifo' }
    | { type: 'link'; at: Buffer };
  /** Absent of a further name of a node, which keeps its own. */
  status?: NodeStatus;
  /** What else it has; default: nothing. */
  attributes?: NodeAttributes | undefined;
  /** What stands there now; `undefined`: nothing. Anything else is left as it is. */
  replaces: fs.BigIntStats | undefined;
}

/** `changed`: something else stands there than was expected, and stays. A code of the file system: it could not be put. */
export type PutEnd = 'put' | 'changed' | { code: string };

const { COPYFILE_EXCL, COPYFILE_FICLONE } = fs.constants;
const inProgress = () => `.foretell-${randomBytes(8).toString('hex')}`;

/**
 * Puts nodes into a held folder, each as a whole or not at all: content, owner, mode and time are made ready under another
 * name first. Of what stands there nothing is lost: the launcher exchanges the two, and what was there is removed only where it
 * is what was expected. Where names cannot be exchanged it is moved aside first, and its name is absent for a moment. The ends
 * are in the order of `puts`.
 */
export async function putNodes(folder: HeldFolder, puts: readonly Put[], launcher: string): Promise<PutEnd[]> {
  const made = puts.map(() => inProgress());
  const ends: (PutEnd | undefined)[] = [];
  for (const [at, put] of puts.entries()) {
    try {
      await make(folder, made[at] ?? '', put);
      ends.push(undefined);
    } catch (error) {
      ends.push({ code: codeOf(error) });
    }
  }
  const rich = puts.flatMap(({ attributes = '' }, at) =>
    ends[at] === undefined ? [{ name: made[at] ?? '', attributes }] : [],
  );
  await giveAttributes(launcher, folder, rich);
  const timed = puts.flatMap(({ status }, at) =>
    ends[at] === undefined && status?.mtimeNs !== undefined ? [{ name: made[at] ?? '', mtimeNs: status.mtimeNs }] : [],
  );
  await setTimes(folder, timed);
  const ours = made.map((aside, at) => (ends[at] ? undefined : statusIn(folder, aside)));
  await exchange(folder, puts, made, ends, launcher);
  return puts.map((put, at) => {
    const aside = made[at] ?? '';
    try {
      return ends[at] ?? settle(folder, aside, put);
    } catch (error) {
      return { code: codeOf(error) };
    } finally {
      // What is not ours is what somebody wrote.
      if (ours[at] === undefined || statusIn(folder, aside)?.ino === ours[at]?.ino) removeIfThere(folder, aside);
    }
  });
}

/** Puts what replaces something, where names can be exchanged: what has no end then has not been put. */
async function exchange(
  folder: HeldFolder,
  puts: readonly Put[],
  made: readonly string[],
  ends: (PutEnd | undefined)[],
  launcher: string,
): Promise<void> {
  const items = puts.flatMap(({ name, replaces }, at) =>
    ends[at] || !replaces || replaces.isDirectory()
      ? []
      : [{ at, what: 'exchange' as const, name, aside: made[at] ?? '', expected: replaces }],
  );
  const settled = await settleNodes(launcher, folder, items);
  for (const [index, { at, name, aside }] of items.entries()) {
    const end = settled[index] ?? 'cannot';
    if (end === 'cannot') continue;
    if (end === 'beside') nameBeside(folder, aside, name);
    ends[at] = end === 'done' ? 'put' : end === 'beside' ? 'changed' : end;
  }
}

async function make(folder: HeldFolder, aside: string, { node, status }: Put): Promise<void> {
  const path = folder.of(aside);
  if (node.type === 'symlink') fs.symlinkSync(Buffer.from(toBytePath(node.target), 'latin1'), path);
  else if (node.type === 'fifo') await run('mkfifo', [`/proc/self/fd/3/${aside}`], folder);
  else if (node.type === 'link') fs.linkSync(node.at, path);
  else if ('bytes' in node) fs.writeFileSync(path, node.bytes, { flag: 'wx', mode: 0o600 });
  else await fs.promises.copyFile(node.file, path, COPYFILE_FICLONE | COPYFILE_EXCL);
  if (status) setStatus(folder, aside, status);
}

/** Gives a node its owner, as far as the system lets us, and its mode. */
export function setStatus(folder: HeldFolder, name: string, { mode, owner }: NodeStatus): void {
  holding(folder, name, (at, now) => {
    if (owner && (Number(now.uid) !== owner.uid || Number(now.gid) !== owner.gid)) {
      try {
        if (now.isSymbolicLink()) fs.lchownSync(folder.of(name), owner.uid, owner.gid);
        else fs.chownSync(at, owner.uid, owner.gid);
      } catch {
        // Only root may give files away.
      }
    }
    if (!now.isSymbolicLink()) fs.chmodSync(at, mode);
  });
}

/** Moves what was made ready to its name. */
function settle(folder: HeldFolder, aside: string, { name, replaces }: Put): PutEnd {
  // Of folders only empty ones are replaced.
  if (replaces?.isDirectory()) fs.rmdirSync(folder.of(name));
  if (!replaces || replaces.isDirectory()) return link(folder, aside, name) ? 'put' : 'changed';
  const old = moveAside(folder, name, replaces);
  if (old === undefined) return 'changed';
  const isPut = link(folder, aside, name);
  const status = statusIn(folder, old);
  if (!status || isSameNode(status, replaces)) {
    removeIfThere(folder, old);
    return isPut ? 'put' : 'changed';
  }
  // Somebody wrote into it when it had its name no more: it gets its name back.
  giveBack(folder, old, name, isPut ? statusIn(folder, aside) : undefined);
  return 'changed';
}

/** `ours`: what we have just put at the name. Where something newer stands there, both are left, one beside the other. */
function giveBack(folder: HeldFolder, old: string, name: string, ours: fs.BigIntStats | undefined): void {
  const away = ours && moveAside(folder, name, ours);
  if (away !== undefined) removeIfThere(folder, away);
  if (link(folder, old, name)) removeIfThere(folder, old);
  else nameBeside(folder, old, name);
}

/** Gives a node the name that says beside which one it was written. Where that is taken, it stays where it is. */
function nameBeside(folder: HeldFolder, old: string, name: string): void {
  if (link(folder, old, `${name}.edited-meanwhile`)) removeIfThere(folder, old);
}

/** Nodes that are to go from a held folder; `changed`: another one stands there, and stays. Folders: only empty ones. */
export async function removeNodes(
  folder: HeldFolder,
  nodes: readonly { name: string; expected: fs.BigIntStats }[],
  launcher: string,
): Promise<('removed' | 'changed' | { code: string })[]> {
  const items = nodes.flatMap(({ name, expected }) =>
    expected.isDirectory() ? [] : [{ what: 'remove' as const, name, aside: inProgress(), expected }],
  );
  const settled = await settleNodes(launcher, folder, items);
  let next = 0;
  return nodes.map(({ name, expected }) => {
    const at = expected.isDirectory() ? undefined : next++;
    const end = at === undefined ? 'cannot' : (settled[at] ?? 'cannot');
    try {
      if (end === 'cannot') return removeNode(folder, name, expected) ? 'removed' : 'changed';
      if (end === 'beside') nameBeside(folder, items[at ?? 0]?.aside ?? '', name);
      return end === 'done' ? 'removed' : end === 'beside' ? 'changed' : end;
    } catch (error) {
      return { code: codeOf(error) };
    }
  });
}

/** Removes a node, where it is the one that is expected; true where it is gone. */
function removeNode(folder: HeldFolder, name: string, expected: fs.BigIntStats): boolean {
  if (expected.isDirectory()) {
    fs.rmdirSync(folder.of(name));
    return true;
  }
  const old = moveAside(folder, name, expected);
  if (old === undefined) return false;
  const status = statusIn(folder, old);
  if (status && !isSameNode(status, expected)) {
    giveBack(folder, old, name, undefined);
    return false;
  }
  removeIfThere(folder, old);
  return true;
}

/** Takes its name from a node; `undefined` where another one had it, which has it again then. */
function moveAside(folder: HeldFolder, name: string, expected: fs.BigIntStats): string | undefined {
  const now = statusIn(folder, name);
  if (!now || !isSameNode(now, expected)) return undefined;
  const old = inProgress();
  fs.renameSync(folder.of(name), folder.of(old));
  const moved = statusIn(folder, old);
  if (moved && isSameNode(moved, expected)) return old;
  // It was changed, or another one was put there, in this very moment: it gets its name back, unless there is a still newer one.
  giveBack(folder, old, name, undefined);
  return undefined;
}

/** Gives a node a name that is free; false where it is taken. */
function link(folder: HeldFolder, from: string, to: string): boolean {
  try {
    fs.linkSync(folder.of(from), folder.of(to));
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') return false;
    // A file system without further names: there a rename has to do.
    if (code !== 'EPERM' && code !== 'EOPNOTSUPP' && code !== 'EMLINK') throw error;
    if (statusIn(folder, to)) return false;
    fs.renameSync(folder.of(from), folder.of(to));
    return true;
  }
}

function removeIfThere(folder: HeldFolder, name: string): void {
  try {
    fs.unlinkSync(folder.of(name));
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

/** Names of touch(1) in one call. */
const namesAtOnce = 500;

/**
 * Sets times of change to the nanosecond, which Node cannot: touch(1) does where microseconds are not enough. `.`: the folder
 * itself. Names are those of our own making.
 */
export async function setTimes(folder: HeldFolder, items: readonly { name: string; mtimeNs: bigint }[]): Promise<void> {
  const exact = new Map<bigint, string[]>();
  for (const { name, mtimeNs } of items) {
    const seconds = Number(mtimeNs / 1_000n) / 1e6;
    const path = folder.of(name);
    fs.lutimesSync(path, seconds, seconds);
    if (fs.lstatSync(path, { bigint: true }).mtimeNs === mtimeNs) continue;
    const same = exact.get(mtimeNs);
    if (same) same.push(name);
    else exact.set(mtimeNs, [name]);
  }
  for (const [mtimeNs, names] of exact) {
    // Before 1970 the nanoseconds count forwards, too.
    const nanos = ((mtimeNs % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
    const seconds = (mtimeNs - nanos) / 1_000_000_000n;
    const when = `@${seconds}.${String(nanos).padStart(9, '0')}`;
    for (let start = 0; start < names.length; start += namesAtOnce) {
      const paths = names.slice(start, start + namesAtOnce).map((name) => `/proc/self/fd/3/${name}`);
      await run('touch', ['-c', '-h', '-d', when, '--', ...paths], folder);
    }
  }
}

/** Runs a program of coreutils in which the held folder is descriptor 3. */
function run(program: string, words: readonly string[], folder: HeldFolder): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, {
      stdio: ['ignore', 'ignore', 'ignore', folder.descriptor],
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' },
    });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(Object.assign(new Error(`${program} failed.`), { code: 'EIO' })),
    );
  });
}
