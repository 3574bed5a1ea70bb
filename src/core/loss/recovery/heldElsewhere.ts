import { readdir } from 'node:fs/promises';
import { quoteWord } from '../../shell/quoteWord.ts';
import type { FileChange } from '../../view/fileChange.ts';
import type { Looker, View } from '../../view/view.ts';
import type { BeforeContent } from '../beforeContent.ts';
import { folderOf, isNotText, nameOf } from '../bytePath.ts';
import type { Destroyed } from '../destroyed.ts';
import { archiveKind, archiveMembers } from './archiveMembers.ts';
import { type Packed, unpack, unpackingCommand } from './packedFormats.ts';
import { isPatch, patchMakes } from './patchHolder.ts';

/** A file that holds the bytes of a destroyed one after the action. */
export interface Holder {
  /** Absolute; of a file in pieces what all names begin with. */
  file: string;
  /** `gzip`, `tar`, `base64`, `patch`; absent where the bytes stand in it as they are. */
  format?: string;
  /** Name in the archive. */
  member?: string;
  /** It was made of this one file alone and is as good as moved: packed or coded, but not put together with others. */
  isAlone: boolean;
}

/** Where copies are looked for. */
export interface HolderInput {
  files: readonly FileChange[];
  view: View;
  /** Runs inert programs in the view, after the action. */
  inView?: Looker | undefined;
  /** Absolute paths that the programs of the action name: one may be a copy that was there before. */
  namedPaths?: readonly string[];
  signal: AbortSignal;
}

/** More is not unpacked for one question. */
const mostBytes = 256 * 1024 * 1024;
/** So many new files are looked into. */
const mostFiles = 64;
/** Shorter content stands in other files by chance. */
export const shortestPart = 64;
/** The longest text that is decoded, and patch that is applied. */
const longestWhole = 8 * 1024 * 1024;
/** So many bytes are searched through for content in the middle of one file, in all. */
const mostSearched = 512 * 1024 * 1024;
/** Of more deleted files it is not tried whether a file is put together of them. */
const mostParts = 512;

interface Wanted {
  path: string;
  content: Buffer;
  /** It may stand in the middle of another file: what is put together is deleted afterwards, and not overwritten. */
  isDeleted: boolean;
}

/**
 * Which destroyed files stand, with the same bytes, in files that the action wrote or names: archives, packed, coded or cut
 * into pieces. The bytes are compared; what cannot be unpacked here holds nothing.
 */
export async function heldElsewhere(
  items: readonly Destroyed[],
  input: HolderInput,
  before: BeforeContent,
): Promise<Map<string, Holder>> {
  const found = new Map<string, Holder>();
  if (items.length === 0) return found;
  const written = input.files
    .filter(
      ({ change, type, sizeBytes }) => change !== 'deleted' && change !== 'mode' && type === 'file' && sizeBytes > 0,
    )
    .slice(0, mostFiles);
  const named = notDeleted(input.namedPaths ?? [], input.files).slice(0, mostFiles);
  if (written.length === 0 && named.length === 0) return found;
  await findCopies(items, named, input, before, found);
  if (written.length === 0) return found;
  const wanted = await wantedContents(
    items.filter(({ path }) => !found.has(path)),
    input.view,
    before,
  );
  const open = () => wanted.filter(({ path }) => !found.has(path));
  let leftBytes = mostBytes;
  for (const { path, sizeBytes, change } of written) {
    if (open().length === 0 || input.signal.aborted) break;
    if (sizeBytes > leftBytes || isNotText(path)) continue;
    const bytes = await input.view.read(path, 'after', sizeBytes);
    if (!bytes) continue;
    leftBytes -= bytes.length;
    const holder = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const addedAt = change === 'created' ? 0 : await addedFrom(path, holder, input.view);
    leftBytes -= await lookInto({ path, bytes: holder, leftBytes, addedAt }, open(), input, found);
  }
  await findPieces(open(), written, input.view, found);
  return found;
}

function deletedPaths(files: readonly FileChange[]): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const { change, path } of files) if (change === 'deleted') paths.add(path);
  return paths;
}

/** Nothing stands in what the action deletes. */
function notDeleted(paths: readonly string[], files: readonly FileChange[]): string[] {
  const left = new Set(paths);
  for (const { change, path } of left.size > 0 ? files : []) if (change === 'deleted') left.delete(path);
  return [...left];
}

async function wantedContents(items: readonly Destroyed[], view: View, before: BeforeContent): Promise<Wanted[]> {
  const wanted: Wanted[] = [];
  let leftBytes = mostBytes;
  await before.prepare(items);
  for (const item of items) {
    if (!canBeHeld(item) || item.sizeBytes > leftBytes) continue;
    const content = await contentOf(item, view, before);
    if (!content) continue;
    leftBytes -= content.length;
    wanted.push({ path: item.path, content, isDeleted: item.how === 'deleted' });
  }
  return wanted;
}

const canBeHeld = ({ type, sizeBytes }: Destroyed) => type === 'file' && sizeBytes > 0 && sizeBytes <= mostBytes;

/** The whole of it, or nothing. */
export async function contentOf(item: Destroyed, view: View, before: BeforeContent): Promise<Buffer | undefined> {
  const content = (await before.of(item)) ?? (await view.read(item.path, 'before', item.sizeBytes));
  if (content?.length !== item.sizeBytes) return undefined;
  return Buffer.from(content.buffer, content.byteOffset, content.byteLength);
}

/**
 * A named path is a copy itself, or a folder that one stands in under its own name. Each place is read once, and of the
 * destroyed files only those that have its size.
 */
async function findCopies(
  items: readonly Destroyed[],
  named: readonly string[],
  input: HolderInput,
  before: BeforeContent,
  found: Map<string, Holder>,
) {
  if (named.length === 0) return;
  const gone = deletedPaths(input.files);
  const wanted = items.filter(canBeHeld);
  const take = async (place: string, fitting: readonly Destroyed[]) => {
    if (gone.has(place)) return false;
    const longest = fitting.reduce((size, item) => Math.max(size, item.sizeBytes), 0);
    const bytes = await input.view.read(place, 'after', longest + 1);
    if (!bytes) return false;
    for (const item of fitting) {
      if (item.sizeBytes !== bytes.length || item.path === place || found.has(item.path)) continue;
      const content = await contentOf(item, input.view, before);
      if (content?.equals(bytes)) found.set(item.path, { file: place, isAlone: true });
    }
    return true;
  };
  for (const place of named) {
    const open = wanted.filter(({ path }) => !found.has(path));
    if (open.length === 0 || input.signal.aborted) return;
    // What is read is a file: nothing stands in it.
    if (await take(place, open)) continue;
    for (const [name, fitting] of await wantedNames(place, open, input.files)) await take(`${place}/${name}`, fitting);
  }
}

/** Up to so many names are looked for in a folder without asking first what is in it. */
const fewNames = 64;

/** The wanted files by their names; of many only those that the folder holds. */
async function wantedNames(
  folder: string,
  wanted: readonly Destroyed[],
  files: readonly FileChange[],
): Promise<Map<string, Destroyed[]>> {
  const byName = new Map<string, Destroyed[]>();
  for (const one of wanted) {
    const list = byName.get(nameOf(one.path));
    if (list) list.push(one);
    else byName.set(nameOf(one.path), [one]);
  }
  if (byName.size <= fewNames) return byName;
  const there = new Set(await readdir(folder).catch(() => []));
  for (const { path } of files) if (folderOf(path) === folder) there.add(nameOf(path));
  return new Map([...byName].filter(([name]) => there.has(name) || isNotText(name)));
}

/** `cat a >> b`: where that begins which was added; `undefined` where the old content does not stand before it. */
async function addedFrom(path: string, after: Buffer, view: View): Promise<number | undefined> {
  const before = await view.read(path, 'before', after.length);
  const isThere = before !== undefined && before.length > 0 && after.subarray(0, before.length).equals(before);
  return isThere ? before.length : undefined;
}

/** A file that is looked into. */
interface Searched extends Packed {
  /** The action made it or wrote it on, from here: other files may stand in the middle of it. */
  addedAt: number | undefined;
}

/** Looks for the wanted contents in one file; gives how many bytes were unpacked for it. */
async function lookInto(
  packed: Searched,
  wanted: readonly Wanted[],
  input: HolderInput,
  found: Map<string, Holder>,
): Promise<number> {
  const { path, bytes, addedAt } = packed;
  const unpacked = await unpack(packed, input);
  const inner = unpacked?.bytes ?? bytes;
  const kind = inner.length >= 32 ? archiveKind(inner) : undefined;
  const sizes = new Set(wanted.map(({ content }) => content.length));
  if (kind) {
    for (const member of archiveMembers(kind, inner, (size) => sizes.has(size))) {
      for (const one of wanted) {
        if (found.has(one.path) || !one.content.equals(member.content)) continue;
        found.set(one.path, { file: path, format: kind, member: member.name, isAlone: false });
      }
    }
    return unpacked?.bytes.length ?? 0;
  }
  const decoded = unpacked ?? decode(bytes, sizes);
  const inside = { file: path, ...(unpacked ? { format: unpacked.format } : {}), isAlone: false };
  // What was added to something packed does not stand in it from there on.
  const put = addedAt === undefined || (unpacked && addedAt > 0) ? [] : partsOf(inner.subarray(addedAt), wanted);
  // One that is the whole file is found below.
  for (const part of put.length > 1 || addedAt !== 0 ? put : []) if (!found.has(part)) found.set(part, inside);
  let leftToSearch = mostSearched;
  for (const { path: destroyed, content, isDeleted } of wanted) {
    if (found.has(destroyed) || destroyed === path) continue;
    const mayStandInside = addedAt !== undefined && isDeleted && content.length >= shortestPart && leftToSearch > 0;
    if (mayStandInside) leftToSearch -= inner.length;
    if (decoded && content.equals(decoded.bytes))
      found.set(destroyed, { file: path, format: decoded.format, isAlone: true });
    else if (content.equals(inner)) found.set(destroyed, { file: path, isAlone: true });
    else if (mayStandInside && inner.includes(content)) found.set(destroyed, inside);
    else if (isPatch(inner)) {
      const base = isDeleted ? Buffer.alloc(0) : await input.view.read(destroyed, 'after', longestWhole);
      if (base && patchMakes(inner, Buffer.from(base), content))
        found.set(destroyed, { file: path, format: 'patch', isAlone: false });
    }
  }
  return unpacked?.bytes.length ?? 0;
}

/** The deleted files of which this consists, one behind the other (`cat part* > whole`), however short; none where something is left over. */
function partsOf(whole: Buffer, wanted: readonly Wanted[]): string[] {
  const left = wanted.filter(({ isDeleted }) => isDeleted);
  if (left.length > mostParts) return [];
  // Of two that begin alike the longer one is tried first.
  left.sort((a, b) => b.content.length - a.content.length);
  const parts: string[] = [];
  for (let at = 0; at < whole.length; ) {
    const next = left.findIndex(({ content }) => whole.subarray(at, at + content.length).equals(content));
    const [part] = next < 0 ? [] : left.splice(next, 1);
    if (!part) return [];
    parts.push(part.path);
    at += part.content.length;
  }
  return parts;
}

/** Text that stands for bytes. */
function decode(bytes: Buffer, sizes: ReadonlySet<number>): { bytes: Buffer; format: string } | undefined {
  if (bytes.length > 2 * longestWhole) return undefined;
  const text = bytes.toString('latin1').replace(/\s+/g, '');
  if (/^[0-9a-f]+$/i.test(text) && sizes.has(text.length / 2))
    return { bytes: Buffer.from(text, 'hex'), format: 'hex' };
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  return { bytes: Buffer.from(text, 'base64'), format: 'base64' };
}

/** `split`: pieces whose names go on where the last one ended, in one folder. */
async function findPieces(
  wanted: readonly Wanted[],
  written: readonly FileChange[],
  view: View,
  found: Map<string, Holder>,
) {
  const groups = new Map<string, FileChange[]>();
  for (const change of written) {
    const name = nameOf(change.path);
    for (const suffix of new Set([/[a-z]{2,5}$/.exec(name)?.[0].slice(-2), /\d{2,5}$/.exec(name)?.[0]])) {
      if (suffix === undefined) continue;
      const key = `${folderOf(change.path)}/${name.slice(0, -suffix.length)}`;
      groups.set(key, [...(groups.get(key) ?? []), change]);
    }
  }
  for (const [begin, pieces] of groups) {
    const sizeBytes = pieces.reduce((sum, piece) => sum + piece.sizeBytes, 0);
    const fitting = wanted.filter(({ path, content }) => content.length === sizeBytes && !found.has(path));
    if (pieces.length < 2 || fitting.length === 0) continue;
    const sorted = [...pieces].sort((a, b) => (a.path < b.path ? -1 : 1));
    const parts = await Promise.all(sorted.map(({ path, sizeBytes: size }) => view.read(path, 'after', size)));
    const whole = Buffer.concat(parts.flatMap((part) => (part ? [part] : [])));
    for (const { path, content } of fitting) {
      if (content.equals(whole)) found.set(path, { file: begin, format: 'pieces', isAlone: true });
    }
  }
}

/** Commands that make bytes of text. */
const decoding: Readonly<Record<string, string>> = { base64: 'base64 -d', hex: 'xxd -r -p' };

/** The command that writes the held bytes to their old place again, for a POSIX shell in any folder; where one does. */
export function holderCommand({ file, format, member, isAlone }: Holder, path: string): string | undefined {
  const [from, to] = [quoteWord(file), quoteWord(path)];
  const makesFolder = `mkdir -p ${quoteWord(folderOf(path))} && `;
  if (format === 'tar' && member !== undefined) return `${makesFolder}tar -xOf ${from} ${quoteWord(member)} > ${to}`;
  // A pattern for unzip is a name as long as none of these is in it.
  if (format === 'zip' && member !== undefined && !/[*?[\]\\]/.test(member))
    return `${makesFolder}unzip -p ${from} ${quoteWord(member)} > ${to}`;
  if (!isAlone) return undefined;
  if (format === undefined) return `cp ${from} ${to}`;
  const program = decoding[format] ?? unpackingCommand(format);
  return program === undefined ? undefined : `${program} ${from} > ${to}`;
}
