import type { PredictRequest } from '../../prediction/rehearsal.ts';
import type { Gatekeeper } from './gate/gatekeeper.ts';

/** A step of a session, so that it can be made again in another copy. */
export interface PastStep {
  command: { argv: string[]; env: string[]; cwd: string };
  terminal: PredictRequest['terminal'];
  /** Answers as it did, and asks nobody: what was not asked then makes `hasMissed` true. */
  gatekeeper: Gatekeeper;
  asking: StepAsking;
  keepPath: (path: string) => boolean;
  /** How it ended, and what it changed in which way. */
  exitCode: number;
  left: string;
}

/** Whether the model may be asked for a step. It may not when the step is over. */
export interface StepAsking {
  isOver: boolean;
  hasMissed: boolean;
}
