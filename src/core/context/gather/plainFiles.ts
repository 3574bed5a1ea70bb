import type { Dirent } from 'node:fs';
import { constants } from 'node:fs';
import { lstat, open, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { quoteWord } from '../../shell/quoteWord.ts';

/**
 * Reads a file in another state than the real one; `undefined`: it is not told there, so the real one counts; `null`: in that
 * state there is none.
 */
export type ReadBytes = (path: string, maxBytes: number) => Promise<Uint8Array | undefined | null>;

/** A regular file as text, or why it is not read. */
export type PlainFile =
  | {
      ok: true;
      /** At most `maxBytes` of it, whole lines. */
      text: string;
      sizeBytes: number;
      /** Where the text is cut: how many bytes after it are missing. */
      missingBytes: number;
      /** Differs when the file has changed. */
      stamp: string;
    }
  | { ok: false; why: 'missing' | 'directory' | 'binary' | 'special' | 'denied'; sizeBytes?: number };

// What is read here can block, change something, or tells about processes instead of files.
const unreadable = /^\/(?:proc|sys|dev|run)(?:\/|$)/;

/**
 * Reads a regular file as text. Symbolic links are followed, but never to devices, FIFOs, sockets or into `/proc`, `/sys`,
 * `/dev` and `/run`, and opening never waits. Text with a NUL byte near its start is binary; other bytes that are no UTF-8
 * become `\ufffd`. Never rejects.
 */
export async function readPlainFile(
  path: string,
  options: { maxBytes: number; readBytes?: ReadBytes | undefined },
): Promise<PlainFile> {
  const { maxBytes, readBytes } = options;
  if (readBytes) {
    const bytes = await readBytes(path, maxBytes + 1).catch(() => undefined);
    if (bytes) return asText(bytes, bytes.length, maxBytes, '');
    if (bytes === null) return { ok: false, why: 'missing' };
  }
  try {
    const real = await realpath(path);
    if (unreadable.test(real)) return { ok: false, why: 'special' };
    const file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    try {
      const status = await file.stat();
      if (status.isDirectory()) return { ok: false, why: 'directory' };
      if (!status.isFile()) return { ok: false, why: 'special' };
      const buffer = Buffer.alloc(Math.min(status.size, maxBytes + 1));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
      const stamp = `${status.ino}:${status.size}:${status.mtimeMs}:${status.ctimeMs}`;
      return asText(buffer.subarray(0, bytesRead), status.size, maxBytes, stamp);
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return { ok: false, why: code === 'EACCES' || code === 'EPERM' ? 'denied' : 'missing' };
  }
}

function asText(bytes: Uint8Array, sizeBytes: number, maxBytes: number, stamp: string): PlainFile {
  if (bytes.subarray(0, 8_000).includes(0)) return { ok: false, why: 'binary', sizeBytes };
  let end = bytes.length;
  if (end > maxBytes) end = bytes.lastIndexOf(10, maxBytes - 1) + 1 || maxBytes;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, end).toString('utf8');
  return { ok: true, text, sizeBytes, missingBytes: Math.max(0, sizeBytes - end), stamp };
}

/** What a path is now, without following its last link; links to what is read nowhere are `other`. Never rejects. */
export async function pathKind(path: string): Promise<'file' | 'directory' | 'other' | undefined> {
  try {
    let status = await lstat(path);
    if (status.isSymbolicLink()) {
      const real = await realpath(path);
      if (unreadable.test(real)) return 'other';
      status = await lstat(real);
    }
    if (status.isFile()) return unreadable.test(path) ? 'other' : 'file';
    return status.isDirectory() ? 'directory' : 'other';
  } catch {
    return undefined;
  }
}

/** Entries of a directory, sorted by name as `LC_ALL=C` does; empty where there is none. Never rejects. */
export async function readFolder(path: string): Promise<Dirent[]> {
  if (unreadable.test(path)) return [];
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** What `ls -1Ap` prints: a name a line, `/` after folders. */
export function listingText(entries: readonly Dirent[]): string {
  return entries.map((entry) => `${entry.name}${entry.isDirectory() ? '/' : ''}\n`).join('');
}

/** Folders that are as good as never meant when somebody searches a tree, and cost the most. */
const heavy = new Set(['.git', 'node_modules', '__pycache__', '.venv', 'venv', '.tox', 'target', '.cache', '.gradle']);

/** Something below a folder. */
export interface TreeEntry {
  path: string;
  isFile: boolean;
}

/**
 * Everything below a folder, breadth first: `heavy` folders are named but not entered, left-out paths are not named.
 * `cut`: there is more.
 */
export async function walkFolder(
  folder: string,
  options: {
    mostEntries: number;
    mostFolders: number;
    skip: (path: string) => boolean;
    signal: AbortSignal;
    /** Enters `heavy` folders too, but for `.git`, where they hold at most 200 entries. */
    alsoHeavy?: boolean;
  },
): Promise<{ entries: TreeEntry[]; cut: boolean; notEntered: string[] }> {
  const entries: TreeEntry[] = [];
  const notEntered = new Set<string>();
  const heavyFolders: string[] = [];
  let hasGit = false;
  let level = [folder];
  let folders = 0;
  while (level.length > 0) {
    const next: string[] = [];
    for (let at = 0; at < level.length; at += 16) {
      const some = level.slice(at, at + 16);
      folders += some.length;
      if (folders > options.mostFolders || options.signal.aborted)
        return { entries, cut: true, notEntered: [...notEntered] };
      const read = await Promise.all(some.map(async (path) => ({ path, children: await readFolder(path) })));
      for (const { path, children } of read) {
        for (const child of children) {
          const full = join(path, child.name);
          if (options.skip(full)) continue;
          if (entries.length >= options.mostEntries) return { entries, cut: true, notEntered: [...notEntered] };
          entries.push({ path: full, isFile: child.isFile() });
          if (!child.isDirectory()) continue;
          if (!heavy.has(child.name)) next.push(full);
          else {
            notEntered.add(child.name);
            if (child.name === '.git') hasGit = true;
            else heavyFolders.push(full);
          }
        }
      }
    }
    level = next;
    if (level.length === 0 && options.alsoHeavy && heavyFolders.length > 0) {
      // Behind all the others, and only while they are few.
      const inner = await Promise.all(
        heavyFolders.splice(0).map((path) => walkFolder(path, { ...options, mostEntries: 200, mostFolders: 100 })),
      );
      if (!inner.some((one) => one.cut) && inner.reduce((sum, one) => sum + one.entries.length, 0) <= 200) {
        for (const one of inner) entries.push(...one.entries);
        notEntered.clear();
        if (hasGit) notEntered.add('.git');
      }
    }
  }
  return { entries, cut: false, notEntered: [...notEntered] };
}

/** Files below a folder that may be shown: not those that a setting or `.gitignore` leaves out. At most 5,000 entries are looked at. */
export async function filesBelow(
  folder: string,
  place: {
    excludedBy(path: string): string | undefined;
    ignoredBy(path: string): string | undefined;
    signal: AbortSignal;
  },
): Promise<string[]> {
  const skip = (path: string) => place.excludedBy(path) !== undefined || place.ignoredBy(path) !== undefined;
  const limits = { mostEntries: 5_000, mostFolders: 1_000, signal: place.signal };
  const { entries } = await walkFolder(folder, { ...limits, skip });
  return entries.flatMap(({ path, isFile }) => (isFile ? [path] : []));
}

/** The command that prints what `walkFolder` found. `name`: the folder as it is written in the command. */
export function findCommand(name: string, notEntered: readonly string[], depth?: number): string {
  const limits = depth === undefined ? '' : ` -mindepth 1 -maxdepth ${depth}`;
  const without = [...notEntered].sort().map((folder) => ` -not -path '*/${folder}/*'`);
  return `find ${quoteWord(name)}${limits}${without.join('')} | LC_ALL=C sort`;
}
