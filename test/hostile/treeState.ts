import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/**
 * Every entry below `folder` with all that can be seen of it: type, mode, owner, names, inode, size, times of content
 * and status in nanoseconds, content. Times of reading are left out: reading is allowed.
 */
export function treeState(folder: string, withContent = true): Map<string, string> {
  const state = new Map<string, string>();
  const walk = (entry: string) => {
    const status = fs.lstatSync(entry, { bigint: true, throwIfNoEntry: false });
    if (!status) return;
    state.set(entry, describe(entry, status, withContent));
    if (!status.isDirectory()) return;
    for (const name of list(entry)) walk(path.join(entry, name));
  };
  walk(folder);
  return state;
}

/** The entries of one folder, without going deeper and without their content. */
export function folderState(folder: string): Map<string, string> {
  const state = new Map<string, string>();
  for (const entry of [folder, ...list(folder).map((name) => path.join(folder, name))]) {
    const status = fs.lstatSync(entry, { bigint: true, throwIfNoEntry: false });
    if (status) state.set(entry, describe(entry, status, false));
  }
  return state;
}

function list(folder: string): string[] {
  try {
    return fs.readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function describe(entry: string, status: fs.BigIntStats, withContent: boolean): string {
  const parts = [
    status.mode.toString(8),
    `${status.uid}:${status.gid}`,
    `${status.nlink} names`,
    `inode ${status.ino}`,
    `${status.size} bytes`,
    `modified ${status.mtimeNs}`,
    `changed ${status.ctimeNs}`,
  ];
  if (status.isSymbolicLink()) parts.push(`→ ${fs.readlinkSync(entry)}`);
  if (withContent && status.isFile()) parts.push(contentOf(entry));
  return parts.join(', ');
}

function contentOf(file: string): string {
  try {
    return createHash('sha256').update(fs.readFileSync(file)).digest('hex').slice(0, 16);
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}
