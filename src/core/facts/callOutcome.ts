/** A part of a prediction that is compared with what was seen. */
export type ComparedPart = 'output' | 'exitCode' | 'files';

/** How far an agent's call has come, and what came of it. */
export type CallOutcome =
  /** It has just been asked about. */
  | { kind: 'predicting' }
  /** Its prediction never ended. */
  | { kind: 'unpredicted' }
  /** It was denied, and nothing says that it was made. */
  | { kind: 'denied' }
  /** It was denied, and the agent says that it was made. */
  | { kind: 'madeAnyway' }
  /** Nothing stood against it; the agent may be making it. */
  | { kind: 'waiting' }
  /** The agent has gone on, and has not said what came of it: it failed, was refused, or is not over. */
  | { kind: 'untold' }
  /** Everything that could be compared came out as predicted. */
  | { kind: 'agrees' }
  | { kind: 'differs'; parts: ComparedPart[] }
  /** It was made, and nothing could be compared. */
  | { kind: 'unchecked' };
