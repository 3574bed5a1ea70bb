import { holds, programNamed } from '../../../programs/programOf.ts';
import { baseName, type RunRecord } from '../wire/runRecord.ts';

/** Bytes of arguments from which on the launcher leaves some out, with four for the length of each (`KEPT_ARGV` in gate.c). */
const cutArgvBytes = 64 * 1024;

/**
 * Whether a program of a run showed, stored or asked for owners, sizes or link counts. What it was really given decides, not
 * the words of the script. `files`: real paths of the programs that may.
 */
export function showedStatus(record: RunRecord, files: readonly string[]): boolean {
  const wanted = new Set(files);
  return record.programs.some(({ realPath, argv }) => {
    if (!wanted.has(realPath)) return false;
    const shows = programNamed(baseName(realPath))?.showsStatus ?? true;
    return (
      holds(shows, argv.slice(1)) || argv.reduce((sum, word) => sum + Buffer.byteLength(word) + 4, 0) >= cutArgvBytes
    );
  });
}
