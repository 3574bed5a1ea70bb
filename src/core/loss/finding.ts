import type { Going, LossClass, LossReason } from '../facts/loss.ts';
import type { Recovery } from '../facts/recovery.ts';
import type { Destroyed } from './destroyed.ts';

/** What is found out about one destroyed path, before it becomes a `Loss`. */
export interface Finding {
  item: Destroyed;
  class: LossClass;
  because: LossReason;
  /** An editor has it open with unsaved changes. */
  isOpenUnsaved?: true;
  /** The action removes the copy that git had, too. */
  isCopyRemoved?: true;
  recovery: Recovery;
  /** Lines that exist nowhere else. */
  lines?: number;
  /** Object id of the content that git has. */
  id?: string;
  /** A remote has it too, so that it survives what happens to this repository. */
  onRemote?: boolean;
  /** Object ids of what was committed or staged of it. */
  versionIds?: readonly string[];
  /** Contents that git has of it, as far as they were read: what was committed or staged. */
  survivors?: Uint8Array[];
  /** All of it stands on in something that the action makes, with more around it or in it. */
  standsOn?: true;
  /** How its content goes, where that is known. */
  going?: Going;
  /** Lock file or manifest that a reproducible folder is made from. */
  madeFrom?: string;
}
