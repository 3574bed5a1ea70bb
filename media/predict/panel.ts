import type { TemplateResult } from 'lit/html.js';
import type { PanelMessage } from '../../src/protocol/panelProtocol.ts';
import type { OutputMemory, OutputPiece } from '../shared/outputView.ts';
import type { Remember } from '../shared/remember.ts';
import type { TreeNode } from '../shared/tree.ts';
import type { TreeModel } from '../shared/treeView.ts';

import type { OutputName, PanelAction, PanelState, TreeName } from './state.ts';

/** What the views need: the state, and the two ways out of them. */
export interface Panel {
  state: PanelState;
  dispatch(action: PanelAction): void;
  /** What is dispatched meanwhile is drawn once, behind the last. */
  together(change: () => void): void;
  send(message: PanelMessage): void;
  /** Predicts what stands in the command box, or has a model imagine it; `event` tells when the user asked. */
  predict(event: Event, how?: 'predict' | 'imagine'): void;
  /** What the second script shows; `undefined` until it is here. */
  later: typeof import('../later/main.ts') | undefined;
  /** What the third script shows: a language model, and comparisons with it. */
  model: typeof import('../model/main.ts') | undefined;
  /** Draws again after this time. */
  redraw(inMs: number): void;
  /** A tree of the panel: its folding, its active row, its place in the document. */
  tree<N extends TreeNode>(
    name: TreeName,
    label: string,
    roots: readonly N[],
    behaviour: TreeBehaviour<N>,
  ): TemplateResult;
  /** Output as a terminal would show it. It is drawn on with what is new, and anew when it is `of` something else. */
  output(name: OutputName, of: unknown, pieces: () => OutputPiece[]): TemplateResult;
  /** Trees met while rendering; they are painted when the document has them. */
  trees: Map<TreeName, TreeModel<TreeNode>>;
  /** What was drawn of each output. */
  outputs: Map<OutputName, { of: unknown; memory: OutputMemory }>;
  /** The value that `make` gave for these dependencies the last time. */
  remember: Remember;
}

/** What the rows of a tree look like and do. */
export type TreeBehaviour<N extends TreeNode> = Pick<TreeModel<N>, 'content' | 'spoken' | 'rowClass' | 'onOpen'>;
