import type { FileChange } from '../../view/fileChange.ts';
import type { View } from '../../view/view.ts';
import type { BeforeContent } from '../beforeContent.ts';
import { folderOf, nameOf } from '../bytePath.ts';
import type { Destroyed } from '../destroyed.ts';
import { maxTextBytes, onlyAdds } from '../textLines.ts';

/** Of a moved folder with more files than this, so many (evenly spread) are compared and stand for the rest. */
const comparedPerFolder = 256;

/** Files of a size that many new files share are compared with so many of them. */
const candidatesPerFile = 4;

/**
 * The destroyed content that still exists after the action at another path that the action wrote (`mv`, `cp a a.bak`).
 * Sizes decide what is compared; where no size fits, nothing is read.
 */
export async function movedOrCopied(
  destroyed: readonly Destroyed[],
  files: readonly FileChange[],
  view: View,
  before: BeforeContent,
): Promise<Set<string>> {
  const survivors = new Set<string>();
  const written = writtenBySize(files);
  if (written.size === 0) return survivors;
  const pairs: { item: Destroyed; candidates: string[] }[] = [];
  for (const item of destroyed) {
    const candidates = candidatesFor(item, written);
    if (candidates.length > 0) pairs.push({ item, candidates });
  }
  for (const group of groupsOfOneMove(pairs)) await compareGroup(group, view, before, survivors);
  return survivors;
}

/** The paths among `items` whose content was only added to (`>>`, an inserted block): nothing of it is gone. */
export async function onlyAddedTo(
  items: readonly Destroyed[],
  view: View,
  before: BeforeContent,
): Promise<Set<string>> {
  const kept = new Set<string>();
  const comparable = items.filter((item) => item.how === 'overwritten' && item.type === 'file' && item.fileAfter);
  await before.prepare(comparable);
  await inTurns(comparable, async (item) => {
    const old = await before.of(item);
    const now = old && (await view.read(item.path, 'after', 2 * maxTextBytes));
    if (old && now && onlyAdds(old, now)) kept.add(item.path);
  });
  return kept;
}

interface Written {
  path: string;
  target?: string | undefined;
}

function writtenBySize(files: readonly FileChange[]): Map<string, Written[]> {
  const bySize = new Map<string, Written[]>();
  for (const change of files) {
    if (change.change === 'deleted' || change.change === 'mode') continue;
    if (change.type !== 'file' && change.type !== 'symlink') continue;
    const key = `${change.type}${change.sizeBytes}`;
    const list = bySize.get(key);
    if (list) list.push({ path: change.path, target: change.target });
    else bySize.set(key, [{ path: change.path, target: change.target }]);
  }
  return bySize;
}

function candidatesFor(item: Destroyed, written: ReadonlyMap<string, Written[]>): string[] {
  const all = written.get(`${item.type}${item.sizeBytes}`);
  if (!all) return [];
  const others = all.filter((one) => one.path !== item.path && (item.type === 'file' || one.target === item.target));
  const name = nameOf(item.path);
  const named = others.filter((one) => nameOf(one.path) === name);
  // Empty files are all alike; only the same name makes one of them the moved one.
  const rest = item.sizeBytes === 0 ? [] : others.filter((one) => nameOf(one.path) !== name);
  return [...named, ...rest].slice(0, candidatesPerFile).map((one) => one.path);
}

type Pair = { item: Destroyed; candidates: string[] };

/** Pairs whose first candidate follows from the same move of a folder, `a/x/f → b/x/f`. */
function groupsOfOneMove(pairs: readonly Pair[]): Pair[][] {
  const groups = new Map<string, Pair[]>();
  for (const pair of pairs) {
    const key = moveOf(pair.item.path, pair.candidates[0] ?? '');
    const group = groups.get(key);
    if (group) group.push(pair);
    else groups.set(key, [pair]);
  }
  return [...groups.values()];
}

/** The shortest pair of folders that maps one path to the other: common ends are cut off. */
function moveOf(from: string, to: string): string {
  let [a, b] = [from, to];
  while (nameOf(a) === nameOf(b) && folderOf(a) !== a && folderOf(b) !== b) [a, b] = [folderOf(a), folderOf(b)];
  return `${a}\0${b}`;
}

async function compareGroup(group: readonly Pair[], view: View, before: BeforeContent, survivors: Set<string>) {
  const every = Math.ceil(group.length / comparedPerFolder);
  const sample = group.filter((_, index) => index % every === 0);
  await before.prepare(sample.map((pair) => pair.item));
  let equal = 0;
  await inTurns(sample, async (pair) => {
    if (!(await hasCopy(pair, view, before))) return;
    survivors.add(pair.item.path);
    equal++;
  });
  if (every > 1 && equal === sample.length) for (const pair of group) survivors.add(pair.item.path);
}

async function hasCopy(pair: Pair, view: View, before: BeforeContent): Promise<boolean> {
  // The candidates of a symbolic link already have its target; those of an empty file its name.
  if (pair.item.type === 'symlink' || pair.item.sizeBytes === 0) return true;
  const old = await before.of(pair.item);
  if (!old) return hasLargeCopy(pair, view);
  for (const path of pair.candidates) {
    const now = await view.read(path, 'after', old.length + 1);
    if (now && Buffer.compare(old, now) === 0) return true;
  }
  return false;
}

/** So much of a large file is compared: 64 MiB. */
const comparedBytes = 64 * 1024 * 1024;

/** Large files are compared with one of the same name and size only. */
async function hasLargeCopy(pair: Pair, view: View): Promise<boolean> {
  const [path] = pair.candidates;
  if (path === undefined || nameOf(path) !== nameOf(pair.item.path)) return false;
  const [old, now] = await Promise.all([
    view.read(pair.item.path, 'before', comparedBytes),
    view.read(path, 'after', comparedBytes),
  ]);
  return old !== undefined && now !== undefined && Buffer.compare(old, now) === 0;
}

/** Does something for each item, 16 at a time. */
export async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  async function worker(): Promise<void> {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item);
  }
  await Promise.all(Array.from({ length: Math.min(16, items.length) }, worker));
}
