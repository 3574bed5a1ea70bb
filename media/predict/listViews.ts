import { html, nothing, type TemplateResult } from 'lit/html.js';
import { basisBadge, sharedBasis, volatileBadge } from '../shared/basis.ts';
import { bytes, counted, grouped, shownPath, visibleName } from '../shared/format.ts';
import { type TreeNode, visibleRows } from '../shared/tree.ts';
import { type TreeModel, treeTemplate } from '../shared/treeView.ts';
import { type BasedChange, type FileNode, type ShownFile, shownFiles } from './fileTree.ts';
import { type LossNode, lossWeight } from './lossGroups.ts';
import type { Panel, TreeBehaviour } from './panel.ts';
import type { TreeName } from './state.ts';

/** A tree of the panel: its folding, its active row, its place in the document. */
export function panelTree<N extends TreeNode>(
  panel: Panel,
  name: TreeName,
  label: string,
  roots: readonly N[],
  behaviour: TreeBehaviour<N>,
): TemplateResult {
  const folding = panel.state.kept.folding[name] ?? noFolding;
  const model: TreeModel<N> = {
    ...behaviour,
    name,
    label,
    rows: panel.remember(`${name} rows`, [roots, folding], () => visibleRows(roots, folding)),
    activeKey: panel.state.active[name],
    onFold: (key, open) => panel.dispatch({ type: 'fold', tree: name, key, open }),
    onActive: (key) => panel.dispatch({ type: 'active', tree: name, key }),
  };
  panel.trees.set(name, model as unknown as TreeModel<TreeNode>);
  return treeTemplate(name, label);
}

const noFolding = {};

const letters: Record<BasedChange['change'], string> = {
  created: 'A',
  modified: 'M',
  deleted: 'D',
  renamed: 'R',
  mode: 'M',
};
const changeWords: Record<BasedChange['change'], string> = {
  created: 'created',
  modified: 'modified',
  deleted: 'deleted',
  renamed: 'renamed',
  mode: 'mode changed',
};

/** The tree of changed files. */
export function filesTree(panel: Panel): TemplateResult {
  const { tree, prediction, run } = panel.state;
  const roots = panel.remember('files', [tree, tree.version], () => shownFiles(tree));
  const mixed = panel.remember('files mixed', [tree, tree.version], () => !sharedBasis(prediction?.files ?? []));
  return panelTree<ShownFile>(panel, 'files', 'Changed files', roots, {
    content: (shown) => fileRow(panel, shown, mixed),
    spoken: ({ node }) => fileWords(node, mixed),
    rowClass: ({ node }) => `file ${node.change?.change ?? ''}`,
    onOpen: ({ node }, aside) => {
      if (!node.change || node.change.type === 'directory') return;
      if (aside) panel.send({ type: 'openFile', path: node.path });
      else panel.send({ type: 'openDiff', run, path: node.path });
    },
  });
}

function fileRow(panel: Panel, { node, label, children: _, ...shown }: ShownFile, mixed: boolean): TemplateResult {
  const { change } = node;
  const detail = fileDetail(panel, node);
  const size =
    change && change.type !== 'directory' && change.basis !== 'unknown' && !change.content
      ? bytes(change.sizeBytes)
      : '';
  return html`<span class="name" title=${node.path}>${node.kind === 'git' ? html`.git` : visibleName(label)}</span>
    <span class="detail" title=${detail}>${detail}</span>
    ${change?.volatile ? volatileBadge() : nothing}${mixed && change ? basisBadge(change.basis) : nothing}
    <span class="size">${shown.expandable ? '' : size}</span>
    <span class="letter" title=${change ? changeWords[change.change] : ''}>${change ? letters[change.change] : ''}</span>`;
}

function fileDetail(panel: Panel, node: FileNode): string {
  const parts: string[] = [];
  const { change, below } = node;
  if (node.kind === 'git') parts.push('git internals');
  if (change?.from)
    parts.push(`← ${shownPath(change.from, panel.state.workspace.folders, panel.state.workspace.home)}`);
  if (change?.change === 'mode') parts.push(`mode ${change.before?.mode ?? '?'} → ${change.mode}`);
  if (change?.content) parts.push('content not asked');
  if (change?.target !== undefined && change.change !== 'deleted') parts.push(`→ ${visibleName(change.target)}`);
  if (change?.before && change.before.type !== change.type) parts.push(`was a ${change.before.type}`);
  if (below.files + below.folders > 0) {
    parts.push(below.files > 0 ? counted(below.files, 'file') : counted(below.folders, 'folder'));
    if (below.sizeBytes > 0) parts.push(bytes(below.sizeBytes));
    const kinds = (['created', 'modified', 'deleted', 'renamed', 'mode'] as const).filter((kind) => below[kind] > 0);
    if (kinds.length > 1 || !change)
      parts.push(kinds.map((kind) => `${below[kind] > 0 ? grouped(below[kind]) : ''} ${changeWords[kind]}`).join(', '));
  }
  return parts.join(' · ');
}

function fileWords({ change }: FileNode, basisIsShown: boolean): string {
  if (!change) return '';
  return basisIsShown ? changeWords[change.change] : `${changeWords[change.change]}, ${change.basis}`;
}

/** Losses of one half: reasons with their paths. */
export function lossTree(
  panel: Panel,
  name: 'gone' | 'recoverable',
  label: string,
  nodes: readonly LossNode[],
): TemplateResult {
  const { run, tree } = panel.state;
  return panelTree<LossNode>(panel, name, label, nodes, {
    content: (node) => {
      const why = node.wayBack ?? node.why;
      if (!node.loss) {
        return html`<span class="name">${counted(node.totals.paths, 'path')}</span>
          <span class="detail" title=${why}>${why}</span>${weightView(node)}`;
      }
      return html`<span class="name" title=${node.loss.path}>${node.label}</span>
        <span class="detail" title=${why}>${why}</span>${weightView(node)}`;
    },
    spoken: () => '',
    rowClass: () => 'loss',
    onOpen: ({ loss }, aside) => {
      if (!loss?.path.startsWith('/')) return;
      if (!aside && tree.nodes.has(loss.path)) panel.send({ type: 'openDiff', run, path: loss.path });
      else panel.send({ type: 'openFile', path: loss.path });
    },
  });
}

function weightView(node: LossNode): TemplateResult {
  const [first, second] = lossWeight(node.totals);
  return html`<span class="size"
    ><span>${first}</span>${second === undefined ? nothing : html`<span class="bytes"> · ${second}</span>`}</span
  >`;
}
