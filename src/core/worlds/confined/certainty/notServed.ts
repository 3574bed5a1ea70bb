import type { RunRecord } from '../wire/runRecord.ts';
import { leaveUnknown } from './leaveUnknown.ts';

/**
 * A rehearsal does not serve every call as the machine would. A program that failed behind a call that was refused may have failed for
 * that alone, and who asked for a lock that somebody holds would wait, or be told so. What they printed behind it is marked as
 * unknown in the record. Says whether how the run ended is unknown as well.
 */
export function leaveNotServedUnknown(record: RunRecord): boolean {
  let isEndUnknown = false;
  for (const effect of record.effects) {
    const hasFailed = effect.kind === 'callRefused' && (effect.program?.exitCode ?? record.finished?.exitCode) !== 0;
    const lacksLock = effect.kind === 'door' && effect.door === 'waitsForLock';
    if (!hasFailed && !lacksLock) continue;
    isEndUnknown = true;
    leaveUnknown(record, effect);
  }
  return isEndUnknown;
}
