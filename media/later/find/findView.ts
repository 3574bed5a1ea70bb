import { drawing as down } from 'codicon:arrow-down';
import { drawing as up } from 'codicon:arrow-up';
import { html, type TemplateResult } from 'lit/html.js';
import type { Panel } from '../../predict/panel.ts';
import type { OutputName, PanelState } from '../../predict/state.ts';
import { grouped, shownPath } from '../../shared/format.ts';
import { drawn, icon } from '../../shared/icons.ts';
import { createSearch, placeAt, type Search, type Sought, searchOn } from './findPlaces.ts';
import { showPlace, unfoldPlace } from './showPlace.ts';

/** Where the keyboard was before. */
let focusedBefore: HTMLElement | undefined;
/** Characters that are searched before what else is to be done in the page has its turn: about 40 ms of work. */
const mostAtOnce = 20_000_000;
let goesOn: ReturnType<typeof setTimeout> | undefined;
/** The text of which the first place is shown as soon as it is found. */
let awaited: string | undefined;

/** Ctrl+F and Cmd+F open it and F3 goes on: a view has no find of VS Code, and rows out of sight are in no document. */
export function findKey(panel: Panel, event: KeyboardEvent): void {
  const { find } = panel.state;
  const opens = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'f';
  const goesOn = event.key === 'F3' && find !== undefined;
  if (!opens && !goesOn) return;
  event.preventDefault();
  event.stopPropagation();
  if (goesOn) {
    go(panel, event.shiftKey ? -1 : 1);
    return;
  }
  const selected = String(getSelection());
  const query = selected === '' || selected.includes('\n') ? (find?.query ?? '') : selected;
  if (!find) focusedBefore = document.activeElement as HTMLElement;
  panel.dispatch({ type: 'find', find: { query, at: find?.query === query ? find.at : -1 } });
  const box = document.getElementById('find') as HTMLInputElement | null;
  box?.focus();
  box?.select();
}

/** A box above everything that finds text in output and files. */
export function findView(panel: Panel, { query, at }: NonNullable<PanelState['find']>): TemplateResult {
  const search = searchOf(panel, query);
  const isOver = isWhole(panel, search);
  if ((!search.isWhole || awaited === query) && !goesOn) goesOn = setTimeout(goOn, 1, panel);
  const shown = query === '' ? '' : countOf(search.count, at, isOver);
  const button = (words: string, drawing: unknown, onClick: () => void) =>
    html`<button class="icon-button" title=${words} aria-label=${words} @click=${onClick}>${drawing}</button>`;
  return html`<div class="find" role="search" @keydown=${(event: KeyboardEvent) => boxKey(panel, event)}>
    <input
      id="find"
      class="text-field"
      type="text"
      spellcheck="false"
      autocomplete="off"
      aria-label="Find in output and files"
      placeholder="Find in output and files"
      .value=${query}
      @input=${(event: Event) => goTo(panel, (event.target as HTMLInputElement).value, -1, 1)}
    />
    <span class="find-count" role="status">${shown}</span>
    ${button('Previous Match (Shift+Enter)', drawn(up), () => go(panel, -1))}
    ${button('Next Match (Enter)', drawn(down), () => go(panel, 1))}
    ${button('Close (Escape)', icon('close'), () => close(panel))}
  </div>`;
}

function boxKey(panel: Panel, event: KeyboardEvent): void {
  if (event.isComposing) return;
  if (event.key === 'Escape') close(panel);
  else if (event.key === 'Enter' && (event.target as Element).id === 'find') go(panel, event.shiftKey ? -1 : 1);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** `3 of 1,200`; with `+` as long as there may be more. */
function countOf(count: number, at: number, isOver: boolean): string {
  if (count === 0) return isOver ? 'No results' : 'Searching';
  const all = `${grouped(count)}${isOver ? '' : '+'}`;
  return at >= 0 && at < count ? `${grouped(at + 1)} of ${all}` : all;
}

/** Everything is searched, and nothing of an output waits to be drawn. */
function isWhole({ outputs }: Panel, search: Search): boolean {
  return search.isWhole && [...outputs.values()].every(({ memory }) => memory.isWhole);
}

/** The search for a text in what is shown now; its first slice is done. */
function searchOf(panel: Panel, query: string): Search {
  const sought = [filesOf(panel), outputOf(panel, 'predicted'), outputOf(panel, 'observed')];
  return panel.remember('find', [query, ...sought], () => {
    const search = createSearch(
      query,
      sought.filter((one) => one !== undefined),
    );
    searchOn(search, mostAtOnce);
    return search;
  });
}

function filesOf(panel: Panel): Sought {
  const { tree } = panel.state;
  return panel.remember('find files', [tree, tree.version], () => {
    const paths: string[] = [];
    for (const { path, change } of tree.nodes.values()) if (change) paths.push(path);
    return {
      ...{ count: paths.length, once: true, parts: [] },
      textAt: (index) => shownPath(paths[index] ?? '', tree.folders, tree.home),
      placeAt: (index) => ({ kind: 'file', path: paths[index] ?? '' }),
    };
  });
}

function outputOf(panel: Panel, name: OutputName): Sought | undefined {
  const memory = panel.outputs.get(name)?.memory;
  if (!memory || (name === 'observed' && !panel.state.observed?.output)) return undefined;
  const { lines } = memory.screen;
  return panel.remember(`find ${name}`, [memory, memory.slices], () => ({
    ...{ count: lines.length, once: false, parts: [] },
    textAt: (index) => lines[index]?.text ?? '',
    placeAt: (line, start, end) => ({ kind: 'output', name, line, start, end }),
  }));
}

/** Searches another slice, and draws what it found. */
function goOn(panel: Panel): void {
  goesOn = undefined;
  const { find } = panel.state;
  if (!find) return;
  const search = searchOf(panel, find.query);
  searchOn(search, mostAtOnce);
  if (awaited === find.query && (search.count > 0 || isWhole(panel, search))) goTo(panel, find.query, -1, 1);
  else panel.redraw(0);
}

/** Shows the next place, or the one before; behind the last comes the first. */
function go(panel: Panel, by: 1 | -1): void {
  const { query = '', at = -1 } = panel.state.find ?? {};
  goTo(panel, query, at, by);
}

function goTo(panel: Panel, query: string, from: number, by: 1 | -1): void {
  const search = searchOf(panel, query);
  // Which one is the last is known at the end of the search.
  if ((by < 0 && from <= 0) || (from >= 0 && from + by >= search.count)) searchOn(search);
  const { count } = search;
  const next = from < 0 && by < 0 ? count - 1 : (from + by + count) % count;
  const place = placeAt(search, next);
  awaited = place || isWhole(panel, search) ? undefined : query;
  CSS.highlights.clear();
  panel.together(() => {
    panel.dispatch({ type: 'find', find: { query, at: place ? next : -1 } });
    if (place) unfoldPlace(panel, place);
  });
  if (place) showPlace(place);
}

function close(panel: Panel): void {
  CSS.highlights.clear();
  panel.dispatch({ type: 'find', find: undefined });
  focusedBefore?.focus();
  focusedBefore = undefined;
}
