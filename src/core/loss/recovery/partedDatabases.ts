import type { EffectFact } from '../../facts/effect.ts';
import type { FileChange } from '../../view/fileChange.ts';
import type { View } from '../../view/view.ts';
import { mostBytes } from './databaseLogs.ts';
import { isDatabase, isOpenJournal, withLog } from './writeAheadLog.ts';

/** Of more files, or more places that they may come from, it is not asked. */
const mostFiles = 16;
const mostSources = 64;
/** The smallest page of a database; its size is a multiple of it. */
const pageBytes = 512;

type Parted = Extract<EffectFact, { kind: 'databaseParted' }>;
type Mixed = Extract<EffectFact, { kind: 'databaseMixed' }>;

/**
 * Databases of SQLite that an action moves or copies without what stands beside them and belongs to them, or writes beside what
 * belongs to another one. Nothing is lost by that yet, and whoever opens them there does not see all of them. `named`: absolute
 * paths that its programs name.
 */
export async function partedDatabases(
  { files, view, signal }: { files: readonly FileChange[]; view: View; signal: AbortSignal },
  named: readonly string[],
): Promise<(Parted | Mixed)[]> {
  const mayBe = ({ change, type, sizeBytes }: FileChange) =>
    change !== 'deleted' &&
    change !== 'mode' &&
    type === 'file' &&
    sizeBytes >= pageBytes &&
    sizeBytes % pageBytes === 0;
  const written = files.filter((file) => mayBe(file) && file.sizeBytes <= mostBytes);
  if (written.length === 0 || written.length > mostFiles) return [];
  const sources = [...new Set([...written.flatMap(({ from }) => from ?? []), ...named])].slice(0, mostSources);
  const parted: (Parted | Mixed)[] = [];
  for (const { path } of written) parted.push(...(await mixedAt(path, view)));
  for (const database of sources) {
    if (signal.aborted) break;
    const besides = await neededBeside(database, view);
    if (!besides) continue;
    const isCopy = await isSame([database, 'before'], [database, 'after'], view);
    for (const { path: to } of written) {
      if (to === database || !(await isSame([database, 'before'], [to, 'after'], view))) continue;
      for (const { from, beside } of besides) {
        const ending = beside.slice(database.length);
        if (await isSame([beside, 'before'], [`${to}${ending}`, 'after'], view)) continue;
        parted.push({ kind: 'databaseParted', database, from, beside, to, isCopy });
      }
    }
  }
  return parted;
}

/** What has to stand beside a database for all of it to be read; `undefined`: nothing, or it is none. */
async function neededBeside(database: string, view: View): Promise<Pick<Parted, 'from' | 'beside'>[] | undefined> {
  const head = await view.read(database, 'before', 100);
  if (!head || !isDatabase(head)) return undefined;
  const found: Pick<Parted, 'from' | 'beside'>[] = [];
  const [log, journal] = [`${database}-wal`, `${database}-journal`];
  const frames = await view.read(log, 'before', mostBytes);
  const bytes = frames?.length ? await view.read(database, 'before', mostBytes) : undefined;
  const [alone, whole] = bytes ? [withLog(bytes, undefined), withLog(bytes, frames)] : [];
  if (alone && whole && Buffer.compare(alone, whole) !== 0) found.push({ from: 'log', beside: log });
  const opening = await view.read(journal, 'before', 8);
  if (opening && isOpenJournal(opening)) found.push({ from: 'journal', beside: journal });
  return found.length > 0 ? found : undefined;
}

/** What a database is written beside, and did not come from. */
async function mixedAt(database: string, view: View): Promise<Mixed[]> {
  const mixed: Mixed[] = [];
  for (const [from, ending] of [
    ['log', '-wal'],
    ['journal', '-journal'],
  ] as const) {
    const beside = `${database}${ending}`;
    const old = await view.read(beside, 'before', mostBytes);
    if (!old?.length || !(await isSame([beside, 'before'], [beside, 'after'], view))) continue;
    const [before, after] = await Promise.all(
      (['before', 'after'] as const).map((moment) => view.read(database, moment, mostBytes)),
    );
    const isNew = after && !(before && Buffer.compare(before, after) === 0);
    if (!isNew || !(from === 'log' ? isOfAnother(before, after, old) : isDatabase(after) && isOpenJournal(old)))
      continue;
    mixed.push({ kind: 'databaseMixed', database, from, beside });
  }
  return mixed;
}

/** The log changes what is read of it, and it is not the old one into which SQLite has put pages of that log. */
function isOfAnother(before: Uint8Array | undefined, after: Uint8Array, log: Uint8Array): boolean {
  const [now, read] = [withLog(after, undefined), withLog(after, log)];
  if (!now || !read || Buffer.compare(now, read) === 0) return false;
  const [old, whole] = before ? [withLog(before, undefined), withLog(before, log)] : [];
  for (let at = 0; at < now.length; at += pageBytes) {
    const part = Buffer.from(now.subarray(at, at + pageBytes));
    if (![old, whole].some((image) => image && part.equals(image.subarray(at, at + pageBytes)))) return true;
  }
  return false;
}

type State = [path: string, moment: 'before' | 'after'];

async function isSame(one: State, other: State, view: View): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map((state) => view.read(...state, mostBytes)));
  return first !== undefined && second !== undefined && Buffer.compare(first, second) === 0;
}
