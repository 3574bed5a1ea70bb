import fs from 'node:fs';
import { posix } from 'node:path';
import type { Doubt } from '../../../facts/doubt.ts';
import type { PlannedReader } from '../../../programs/program.ts';
import { programNamed } from '../../../programs/programOf.ts';
import type { FileChange } from '../../../view/fileChange.ts';
import { baseName, type RecordedEffect, type RecordedProgram, type RunRecord } from '../wire/runRecord.ts';
import { failsToChange } from './exceedsOverlays.ts';

/**
 * What programs that failed did with files of which a copy cannot tell all. Which these are is known from their arguments,
 * the changes and the disk; what they say of it is not read, because others can say the same, and what is said can be hidden.
 */
export function refusedFiles(record: RunRecord, changes: readonly FileChange[]): Doubt[] {
  const links = new Map<string, string>();
  for (const { path, change, target } of changes)
    if (change === 'created' && target !== undefined) links.set(path, target);
  const doubts: Doubt[] = record.effects.some(movesAcross) ? [{ kind: 'movesAcross' }] : [];
  for (const program of record.programs) {
    if (program.exitCode === undefined || program.exitCode === 0) continue;
    const busy = busyDevice(program);
    if (busy !== undefined) doubts.push({ kind: 'mountBusy', path: busy });
    // By supervision there are no parts, and calls on files of the kernel end the run.
    const kernels = record.parts.length > 0 ? fileOfKernel(program, links) : undefined;
    if (kernels !== undefined) doubts.push({ kind: 'needsMachine', what: kernels });
    if (copiesIntoItself(program, changes, links)) doubts.push({ kind: 'copiesIntoItself' });
    const cloned = clonedTarget(program);
    if (cloned !== undefined) doubts.push({ kind: 'needsMachine', what: `a clone of blocks as ${cloned}` });
  }
  return doubts;
}

interface Call {
  /** What it does with files, by its row; `other`: none of those that matter here. */
  kind: PlannedReader | 'other';
  options: string[];
  /** Absolute. */
  sources: string[];
  /** Of `cp`, `mv` and others like them; absolute. */
  target: string | undefined;
}

function callOf({ argv, cwd }: RecordedProgram): Call {
  const [program = '', ...words] = argv;
  const { planned } = programNamed(baseName(program)) ?? {};
  const kind = planned === undefined || planned === 'nothing' ? 'other' : planned;
  const call: Call = { kind, options: [], sources: [], target: undefined };
  let isOver = false;
  let isFolder = false;
  for (const word of words) {
    if (isFolder) {
      call.target = posix.resolve(cwd, word);
      isFolder = false;
    } else if (isOver || !word.startsWith('-') || word === '-') call.sources.push(posix.resolve(cwd, word));
    else if (word === '--') isOver = true;
    else {
      call.options.push(word);
      const named = /^(?:--target-directory(?:=(.*))?|-[a-zA-Z]*t(.*))$/s.exec(word);
      const folder = named?.[1] || named?.[2];
      if (folder) call.target = posix.resolve(cwd, folder);
      else isFolder = named !== null && call.kind !== 'rm';
    }
  }
  if (call.kind !== 'rm') call.target ??= call.sources.pop();
  return call;
}

function has({ options }: Call, letters: string, ...names: string[]): boolean {
  return options.some((option) =>
    option.startsWith('--')
      ? option.length > 3 && names.some((name) => name.startsWith(option))
      : [...letters].some((letter) => option.includes(letter)),
  );
}

/** /dev and its nodes are mounts of ours, which cannot be removed or replaced; the real ones could be. */
function busyDevice(program: RecordedProgram): string | undefined {
  const call = callOf(program);
  const { sources, target } = call;
  const removed = (): string[] => {
    switch (call.kind) {
      case 'rm':
        return sources;
      case 'rmdir':
      case 'unlink':
      case 'mv':
      case 'install':
        return [...sources, ...(target === undefined ? [] : [target])];
      case 'ln':
        return target !== undefined && has(call, 'f', '--force') ? [target] : [];
      case 'cp':
        return target !== undefined && has(call, '', '--remove-destination') ? [target] : [];
      default:
        return [];
    }
  };
  return removed().find(
    (path) => path.startsWith('/dev/') && !path.startsWith('/dev/shm/') && isThere(path) && mayWriteIn(path),
  );
}

/**
 * /proc and /sys can only be read in a view, so that nothing reaches the machine; there it may be done, or fail in other words.
 * Nobody can make a new name in /proc.
 */
function fileOfKernel(program: RecordedProgram, links: ReadonlyMap<string, string>): string | undefined {
  if (!failsToChange(program)) return undefined;
  const { sources, target = program.cwd } = callOf(program);
  return [...sources, target].find((path) => {
    // Which files the program has open only the run knew.
    if (/^\/dev\/fd\/|^\/proc\/(?:self|thread-self|\d+)\/(?:.*\/)?fd\//.test(path)) return true;
    const place = realPath(path, links);
    return isIn(place, '/sys') || (isIn(place, '/proc') && isThere(place));
  });
}

/** cp copies what it meets before it meets the copy; in which order it meets them is up to the file system. */
function copiesIntoItself(
  program: RecordedProgram,
  changes: readonly FileChange[],
  links: ReadonlyMap<string, string>,
): boolean {
  const call = callOf(program);
  if (call.kind !== 'cp' || call.target === undefined || !has(call, 'rRa', '--recursive', '--archive')) return false;
  const target = realPath(call.target, links);
  // Which links lead around the target is not looked up where cp follows them all.
  const followsAll = has(call, 'L', '--dereference');
  if (!followsAll && !call.sources.some((source) => isIn(target, realPath(source, links)))) return false;
  return changes.some(({ change, path }) => change === 'created' && isIn(path, target));
}

/** File systems that cannot share blocks between files, by their number in statfs(2): ext2 to ext4, tmpfs. */
const sharesNoBlocks: ReadonlySet<number> = new Set([0xef53, 0x01021994]);

/** What a copy lies on shares no blocks; the real file system may. */
function clonedTarget(program: RecordedProgram): string | undefined {
  const call = callOf(program);
  const { kind, target } = call;
  if (kind !== 'cp' || target === undefined || !call.options.some((option) => /^--reflink(?:=always)?$/.test(option)))
    return undefined;
  try {
    const folder = isThere(target) ? target : posix.dirname(target);
    return sharesNoBlocks.has(fs.statfsSync(folder).type) ? undefined : target;
  } catch {
    return target;
  }
}

/**
 * Something was renamed between two overlays of the view that lie on one file system: really that works, or is refused for
 * another reason. mv copies then, to the same end.
 */
function movesAcross(effect: RecordedEffect): boolean {
  if (effect.kind !== 'crossesParts') return false;
  const call = effect.program?.exitCode === 0 ? callOf(effect.program) : undefined;
  return call?.kind !== 'mv' || has(call, 'v', '--verbose');
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** Where a path leads: through links that the run made, and through those of the disk as far as it is there. */
function realPath(path: string, links: ReadonlyMap<string, string>): string {
  let at = path;
  for (let hops = 0; hops < 40; hops += 1) {
    const link = [...links].find(([place]) => isIn(at, place));
    if (!link) break;
    at = posix.resolve(posix.dirname(link[0]), link[1]) + at.slice(link[0].length);
  }
  for (let head = at; ; head = posix.dirname(head)) {
    try {
      return posix.join(fs.realpathSync(head), at.slice(head.length));
    } catch {
      if (head === '/') return at;
    }
  }
}

/** What cannot be reached (a file on the way, a closed folder) is not there for the command either. */
function isThere(path: string): boolean {
  try {
    fs.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

function mayWriteIn(path: string): boolean {
  try {
    fs.accessSync(posix.dirname(path), fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
