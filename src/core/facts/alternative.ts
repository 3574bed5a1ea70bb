import type { EffectKind } from './effect.ts';

/**
 * How the state behind one alternative is another than behind the one that it is compared with. `here`: as this one leaves it,
 * `there`: as the other does; absent: it is not there.
 */
export type StateDifference =
  /** `onlyHere`: only this alternative has or changes it; `onlyThere`: only the other one. */
  | { kind: 'file'; path: string; how: 'onlyHere' | 'onlyThere' | 'content' }
  /** What git has in the repository `repository`: a ref, HEAD, the index, or a stash entry. */
  | { kind: 'git'; repository: string; what: 'ref' | 'head' | 'index' | 'stash'; name?: string }
  | { kind: 'exitCode'; here: number | undefined; there: number | undefined }
  | { kind: 'folder'; here: string; there: string }
  /** A mark besides files that only one of them leaves: a signal, a device, a program that goes on. */
  | { kind: 'effect'; effect: EffectKind; how: 'onlyHere' | 'onlyThere' };

/** Why what an alternative leaves behind cannot be compared with another. */
export type Incomparable =
  /** Something rests on an assumption, or was not predicted. */
  | { kind: 'notKnown'; imagined?: true }
  | { kind: 'failed' }
  /** What git has afterwards could not be read. */
  | { kind: 'gitUnread' };

/** What a safer command does besides, so that nothing is lost. Names and paths are data. */
export type Keeping =
  /** Changes go into the stash. */
  | { kind: 'stash' }
  /** Names of git hold the commits. */
  | { kind: 'names'; names: string[] }
  /** What would be deleted is moved there. */
  | { kind: 'folder'; path: string }
  /** What would be lost is packed into it first. */
  | { kind: 'archive'; path: string }
  /** Objects that nothing reaches stay. */
  | { kind: 'objects' }
  /** Code that came through a pipe is written there, and run only when all of it came. */
  | { kind: 'code'; path: string };
