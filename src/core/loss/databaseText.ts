import { pathToFileURL } from 'node:url';
import type { Looker } from '../view/view.ts';

/** How a database of SQLite begins (sqlite.org, fileformat2). */
const magic = 'SQLite format 3\0';

/** Who is asked what stands in a database before and after the action. */
export interface DatabaseReaders {
  looker: Looker;
  inView?: Looker | undefined;
  signal: AbortSignal;
}

/**
 * Two versions of a database of SQLite as the statements that make them, a row in each: by these they are compared, because a row
 * that is added changes bytes anywhere, and one that is deleted may leave its bytes. `undefined`: they are none, or cannot be read.
 */
export async function databaseTexts(
  path: string,
  { before, after }: { before: Uint8Array; after: Uint8Array },
  { looker, inView, signal }: DatabaseReaders,
): Promise<{ before: Uint8Array; after: Uint8Array } | undefined> {
  if (!inView || !isDatabase(before) || !isDatabase(after)) return undefined;
  const [old, now] = await Promise.all([looker, inView].map((one) => textOf(one, path, signal)));
  if (!old || !now) return undefined;
  return { before: Buffer.concat([headText(before), old]), after: Buffer.concat([headText(after), now]) };
}

/** What no statement of a dump says: the version and the number that applications give it. */
function headText(bytes: Uint8Array): Buffer {
  const numbers = Buffer.from(bytes.subarray(0, 100));
  return Buffer.from(`-- user_version ${numbers.readInt32BE(60)}\n-- application_id ${numbers.readInt32BE(68)}\n`);
}

function isDatabase(bytes: Uint8Array): boolean {
  // The number behind the sizes is 2 where changes are kept in a file beside it.
  return bytes.length >= 100 && Buffer.from(bytes.subarray(0, 16)).toString('latin1') === magic && bytes[18] === 1;
}

async function textOf(looker: Looker, path: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
  const address = `${pathToFileURL(path).href.replace('file://', 'file:')}?immutable=1`;
  const argv = ['sqlite3', '-init', '/dev/null', '-batch', '-readonly', address, '.dump'];
  const { exitCode, stdout, stderr } = await looker.look(argv, { cwd: '/', signal });
  const isWhole = exitCode === 0 && stderr === '' && Buffer.from(stdout).toString('latin1').endsWith('COMMIT;\n');
  return isWhole ? stdout : undefined;
}
