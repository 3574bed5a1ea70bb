import fs from 'node:fs';
import { folderOf, nameOf } from '../loss/bytePath.ts';
import type { AtStake } from './atStake.ts';
import { isAsItWas, keptNode, type NodeNow } from './compareKept.ts';
import { codeOf, type HeldFolder, holdFolder, inFolders, statusIn } from './heldFolder.ts';
import { keepNodes, noteLeft } from './keepLost.ts';
import { contentOf, type KeptEntry, type KeptNode, nodePrint } from './keptEntry.ts';
import type { NetUse } from './netUse.ts';
import { giveAttributes } from './nodeAttributes.ts';
import { type Put, putNodes, removeNodes, setStatus, setTimes } from './putNodes.ts';

/** What came of a restoration. */
export interface Restored {
  /** Paths that are as they were. */
  restored: string[];
  /** Paths that were as they had been. */
  same: string[];
  /** Newer ones that were left, because nobody said otherwise. */
  newer: string[];
  /** What could not be: by a code of the file system, or because something stands on the way (`blocked`). */
  failed: { path: string; code: string }[];
  /** Restored ones that had further names, and are files of their own by now. */
  apart: string[];
  /** What was replaced is kept itself, under this id. */
  keptAs?: string;
}

/** How something is restored. */
export interface RestoreOptions {
  use: NetUse;
  /** Newer files are replaced as well; they are kept themselves. */
  replacesNewer: boolean;
  now: number;
}

/** Puts what was kept back: each file as a whole, nothing else touched, and what is replaced is kept in its turn. */
export async function restoreKept(
  entry: KeptEntry,
  now: readonly NodeNow[],
  { use, replacesNewer, now: at }: RestoreOptions,
): Promise<Restored> {
  const result: Restored = { restored: [], same: [], newer: [], failed: [], apart: [] };
  const { launcher } = use;
  const chosen: NodeNow[] = [];
  for (const one of now) {
    const { path } = one.node;
    if (one.state === 'same') result.same.push(path);
    else if (one.state === 'blocked') result.failed.push({ path, code: 'blocked' });
    else if (one.state === 'newer' && !replacesNewer) result.newer.push(path);
    else chosen.push(one);
  }
  const keptAs = await keepReplaced(entry, chosen, use, at);
  const replaced = chosen.filter(({ status }) => status !== undefined);
  if (replaced.length > 0 && (keptAs === undefined || keptAs.notKept.length > 0)) {
    const isKept = new Set(keptAs?.nodes.map(({ path }) => path));
    for (const { node } of replaced.filter(({ node: { path } }) => !isKept.has(path)))
      result.failed.push({ path: node.path, code: 'room' });
    chosen.splice(0, chosen.length, ...chosen.filter(({ node, status }) => !status || isKept.has(node.path)));
  }
  if (keptAs) result.keptAs = keptAs.id;
  // All of it is taken back where all was asked for.
  if (now.length === entry.nodes.length) await removeMade(entry, launcher, result);
  const folders = await makeFolders(chosen, launcher, result);
  await putContents(
    entry,
    chosen.filter(({ node }) => node.type !== 'directory' || node.isStatusOnly),
    use,
    result,
  );
  await finishFolders(folders, launcher);
  // What stands there now is what this restoration left.
  if (keptAs) noteLeft(use.folder, keptAs.id);
  return result;
}

/** What stands where something is restored is kept in its turn. */
function keepReplaced(entry: KeptEntry, chosen: readonly NodeNow[], use: NetUse, now: number) {
  const wanted = chosen.flatMap(({ node, status }): AtStake[] => {
    if (!status) return [];
    const isStatusOnly = node.isStatusOnly === true || (status.isDirectory() && node.type === 'directory');
    const after = {
      type: node.type,
      sizeBytes: node.sizeBytes,
      mode: node.mode,
      ...(node.target === undefined ? {} : { target: node.target }),
    };
    return [{ path: node.path, isLost: true, isStatusOnly, sizeBytes: Number(status.size), after }];
  });
  const action = { kind: 'command' as const, script: entry.title, shell: 'sh' as const, cwd: entry.cwd };
  return keepNodes(wanted, use, { action, cwd: entry.cwd, for: { kind: 'restore' }, now });
}

/** Removes a node where it is the one that was seen; true where it is gone. Throws the error of the file system. */
async function isRemoved(above: HeldFolder, name: string, expected: fs.BigIntStats, launcher: string) {
  const [end] = await removeNodes(above, [{ name, expected }], launcher);
  if (typeof end === 'object') throw Object.assign(new Error('It could not be removed.'), end);
  return end === 'removed';
}

function isEmptyFolder(held: HeldFolder, name: string): boolean {
  try {
    return fs.readdirSync(held.of(name)).length === 0;
  } catch {
    return false;
  }
}

/** Takes away what an applied result made, where nobody has changed it since; of folders those that are empty then. */
async function removeMade({ made = [] }: KeptEntry, launcher: string, { restored, newer }: Restored): Promise<void> {
  for (const { path, left } of [...made].reverse()) {
    try {
      const above = holdFolder(folderOf(path));
      try {
        const status = statusIn(above, nameOf(path));
        if (!status) continue;
        const isOurs = status.isDirectory() ? isEmptyFolder(above, nameOf(path)) : nodePrint(status) === left;
        if (isOurs && (await isRemoved(above, nameOf(path), status, launcher))) restored.push(path);
        else newer.push(path);
      } finally {
        above.close();
      }
    } catch (error) {
      // What stands above it is gone, or another one by now.
      codeOf(error);
    }
  }
}

/** Makes the folders that are gone, the outer ones first; those that were not kept as the system makes them. */
async function makeFolders(
  chosen: readonly NodeNow[],
  launcher: string,
  { restored, failed }: Restored,
): Promise<KeptNode[]> {
  const made: KeptNode[] = [];
  const nodes = new Map(chosen.map(({ node }) => [node.path, node]));
  const tried = new Set<string>();
  const make = async (path: string): Promise<void> => {
    if (path === '/' || tried.has(path)) return;
    tried.add(path);
    await make(folderOf(path));
    try {
      const above = holdFolder(folderOf(path));
      try {
        const node = nodes.get(path);
        const there = statusIn(above, nameOf(path));
        if (there?.isDirectory()) return;
        if (there && (node?.type !== 'directory' || !(await isRemoved(above, nameOf(path), there, launcher)))) return;
        fs.mkdirSync(above.of(nameOf(path)), node?.type === 'directory' ? 0o700 : 0o777);
        if (node?.type === 'directory') made.push(node);
      } finally {
        above.close();
      }
    } catch (error) {
      if (nodes.get(path)?.type === 'directory') failed.push({ path, code: codeOf(error) });
    }
  };
  for (const { node } of chosen) {
    if (node.isStatusOnly) continue;
    await make(node.type === 'directory' ? node.path : folderOf(node.path));
  }
  restored.push(...made.map(({ path }) => path));
  return made;
}

async function putContents(
  entry: KeptEntry,
  chosen: readonly NodeNow[],
  { folder, launcher }: NetUse,
  result: Restored,
): Promise<void> {
  const { restored, failed, apart } = result;
  const later = chosen.filter(({ node }) => node.sameAs !== undefined && !node.isStatusOnly);
  const first = chosen.filter((one) => !later.includes(one));
  for (const part of [first, later])
    await inFolders(
      part.map((one) => ({ ...one, path: one.node.path })),
      async (held, items) => {
        const statusOnly = items.filter(({ node }) => node.isStatusOnly);
        for (const { node, path, status } of statusOnly) {
          try {
            if (!status) failed.push({ path, code: 'ENOENT' });
            else {
              setStatus(held, nameOf(path), statusOf(node));
              await giveAttributes(launcher, held, [{ name: nameOf(path), attributes: node.attributes ?? '' }]);
              restored.push(path);
            }
          } catch (error) {
            failed.push({ path, code: codeOf(error) });
          }
        }
        const whole = items.filter(({ node }) => !node.isStatusOnly);
        const others = otherNames(whole, result, (node) => contentOf(folder, entry, node));
        const puts = whole.map(({ node, status }) => others.of(node, status) ?? putOf(folder, entry, node, status));
        const ends = await putNodes(held, puts, launcher);
        others.close();
        for (const [at, end] of ends.entries()) {
          const path = whole[at]?.path ?? '';
          if (end === 'put') {
            restored.push(path);
            if (whole[at]?.node.alsoAt !== undefined && puts[at]?.node.type !== 'link') apart.push(path);
          } else failed.push({ path, code: end === 'changed' ? 'changed' : end.code });
        }
      },
      (items, code) => failed.push(...items.map(({ path }) => ({ path, code }))),
    );
}

/** Further names of files of which another one is there again: the folders of those are held until `close`. */
function otherNames(
  items: readonly { node: KeptNode }[],
  { restored, same }: Restored,
  keptContent: (node: KeptNode) => string,
) {
  const held: HeldFolder[] = [];
  const there = items.some(({ node }) => node.sameAs !== undefined) ? new Set([...restored, ...same]) : new Set();
  return {
    of(node: KeptNode, replaces: fs.BigIntStats | undefined): Put | undefined {
      const { path, sameAs, alsoAt } = node;
      const other = sameAs ?? alsoAt ?? '';
      if (other === '' || (sameAs !== undefined && !there.has(sameAs))) return undefined;
      try {
        const folder = holdFolder(folderOf(other));
        held.push(folder);
        // A name that was not kept counts while it still leads to what was.
        if (sameAs === undefined && !isAsItWas(node, folder, nameOf(other), keptContent(node))) return undefined;
        return { name: nameOf(path), node: { type: 'link', at: folder.of(nameOf(other)) }, replaces };
      } catch (error) {
        codeOf(error);
        return undefined;
      }
    },
    close() {
      for (const one of held) one.close();
    },
  };
}

function statusOf({ mode, uid, gid, mtimeNs }: KeptNode) {
  return { mode, owner: { uid, gid }, mtimeNs: BigInt(mtimeNs) };
}

function putOf(folder: string, entry: KeptEntry, node: KeptNode, replaces: fs.BigIntStats | undefined): Put {
  const common = { name: nameOf(node.path), status: statusOf(node), attributes: node.attributes, replaces };
  if (node.type === 'symlink') return { ...common, node: { type: 'symlink', target: node.target ?? '' } };
  if (node.type === 'other') return { ...common, node: { type: 'fifo' } };
  return { ...common, node: { type: 'file', file: contentOf(folder, entry, keptNode(entry, node)) } };
}

/** Gives the folders that were made what they had, the innermost first: their times last of all. */
async function finishFolders(made: readonly KeptNode[], launcher: string): Promise<void> {
  for (const node of [...made].reverse()) {
    try {
      const above = holdFolder(folderOf(node.path));
      try {
        setStatus(above, nameOf(node.path), statusOf(node));
        await giveAttributes(launcher, above, [{ name: nameOf(node.path), attributes: node.attributes ?? '' }]);
      } finally {
        above.close();
      }
      const held = holdFolder(node.path);
      try {
        await setTimes(held, [{ name: '.', mtimeNs: BigInt(node.mtimeNs) }]);
      } finally {
        held.close();
      }
    } catch (error) {
      // Somebody took it away meanwhile.
      codeOf(error);
    }
  }
}
