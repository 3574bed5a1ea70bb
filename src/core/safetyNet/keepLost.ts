import fs from 'node:fs';
import path from 'node:path';
import type { Action } from '../action/action.ts';
import { liveTitle } from '../action/edit/patchCommand.ts';
import { redactAtOnce } from '../context/secrets/redactForPrompt.ts';
import type { KeptFor, NotKeptReason } from '../facts/kept.ts';
import { folderOf, fromBytePath, isNotText, nameOf } from '../loss/bytePath.ts';
import { inTurns } from '../loss/inTurns.ts';
import type { Prediction } from '../prediction/prediction.ts';
import { nodeTypeOf } from '../view/nodeTypeOf.ts';
import { type AtStake, atStake } from './atStake.ts';
import { byFolder, codeOf, type HeldFolder, holdFolder, isSameNode } from './heldFolder.ts';
import {
  beginEntry,
  finishEntry,
  type KeptEntry,
  type KeptNode,
  makeRoom,
  type NotKept,
  nodePrint,
  readEntry,
  rewriteEntry,
} from './keptEntry.ts';
import type { NetUse } from './netUse.ts';
import { readAttributes } from './nodeAttributes.ts';

/** Of what can be brought back from elsewhere at most so much is kept besides, in bytes. */
const mostRecoverableBytes = 256 * 1024 ** 2;
/** So many names beside a file are looked at for another one of its own. */
const mostBeside = 5_000;
/** So many nodes of one action are kept. */
const mostNodes = 100_000;
const { COPYFILE_EXCL, COPYFILE_FICLONE, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = fs.constants;

/** What is kept, and for what. */
export interface KeepAsked {
  action: Action;
  cwd: string;
  for: KeptFor;
  /** Milliseconds since 1970. */
  now: number;
  /** Contents are copied until then, in milliseconds since 1970; absent: as long as it takes. */
  until?: number;
  /** There is an entry also where nothing stood anywhere. */
  isKeptEmpty?: true;
}

/**
 * Keeps what a prediction says is deleted, overwritten or given another mode, before it is done for real: nothing where
 * nothing is lost. First what nothing else has; contents are copied (as shared blocks where the file system can), never linked,
 * because a link would share later writes. `undefined`: nothing is kept.
 */
export async function keepLost(prediction: Prediction, use: NetUse, asked: KeepAsked): Promise<KeptEntry | undefined> {
  if (prediction.loss.length === 0) return undefined;
  return keepNodes(atStake(prediction), use, asked);
}

/** Keeps these paths as they are. */
export async function keepNodes(
  wanted: readonly AtStake[],
  use: NetUse,
  { action, cwd, for: keptFor, now, until, isKeptEmpty }: KeepAsked,
): Promise<KeptEntry | undefined> {
  if ((wanted.length === 0 && !isKeptEmpty) || use.mostBytes === 0) return undefined;
  const begun = beginEntry(use);
  if (!begun) return undefined;
  const { chosen, notKept } = choose(wanted, use.mostBytes, freeBytes(use.folder));
  const planned = chosen.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  makeRoom(use, planned, now);
  const keeper = new Keeper(begun.aside, until);
  for (const [folder, items] of byFolder(chosen)) await keeper.keepIn(folder, items);
  keeper.noteOtherNames();
  notKept.push(...keeper.notKept);
  const nodes = keeper.nodes.sort((one, other) => (one.path < other.path ? -1 : 1));
  await noteAttributes(nodes, use.launcher);
  const entry: KeptEntry = {
    format: 1,
    id: begun.id,
    at: new Date(now).toISOString(),
    title: redactAtOnce(liveTitle(action)).text.slice(0, 2_000),
    ...{ cwd, for: keptFor, nodes, notKept, bytes: keeper.bytes },
  };
  if (nodes.length > 0 || isKeptEmpty) return finishEntry(use, begun.aside, entry) ? entry : undefined;
  fs.rmSync(begun.aside, { recursive: true, force: true });
  return undefined;
}

async function noteAttributes(nodes: readonly KeptNode[], launcher: string): Promise<void> {
  const able = nodes.filter(({ type }) => type === 'file' || type === 'directory');
  const found = await readAttributes(
    launcher,
    able.map((node) => node.path),
  );
  for (const [at, node] of able.entries()) {
    const attributes = found[at];
    if (attributes) node.attributes = attributes;
  }
}

/** What there is room for: first what nothing else has, then the rest. */
function choose(
  wanted: readonly AtStake[],
  mostBytes: number,
  free: number,
): { chosen: AtStake[]; notKept: NotKept[] } {
  let room = Math.min(mostBytes, free);
  let roomForOthers = Math.min(room, mostRecoverableBytes);
  const chosen: AtStake[] = [];
  const notKept: NotKept[] = [];
  const ranked = [...wanted.filter(({ isLost }) => isLost), ...wanted.filter(({ isLost }) => !isLost)];
  for (const item of ranked) {
    const { path: file, sizeBytes, isLost } = item;
    const left = isLost ? room : Math.min(room, roomForOthers);
    if (sizeBytes > left || chosen.length >= mostNodes) {
      notKept.push({ path: file, sizeBytes, isLost, because: { kind: 'room' } });
      continue;
    }
    room -= sizeBytes;
    if (!isLost) roomForOthers -= sizeBytes;
    chosen.push(item);
  }
  return { chosen, notKept };
}

/** Half of what is free: a safety net must not fill the disk. */
function freeBytes(folder: string): number {
  const { bavail, bsize } = fs.statfsSync(folder);
  return (bavail * bsize) / 2;
}

class Keeper {
  readonly nodes: KeptNode[] = [];
  readonly notKept: NotKept[] = [];
  bytes = 0;
  private readonly aside: string;
  private readonly until: number | undefined;
  /** Files that have several names: the first node of each, and how many of its names are not among the kept ones. */
  private readonly names = new Map<string, { node: KeptNode; others: number }>();
  private count = 0;

  constructor(aside: string, until: number | undefined) {
    this.aside = aside;
    this.until = until;
  }

  async keepIn(named: string, items: readonly AtStake[]): Promise<void> {
    let folder: HeldFolder;
    let real = named;
    try {
      real = realFolder(named);
      folder = holdFolder(real);
    } catch {
      for (const item of items) this.leave(item, { kind: 'elsewhere' });
      return;
    }
    try {
      await inTurns(items, (item) => this.keep(folder, real === '/' ? '' : real, item));
    } finally {
      folder.close();
    }
  }

  private leave({ path: file, sizeBytes, isLost }: AtStake, because: NotKeptReason): void {
    this.notKept.push({ path: file, sizeBytes, isLost, because });
  }

  private async keep(folder: HeldFolder, real: string, item: AtStake): Promise<void> {
    const name = nameOf(item.path);
    try {
      const status = fs.lstatSync(folder.of(name), { bigint: true, throwIfNoEntry: false });
      if (!status) return this.leave(item, { kind: 'elsewhere' });
      const node = nodeOf(`${real}/${name}`, status, item);
      if (node.type === 'symlink') node.target = fromBytePath(fs.readlinkSync(folder.of(name), 'latin1'));
      else if (node.type === 'other' && !status.isFIFO()) return this.leave(item, { kind: 'special' });
      else if (node.type === 'file' && this.until !== undefined && Date.now() > this.until)
        return this.leave(item, { kind: 'time' });
      else if (node.type === 'file' && !item.isStatusOnly && !(await this.keepContent(folder, name, node, status)))
        return this.leave(item, { kind: 'changing' });
      this.nodes.push(node);
    } catch (error) {
      const code = codeOf(error);
      this.leave(item, code === 'EACCES' || code === 'EPERM' ? { kind: 'unreadable' } : { kind: 'failed', code });
    }
  }

  /** Notes of files with names that are not kept one that stands in the same folder, so that they can be one file again. */
  noteOtherNames(): void {
    const kept = new Set(this.nodes.map(({ path: at }) => at));
    for (const [identity, { node, others }] of this.names) {
      if (others <= 0 || node.content === undefined) continue;
      const isOther = (at: string) => {
        const status = kept.has(at) ? undefined : attempt(() => fs.lstatSync(at, { bigint: true }));
        return status !== undefined && `${status.dev} ${status.ino}` === identity;
      };
      const above = folderOf(node.path);
      const beside = (attempt(() => fs.readdirSync(above)) ?? []).slice(0, mostBeside);
      node.alsoAt = beside.map((name) => path.join(above, name)).find(isOther) ?? '';
    }
  }

  /** False where it was written to meanwhile, twice. */
  private async keepContent(
    folder: HeldFolder,
    name: string,
    node: KeptNode,
    status: fs.BigIntStats,
  ): Promise<boolean> {
    if (status.nlink > 1n) {
      const identity = `${status.dev} ${status.ino}`;
      const first = this.names.get(identity);
      if (first !== undefined) {
        node.sameAs = first.node.path;
        first.others--;
        return true;
      }
      this.names.set(identity, { node, others: Number(status.nlink) - 1 });
    }
    node.content = `content-${this.count++}`;
    const copy = path.join(this.aside, node.content);
    const descriptor = fs.openSync(folder.of(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      for (let attempt = 0; attempt < 2; attempt++) {
        const before = fs.fstatSync(descriptor, { bigint: true });
        fs.rmSync(copy, { force: true });
        await fs.promises.copyFile(`/proc/self/fd/${descriptor}`, copy, COPYFILE_FICLONE | COPYFILE_EXCL);
        if (!isSameNode(fs.fstatSync(descriptor, { bigint: true }), before)) continue;
        fs.chmodSync(copy, 0o600);
        Object.assign(node, { sizeBytes: Number(before.size), mtimeNs: String(before.mtimeNs) });
        this.bytes += node.sizeBytes;
        return true;
      }
      fs.rmSync(copy, { force: true });
      return false;
    } finally {
      fs.closeSync(descriptor);
    }
  }
}

/** A path can be predicted as it is spelled, through symbolic links; what is kept is known by where it really is. */
function realFolder(named: string): string {
  return isNotText(named) ? named : fs.realpathSync.native(named);
}

function nodeOf(file: string, status: fs.BigIntStats, { isStatusOnly, after }: AtStake): KeptNode {
  const type = nodeTypeOf(status);
  return {
    path: file,
    type,
    mode: Number(status.mode) & 0o7777,
    uid: Number(status.uid),
    gid: Number(status.gid),
    mtimeNs: String(status.mtimeNs),
    sizeBytes: type === 'file' ? Number(status.size) : 0,
    ...(isStatusOnly ? { isStatusOnly: true as const } : {}),
    ...(after ? { after } : {}),
  };
}

/** Notes what stands at the kept paths when the action has ended, so that what comes later is told from it; `made`: see `KeptEntry`. */
export function noteLeft(folder: string, id: string, made: KeptEntry['made'] = []): void {
  const entry = readEntry(folder, id);
  if (!entry) return;
  const held = new Map<string, HeldFolder | undefined>();
  for (const node of entry.nodes) {
    const above = folderOf(node.path);
    if (!held.has(above))
      held.set(
        above,
        attempt(() => holdFolder(above)),
      );
    const status = attempt(
      () => held.get(above) && fs.lstatSync(held.get(above)?.of(nameOf(node.path)) ?? '', { bigint: true }),
    );
    if (status) node.left = nodePrint(status);
  }
  for (const one of held.values()) one?.close();
  if (made.length > 0) entry.made = made;
  rewriteEntry(folder, entry);
}

function attempt<T>(what: () => T): T | undefined {
  try {
    return what();
  } catch {
    return undefined;
  }
}
