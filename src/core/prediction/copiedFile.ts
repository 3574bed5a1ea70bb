import { lstat } from 'node:fs/promises';
import path from 'node:path';
import type { StaticProgram } from '../shell/evaluated.ts';

/** More words are not looked at. */
const mostWords = 64;

/** A file that is there, and how much of the disk it takes. */
export interface CopiedFile {
  path: string;
  sizeBytes: number;
}

/**
 * The largest file that these programs name and may change, where a copy of it alone takes more than `diskBytes`: a rehearsal
 * copies a file before it is changed. `undefined` where none is so large.
 */
export async function copiedFile(
  programs: readonly StaticProgram[],
  diskBytes: number,
): Promise<CopiedFile | undefined> {
  const named = programs.flatMap(({ argv, cwd, redirects, inside }) => {
    if (inside?.elsewhere) return [];
    const written = redirects.filter(({ operator }) => operator.includes('>')).map(({ target }) => target);
    const words = argv.slice(1).filter((word) => !word.startsWith('-'));
    return [...written, ...words].map((word) => path.resolve(cwd, word));
  });
  let largest: CopiedFile | undefined;
  for (const file of [...new Set(named)].slice(0, mostWords)) {
    const status = await lstat(file).catch(() => undefined);
    const sizeBytes = status?.isFile() ? status.blocks * 512 : 0;
    if (sizeBytes > diskBytes && sizeBytes > (largest?.sizeBytes ?? 0)) largest = { path: file, sizeBytes };
  }
  return largest;
}
