import { posix } from 'node:path';
import type { FileChange } from '../../view/fileChange.ts';
import { countOf, formatBytes } from '../../view/quantity.ts';
import type { Prediction } from '../prediction.ts';
import type { Painter } from './painter.ts';
import { printable, shorten } from './printable.ts';

/** What is shown of files, and how. */
export interface FileLineOptions {
  /** Every file is listed, also in folders that go or come as a whole, and each of git's objects. */
  all: boolean;
  /** Absolute; paths below it are shortened. */
  cwd: string;
  /** How many lines come and go in files, by path; default: not told. */
  lineCounts?: ReadonlyMap<string, { added: number; removed: number }>;
}

const badges: Record<FileChange['change'], string> = {
  created: 'A',
  modified: 'M',
  deleted: 'D',
  renamed: 'R',
  mode: 'P',
};

/** Which files change, and how: those of the user first, then git's own. */
export function fileLines(prediction: Prediction, painter: Painter, options: FileLineOptions): string[] {
  const { files } = prediction;
  if (files.length === 0) return [];
  const counts = new Map<string, number>();
  for (const file of files) counts.set(file.change, (counts.get(file.change) ?? 0) + 1);
  const summary = [...counts].map(([change, count]) => `${count} ${change}`).join(', ');
  const lines = [`${painter.bold('Files')} ${painter.dim(summary)}`];
  const { users, gits, objects } = sorted(files, options.all);
  for (const { file, inside, bytes } of [...folded(users, options.all), ...folded(gits, options.all)]) {
    const isFolder = file.type === 'directory';
    const contents =
      inside > 0 ? ` ${painter.dim(`(with ${countOf(inside, 'entry', 'entries')}, ${formatBytes(bytes)})`)}` : '';
    const isUnknown = file.basis === 'unknown' || file.content === 'notAsked';
    const bytesText = isUnknown ? 'content unknown' : formatBytes(file.sizeBytes);
    const size = isFolder || file.type !== 'file' ? '' : ` ${painter.dim(bytesText)}`;
    const from = file.from === undefined ? '' : `${printable(shorten(file.from, options.cwd))} → `;
    const mode = file.change === 'mode' ? ` ${painter.dim(`${file.before?.mode ?? ''} → ${file.mode}`)}` : '';
    const target = file.target === undefined ? '' : ` ${painter.dim(`→ ${printable(file.target)}`)}`;
    const marks = file.volatile ? ` ${painter.dim('(volatile)')}` : '';
    const edited = options.lineCounts?.get(file.path);
    const lineCounts = edited ? ` ${painter.dim(`+${edited.added} -${edited.removed}`)}` : '';
    lines.push(
      `  ${painter.change(file.change, badges[file.change])} ${painter.basis(file.basis)} ${from}${printable(shorten(file.path, options.cwd))}${isFolder ? '/' : ''}${size}${lineCounts}${mode}${target}${contents}${marks}`,
    );
  }
  for (const { folder, change, basis, count, bytes } of objects)
    lines.push(
      `  ${painter.change(change, badges[change])} ${painter.basis(basis)} ${printable(shorten(folder, options.cwd))}/… ${painter.dim(`(${countOf(count, 'entry', 'entries')}, ${formatBytes(bytes)})`)}`,
    );
  return lines;
}

/** More of git's objects are told by their number. */
const mostObjects = 6;

/** Objects of one repository that change in the same way. */
interface ChangedObjects {
  /** Absolute. */
  folder: string;
  change: FileChange['change'];
  basis: Prediction['files'][number]['basis'];
  count: number;
  bytes: number;
}

/** Users' files, git's own, and what stands for many of its objects. */
function sorted(files: Prediction['files'], all: boolean) {
  const users = files.filter(({ path }) => !gitsOwn.test(path));
  const gits = files.filter(({ path }) => gitsOwn.test(path));
  // What goes with a whole folder is told with it.
  const folders = new Map(files.flatMap(({ path, type, change }) => (type === 'directory' ? [[path, change]] : [])));
  const isTold = ({ path, change }: FileChange) => {
    const storage = gitsObject.exec(path)?.[1] ?? path;
    return [storage, posix.dirname(storage), posix.dirname(posix.dirname(storage))].some(
      (folder) => folders.get(folder) === change,
    );
  };
  const isStored = (file: FileChange) => gitsObject.test(file.path) && !isTold(file);
  const stored = gits.filter(isStored);
  if (all || stored.length <= mostObjects) return { users, gits, objects: [] };
  const groups = new Map<string, ChangedObjects>();
  for (const { path, change, basis, sizeBytes } of stored) {
    const folder = gitsObject.exec(path)?.[1] ?? path;
    const key = `${folder}\0${change}\0${basis}`;
    const group = groups.get(key) ?? { folder, change, basis, count: 0, bytes: 0 };
    groups.set(key, { ...group, count: group.count + 1, bytes: group.bytes + sizeBytes });
  }
  return { users, gits: gits.filter((file) => !isStored(file)), objects: [...groups.values()] };
}

const gitsOwn = /\/\.git(?:\/|$)/;
const gitsObject = /^(.*\/\.git\/(?:modules\/.*?\/)?objects)\//;

interface FoldedFile {
  file: Prediction['files'][number];
  inside: number;
  bytes: number;
}

/** A folder that is deleted or created as a whole stands for what is in it, with the numbers. */
function* folded(files: Prediction['files'], all: boolean): Generator<FoldedFile> {
  for (let index = 0; index < files.length; index += 1) {
    const file = files[index];
    if (!file) continue;
    let inside = 0;
    let bytes = 0;
    const folds =
      !all &&
      file.type === 'directory' &&
      (file.change === 'deleted' || file.change === 'created' || file.change === 'renamed');
    while (folds) {
      const next = files[index + 1];
      if (!next?.path.startsWith(`${file.path}/`) || next.change !== file.change) break;
      inside += 1;
      bytes += next.sizeBytes;
      index += 1;
    }
    yield { file, inside, bytes };
  }
}
