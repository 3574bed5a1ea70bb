import type { Basis } from '../view/basis.ts';
import type { GateReason } from './gate.ts';
import type { ProgramLabel } from './programLabel.ts';

/** A program that an action started, or would start. */
export interface ProgramFact {
  /** Unique in the prediction; `parent` started it. Absent where only the script's text is known. */
  id?: number;
  parent?: number | undefined;
  argv: readonly string[];
  cwd: string;
  basis: Basis;
  exitCode?: number;
  /** Why the gate stopped it; absent when it ran. */
  gatedBecause?: string;
  /** The same as kind and data. */
  gate?: GateReason;
  /** A second run started it with other words, or not at all. */
  volatile?: boolean;
  /** It stands inside a program that was looked through (`sudo`, `npm run`). */
  lookedThrough?: boolean;
  /** How it came about. */
  label?: ProgramLabel | undefined;
}

/** What a call is known by: its folder and its words, joined by NUL. */
export function callKey({ argv, cwd }: Pick<ProgramFact, 'argv' | 'cwd'>): string {
  return [cwd, ...argv].join('\0');
}
