import { type FileLine, readLines } from './lines.ts';

/** Where the line of a row stands, and what decides whether it counts. */
export interface IndexedLine<T> {
  offset: number;
  sizeBytes: number;
  what: T;
}

/**
 * Where the last line of each key stands in a file of a run. `read` says which key a line has and what to remember of it;
 * `undefined` for a line that does not count. A file that is not there has no lines; a last line without a line break was
 * torn by a crash and does not count.
 */
export async function indexLines<T>(
  file: string,
  read: (value: unknown) => { key: string; what: T } | undefined,
): Promise<Map<string, IndexedLine<T>>> {
  const index = new Map<string, IndexedLine<T>>();
  try {
    for await (const line of readLines(file)) {
      const found = line.isWhole ? readValue(line, read) : undefined;
      if (found) index.set(found.key, { offset: line.offset, sizeBytes: line.sizeBytes, what: found.what });
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return index;
}

function readValue<T>({ text }: FileLine, read: (value: unknown) => T | undefined): T | undefined {
  try {
    return read(JSON.parse(text));
  } catch {
    return undefined;
  }
}
