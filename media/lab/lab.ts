import type { LabMessage } from '../../src/protocol/labProtocol.ts';
import type { Remember } from '../shared/remember.ts';
import type { TreeModel } from '../shared/treeView.ts';
import type { LabNode } from './rows.ts';
import type { LabAction, LabState } from './state.ts';

/** A message that waits for an answer. */
export type LabRequest = Extract<LabMessage, { type: 'edit' | 'fork' }>;

/** What the views need: the state, and the ways out of them. */
export interface Lab {
  state: LabState;
  dispatch(action: LabAction): void;
  send(message: LabMessage): void;
  /** Sends an edit; its draft stays until it is done. */
  request(message: LabRequest extends infer M ? (M extends LabRequest ? Omit<M, 'request'> : never) : never): void;
  /** The list, as it was made for this draw. */
  list: TreeModel<LabNode> | undefined;
  /** The value that `make` gave for these dependencies the last time. */
  remember: Remember;
}

/** Whether a part is unfolded. */
export function isOpen(lab: Lab, name: string, startsOpen: boolean): boolean {
  return lab.state.kept.sections[name] ?? startsOpen;
}
