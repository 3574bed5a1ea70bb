import type { ProgramLabel } from './programLabel.ts';

/** A call, and how it came about. */
interface Called {
  argv: readonly string[];
  label?: ProgramLabel | undefined;
}

/** What is different in a run in which one program ends the other way: succeeds instead of failing, or the reverse. */
export interface Difference {
  /** Calls that only the shown run has. */
  notRun: readonly Called[];
  /** Calls that only this run has. */
  alsoRun: readonly Called[];
  /** How many files it would change, where they are others. */
  filesChanged?: number;
  printsElse?: true;
}
