import { createHash } from 'node:crypto';
import type { FileChange } from '../../view/fileChange.ts';
import type { View } from '../../view/view.ts';
import type { BeforeContent } from '../beforeContent.ts';
import { folderOf, nameOf } from '../bytePath.ts';
import { type Destroyed, placeAfter } from '../destroyed.ts';
import { inTurns } from '../inTurns.ts';
import { maxAfterBytes, onlyAdds } from '../textLines.ts';
import { onlyAddsMembers } from './archiveGrowth.ts';
import { archiveKind } from './archiveMembers.ts';

/** Of a moved folder with more files than this, all are compared where they lie. */
const readPerFolder = 256;

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
  const pairOf = pairFinder(written);
  const pairs = destroyed.flatMap((item) => pairOf(item) ?? []);
  for (const group of groupsOfOneMove(pairs)) {
    const open = group.length > readPerFolder ? await comparedAtOnce(group, view, survivors) : group;
    await before.prepare(open.map(({ item }) => item));
    await inTurns(open, async (pair) => {
      if (await hasCopy(pair, view, before)) survivors.add(pair.item.path);
    });
  }
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
    const compared = await before.compared(item);
    const old = compared ? undefined : await before.of(item);
    const now = old && (await view.read(placeAfter(item), 'after', maxAfterBytes));
    const isKept = compared ? compared.how !== 'gone' : old && now && onlyAdds(old, now);
    if (isKept || (await isGrownArchive(item, view))) kept.add(item.path);
  });
  return kept;
}

/** Larger archives are not compared member by member, in bytes. */
const mostOfArchive = 128 * 1024 * 1024;

/** So much shows whether a file is an archive, in bytes. */
const archiveHead = 512;

async function isGrownArchive(item: Destroyed, view: View): Promise<boolean> {
  const { path, sizeBytes, sizeAfter } = item;
  if (sizeBytes > mostOfArchive || (sizeAfter ?? 0) > mostOfArchive || sizeBytes < 22) return false;
  const head = await view.read(path, 'before', archiveHead);
  if (!head || head.length < 32 || !archiveKind(asBuffer(head))) return false;
  const [before, after] = await Promise.all([
    view.read(path, 'before', sizeBytes),
    view.read(placeAfter(item), 'after', mostOfArchive),
  ]);
  return before?.length === sizeBytes && after !== undefined && onlyAddsMembers(asBuffer(before), asBuffer(after));
}

const asBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

interface Written {
  path: string;
  target?: string | undefined;
  sha256?: string | undefined;
}

function writtenBySize(files: readonly FileChange[]): Map<string, Written[]> {
  const bySize = new Map<string, Written[]>();
  for (const change of files) {
    if (change.change === 'deleted' || change.change === 'mode') continue;
    if (change.type !== 'file' && change.type !== 'symlink') continue;
    const key = `${change.type}${change.sizeBytes}`;
    const { path, target, sha256 } = change;
    const list = bySize.get(key);
    if (list) list.push({ path, target, sha256 });
    else bySize.set(key, [{ path, target, sha256 }]);
  }
  return bySize;
}

/** What a file's content can be compared with: some paths by reading them, and all that was hashed by its hash. */
interface Pair {
  item: Destroyed;
  candidates: Written[];
  hashed: Hashed;
}

/** The paths of each hash. */
type Hashed = ReadonlyMap<string, string[]>;

function pairFinder(written: ReadonlyMap<string, Written[]>): (item: Destroyed) => Pair | undefined {
  const indexed = new Map<string, { named: Map<string, Written[]>; hashed: Map<string, string[]> }>();
  const indexOf = (key: string) => {
    const known = indexed.get(key);
    if (known) return known;
    const index = { named: new Map<string, Written[]>(), hashed: new Map<string, string[]>() };
    for (const one of written.get(key) ?? []) {
      pushTo(index.named, nameOf(one.path), one);
      if (one.sha256 !== undefined) pushTo(index.hashed, one.sha256, one.path);
    }
    indexed.set(key, index);
    return index;
  };
  return (item) => {
    const key = `${item.type}${item.sizeBytes}`;
    const all = written.get(key);
    if (!all) return undefined;
    const { named, hashed } = indexOf(key);
    const fits = (one: Written) => one.path !== item.path && (item.type === 'file' || one.target === item.target);
    const name = nameOf(item.path);
    const candidates = some(named.get(name) ?? [], fits);
    // Empty files are all alike; only the same name makes one of them the moved one.
    if (item.sizeBytes > 0) candidates.push(...some(all, (one) => fits(one) && nameOf(one.path) !== name));
    if (candidates.length === 0) return undefined;
    return { item, candidates: candidates.slice(0, candidatesPerFile), hashed };
  };
}

function pushTo<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/** The first few that fit. */
function some(all: readonly Written[], fits: (one: Written) => boolean): Written[] {
  const found: Written[] = [];
  for (const one of all) {
    if (found.length === candidatesPerFile) break;
    if (fits(one)) found.push(one);
  }
  return found;
}

/** Pairs whose first candidate follows from the same move of a folder, `a/x/f → b/x/f`. */
function groupsOfOneMove(pairs: readonly Pair[]): Pair[][] {
  const groups = new Map<string, Pair[]>();
  for (const pair of pairs) {
    const key = moveOf(pair.item.path, pair.candidates[0]?.path ?? '');
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

/** Those of a group whose first candidate is the same go to `survivors`; returns the others. */
async function comparedAtOnce(group: readonly Pair[], view: View, survivors: Set<string>): Promise<readonly Pair[]> {
  const first = group.map(({ item, candidates }) => ({ before: item.path, after: candidates[0]?.path ?? '' }));
  const found = await view.compare?.(first);
  return group.filter(({ item }, at) => {
    const isSame = item.type === 'file' && found?.[at]?.how === 'same';
    if (isSame) survivors.add(item.path);
    return !isSame;
  });
}

async function hasCopy({ item, candidates, hashed }: Pair, view: View, before: BeforeContent): Promise<boolean> {
  // The candidates of a symbolic link already have its target; those of an empty file its name.
  if (item.type === 'symlink' || item.sizeBytes === 0) return true;
  const old = await before.of(item);
  if (!old) return hasUnreadCopy(item, candidates, view);
  const alike = hashed.size > 0 ? hashed.get(createHash('sha256').update(old).digest('hex')) : undefined;
  if (alike?.some((path) => path !== item.path)) return true;
  for (const { path, sha256 } of candidates) {
    if (sha256 !== undefined) continue;
    const now = await view.read(path, 'after', old.length + 1);
    if (now && Buffer.compare(old, now) === 0) return true;
  }
  return false;
}

/** What is too large to be read here is compared where it lies. */
async function hasUnreadCopy({ path }: Destroyed, candidates: readonly Written[], view: View): Promise<boolean> {
  const found = await view.compare?.(candidates.map((one) => ({ before: path, after: one.path })));
  return found?.some((comparison) => comparison?.how === 'same') ?? false;
}
