import { posix } from 'node:path';
import type { FoundLoss } from '../../facts/loss.ts';
import type { OtherSpelling } from '../../facts/otherSpelling.ts';
import { isWayBack } from '../../facts/recovery.ts';
import type { FileChange } from '../../view/fileChange.ts';
import { folderOf, folderReader, nameOf } from '../bytePath.ts';
import type { Mount, NameSystem } from './nameSystem.ts';
import { partsOf, type RealName, realName } from './realName.ts';

/** Words that somebody wrote, in the place from which they are read; words that are no paths do no harm. */
export interface WrittenWords {
  words: readonly string[];
  /** Absolute; may lead through links, as the working directory of a shell. */
  cwd: string;
}

/** What is compared. */
export interface SpellingInput {
  written: readonly WrittenWords[];
  files: readonly FileChange[];
  loss: readonly FoundLoss[];
  /** Folders in which the user works: names through which they are seen there are their usual ones. */
  workFolders: readonly string[];
  system: NameSystem;
  signal: AbortSignal;
}

/** Most words that are looked up; a command with more has written lists, not names. */
const mostWords = 10_000;

/** Most destroyed paths whose own names are looked up. */
const mostTops = 500;

/**
 * What the action destroys and the user has written under another name: letters, Unicode forms, links, `..` and mounts are
 * told apart by asking which file a name is, so that no file system has to be known. One entry a name.
 */
export async function otherSpellings(input: SpellingInput): Promise<OtherSpelling[]> {
  const destroyed = destroyedPlaces(input);
  if (!destroyed.areThere) return [];
  const found = new Map<string, OtherSpelling>();
  const mounts = await input.system.mounts();
  let left = mostWords;
  const folderOfPath = folderReader();
  const isPlain = plainPaths(mounts, input.system);
  const tops = [...destroyed.own].filter((path) => !destroyed.own.has(folderOfPath(path))).slice(0, mostTops);
  for (const { words, cwd } of [...input.written, { words: tops, cwd: '/' }]) {
    const folder = await realName(cwd, { system: input.system, from: '/', cwd, followsLast: true });
    const place = { cwd, folder: folder?.path ?? cwd, mounts, destroyed, exact: new Set<string>() };
    const differing: { word: string; one: OtherSpelling }[] = [];
    for (const word of new Set(words.flatMap(pathsIn))) {
      if (input.signal.aborted || left === 0) return [...found.values()];
      left -= 1;
      if (words === tops && destroyed.own.has(word) && (await isPlain(word))) {
        place.exact.add(word);
        continue;
      }
      const one = await otherSpelling(word, place, input);
      if (one) differing.push({ word, one });
    }
    // `rm -rf folder link`, and the link leads to the folder: the same words name it as it is.
    for (const { word, one } of differing) {
      if (one.listedAt.some((path) => isNamedBy(path, place.exact))) continue;
      // What no word names is told by the name that the prediction lists; what a word names, by the word.
      const isTold = words === tops && [...found.values()].some(({ listedAt }) => isNamedBy(word, new Set(listedAt)));
      if (!isTold && !found.has(`${one.written}\0${one.real}`)) found.set(`${one.written}\0${one.real}`, one);
    }
  }
  return [...found.values()];
}

/**
 * Whether a path, absolute, is named as its folders list it, leads through no link and is no link, and stands in a mount that no other
 * one shows more of: then nobody would call it otherwise. What holds for a folder is asked once.
 */
function plainPaths(mounts: readonly Mount[], system: NameSystem): (path: string) => Promise<boolean> {
  const places = new Set(mounts.map(({ place }) => place));
  const folders = new Map<string, Promise<ReadonlyMap<string, boolean> | undefined>>();
  const names = async (folder: string) => {
    const real = await realName(folder, { system, from: '/', cwd: '/', followsLast: false });
    const isNamedSo = real !== undefined && real.path === folder && real.last === undefined && !real.isLink;
    const own = mountOf(folder, mounts);
    const isSeenElsewhere = own !== undefined && mounts.some((other) => showsMore(other, own));
    return isNamedSo && !isSeenElsewhere ? system.names(folder) : undefined;
  };
  return async (path) => {
    const folder = folderOf(path);
    const known = folders.get(folder) ?? names(folder);
    folders.set(folder, known);
    return !places.has(path) && (await known)?.get(nameOf(path)) === false;
  };
}

interface Place {
  cwd: string;
  /** `cwd` without links. */
  folder: string;
  mounts: readonly Mount[];
  destroyed: DestroyedPlaces;
  /** Destroyed places that were written as they are. */
  exact: Set<string>;
}

async function otherSpelling(word: string, place: Place, input: SpellingInput): Promise<OtherSpelling | undefined> {
  const { cwd, folder, destroyed, exact } = place;
  const isAbsolute = word.startsWith('/');
  // `..` may lead out of a folder that was entered through a link: then the way in counts as well.
  const isUp = !isAbsolute && partsOf(word)[0] === '..';
  const way = isUp ? `${cwd}/${word}` : word;
  const written = isAbsolute || isUp ? posix.normalize(way).replace(/(.)\/$/, '$1') : posix.resolve(folder, word);
  let isExact = false;
  for (const followsLast of [false, true]) {
    const real = await realName(way, { system: input.system, from: folder, cwd: folder, followsLast });
    if (real === undefined) return undefined;
    // `dist/../src` is `src` for every reader; only where a link makes it another folder it is told.
    const isSame = real.path === written;
    const last = isSame ? await mountedElsewhere(real.path, place, input) : (real.last ?? wholeOf(real.path));
    if (last === undefined) {
      isExact = true;
      const isDestroyed = destroyed.own.has(written);
      if (isDestroyed) exact.add(written);
      // A link that is itself deleted or moved is what was written; where it leads to is another thing.
      if (real.isLink && destroyed.moved.has(written) && !word.endsWith('/')) return undefined;
      if (real.isLink && (!isDestroyed || word.endsWith('/'))) continue;
      return undefined;
    }
    const listedAt = [...new Set([real.path, ...(isExact ? [] : [written])])].filter((path) => destroyed.isPlace(path));
    if (listedAt.length === 0 && real.isLink) continue;
    if (listedAt.length === 0) return undefined;
    const start = isUp ? partsOf(cwd).length : 0;
    return {
      written: beginning(word, last.parts - start),
      real: last.path,
      folder,
      because: last.because,
      listedAt,
    };
  }
  return undefined;
}

/** No part is named differently, and yet the whole is: `..` is counted from where a link leads to. */
function wholeOf(path: string): RealName['last'] {
  return { parts: Number.POSITIVE_INFINITY, path, because: 'parent' };
}

function isNamedBy(path: string, exact: ReadonlySet<string>): boolean {
  for (let at = path; at !== '/'; at = posix.dirname(at)) if (exact.has(at)) return true;
  return false;
}

/** The written word up to its last part that is named differently. */
function beginning(word: string, count: number): string {
  const parts = partsOf(word);
  if (count < 1 || count >= parts.length) return word;
  return `${word.startsWith('/') ? '/' : ''}${parts.slice(0, count).join('/')}`;
}

/** What words hold a path: `--output=x`, `of=x`, and the word itself. */
function pathsIn(word: string): string[] {
  if (word === '' || word.includes('\0')) return [];
  const at = word.indexOf('=');
  const value = at > 0 && /^-{0,2}[\w-]+$/.test(word.slice(0, at)) ? [word.slice(at + 1)] : [];
  const own = word.startsWith('-') ? [] : [word];
  return [...own, ...value].filter((path) => path !== '');
}

/** The destroyed paths, and whether a path is one of them or a folder above one; the root is none. */
interface DestroyedPlaces {
  own: ReadonlySet<string>;
  /** Paths whose nodes have other names afterwards. */
  moved: ReadonlySet<string>;
  areThere: boolean;
  isPlace(path: string): boolean;
}

function destroyedPlaces({ files, loss }: SpellingInput): DestroyedPlaces {
  const own = new Set<string>();
  const folders = new Set<string>();
  const folderOfPath = folderReader();
  const add = (path: string) => {
    if (!path.startsWith('/')) return;
    own.add(path);
    for (let at = folderOfPath(path); !folders.has(at); at = folderOf(at)) folders.add(at);
  };
  for (const { path, change, before, type } of files)
    if (change === 'deleted' || (before !== undefined && before.type !== type)) add(path);
  // An edit that can be undone destroys nothing.
  for (const { path, going, recovery } of loss) if (going !== 'edited' || !isWayBack(recovery)) add(path);
  const isPlace = (path: string) => path !== '/' && (own.has(path) || folders.has(path));
  const moved = new Set(files.flatMap(({ from }) => from ?? []));
  return { own, moved, areThere: own.size > (own.has('/') ? 1 : 0), isPlace };
}

/**
 * The name of a place through the mount that shows more of the same file system: of `/b`, where `/a` is mounted a second
 * time, `/a`. Not where the user works in that mount: then its name is the usual one.
 */
async function mountedElsewhere(
  path: string,
  { mounts }: Place,
  { system, workFolders }: SpellingInput,
): Promise<RealName['last']> {
  const own = mountOf(path, mounts);
  if (own === undefined || own.place === '/' || workFolders.some((folder) => isWithin(folder, own.place)))
    return undefined;
  const inRoot = posix.join(own.root, posix.relative(own.place, path));
  for (const other of mounts) {
    if (!showsMore(other, own)) continue;
    const name = posix.join(other.place, posix.relative(other.root, inRoot));
    const [here, there] = [await system.node(path), await system.node(name)];
    if (here === undefined || name === path || here.identity !== there?.identity) continue;
    return { parts: partsOf(path).length, path: name, because: 'mount' };
  }
  return undefined;
}

/** The mount in which a path stands. */
function mountOf(path: string, mounts: readonly Mount[]): Mount | undefined {
  return mounts
    .filter(({ place }) => isWithin(path, place))
    .toSorted((a, b) => a.place.length - b.place.length)
    .at(-1);
}

function showsMore(other: Mount, own: Mount): boolean {
  return other.device === own.device && other.root !== own.root && isWithin(own.root, other.root);
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}
