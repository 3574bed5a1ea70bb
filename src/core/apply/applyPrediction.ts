import fs from 'node:fs';
import path from 'node:path';
import type { ApplyRefusal } from '../facts/applyFact.ts';
import { folderOf, nameOf } from '../loss/bytePath.ts';
import type { AtStake } from '../safetyNet/atStake.ts';
import { byFolder, codeOf, type HeldFolder, holdFolder, inFolders, isSameNode } from '../safetyNet/heldFolder.ts';
import { keepNodes, noteLeft } from '../safetyNet/keepLost.ts';
import { type KeptEntry, nodePrint } from '../safetyNet/keptEntry.ts';
import type { NetUse } from '../safetyNet/netUse.ts';
import { giveAttributes, type NodeAttributes, readAttributes, whenWritten } from '../safetyNet/nodeAttributes.ts';
import { type Put, putNodes, removeNodes, setStatus, setTimes } from '../safetyNet/putNodes.ts';
import { mergeText } from './mergeText.ts';
import { openFolders } from './openFolders.ts';
import { type ApplyItem, type Preparation, realStatus } from './prepareApply.ts';
import { type StagedContents, stageContents } from './stagedContents.ts';

/** How a result is put in place. */
export interface ApplyOptions {
  use: NetUse;
  cwd: string;
  now: number;
  /** Only these paths; absent: all. What was edited meanwhile is merged then, or left. */
  only?: ReadonlySet<string>;
}

/** What came of it. */
export interface Applied {
  /** Paths that are as it was predicted. */
  applied: string[];
  /** Texts that were edited meanwhile: both changes are in them. */
  merged: string[];
  /** Paths that were left: both changed the same lines, or it is no text. */
  conflicts: string[];
  failed: { path: string; code: string }[];
  /** `restore` takes all of it back; absent where nothing was replaced or made. */
  keptAs?: string;
}

/**
 * Puts a predicted result in place: each file as a whole, only where what it was made from is as it was, and what it replaces
 * is kept, so that all of it can be taken back at once.
 */
export async function applyPrediction(
  preparation: Preparation,
  { use, cwd, now, only }: ApplyOptions,
): Promise<Applied | { refused: ApplyRefusal }> {
  const { launcher } = use;
  const result: Applied = { applied: [], merged: [], conflicts: [], failed: [] };
  const wanted = preparation.items.filter(({ change }) => only === undefined || only.has(change.path));
  const changed = wanted.filter(hasChanged);
  if (changed.length > 0 && only === undefined)
    return { refused: { kind: 'changed', paths: changed.map(({ change }) => change.path) } };
  const items = wanted.filter((item) => !changed.includes(item));
  const merges = await mergesOf(changed, preparation, result);
  const stake = [...items, ...merges.map(({ item }) => item)].flatMap(atStakeOf);
  const { action } = preparation.prediction;
  const kept = await keepNodes(stake, use, { action, cwd, for: { kind: 'apply' }, now, isKeptEmpty: true });
  const isKept = new Set(kept?.nodes.map(({ path }) => path));
  const unkept = stake.find(({ path }) => !isKept.has(path));
  if (unkept) return { refused: { kind: 'notKept', path: unkept.path } };
  const attributes = await attributesOf([...items, ...merges.map(({ item }) => item)], launcher);
  const files = items.filter((item) => item.after && !isFolder(item) && item.change.change !== 'mode');
  const staged = await stageContents(files, preparation.view, path.dirname(use.folder));
  try {
    // What was changed while it was read may be in what was read.
    const late = items.filter(hasChanged);
    if (late.length > 0) return { refused: { kind: 'changed', paths: late.map(({ change }) => change.path) } };
    const close = openFolders(items);
    try {
      await removeReplacedFolders(items, launcher, result);
      await makeFolders(items, launcher, result);
      await putFiles(files, merges, { staged, launcher, beganNs: preparation.beganNs, attributes }, result);
      await removeGone(items, launcher, result);
    } finally {
      close();
    }
    await finishFolders(items, { launcher, beganNs: preparation.beganNs, attributes }, result);
  } finally {
    staged.dispose();
  }
  if (kept) {
    noteLeft(use.folder, kept.id, madeBy(items));
    result.keptAs = kept.id;
  }
  return result;
}

/** Something else stands there than when it was predicted. */
function hasChanged({ change, was, wasFrom }: ApplyItem): boolean {
  const differs = (one: fs.BigIntStats | undefined, path: string) => {
    const now = realStatus(path);
    if (!one || !now) return one !== now;
    // A folder's times change whenever something in it does.
    if (one.isDirectory() && now.isDirectory()) return one.ino !== now.ino || one.mode !== now.mode;
    return !isSameNode(one, now) || one.ctimeNs !== now.ctimeNs;
  };
  return differs(was, change.path) || (change.from !== undefined && differs(wasFrom, change.from));
}

/** A text with the changes of both. */
interface Merged {
  item: ApplyItem;
  bytes: Uint8Array;
  /** What stood there when it was merged. */
  now: fs.BigIntStats;
}

async function mergesOf(
  changed: readonly ApplyItem[],
  { view }: Preparation,
  { conflicts }: Applied,
): Promise<Merged[]> {
  const merges: Merged[] = [];
  for (const item of changed) {
    const { path } = item.change;
    const now = realStatus(path);
    const theirs = item.text && (await view.read(path, 'after'));
    const ours = theirs && now?.isFile() ? fs.readFileSync(path) : undefined;
    const bytes = item.text && theirs && ours ? await mergeText(item.text, ours, theirs) : undefined;
    if (bytes && now) merges.push({ item, bytes, now });
    else conflicts.push(path);
  }
  return merges;
}

/** How nodes are put in place. */
interface Placing {
  launcher: string;
  /** When it was begun to be predicted, see `Preparation`. */
  beganNs: bigint;
  attributes: ReadonlyMap<string, NodeAttributes>;
}

/**
 * Extended attributes and access lists of what stands there now or has another name now, by the path where it is to be: what a
 * command does to them is an effect of its own, and nothing with such an effect is applied.
 */
async function attributesOf(items: readonly ApplyItem[], launcher: string): Promise<Map<string, NodeAttributes>> {
  const old = items.flatMap(({ change, was, wasFrom, after }) => {
    const from = change.from !== undefined && wasFrom ? change.from : was ? change.path : undefined;
    return after && from !== undefined ? [{ from, path: change.path, isSame: change.change === 'renamed' }] : [];
  });
  const found = await readAttributes(
    launcher,
    old.map(({ from }) => from),
  );
  return new Map(old.map(({ path, isSame }, at) => [path, isSame ? (found[at] ?? '') : whenWritten(found[at] ?? '')]));
}

/** What of it goes: what is replaced, removed, moved away or gets another mode. */
function atStakeOf({ change, was, wasFrom }: ApplyItem): AtStake[] {
  const stake = (path: string, status: fs.BigIntStats | undefined, isStatusOnly: boolean): AtStake[] => {
    const sizeBytes = status?.isFile() ? Number(status.size) : 0;
    return status ? [{ path, isLost: true, isStatusOnly, sizeBytes }] : [];
  };
  const staysFolder = was?.isDirectory() === true && change.type === 'directory' && change.change !== 'deleted';
  const here = stake(change.path, was, change.change === 'mode' || staysFolder);
  return change.from === undefined ? here : [...here, ...stake(change.from, wasFrom, false)];
}

const isFolder = ({ after }: ApplyItem) => after?.type === 'directory';

/** A folder in whose place something else is to stand: what is in it goes first. */
async function removeReplacedFolders(items: readonly ApplyItem[], launcher: string, result: Applied): Promise<void> {
  const folders = items.filter((item) => item.was?.isDirectory() && item.after && !isFolder(item));
  if (folders.length > 0)
    await removeGone(items, launcher, result, (path) =>
      folders.some(({ change }) => path.startsWith(`${change.path}/`)),
    );
}

async function makeFolders(items: readonly ApplyItem[], launcher: string, { applied, failed }: Applied): Promise<void> {
  for (const { change, was } of items.filter(isFolder)) {
    if (was?.isDirectory()) continue;
    await inFolder(change.path, failed, async (folder, name) => {
      const [end] = was ? await removeNodes(folder, [{ name, expected: was }], launcher) : ['removed'];
      if (end !== 'removed') {
        failed.push({ path: change.path, code: typeof end === 'object' ? end.code : 'changed' });
        return;
      }
      fs.mkdirSync(folder.of(name), 0o700);
      applied.push(change.path);
    });
  }
}

async function inFolder(
  path: string,
  failed: Applied['failed'],
  work: (folder: HeldFolder, name: string) => void | Promise<void>,
): Promise<void> {
  try {
    const folder = holdFolder(folderOf(path));
    try {
      await work(folder, nameOf(path));
    } finally {
      folder.close();
    }
  } catch (error) {
    failed.push({ path, code: codeOf(error) });
  }
}

/** Files that are made ready at a time. */
const mostAtOnce = 500;

async function putFiles(
  files: readonly ApplyItem[],
  merges: readonly Merged[],
  { staged, ...around }: Placing & { staged: StagedContents },
  result: Applied,
): Promise<void> {
  const all = [
    ...files.map((item) => ({ path: item.change.path, item, merged: undefined })),
    ...merges.map((merged) => ({ path: merged.item.change.path, item: merged.item, merged })),
  ];
  for (const [, inOne] of byFolder(all)) {
    for (let start = 0; start < inOne.length; start += mostAtOnce) {
      await inFolders(
        inOne.slice(start, start + mostAtOnce),
        async (folder, some) => {
          const puts = some.map(({ item, merged }) => putOf(item, merged, staged, around));
          const ends = await putNodes(
            folder,
            puts.flatMap((put) => put ?? []),
            around.launcher,
          );
          let at = 0;
          for (const [index, { path, merged }] of some.entries()) {
            const end = puts[index] ? ends[at++] : { code: 'gone' };
            if (end === 'put') (merged ? result.merged : result.applied).push(path);
            else if (end === 'changed') result.conflicts.push(path);
            else result.failed.push({ path, code: end?.code ?? 'gone' });
          }
        },
        (some, code) => result.failed.push(...some.map(({ path }) => ({ path, code }))),
      );
    }
  }
}

function putOf(
  { change, after, was }: ApplyItem,
  merged: Merged | undefined,
  staged: StagedContents,
  { beganNs, attributes }: Placing,
): Put | undefined {
  const node: Put['node'] | undefined = merged ? { type: 'file', bytes: merged.bytes } : staged.of(change.path);
  if (!after || !node) return undefined;
  const isOld = after.mtimeNs < beganNs;
  const status = {
    mode: after.mode,
    owner: { uid: after.uid, gid: after.gid },
    ...(isOld && !merged ? { mtimeNs: after.mtimeNs } : {}),
  };
  const rich = attributes.get(change.path);
  return { name: nameOf(change.path), status, attributes: rich, replaces: merged?.now ?? was, node };
}

/** Removes what is deleted, what is in a folder before the folder, and the old names of what was renamed. */
async function removeGone(
  items: readonly ApplyItem[],
  launcher: string,
  { applied, conflicts, failed }: Applied,
  isWanted: (path: string) => boolean = () => true,
): Promise<void> {
  const targets = new Set(items.flatMap(({ change, after }) => (after ? [change.path] : [])));
  const gone = items.flatMap(({ change, was, wasFrom }) => {
    // A folder that stands at the name of another one is told as deleted, and as moved there.
    if (change.change === 'deleted')
      return was && !targets.has(change.path) ? [{ path: change.path, status: was }] : [];
    const { from } = change;
    return from !== undefined && wasFrom && !targets.has(from) ? [{ path: from, status: wasFrom }] : [];
  });
  const there = gone.filter(({ path }) => isWanted(path) && realStatus(path));
  // A folder goes when nothing is in it any more.
  const folders = there.filter(({ status }) => status.isDirectory());
  const files = there.filter(({ status }) => !status.isDirectory());
  for (const part of [files, ...folders.sort((one, other) => (one.path < other.path ? 1 : -1)).map((one) => [one])])
    await inFolders(
      part,
      async (folder, some) => {
        const nodes = some.map(({ path, status }) => ({ name: nameOf(path), expected: status }));
        const ends = await removeNodes(folder, nodes, launcher);
        for (const [at, { path }] of some.entries()) {
          const end = ends[at] ?? 'changed';
          if (end === 'removed') applied.push(path);
          else if (end === 'changed') conflicts.push(path);
          else failed.push({ path, code: end.code });
        }
      },
      (some, code) => failed.push(...some.map(({ path }) => ({ path, code }))),
    );
}

/** Modes of what only gets another one, and of new folders; those that were moved keep their times. */
async function finishFolders(
  items: readonly ApplyItem[],
  { launcher, beganNs, attributes }: Placing,
  { applied, failed }: Applied,
): Promise<void> {
  const rest = items.filter((item) => item.after && (isFolder(item) || item.change.change === 'mode'));
  for (const { change, after, was } of [...rest].reverse()) {
    if (!after) continue;
    await inFolder(change.path, failed, async (folder, name) => {
      setStatus(folder, name, { mode: after.mode, owner: { uid: after.uid, gid: after.gid } });
      // What stays where it is has kept them.
      const rich = was ? '' : (attributes.get(change.path) ?? '');
      await giveAttributes(launcher, folder, [{ name, attributes: rich }]);
      if (change.change === 'mode') applied.push(change.path);
      // It was written anew, with the same content: a real run gives it a new time.
      if (was?.isFile() && after.mtimeNs >= beganNs) fs.lutimesSync(folder.of(name), new Date(), new Date());
    });
    if (was || after.type !== 'directory' || after.mtimeNs >= beganNs) continue;
    const held = holdFolder(change.path);
    try {
      await setTimes(held, [{ name: '.', mtimeNs: after.mtimeNs }]);
    } finally {
      held.close();
    }
  }
}

/** Notes what was made where nothing stood, so that it is taken away again when all of it is taken back. */
function madeBy(items: readonly ApplyItem[]): NonNullable<KeptEntry['made']> {
  return items.flatMap(({ change, was, after }) => {
    const now = was || !after ? undefined : realStatus(change.path);
    return now ? [{ path: change.path, left: nodePrint(now) }] : [];
  });
}
