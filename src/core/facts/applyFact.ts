import type { EffectKind } from './effect.ts';

/** Why the result of a prediction cannot be put in place. */
export type ApplyRefusal =
  /** It did not come to its end. */
  | { kind: 'unfinished' }
  /** A part of it rests on an assumption, or a language model said it. */
  | { kind: 'notExact' }
  /** It does something besides changing files. */
  | { kind: 'effect'; effect: EffectKind }
  /** No file would be changed. */
  | { kind: 'nothing' }
  /** It starts from what was only predicted. */
  | { kind: 'afterAnother' }
  /** A device, a socket or a FIFO. */
  | { kind: 'special'; path: string }
  /** A file with several names, which would not be the same file any more. */
  | { kind: 'severalNames'; path: string }
  /** It belongs to others, and would belong to us if it were written anew. */
  | { kind: 'owner'; path: string }
  /** Its time of change is out of the range of nanoseconds in 64 bits. */
  | { kind: 'time'; path: string }
  /** More than can be read back from the copy. */
  | { kind: 'tooLarge'; path: string }
  | { kind: 'tooMany'; count: number }
  /** The copy cannot be read any more. */
  | { kind: 'gone' }
  /** Something has changed since it was predicted. */
  | { kind: 'changed'; paths: string[] }
  /** What it replaces cannot be kept. */
  | { kind: 'notKept'; path: string };
