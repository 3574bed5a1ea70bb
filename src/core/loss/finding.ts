import type { Destroyed } from './destroyed.ts';
import type { LossClass } from './loss.ts';

/** What is found out about one destroyed path, before it becomes a `Loss`. */
export interface Finding {
  item: Destroyed;
  class: LossClass;
  why: string;
  recoverable: string;
  /** Lines that exist nowhere else. */
  lines?: number;
  /** Object id of the content that git has. */
  id?: string;
  /** A remote has it too, so that it survives what happens to this repository. */
  onRemote?: boolean;
  /** Contents that survive and share lines with it. */
  survivors?: Uint8Array[];
  /** Lock file or manifest that a reproducible folder is made from. */
  madeFrom?: string;
}

/** It cannot be brought back. */
export function isLostForGood(finding: { recoverable: string }): boolean {
  return finding.recoverable === 'no';
}
