import type { MadeSoFar } from './certainty/madeTimes.ts';
import type { PastStep } from './pastStep.ts';
import type { CarriedState } from './shell/carry.ts';
import type { Launcher } from './wire/launcher.ts';
import type { RunRecord } from './wire/runRecord.ts';

/** What a session keeps between its steps. */
export interface SessionState {
  /** Runs with a shifted clock, so that what is volatile differs. */
  checker: Launcher | undefined;
  /** Its view is what the user is shown. */
  shown: Launcher | undefined;
  /** Its views are made by supervision, because overlays would not be exact. */
  supervised: boolean;
  /** Files that are copied when they are read, because they are written while somebody has them open. */
  copiedAhead: readonly string[];
  changed: boolean;
  /** More than one command is predicted, each in the views of the one before. */
  continues: boolean;
  steps: number;
  /** What the steps have made, and when. */
  made: MadeSoFar;
  /** Those of its steps that can be made again, in their order. */
  past: PastStep[];
  /** What an earlier step rested on; nothing after it is rehearsed any more. */
  unsure: RunRecord['unsure'];
  /** Stopped programs of earlier steps of which nobody knows what they wrote. */
  blind: RunRecord['blind'];
  /** Variables, functions and aliases go from one command to the next; absent where only one command is predicted. */
  carried: CarriedState | undefined;
}
