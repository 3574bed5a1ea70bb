import type { ProgramLabel } from '../facts/programLabel.ts';

/** A program that the gate stopped, as far as it is needed to see what it would start. */
export interface LookedAt {
  argv: readonly string[];
  /** Absolute. */
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** One program that would be started, in order; the next starts only when this one exits with 0. */
export interface StartedStep {
  /** Either `argv` or `shellScript`, which runs as `sh -c script`. */
  argv?: readonly string[];
  shellScript?: string;
  /** Shell that runs `shellScript`; default `sh`. */
  shell?: string;
  cwd: string;
  /** Added to the environment, or replacing what is there. */
  env: Readonly<Record<string, string>>;
  /** It would run as root; only where the user is changed to root. */
  asRoot?: true;
  /** Name of another user that it would run as. */
  asUser?: string;
  /** Printed by the front program before this step starts. */
  printed?: { stdout: string };
  /** How a person would call it. */
  label: ProgramLabel;
}

/**
 * What a program that only starts others would do. `exact`: nothing else than the steps' own output is printed and the
 * exit code is that of the last step; otherwise the programs are right, but `inexactBecause` tells what is not known.
 * `isLike`: it starts nothing; the step is another program, which does the same.
 */
export type LookThrough =
  | { ok: true; steps: StartedStep[]; exact: boolean; inexactBecause?: string; isLike?: true }
  | { ok: false; reason: string };

/** Reads a text file of the view; `undefined` when there is none. */
export type ReadText = (path: string) => Promise<string | undefined>;

/** Whether something of this name is there in the view, of whatever kind. */
export type IsThere = (path: string) => Promise<boolean>;

/** A program that is started in the place of one that was looked through. */
export interface StartedProgram {
  argv: string[];
  label: ProgramLabel;
}

/** Several steps as one program, and which of the programs that are then seen are the steps themselves. */
export interface OneProgram {
  argv: string[];
  cwd: string;
  env: Record<string, string>;
  stdout: string;
  /** The steps, in order. */
  steps: StartedProgram[];
  /** Programs that only hold the steps together: nobody asked for them, and the real program would not start them. */
  ours: string[][];
}
