/** Why something that would be lost was not kept. */
export type NotKeptReason =
  /** There is no more room for it. */
  | { kind: 'room' }
  /** Whoever waits could wait no longer. */
  | { kind: 'time' }
  /** The user may not read it. */
  | { kind: 'unreadable' }
  /** A device or a socket: it has no content. */
  | { kind: 'special' }
  /** It is not there, or something else stands on the way to it. */
  | { kind: 'elsewhere' }
  /** It was written to while it was copied. */
  | { kind: 'changing' }
  /** The file system refused; `code` is its word for it. */
  | { kind: 'failed'; code: string };

/** How what stands at a path now is to what was kept of it. */
export type KeptState =
  /** Nothing stands there. */
  | 'gone'
  /** It is there as it was. */
  | 'same'
  /** What the action left there. */
  | 'asLeft'
  /** Something else, which came later. */
  | 'newer'
  /** Something stands on the way to it: a file, or a symbolic link where a folder was. Or a folder that is not empty. */
  | 'blocked';

/** Who did something that was kept for. */
export type KeptFor =
  /** The user, who ran a command or applied an edit for real. */
  | { kind: 'run' }
  /** An agent, by a call that the hook let pass. */
  | { kind: 'agent' }
  /** The result of a prediction was put in place. */
  | { kind: 'apply' }
  /** Something was restored, and this stood there. */
  | { kind: 'restore' };
