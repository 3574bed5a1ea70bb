import { lstat, readdir } from 'node:fs/promises';
import type { Recovery } from '../../facts/recovery.ts';
import { quoteWord } from '../../shell/quoteWord.ts';
import type { FileChange } from '../../view/fileChange.ts';
import type { View } from '../../view/view.ts';
import type { BeforeContent } from '../beforeContent.ts';
import { folderReader, isNotText } from '../bytePath.ts';
import type { Destroyed } from '../destroyed.ts';
import { contentOf, type HolderInput, holderCommand } from './heldElsewhere.ts';
import { unpack } from './packedFormats.ts';

/** More deleted files are not asked for their numbers, nor more names of all folders together. */
const mostNames = 2000;
/** Larger files are not compared, in bytes. */
const mostBytes = 64 * 1024 * 1024;
/** Of one file so many are unpacked that are called like it. */
const mostPacked = 4;
/** Shorter content stands in other files by chance, in bytes. */
const shortest = 16;

/** A file on the disk; `id`: its device and number. */
export interface Node {
  path: string;
  id: string;
  sizeBytes: number;
  mtimeNs: bigint;
  names: number;
}

/**
 * What stays on the disk of what is deleted or overwritten: another name of a file whose name is deleted or given to another (a
 * hard link), or a file in the same folder with the same bytes, as `conf` and `conf.bak` may have, also packed (`log` and `log.gz`). By path; the command of each makes it again under its old name.
 */
export async function besideIt(
  items: readonly Destroyed[],
  input: HolderInput,
  before: BeforeContent,
): Promise<Map<string, Recovery>> {
  const { files, view, signal } = input;
  const found = new Map<string, Recovery>();
  const asked = items.filter(({ type, path }) => type === 'file' && !isNotText(path));
  if (asked.length === 0) return found;
  const touched = new Set(files.map(({ path }) => path));
  const folderOfItem = folderReader();
  const neighbours = new Map<string, readonly Node[]>();
  let namesLeft = mostNames;
  let gone: ReadonlyMap<string, number> | undefined;
  for (const item of asked) {
    if (signal.aborted) break;
    const own = await nodeOf(item.path);
    if (!own || !(await isAsBefore(own, view))) continue;
    const folder = folderOfItem(item.path);
    let beside = neighbours.get(folder);
    if (!beside) {
      beside = await nodesIn(folder, touched, namesLeft);
      namesLeft -= beside.length;
      neighbours.set(folder, beside);
    }
    if (own.names > 1) {
      gone ??= await goneNames(files, view);
      const left = own.names - (gone?.get(own.id) ?? own.names);
      const link = left > 0 ? beside.find(({ id }) => id === own.id) : undefined;
      if (left > 0) {
        found.set(item.path, link ? linkedAgain(link.path, item) : { kind: 'otherNames', names: left });
        continue;
      }
    }
    const kept = await keptAmong(beside, item, input, before);
    if (kept) found.set(item.path, kept);
  }
  return found;
}

function linkedAgain(link: string, { path, how }: Destroyed): Recovery {
  const command = `ln ${how === 'deleted' ? '' : '-f '}${quoteWord(link)} ${quoteWord(path)}`;
  return { kind: 'file', file: link, command };
}

/** A file as it is on the disk. */
export async function nodeOf(path: string): Promise<Node | undefined> {
  const status = await lstat(path, { bigint: true }).catch(() => undefined);
  if (!status?.isFile()) return undefined;
  const { dev, ino, size, mtimeNs, nlink } = status;
  return { path, id: `${dev}:${ino}`, sizeBytes: Number(size), mtimeNs, names: Number(nlink) };
}

/** An earlier step of a session may have changed it, so that the disk tells nothing of it. */
export async function isAsBefore({ path, sizeBytes, mtimeNs }: Node, view: View): Promise<boolean> {
  const status = await view.status?.(path, 'before');
  return status !== undefined && status.sizeBytes === sizeBytes && status.mtimeNs === mtimeNs;
}

/** The files of a folder that the action leaves as they are. */
async function nodesIn(folder: string, touched: ReadonlySet<string>, most: number): Promise<Node[]> {
  const names = await readdir(folder).catch(() => []);
  if (names.length > most) return [];
  const paths = names.map((name) => (folder === '/' ? `/${name}` : `${folder}/${name}`));
  const nodes = await Promise.all(paths.filter((path) => !touched.has(path)).map(nodeOf));
  return nodes.flatMap((node) => node ?? []);
}

/** How many names of each file the action takes from it; of one that it writes, all. `undefined`: too many to count. */
async function goneNames(files: readonly FileChange[], view: View): Promise<Map<string, number> | undefined> {
  const changed = files.filter(
    ({ path, change, type, before }) =>
      (change === 'deleted' || change === 'modified') && (before?.type ?? type) === 'file' && !isNotText(path),
  );
  if (changed.length > mostNames) return undefined;
  const count = new Map<string, number>();
  const kept: Node[] = [];
  await Promise.all(
    changed.map(async ({ path, change }) => {
      const node = await nodeOf(path);
      if (node && change === 'deleted') count.set(node.id, (count.get(node.id) ?? 0) + 1);
      else if (node) kept.push(node);
    }),
  );
  // A file that is written keeps its names; a name that another file has got is that one's only one.
  const replaced = await Promise.all(kept.map(async ({ path }) => (await view.status?.(path, 'after'))?.links === 1));
  for (const [at, { id, names }] of kept.entries()) {
    const before = count.get(id) ?? 0;
    count.set(id, replaced[at] && names - before > 1 ? before + 1 : Number.POSITIVE_INFINITY);
  }
  return count;
}

/** A file with the same bytes, or `a.gz` beside `a`, whatever its ending: what it was packed of is compared. */
async function keptAmong(
  beside: readonly Node[],
  item: Destroyed,
  input: HolderInput,
  before: BeforeContent,
): Promise<Recovery | undefined> {
  const { view } = input;
  if (item.sizeBytes < shortest || item.sizeBytes > mostBytes) return undefined;
  const copies = beside.filter(({ sizeBytes }) => sizeBytes === item.sizeBytes);
  const packed = beside.filter(({ path, sizeBytes }) => path.startsWith(`${item.path}.`) && sizeBytes <= mostBytes);
  const content = copies.length + packed.length > 0 ? await contentOf(item, view, before) : undefined;
  if (!content) return undefined;
  for (const { path } of copies) {
    const bytes = await view.read(path, 'after', item.sizeBytes + 1);
    if (!bytes || !content.equals(bytes)) continue;
    return { kind: 'file', file: path, command: `cp -p ${quoteWord(path)} ${quoteWord(item.path)}` };
  }
  for (const { path, sizeBytes } of packed.slice(0, mostPacked)) {
    const read = await view.read(path, 'after', sizeBytes);
    const bytes = read && Buffer.from(read.buffer, read.byteOffset, read.byteLength);
    const unpacked = bytes && (await unpack({ path, bytes, leftBytes: mostBytes }, input));
    if (!unpacked?.bytes.equals(content)) continue;
    const { format } = unpacked;
    const command = holderCommand({ file: path, format, isAlone: true }, item.path);
    return { kind: 'file', file: path, format, ...(command === undefined ? {} : { command }) };
  }
  return undefined;
}
