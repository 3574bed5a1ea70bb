import { html, nothing, render, type TemplateResult } from 'lit/html.js';
import { cssom } from './cssom.ts';
import { icon } from './icons.ts';
import { type TreeNode, type TreeRow, treeMove, typeAhead, visibleRange } from './tree.ts';

/** Height of a row in pixels: that of VS Code's own trees. The style sheet says the same. */
const rowHeight = 22;

/** What a tree shows and whom it tells. `N` is the kind of its nodes. */
export interface TreeModel<N extends TreeNode> {
  /** Unique in the document; the rows' ids begin with it. */
  name: string;
  label: string;
  rows: readonly TreeRow<N>[];
  /** Key of the row that the keyboard is on. */
  activeKey: string | undefined;
  /** What stands in the row behind the twistie. */
  content(node: N, row: TreeRow<N>): TemplateResult;
  /** What a screen reader says behind the text of the row: words for what is seen as a letter, a line or a colour. */
  spoken(node: N): string;
  /** Words for the row's class. */
  rowClass?(node: N): string;
  onFold(key: string, open: boolean): void;
  onActive(key: string): void;
  /** Enter or click on a row; `aside` with Ctrl, Cmd or Alt. */
  onOpen(node: N, aside: boolean): void;
}

// The element of a tree outlives its models: each render brings a new one.
const models = new WeakMap<Element, TreeModel<TreeNode>>();
let typed = { text: '', atMs: 0 };

/** The place of a tree in a template. Its rows are drawn by `paintTree` when the template stands in the document. */
export function treeTemplate(name: string, label: string): TemplateResult {
  return html`<div
    class="tree"
    id=${name}
    role="tree"
    aria-label=${label}
    tabindex="0"
    @keydown=${onKeyDown}
    @click=${onClick}
    @focus=${onFocus}
  ></div>`;
}

/** Draws those rows of a tree that can be seen, and the one that the keyboard is on. Call it again after scrolling. */
export function paintTree<N extends TreeNode>(element: HTMLElement, model?: TreeModel<N>): void {
  if (model) models.set(element, model as unknown as TreeModel<TreeNode>);
  const current = models.get(element);
  if (!current) return;
  const { rows } = current;
  element.style.height = `${rows.length * rowHeight}px`;
  const scroller = scrollerOf(element);
  const listTop = element.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
  const { start, end } = visibleRange(rows.length, rowHeight, listTop, scroller.clientHeight);
  const active = activeIndex(current);
  const shown: TemplateResult[] = [];
  for (let index = start; index < end; index++) shown.push(rowTemplate(current, index, active));
  // The active row is named by aria-activedescendant, so it has to exist although it is out of sight.
  if (active >= 0 && (active < start || active >= end)) shown.push(rowTemplate(current, active, active));
  render(shown, element);
  if (active >= 0) element.setAttribute('aria-activedescendant', rowId(current, active));
  else element.removeAttribute('aria-activedescendant');
}

function rowId(model: TreeModel<TreeNode>, index: number): string {
  return `${model.name}-${index}`;
}

function activeIndex(model: TreeModel<TreeNode>): number {
  return model.activeKey === undefined ? -1 : model.rows.findIndex((row) => row.node.key === model.activeKey);
}

function rowTemplate(model: TreeModel<TreeNode>, index: number, active: number): TemplateResult {
  const row = model.rows[index];
  if (!row) return html``;
  const { node, level, open } = row;
  return html`<div
    class="row ${index === active ? 'active' : ''} ${model.rowClass?.(node) ?? ''}"
    id=${rowId(model, index)}
    role="treeitem"
    data-index=${index}
    aria-level=${level}
    aria-setsize=${row.siblings}
    aria-posinset=${row.position}
    aria-expanded=${open ?? nothing}
    aria-selected=${index === active}
    style=${cssom({ top: `${index * rowHeight}px`, 'padding-left': `${(level - 1) * 8}px` })}
  >
    <span class="twistie">${open === undefined ? nothing : icon(open ? 'chevronDown' : 'chevronRight')}</span>
    ${model.content(node, row)}
    <span class="spoken">${model.spoken(node)}</span>
  </div>`;
}

function onFocus(event: FocusEvent): void {
  const element = event.currentTarget as HTMLElement;
  const model = models.get(element);
  const first = model?.rows[0];
  if (model && first && activeIndex(model) < 0) model.onActive(first.node.key);
}

function onClick(event: MouseEvent): void {
  const element = event.currentTarget as HTMLElement;
  const model = models.get(element);
  const target = event.target as Element;
  const index = Number(target.closest<HTMLElement>('[data-index]')?.dataset['index'] ?? -1);
  const row = model?.rows[index];
  if (!model || !row) return;
  element.focus({ preventScroll: true });
  model.onActive(row.node.key);
  const aside = event.ctrlKey || event.metaKey || event.altKey;
  if (row.open !== undefined && !aside) model.onFold(row.node.key, !row.open);
  else model.onOpen(row.node, aside);
}

function onKeyDown(event: KeyboardEvent): void {
  const element = event.currentTarget as HTMLElement;
  const model = models.get(element);
  if (!model) return;
  const active = Math.max(0, activeIndex(model));
  const row = model.rows[active];
  if (event.key === 'Enter' || event.key === ' ') {
    const aside = event.ctrlKey || event.metaKey || event.altKey;
    if (!row) return;
    event.preventDefault();
    if (event.key === ' ' && row.open !== undefined) model.onFold(row.node.key, !row.open);
    else if (row.open !== undefined && !aside) model.onFold(row.node.key, !row.open);
    else model.onOpen(row.node, aside);
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const page = Math.max(1, Math.floor(scrollerOf(element).clientHeight / rowHeight) - 1);
  const move = treeMove(model.rows, active, event.key, page);
  if (move) {
    event.preventDefault();
    if (move.type === 'go') goTo(element, model, move.index);
    else if (row) model.onFold(row.node.key, move.open);
    return;
  }
  if (event.key.length !== 1) return;
  typed = { text: event.timeStamp - typed.atMs < 800 ? typed.text + event.key : event.key, atMs: event.timeStamp };
  const found = typeAhead(model.rows, active, typed.text);
  if (found < 0) return;
  event.preventDefault();
  goTo(element, model, found);
}

/** Scrolls the row that the keyboard is on into sight. */
export function revealActive(element: HTMLElement): void {
  const model = models.get(element);
  const active = model ? activeIndex(model) : -1;
  if (model && active >= 0) goTo(element, model, active);
}

function goTo(element: HTMLElement, model: TreeModel<TreeNode>, index: number): void {
  const row = model.rows[index];
  if (!row) return;
  const scroller = scrollerOf(element);
  const view = scroller.getBoundingClientRect();
  const top = element.getBoundingClientRect().top + index * rowHeight;
  if (top < view.top) scroller.scrollTop -= view.top - top;
  else if (top + rowHeight > view.top + scroller.clientHeight) {
    scroller.scrollTop += top + rowHeight - view.top - scroller.clientHeight;
  }
  model.onActive(row.node.key);
}

/** The nearest element around that scrolls; which one it is depends on the width of the panel. */
function scrollerOf(element: HTMLElement): HTMLElement {
  for (let parent = element.parentElement; parent; parent = parent.parentElement) {
    const { overflowY } = getComputedStyle(parent);
    if (overflowY === 'auto' || overflowY === 'scroll') return parent;
  }
  return document.documentElement;
}
