import { posix } from 'node:path';
import type { OtherSpelling } from '../../facts/otherSpelling.ts';
import type { NameSystem } from './nameSystem.ts';

/** What a written path really is. */
export interface RealName {
  /** With the names that the folders list, and no link in it. */
  path: string;
  /** The last part that is named differently: how many parts of the written path lead to it, what it is, and why. */
  last?: { parts: number; path: string; because: OtherSpelling['because'] };
  /** A link stands there, and was not followed. */
  isLink?: true;
}

/** Where a path is followed, and how. */
export interface Following {
  system: NameSystem;
  /** A folder without links that a relative path begins in. */
  from: string;
  /** What `/proc/self/cwd` is for the program; this process has another one. */
  cwd: string;
  /** A link at the end is followed too. */
  followsLast: boolean;
}

/** Most links in one path, as for the kernel (MAXSYMLINKS in linux/namei.h). */
const mostLinks = 40;

/** Most names of a folder of which it is asked which file they are. */
const mostCompared = 5000;

/** Follows a path part by part as the kernel does. `undefined` where nothing is there. */
export async function realName(written: string, following: Following): Promise<RealName | undefined> {
  const parts = partsOf(written);
  const walk: Walk = { ...following, links: 0, endsAtLink: false };
  let at = written.startsWith('/') ? '/' : following.from;
  let last: RealName['last'];
  for (const [index, part] of parts.entries()) {
    const linksBefore = walk.links;
    const follows = following.followsLast || index < parts.length - 1;
    const next = await step(at, part, follows, walk);
    if (next === undefined) return undefined;
    // `..` behind a link leads out of where the link leads to, not out of where it stands.
    const isNamedSo = part === '..' ? last === undefined : next === posix.join(at, part);
    if (!isNamedSo) {
      const isParent = part === '..' || last?.because === 'parent';
      const because = isParent ? 'parent' : walk.links > linksBefore ? 'link' : 'spelling';
      last = { parts: index + 1, path: next, because };
    }
    at = next;
  }
  const isLink = walk.endsAtLink ? ({ isLink: true } as const) : {};
  if (last === undefined) return { path: at, ...isLink };
  // Behind `..` a person reads on from another folder: the whole path is named differently.
  return { path: at, ...isLink, last: last.because === 'parent' ? { ...last, parts: parts.length, path: at } : last };
}

/** The parts of a path that lead somewhere. */
export function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

interface Walk extends Following {
  links: number;
  endsAtLink: boolean;
}

async function step(at: string, name: string, follows: boolean, walk: Walk): Promise<string | undefined> {
  if (name === '..') return posix.dirname(at);
  // Numbers of processes are others in a rehearsal; of all of them the program knows its own and its shell's.
  if (at === '/proc' && /^(self|thread-self|\d+)$/.test(name)) return '/proc/self';
  if (at === '/proc/self' && (name === 'cwd' || name === 'root')) {
    walk.links += 1;
    return name === 'cwd' ? walk.cwd : '/';
  }
  const found = await listedName(at, name, walk.system);
  if (!found) return undefined;
  const { target } = found;
  if (!follows) walk.endsAtLink = target !== undefined;
  if (target === undefined || !follows) return posix.join(at, found.name);
  walk.links += 1;
  if (walk.links > mostLinks) return undefined;
  let reached: string | undefined = target.startsWith('/') ? '/' : at;
  for (const part of partsOf(target)) {
    reached = await step(reached, part, true, walk);
    if (reached === undefined) return undefined;
  }
  return reached;
}

/** A name as its folder lists it: the written one, or the one of the same file. */
async function listedName(
  folder: string,
  name: string,
  system: NameSystem,
): Promise<{ name: string; target?: string } | undefined> {
  const names = await system.names(folder);
  if (names?.get(name) === false) return { name };
  const node = await system.node(posix.join(folder, name));
  if (!node) return undefined;
  const target = node.target === undefined ? {} : { target: node.target };
  if (!names || names.has(name)) return { name, ...target };
  // Names that look alike first: a hard link of the file has the same number.
  const all = [...names.keys()];
  const alike = all.filter((other) => folded(other) === folded(name));
  for (const other of [...alike, ...all.slice(0, mostCompared)]) {
    if ((await system.node(posix.join(folder, other)))?.identity === node.identity) return { name: other, ...target };
  }
  return { name, ...target };
}

function folded(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}
