import path from 'node:path';
import type { FileChange, NodeType } from '../../view/fileChange.ts';
import { markObjectFolders } from './certainty/objectFolders.ts';
import type { LauncherChange, NodeStatus } from './wire/frames.ts';
import type { Listing } from './wire/launcher.ts';

function typeOf({ type }: NodeStatus): NodeType {
  return type === 'file' || type === 'directory' || type === 'symlink' ? type : 'other';
}

/** One text a mode, of which there may be a few for thousands of files. */
const modeTexts = new Map<number, string>();

function modeOf(node: NodeStatus): string {
  const mode = node.mode & 0o7777;
  const known = modeTexts.get(mode);
  if (known !== undefined) return known;
  const text = mode.toString(8).padStart(4, '0');
  modeTexts.set(mode, text);
  return text;
}

/** Translates what the launcher listed; finds moves (`mv a b` is a deletion and a creation to the launcher). */
export function toFileChanges(changes: readonly LauncherChange[], keep: (path: string) => boolean): FileChange[] {
  const movedTo = findMoves(changes);
  const movedFrom = new Set(movedTo.values());
  const result: FileChange[] = [];
  for (const change of changes) {
    if (!keep(change.path)) continue;
    if (change.change === 'deleted' && movedFrom.has(change.path)) continue;
    const from = change.change === 'renamed' ? change.from : movedTo.get(change.path);
    result.push(toFileChange(change, from));
  }
  return result;
}

function toFileChange(change: LauncherChange, from: string | undefined): FileChange {
  const deleted = change.after.type === 'none';
  const node = deleted ? change.before : change.after;
  const target = deleted ? change.targetBefore : change.targetAfter;
  const result: FileChange = {
    path: change.path,
    change: from !== undefined ? 'renamed' : kindOf(change, deleted),
    type: typeOf(node),
    mode: modeOf(node),
    sizeBytes: node.type === 'file' || node.type === 'symlink' ? node.sizeBytes : 0,
    volatile: false,
  };
  if (from !== undefined) result.from = from;
  if (from !== undefined && change.rewritten) result.rewritten = true;
  if (change.sha256) result.sha256 = change.sha256;
  if (node.type === 'symlink') result.target = target;
  if (!deleted && change.before.type !== 'none') {
    result.before = { type: typeOf(change.before), mode: modeOf(change.before), sizeBytes: change.before.sizeBytes };
    if (change.before.type === 'symlink') result.before.target = change.targetBefore;
  }
  return result;
}

function kindOf(change: LauncherChange, deleted: boolean): FileChange['change'] {
  if (deleted) return 'deleted';
  if (change.before.type === 'none') return 'created';
  return change.change === 'mode' ? 'mode' : 'modified';
}

/**
 * Maps the new path of each moved node to its old one. A move keeps kind, size and modification time to the
 * nanosecond; a copy has a new time. Where two nodes look alike nobody can tell which went where: no move is claimed.
 */
function findMoves(changes: readonly LauncherChange[]): Map<string, string> {
  const moves = new Map<string, string>();
  const created = changes.filter(({ change }) => change === 'created');
  const deleted = created.length > 0 ? changes.filter(({ change }) => change === 'deleted') : [];
  if (deleted.length === 0) return moves;
  const gone = new Map<string, LauncherChange[]>();
  const come = new Map<string, LauncherChange[]>();
  for (const change of deleted) add(gone, signature(change.before, change.targetBefore), change);
  for (const change of created) add(come, signature(change.after, change.targetAfter), change);
  for (const [key, added] of come) {
    const removed = gone.get(key);
    const [to, from] = [added[0], removed?.[0]];
    if (to && from && added.length === 1 && removed?.length === 1) moves.set(to.path, from.path);
  }
  return moves;
}

function signature(node: NodeStatus, target: string): string {
  const size = node.type === 'directory' ? '' : node.sizeBytes;
  return `${node.type}:${size}:${node.mtimeNanos}:${target}`;
}

function add(map: Map<string, LauncherChange[]>, key: string, change: LauncherChange): void {
  const list = map.get(key);
  if (list) list.push(change);
  else map.set(key, [change]);
}

/**
 * The first path that only `other` made, where `shown` has nothing in its place: of two files with random names each stands for the
 * other, in the same folder; of two that are named by digests, in the same store.
 */
export function madeOnlyBy(other: Listing, shown: Listing, keep: (path: string) => boolean): string | undefined {
  const [theirs, ours] = [other, shown].map(({ changes }) => new Map(changes.map((change) => [change.path, change])));
  if (!theirs || !ours) return undefined;
  const isMade = (at: string) => theirs.get(at)?.before.type === 'none';
  const varying = new Set([...ours.keys()].filter((at) => !theirs.has(at)).map(placeOf));
  const isInPlace = (at: string): boolean =>
    varying.has(placeOf(at)) || (isMade(path.dirname(at)) && isInPlace(path.dirname(at)));
  return other.changes.find(
    ({ path: at, after }) => after.type !== 'none' && isMade(at) && !ours.has(at) && keep(at) && !isInPlace(at),
  )?.path;
}

/** The folder of a file; of one that is named by a digest, as `17/17b7c2…` and `ab/cd/ef0123…`, that in which such folders are. */
function placeOf(at: string): string {
  let folder = path.dirname(at);
  if (!/^[0-9a-f]{20,}/.test(path.basename(at))) return folder;
  while (/^[0-9a-f]{1,3}$/.test(path.basename(folder))) folder = path.dirname(folder);
  return folder;
}

/** Marks as volatile what another run of the same command did differently. Both lists are of the same view. */
export function markVolatileChanges(shown: FileChange[], other: readonly FileChange[]): void {
  const byPath = new Map(other.map((change) => [change.path, change]));
  for (const change of shown) {
    const twin = byPath.get(change.path);
    change.volatile ||= twin === undefined || !alike(change, twin);
  }
  markObjectFolders(shown);
}

function alike(a: FileChange, b: FileChange): boolean {
  return (
    a.change === b.change &&
    a.type === b.type &&
    a.mode === b.mode &&
    a.sizeBytes === b.sizeBytes &&
    a.target === b.target &&
    a.from === b.from &&
    a.rewritten === b.rewritten &&
    a.sha256 === b.sha256
  );
}
