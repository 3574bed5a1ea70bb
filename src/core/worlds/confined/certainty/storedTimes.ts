import { lstat, readdir } from 'node:fs/promises';
import { posix } from 'node:path';
import { outputsOf } from '../../../programs/outputs.ts';
import { holds, programNamed } from '../../../programs/programOf.ts';
import { isAtOrAbove } from '../../../programs/targets.ts';
import { baseName, type RunRecord } from '../wire/runRecord.ts';

/** More files than these are not looked at. */
const mostMembers = 2_000;

/**
 * Whether a program stored when files were read last, and reading them now has changed that: when the command is really run, it stores
 * the time of the rehearsal. Files that were read since they were written keep it for a day (relatime of mount(8)).
 */
export async function storedChangedReadTimes({ programs }: RunRecord, startedAt: Date): Promise<boolean> {
  for (const { realPath, argv, cwd } of programs) {
    const stores = programNamed(baseName(realPath))?.storesReadTimes;
    const text = argv.slice(1).join(' ');
    if (!stores || (stores.when && !stores.when.test(text)) || stores.unless?.test(text)) continue;
    const written = new Set(outputsOf(argv));
    const members = argv.slice(1).filter((word) => !word.startsWith('-') && !written.has(word));
    // Their names came from its input.
    if (members.length === 0) return true;
    const left = members.map((word) => posix.resolve(cwd, word));
    for (let count = 0; left.length > 0; count += 1) {
      if (count === mostMembers) return true;
      const path = left.pop() as string;
      const status = await lstat(path).catch(() => undefined);
      if (!status) continue;
      if (status.atimeMs >= startedAt.getTime()) return true;
      if (!status.isDirectory()) continue;
      const names = await readdir(path).catch(() => []);
      // Of a folder that overlays alone have read, this was the first real reading.
      if ((await lstat(path).catch(() => undefined))?.atimeMs !== status.atimeMs) return true;
      left.push(...names.map((name) => posix.join(path, name)));
    }
  }
  return false;
}

/**
 * Whether a program stored the time of something that the same run, or a step before it, has made or changed (`fresh`):
 * another run would store another one, although two that fall into the same second agree. Of a program without words nobody
 * knows what it was given.
 */
export function storedOwnTimes({ programs }: RunRecord, fresh: readonly ReadonlySet<string>[]): boolean {
  const storing = programs.filter(({ realPath, argv }) =>
    holds(programNamed(baseName(realPath))?.storesTimes, [argv.slice(1).join(' ')]),
  );
  if (storing.length === 0) return false;
  return storing.some(({ argv, cwd, realPath, hasFreshInput }) => {
    if (hasFreshInput) return true;
    const words = argv.slice(1).filter((word) => !word.startsWith('-'));
    if (words.length === 0 && programNamed(baseName(realPath))?.packsInput) return false;
    const places = words.map((word) => posix.resolve(cwd, word));
    const written = new Set(outputsOf(argv).map((word) => posix.resolve(cwd, word)));
    const members = places.filter((path) => !written.has(path));
    const isStored = (path: string) =>
      !written.has(path) && (words.length === 0 || members.some((one) => isAtOrAbove(one, path)));
    return fresh.some((paths) => [...paths].some(isStored));
  });
}
