import { pathToFileURL } from 'node:url';
import type { Looker } from '../view/view.ts';
import { isDatabase, usesLog } from './recovery/writeAheadLog.ts';

/** Who is asked what stands in a database before and after the action. */
export interface DatabaseReaders {
  looker: Looker;
  inView?: Looker | undefined;
  signal: AbortSignal;
  /** Both states with what is committed in a log beside it, where it may have one. */
  withLogs(): Promise<{ before: Uint8Array | undefined; after: Uint8Array | undefined }>;
}

/**
 * Two versions of a database of SQLite as the statements that make them, a row in each: by these they are compared, because a row
 * that is added changes bytes anywhere, and one that is deleted may leave its bytes. `undefined`: they are none, or cannot be read.
 */
export async function databaseTexts(
  path: string,
  { before, after }: { before: Uint8Array; after: Uint8Array },
  { looker, inView, signal, withLogs }: DatabaseReaders,
): Promise<{ before: Uint8Array; after: Uint8Array } | undefined> {
  if (!inView || !isDatabase(before) || !isDatabase(after)) return undefined;
  if (usesLog(before) || usesLog(after)) return textsOfImages(await withLogs(), looker, signal);
  const [old, now] = await Promise.all([looker, inView].map((one) => textOf(one, path, signal)));
  if (!old || !now) return undefined;
  return { before: Buffer.concat([headText(before), old]), after: Buffer.concat([headText(after), now]) };
}

async function textsOfImages(
  { before, after }: { before: Uint8Array | undefined; after: Uint8Array | undefined },
  looker: Looker,
  signal: AbortSignal,
): Promise<{ before: Uint8Array; after: Uint8Array } | undefined> {
  const [old, now] = await Promise.all([before, after].map((image) => image && textOfImage(image, looker, signal)));
  return old && now ? { before: old, after: now } : undefined;
}

/** What no statement of a dump says: the version and the number that applications give it. */
function headText(bytes: Uint8Array): Buffer {
  const numbers = Buffer.from(bytes.subarray(0, 100));
  return Buffer.from(`-- user_version ${numbers.readInt32BE(60)}\n-- application_id ${numbers.readInt32BE(68)}\n`);
}

/** The same of a database without these numbers, of which a dump is the whole text. */
export const noHead = Buffer.from('-- user_version 0\n-- application_id 0\n');

const plainly = ['sqlite3', '-init', '/dev/null', '-batch'];

async function textOf(looker: Looker, path: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
  const address = `${pathToFileURL(path).href.replace('file://', 'file:')}?immutable=1`;
  return dumpOf(await looker.look([...plainly, '-readonly', address, '.dump'], { cwd: '/', signal }));
}

/** The statements that make a database of which all pages are known, and that needs no log. */
export async function textOfImage(
  image: Uint8Array,
  looker: Looker,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  const stdin = Buffer.from(`${asHexadecimal(image)}.dump\n`);
  const text = dumpOf(await looker.look([...plainly, ':memory:'], { cwd: '/', stdin, signal }));
  return text && Buffer.concat([headText(image), text]);
}

/** A database in the form of sqlite3's own `.open --hexdb`; lines of zeros are left out. */
function asHexadecimal(image: Uint8Array): string {
  const bytes = Buffer.from(image.buffer, image.byteOffset, image.byteLength);
  // 1 stands for 65,536 (sqlite.org, fileformat2, 1.3.2).
  const pageBytes = bytes.readUInt16BE(16) === 1 ? 65_536 : bytes.readUInt16BE(16);
  const lines = [`.open --hexdb`, `| size ${bytes.length} pagesize ${pageBytes} filename x`];
  for (let at = 0; at < bytes.length; at += pageBytes) {
    lines.push(`| page ${at / pageBytes + 1} offset ${at}`);
    for (let from = at; from < Math.min(at + pageBytes, bytes.length); from += 16) {
      const row = bytes.subarray(from, from + 16);
      if (row.some((byte) => byte !== 0))
        lines.push(`| ${from - at}: ${row.toString('hex').replace(/(..)(?=.)/g, '$1 ')}`);
    }
  }
  return `${lines.join('\n')}\n| end x\n`;
}

function dumpOf(result: { exitCode: number; stdout: Uint8Array; stderr: string }): Uint8Array | undefined {
  const { exitCode, stdout, stderr } = result;
  const isWhole = exitCode === 0 && stderr === '' && Buffer.from(stdout).toString('latin1').endsWith('COMMIT;\n');
  return isWhole ? stdout : undefined;
}
