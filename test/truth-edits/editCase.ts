import type { EditAction } from '../../src/core/action/action.ts';
import type { Files, RealResult } from './place.ts';

/** One edit that is predicted and then really made in a throw-away copy. */
export interface EditCase {
  name: string;
  /** What is there before. */
  files: Files;
  /** The folder is a git repository in which `files` are committed. */
  isRepository?: boolean;
  /** Done after the files are written (and committed): read-only bits, uncommitted work. */
  prepare?(folder: string): void;
  edit(folder: string): EditAction;
  /** Really makes the edit. */
  real(folder: string, home: string): Promise<RealResult>;
  /** The prediction may say that it is not certain, and be wrong then. */
  mayBeUnsure?: boolean;
  /** The prediction has to say that it is not certain. */
  isUnsure?: boolean;
  /** A sentence that has to be among the notices, reasons and risks. */
  says?: RegExp;
}
