import type { FactEvent } from '../../prediction/factEvent.ts';
import type { PredictRequest, TracedRun } from '../../prediction/rehearsal.ts';
import { runPlaceOf } from '../../prediction/sharedFolders.ts';
import { readRegularFile } from '../../view/regularFile.ts';

// How programs, options of `find`, `ls`, `stat` and `test`, and what they print call the time of the last reading.
const lastRead =
  /atime|\bst_atim\b|\bAtim\b|[aA]ccess(?:ed)?[_ ]?[tT]ime|last_?[aA]ccess|\.accessed\(|-a(?:min|newer)\b|\s-N\s+["'$\w./]|\bls\s+(?:-\S+\s+)*-\w*u|--time[= ](?:access|use)|\bstat\s.*%[xX]|%A[@+]|^Access: \d/m;

/** A longer file, and more files, are not looked through. */
const mostBytes = 256 * 1024;
const mostFiles = 300;

/**
 * Whether a run may have asked when a file was last read, by its words, by what it printed or by what it read of its workspace. Nobody
 * can compare that: whoever reads a file, and be it to look at it, changes it.
 */
export function asksLastRead(request: PredictRequest, told: readonly FactEvent[], { paths }: TracedRun): boolean {
  if (request.action.kind === 'command' && lastRead.test(request.action.script)) return true;
  if (told.some((event) => event.type === 'output' && lastRead.test(event.text ?? ''))) return true;
  const { folders } = runPlaceOf(request);
  const own = paths.filter(
    ({ path, isOpened }) =>
      isOpened && folders.some((folder) => path.startsWith(`${folder}/`)) && !/\/(?:\.git|node_modules)\//.test(path),
  );
  return own.slice(0, mostFiles).some(({ path }) => {
    const bytes = readRegularFile(path, mostBytes);
    return bytes !== undefined && lastRead.test(Buffer.from(bytes).toString('latin1'));
  });
}
