import { existsSync } from 'node:fs';
import { folderOf, onDisk } from '../../loss/bytePath.ts';
import { maxTextBytes } from '../../loss/textLines.ts';
import type { Launcher, Listing } from './wire/launcher.ts';

/** Fewer are counted in no time when somebody asks. */
const manyFiles = 64;

/** Whoever asks the launcher for something else does not wait longer than for so many files, and so many bytes. */
const mostFiles = 8_192;
const mostBytes = 16 * 1024 * 1024;

/** How many lines each of the deleted files had, by path, once that is known; what is no text has none. Never rejects. */
export type LinesAhead = Promise<ReadonlyMap<string, number | undefined>>;

/**
 * Begins to count the lines of many deleted files as soon as they are listed. What is lost for good is told with them, and the
 * launcher has nothing else to do while its listing is told and judged. Not within a repository: what git has is not lost, and anything else is
 * read there as a whole, because git may have it under another name.
 */
export function countAhead(
  launcher: Pick<Launcher, 'countLines'>,
  { changes }: Pick<Listing, 'changes'>,
): LinesAhead | undefined {
  const paths: string[] = [];
  let bytes = 0;
  for (const { change, before, path } of changes) {
    if (change !== 'deleted' || before.type !== 'file' || before.sizeBytes > maxTextBytes) continue;
    bytes += before.sizeBytes;
    if (paths.length === mostFiles || bytes > mostBytes) break;
    paths.push(path);
  }
  const [first] = paths;
  if (first === undefined || paths.length < manyFiles) return undefined;
  if (isInRepository(first)) return undefined;
  return count(launcher, paths).catch(() => new Map());
}

function isInRepository(path: string): boolean {
  for (let at = folderOf(path); ; at = folderOf(at)) {
    if (existsSync(onDisk(`${at}/.git`))) return true;
    if (at === '/') return false;
  }
}

async function count(
  launcher: Pick<Launcher, 'countLines'>,
  paths: readonly string[],
): Promise<Map<string, number | undefined>> {
  const counts = await launcher.countLines(paths, 'before', maxTextBytes);
  return new Map(paths.map((path, at) => [path, counts[at]]));
}
