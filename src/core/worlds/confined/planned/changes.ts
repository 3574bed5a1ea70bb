import { posix } from 'node:path';
import type { FileChange } from '../../../view/fileChange.ts';
import { realView } from '../../../view/realView.ts';
import type { View } from '../../../view/view.ts';
import { type DiskNode, namesOnDisk, nodeOnDisk, type PlannedDisk } from './disk.ts';

/** So many changes are listed; what deletes more is cut off there, and says so. */
const mostChanges = 100_000;

/** What the planned disk has differently, sorted by path. */
export interface PlannedChanges {
  files: FileChange[];
  /** There are more than are listed. */
  isCut: boolean;
}

/** Compares the planned disk with the real one. A deleted folder is followed by everything that is in it. */
export async function plannedChanges(disk: PlannedDisk, signal: AbortSignal): Promise<PlannedChanges> {
  const files: FileChange[] = [];
  const isFull = () => signal.aborted || files.length >= mostChanges;

  async function compare(path: string): Promise<void> {
    if (isFull()) return;
    const [before, after] = await Promise.all([nodeOnDisk(path), disk.node(path)]);
    if (before && !after) {
      files.push({ path, change: 'deleted', ...shown(before), volatile: false });
    } else if (!before && after) {
      const from = after.real;
      const moved = from !== undefined && from !== path && !(await disk.node(from));
      files.push({
        path,
        change: moved ? 'renamed' : 'created',
        ...(moved ? { from } : {}),
        ...shown(after),
        volatile: false,
      });
    } else if (before && after && (await differs(before, after))) {
      files.push({ path, change: 'modified', ...shown(after), before: shown(before), volatile: false });
    }
    if (before?.type !== 'directory' && after?.type !== 'directory') return;
    const isSame = before !== undefined && after?.real === path;
    const names = new Set([
      ...(before?.type === 'directory' ? await namesOnDisk(path) : []),
      ...(await disk.names(path)),
    ]);
    if (isSame) return;
    for (const name of [...names].sort()) await compare(posix.join(path, name));
  }

  const done: string[] = [];
  for (const path of disk.touched()) {
    if (done.some((above) => path.startsWith(`${above}/`)) && !(await isKept(path, disk))) continue;
    await compare(path);
    done.push(path);
  }
  const unique = [...new Map(files.map((file) => [file.path, file])).values()];
  const movedFrom = new Set(unique.flatMap((file) => (file.change === 'renamed' ? (file.from ?? []) : [])));
  const left = unique.filter((file) => file.change !== 'deleted' || !movedFrom.has(file.path));
  left.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  return { files: left, isCut: isFull() && !signal.aborted };
}

/** A folder above it was touched and is still the real one, so that nobody has looked below it. */
async function isKept(path: string, disk: PlannedDisk): Promise<boolean> {
  const folder = posix.dirname(path);
  return (await disk.node(folder))?.real === folder;
}

async function differs(before: DiskNode, after: DiskNode): Promise<boolean> {
  if (before.type !== after.type) return true;
  if (before.type === 'symlink') return before.target !== after.target;
  if (before.type !== 'file' || after.real === before.real) return false;
  if (before.sizeBytes !== after.sizeBytes || before.real === undefined) return true;
  const view = realView();
  const [old, now] = [
    await view.read(before.real, 'before'),
    after.content ?? (after.real === undefined ? undefined : await view.read(after.real, 'before')),
  ];
  return !old || !now || old.length < before.sizeBytes || Buffer.compare(old, now) !== 0;
}

function shown(node: DiskNode): Pick<FileChange, 'type' | 'mode' | 'sizeBytes' | 'target'> {
  const mode = node.mode.toString(8).padStart(4, '0');
  const target = node.target === undefined ? {} : { target: node.target };
  return { type: node.type, mode, sizeBytes: node.sizeBytes, ...target };
}

/** Reads before from the real disk (or from `base`) and after from what is planned; what is not known has no content. */
export function plannedView(disk: PlannedDisk, base: View, planned: readonly FileChange[]): View {
  const paths = new Set(planned.map((file) => file.path));
  const real = realView();
  return {
    async read(path, moment, maxBytes) {
      if (moment === 'before' || !paths.has(path)) return base.read(path, moment, maxBytes);
      const node = await disk.node(path);
      if (node?.type !== 'file') return undefined;
      if (node.content) return maxBytes === undefined ? node.content : node.content.subarray(0, maxBytes);
      return node.real === undefined ? undefined : real.read(node.real, 'before', maxBytes);
    },
    readMany: (asked, moment, maxBytes) => (moment === 'before' ? base.readMany?.(asked, moment, maxBytes) : undefined),
    // What is planned was not written anywhere.
    countLines: (asked, moment, maxBytes) =>
      moment === 'before' ? base.countLines?.(asked, moment, maxBytes) : undefined,
    async compare(pairs) {
      const found = await base.compare?.(pairs.filter(({ after }) => !paths.has(after)));
      return pairs.map(({ after }) => (paths.has(after) ? undefined : found?.shift()));
    },
    close: () => base.close(),
  };
}
