import { folderOf, nameOf } from '../loss/bytePath.ts';
import { holdFolder } from '../safetyNet/heldFolder.ts';
import { setStatus } from '../safetyNet/putNodes.ts';
import { type ApplyItem, realStatus } from './prepareApply.ts';

/** What the owner of a folder needs to change what is in it. */
const writable = 0o300;

/**
 * Makes folders of ours writable in which something is to change: the command did so itself, and may have taken it back. Gives
 * what undoes it, for those that still are what they were made.
 */
export function openFolders(items: readonly ApplyItem[]): () => void {
  const user = process.geteuid?.();
  const paths = items.flatMap(({ change: { path, from } }) => (from === undefined ? [path] : [path, from]));
  const opened: { path: string; mode: number; ino: bigint }[] = [];
  for (const path of new Set(paths.map(folderOf))) {
    const status = realStatus(path);
    if (!status?.isDirectory() || Number(status.uid) !== user || user === 0) continue;
    const mode = Number(status.mode) & 0o7777;
    if ((mode & writable) === writable) continue;
    setMode(path, mode | writable);
    opened.push({ path, mode, ino: status.ino });
  }
  return () => {
    for (const { path, mode, ino } of opened) {
      const now = realStatus(path);
      if (now?.ino === ino && (Number(now.mode) & 0o7777) === (mode | writable)) setMode(path, mode);
    }
  };
}

function setMode(path: string, mode: number): void {
  const above = holdFolder(folderOf(path));
  try {
    setStatus(above, nameOf(path), { mode });
  } finally {
    above.close();
  }
}
