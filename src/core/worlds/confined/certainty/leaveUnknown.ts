import type { RecordedEffect, RunRecord } from '../wire/runRecord.ts';
import { taint } from './taint.ts';

/** What was printed behind `effect` and how its program ended depends on what comes of it, and so may what was not printed. */
export function leaveUnknown(record: RunRecord, { program, pieces = 0 }: RecordedEffect): void {
  const by = [program?.argv ?? [record.shell]];
  taint(record, by);
  if (program) program.dependsOn ??= by;
  for (const piece of record.output.slice(pieces)) piece.dependsOn ??= by;
}
