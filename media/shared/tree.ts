/** A node of any tree in the panel. Children may be computed late; an absent list is a leaf. */
export interface TreeNode {
  /** Unique in its tree, and the same after the tree was built again. */
  key: string;
  /** What type-ahead looks at. */
  label: string;
  children?: readonly TreeNode[];
  /** It has children, although nobody asked for them yet: `children` may be computed when it is read. */
  expandable?: boolean;
  /** Unfolded until the user folds it. */
  startsOpen?: boolean;
}

/** A node as one row of what is unfolded. */
export interface TreeRow<N extends TreeNode> {
  node: N;
  /** From 1, as `aria-level` counts. */
  level: number;
  /** From 1, among `siblings` brothers and sisters. */
  position: number;
  siblings: number;
  /** `undefined`: a leaf. */
  open: boolean | undefined;
  /** Index of the parent's row, -1 at the top. */
  parent: number;
}

/** What the user folded (`false`) or unfolded (`true`) against the start, by key. */
export type Folding = Readonly<Record<string, boolean>>;

/** The rows that are visible, in order. Deep trees are walked without recursion. */
export function visibleRows<N extends TreeNode>(roots: readonly N[], folding: Folding): TreeRow<N>[] {
  const rows: TreeRow<N>[] = [];
  const stack: { nodes: readonly N[]; next: number; level: number; parent: number }[] = [
    { nodes: roots, next: 0, level: 1, parent: -1 },
  ];
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    const node = frame.nodes[frame.next];
    if (node === undefined) {
      stack.pop();
      continue;
    }
    frame.next += 1;
    const expandable = node.expandable ?? (node.children !== undefined && node.children.length > 0);
    const open = expandable ? (folding[node.key] ?? node.startsOpen ?? false) : undefined;
    rows.push({
      node,
      level: frame.level,
      position: frame.next,
      siblings: frame.nodes.length,
      open,
      parent: frame.parent,
    });
    if (!open) continue;
    const nodes = (node.children ?? []) as readonly N[];
    stack.push({ nodes, next: 0, level: frame.level + 1, parent: rows.length - 1 });
  }
  return rows;
}

/** What a key press in a tree means. */
export type TreeMove = { type: 'go'; index: number } | { type: 'fold'; index: number; open: boolean };

/**
 * The tree keys of the ARIA authoring practices, which are also those of VS Code's own trees.
 *
 * `page` is how many rows fit on the screen. `undefined`: the key means nothing here.
 */
export function treeMove<N extends TreeNode>(
  rows: readonly TreeRow<N>[],
  active: number,
  key: string,
  page: number,
): TreeMove | undefined {
  const last = rows.length - 1;
  const row = rows[active];
  if (last < 0) return undefined;
  const go = (index: number): TreeMove => ({ type: 'go', index: Math.max(0, Math.min(last, index)) });
  switch (key) {
    case 'ArrowDown':
      return go(active + 1);
    case 'ArrowUp':
      return go(active - 1);
    case 'Home':
      return go(0);
    case 'End':
      return go(last);
    case 'PageDown':
      return go(active + page);
    case 'PageUp':
      return go(active - page);
    case 'ArrowRight':
      if (row?.open === undefined) return undefined;
      return row.open ? go(active + 1) : { type: 'fold', index: active, open: true };
    case 'ArrowLeft':
      if (row?.open) return { type: 'fold', index: active, open: false };
      return row && row.parent >= 0 ? go(row.parent) : undefined;
    default:
      return undefined;
  }
}

/**
 * The next row whose label begins with what was typed, after `active` and around the end.
 *
 * A second letter of the same search may stay on the active row; the same letter again goes on to the next.
 */
export function typeAhead<N extends TreeNode>(rows: readonly TreeRow<N>[], active: number, typed: string): number {
  const same = [...typed].every((letter) => letter === typed[0]);
  const wanted = (same ? (typed[0] ?? '') : typed).toLowerCase();
  const start = same ? active + 1 : active;
  for (let step = 0; step < rows.length; step++) {
    const index = (start + step) % rows.length;
    if (rows[index]?.node.label.toLowerCase().startsWith(wanted)) return index;
  }
  return -1;
}

/** Which rows of a long list have to be in the document. */
export interface RowRange {
  /** First row. */
  start: number;
  /** Behind the last row. */
  end: number;
}

/**
 * The rows that a viewport shows, and a few around it.
 *
 * All lengths in pixels; `listTop` is where the list begins relative to the top of the viewport (negative: scrolled).
 */
export function visibleRange(
  count: number,
  rowHeight: number,
  listTop: number,
  viewportHeight: number,
  around = 16,
): RowRange {
  if (count === 0 || rowHeight <= 0) return { start: 0, end: 0 };
  const first = Math.floor(-listTop / rowHeight) - around;
  const end = Math.ceil((viewportHeight - listTop) / rowHeight) + around;
  const start = Math.max(0, Math.min(count, first));
  return { start, end: Math.max(start, Math.min(count, end)) };
}
