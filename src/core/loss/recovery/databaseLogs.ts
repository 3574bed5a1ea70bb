import type { FileChange } from '../../view/fileChange.ts';
import type { Looker, View } from '../../view/view.ts';
import { noHead, textOfImage } from '../databaseText.ts';
import type { Destroyed } from '../destroyed.ts';
import { inTurns } from '../inTurns.ts';
import { onlyAdds } from '../textLines.ts';
import { isDatabase, isLogIndex, withLog } from './writeAheadLog.ts';

/** Larger databases and logs are not read, in bytes. */
export const mostBytes = 16 * 1024 * 1024;

/** The states of a database with what is committed in the log beside it. */
interface States {
  before: Uint8Array | undefined;
  after: Uint8Array | undefined;
}

/**
 * What of these is part of a database of SQLite that has all of its rows afterwards, or says itself which go: who closes such a
 * database writes its log (`-wal`) into it, and deletes that and its index (`-shm`), in which nothing else stands.
 */
export async function keptInDatabases(
  items: readonly Destroyed[],
  { files, view, looker, signal }: { files: readonly FileChange[]; view: View; looker: Looker; signal: AbortSignal },
): Promise<Set<string>> {
  const kept = await keptInCopies(items, { files, view, looker, signal });
  const logs = items.filter(({ path }) => path.endsWith('-wal') || path.endsWith('-shm'));
  if (logs.length === 0) return kept;
  const destroyed = new Map(items.map((item) => [item.path, item]));
  const databases = new Set(logs.flatMap(({ path }) => /^(.+)-(?:wal|shm)$/s.exec(path)?.[1] ?? []));
  await inTurns([...databases], async (path) => {
    const index = destroyed.get(`${path}-shm`);
    const isOf = await isNamedDatabase(path, view);
    if (!isOf) return;
    const head = index && (await view.read(index.path, 'before', 136));
    if (head && isLogIndex(head)) kept.add(`${path}-shm`);
    const own = destroyed.get(path);
    if (!destroyed.has(`${path}-wal`)) return;
    const { before, after } = await statesOf(path, view);
    if (!before || !after) return;
    if (await hasAll({ before, after }, looker, signal))
      for (const ending of ['', '-wal']) kept.add(`${path}${ending}`);
    else if (own?.fileAfter) kept.add(`${path}-wal`);
  });
  return kept;
}

/** Of more databases, and places in which they may stand, it is not asked. */
const mostCopies = 8;

/** Deleted databases, with their logs, whose rows stand in a database or in a dump that the action makes: `.backup`, `vacuum into`, `.dump`. */
async function keptInCopies(
  items: readonly Destroyed[],
  { files, view, looker, signal }: { files: readonly FileChange[]; view: View; looker: Looker; signal: AbortSignal },
): Promise<Set<string>> {
  const kept = new Set<string>();
  const deleted = items.filter(({ how, type, sizeBytes }) => how === 'deleted' && type === 'file' && sizeBytes >= 512);
  const made = files.filter(
    ({ change, type, sizeBytes }) => change === 'created' && type === 'file' && sizeBytes > 0 && sizeBytes <= mostBytes,
  );
  if (deleted.length === 0 || deleted.length > mostCopies || made.length === 0 || made.length > mostCopies) return kept;
  for (const { path } of deleted) {
    if (signal.aborted || !(await isNamedDatabase(path, view))) continue;
    const { before } = await statesOf(path, view);
    const old = before && (await textOfImage(before, looker, signal));
    if (!old) continue;
    for (const { path: place } of made) {
      if (!(await holdsRows(old, place, { view, looker, signal }))) continue;
      for (const ending of ['', '-wal', '-shm']) kept.add(`${path}${ending}`);
      break;
    }
  }
  return kept;
}

async function holdsRows(
  old: Uint8Array,
  place: string,
  { view, looker, signal }: { view: View; looker: Looker; signal: AbortSignal },
): Promise<boolean> {
  const bytes = await view.read(place, 'after', mostBytes);
  if (!bytes) return false;
  if (!isDatabase(bytes)) return Buffer.compare(Buffer.concat([noHead, bytes]), old) === 0;
  const { after } = await statesOf(place, view);
  const now = after && (await textOfImage(after, looker, signal));
  return now !== undefined && onlyAdds(old, now);
}

async function isNamedDatabase(path: string, view: View): Promise<boolean> {
  const head = await view.read(path, 'before', 100);
  return head !== undefined && isDatabase(head);
}

async function hasAll({ before, after }: Required<States>, looker: Looker, signal: AbortSignal): Promise<boolean> {
  if (!before || !after) return false;
  if (Buffer.compare(before, after) === 0) return true;
  const [old, now] = await Promise.all([before, after].map((image) => textOfImage(image, looker, signal)));
  return old !== undefined && now !== undefined && onlyAdds(old, now);
}

/** Both states of a database, as it would be read then. */
export async function statesOf(path: string, view: View): Promise<States> {
  const read = async (when: 'before' | 'after') => {
    const [database, log] = await Promise.all([path, `${path}-wal`].map((one) => view.read(one, when, mostBytes + 1)));
    if (!database || [database, log].some((bytes) => (bytes?.length ?? 0) > mostBytes)) return undefined;
    return withLog(database, log);
  };
  return { before: await read('before'), after: await read('after') };
}
