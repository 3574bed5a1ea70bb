import { holds, programOf } from '../../../programs/programOf.ts';

/** Whether an inert program may close its input before it has read all of it, by its words. Of others nobody knows. */
export function leavesEarly([word = '', ...words]: readonly string[]): boolean {
  const row = programOf(word);
  return row?.inert === true && holds(row.leavesEarly, [words.join(' ')]);
}
