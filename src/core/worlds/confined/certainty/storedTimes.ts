import { posix } from 'node:path';
import { outputsOf } from '../../../programs/outputs.ts';
import { holds, programNamed } from '../../../programs/programOf.ts';
import { isAtOrAbove } from '../../../programs/targets.ts';
import type { FileChange } from '../../../view/fileChange.ts';
import { baseName, type RunRecord } from '../wire/runRecord.ts';

/**
 * Whether a program stored the time of something that the same run has made or changed: another run would store another one,
 * although two that fall into the same second agree. Of a program without words nobody knows what it was given.
 */
export function storedOwnTimes({ programs }: RunRecord, changes: readonly FileChange[]): boolean {
  const storing = programs.filter(({ realPath, argv }) =>
    holds(programNamed(baseName(realPath))?.storesTimes, argv.slice(1)),
  );
  if (storing.length === 0) return false;
  const fresh = changes.flatMap(({ path, change, from }) => {
    // A folder changes when something begins or ceases to stand in it.
    const folders = change === 'modified' || change === 'mode' ? [] : [path, from ?? path].map(posix.dirname);
    return change === 'created' || change === 'modified' ? [path, ...folders] : folders;
  });
  return storing.some(({ argv, cwd, realPath, hasFreshInput }) => {
    if (hasFreshInput) return true;
    const words = argv.slice(1).filter((word) => !word.startsWith('-'));
    if (words.length === 0 && programNamed(baseName(realPath))?.packsInput) return false;
    const places = words.map((word) => posix.resolve(cwd, word));
    const written = new Set(outputsOf(argv).map((word) => posix.resolve(cwd, word)));
    const members = places.filter((path) => !written.has(path));
    return fresh.some(
      (path) => !written.has(path) && (words.length === 0 || members.some((one) => isAtOrAbove(one, path))),
    );
  });
}
