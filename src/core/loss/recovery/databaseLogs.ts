import type { Looker, View } from '../../view/view.ts';
import { textOfImage } from '../databaseText.ts';
import type { Destroyed } from '../destroyed.ts';
import { inTurns } from '../inTurns.ts';
import { onlyAdds } from '../textLines.ts';
import { isDatabase, isLogIndex, withLog } from './writeAheadLog.ts';

/** Larger databases and logs are not read, in bytes. */
const mostBytes = 16 * 1024 * 1024;

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
  { view, looker, signal }: { view: View; looker: Looker; signal: AbortSignal },
): Promise<Set<string>> {
  const kept = new Set<string>();
  const destroyed = new Map(items.map((item) => [item.path, item]));
  const databases = new Set(items.flatMap(({ path }) => /^(.+)-(?:wal|shm)$/s.exec(path)?.[1] ?? []));
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
