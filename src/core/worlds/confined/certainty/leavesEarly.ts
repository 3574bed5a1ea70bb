import { holds, programOf } from '../../../programs/programOf.ts';
import { shellOf } from '../../../shell/shells.ts';

/** Who may close a pipe before it has read all: a program, a word of the shell, or nobody. */
export type LeavesEarly = 'program' | 'shell' | undefined;

/**
 * Whether a program may close its input before it has read all of it. Of an inert one its words tell; of others nobody knows, so
 * where a shell puts one behind a pipe (`isPiped`) it may.
 */
export function leavesEarly([word = '', ...words]: readonly string[], isPiped = false): boolean {
  const row = programOf(word);
  if (row?.inert === true) return holds(row.leavesEarly, [words.join(' ')]);
  return isPiped && shellOf(word) === undefined;
}
