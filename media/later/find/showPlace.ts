import type { Panel } from '../../predict/panel.ts';
import { blockOfLine } from '../../shared/outputView.ts';
import { revealActive } from '../../shared/treeView.ts';
import type { Place } from './findPlaces.ts';

const sections = { predicted: 'output', observed: 'observedOutput', soFar: 'output' } as const;

/** Unfolds what is folded around a place, so that `showPlace` finds it in the document. */
export function unfoldPlace(panel: Panel, place: Place): void {
  panel.dispatch({ type: 'model', shown: { view: 'prediction' } });
  if (place.kind === 'output') {
    panel.dispatch({ type: 'section', name: sections[place.name], open: true });
    return;
  }
  const { path } = place;
  panel.dispatch({ type: 'section', name: 'files', open: true });
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const key = path.slice(0, end);
    if (panel.state.tree.nodes.has(key)) panel.dispatch({ type: 'fold', tree: 'files', key, open: true });
  }
  panel.dispatch({ type: 'active', tree: 'files', key: path });
}

/** Scrolls to a place and marks it. */
export function showPlace(place: Place): void {
  if (place.kind === 'output') showLine(place);
  else {
    const tree = document.getElementById('files');
    if (tree) revealActive(tree);
  }
}

function showLine({ name, line, start, end }: Extract<Place, { kind: 'output' }>): void {
  const terminal = document.querySelector(`.facts-${sections[name]} .terminal`);
  const found = terminal && blockOfLine(terminal, line);
  if (!found) return;
  const { block } = found;
  // Blocks out of sight are not laid out before they are scrolled to.
  block.scrollIntoView({ block: 'nearest' });
  const range = rangeIn(block, found.line, start, end);
  if (!range) return;
  CSS.highlights.set('foretell-found', new Highlight(range));
  const box = range.getBoundingClientRect();
  for (let around = block.parentElement; around; around = around.parentElement) {
    if (around.scrollHeight <= around.clientHeight || getComputedStyle(around).overflowY === 'visible') continue;
    const view = around.getBoundingClientRect();
    if (box.top < view.top || box.bottom > view.bottom)
      around.scrollTop += box.top - view.top - around.clientHeight / 2;
    return;
  }
}

/** A stretch of a line of a block, which is drawn as texts in which lines are apart by line breaks. */
function rangeIn(block: Element, line: number, start: number, end: number): Range | undefined {
  let at = 0;
  for (const text of block.querySelectorAll('.text')) {
    const lines = text.textContent.split('\n');
    if (line >= at + lines.length) {
      at += lines.length;
      continue;
    }
    const before = lines.slice(0, line - at).join('\n').length + (line > at ? 1 : 0);
    const from = pointIn(text, before + start);
    const to = pointIn(text, before + end);
    if (!from || !to) return undefined;
    const range = new Range();
    range.setStart(...from);
    range.setEnd(...to);
    return range;
  }
  return undefined;
}

function pointIn(element: Element, offset: number): [Text, number] | undefined {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let rest = offset;
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    if (rest <= node.length) return [node, rest];
    rest -= node.length;
  }
  return undefined;
}
