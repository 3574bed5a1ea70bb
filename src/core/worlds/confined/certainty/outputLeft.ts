import type { Doubt } from '../../../facts/doubt.ts';
import type { RunRecord } from '../wire/runRecord.ts';

/**
 * Programs that ended in one of the runs before a pipe had taken all that they wrote to it: how much arrives depends on how fast its
 * other end reads, and runs agree on that by chance.
 */
export function outputLeft(runs: readonly RunRecord[]): Doubt[] {
  for (const { effects, programs } of runs) {
    const left = effects.find(({ kind }) => kind === 'leftUnwritten');
    if (left === undefined) continue;
    const program = programs.findLast(({ pid }) => pid === left.pid);
    return [{ kind: 'outputLeft', ...(program ? { argv: program.argv } : {}) }];
  }
  return [];
}
