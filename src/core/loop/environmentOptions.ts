import type { TrajectoryStep } from '../trajectory/step/step.ts';
import type { LanguageRequest } from '../worlds/language/imagine/languageRequest.ts';
import type { HybridOptions } from './hybrid/realSession.ts';

/** How an environment asks its model, and its limits. */
export interface EnvironmentOptions {
  /** Absent: nothing is imagined; what is not really run is unknown. */
  language?: Omit<LanguageRequest, 'turn' | 'whole'>;
  /** Sessions of terminal and swe are a real shell on a copy of their folder; absent: all is imagined. */
  hybrid?: HybridOptions;
  /** The only folder (absolute, with everything below it) that sessions may be grounded in; absent: in none. */
  workspace?: string;
  /** Turns that are asked at once; default 32. */
  concurrency?: number;
  /** Turns that may wait for these; default 10,000. */
  mostWaiting?: number;
  /** Default 20,000. */
  mostSessions?: number;
  /** Turns of one session; default 1,000. */
  mostTurns?: number;
  /** A session that nobody asks for so long is closed; default 30 minutes. */
  idleMs?: number;
  /** Context of the model, where its server does not tell; default 131,072. */
  contextTokens?: number;
  /** Told each turn that was predicted, as a step of a trajectory. */
  record?(step: TrajectoryStep): void;
  /** Steps have the messages that were sent. Default false. */
  recordsMessages?: boolean;
  /** For tests: milliseconds since 1970. */
  now?: () => number;
}
