import { drawing as down } from 'codicon:arrow-down';
import { drawing as up } from 'codicon:arrow-up';
import { html, type TemplateResult } from 'lit/html.js';
import type { OutputName, Panel } from '../../predict/panel.ts';
import type { PanelState } from '../../predict/state.ts';
import { grouped } from '../../shared/format.ts';
import { drawn, icon } from '../../shared/icons.ts';
import { findPlaces, lowered, type Place } from './findPlaces.ts';
import { showPlace } from './showPlace.ts';

/** Where the keyboard was before. */
let focusedBefore: HTMLElement | undefined;

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
  const { length } = placesOf(panel, query);
  const shown = at >= 0 && at < length ? `${grouped(at + 1)} of ${grouped(length)}` : grouped(length);
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
      @input=${(event: Event) => search(panel, (event.target as HTMLInputElement).value)}
    />
    <span class="find-count" role="status">${query === '' ? '' : length === 0 ? 'No results' : shown}</span>
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

function placesOf(panel: Panel, query: string): Place[] {
  const { run, sequence, tree, observed } = panel.state;
  const names: readonly OutputName[] = ['predicted', 'observed'];
  return panel.remember('find', [query, run, sequence, tree, tree.version, observed], () =>
    findPlaces(
      query,
      names.flatMap((name) => {
        const memory = panel.outputs.get(name)?.memory;
        if (!memory || (name === 'observed' && !observed?.output)) return [];
        const lines = panel.remember(`find ${name}`, [memory, run, sequence, observed], () => lowered(memory.screen));
        return [[name, lines] as const];
      }),
      tree,
    ),
  );
}

function search(panel: Panel, query: string): void {
  panel.dispatch({ type: 'find', find: { query, at: -1 } });
  go(panel, 1);
}

/** Shows the next place, or the one before; behind the last comes the first. */
function go(panel: Panel, by: 1 | -1): void {
  const { query = '', at = -1 } = panel.state.find ?? {};
  const places = placesOf(panel, query);
  const next = at < 0 && by < 0 ? places.length - 1 : (at + by + places.length) % places.length;
  const place = places[next];
  CSS.highlights.clear();
  if (!place) return;
  panel.dispatch({ type: 'find', find: { query, at: next } });
  showPlace(panel, place);
}

function close(panel: Panel): void {
  CSS.highlights.clear();
  panel.dispatch({ type: 'find', find: undefined });
  focusedBefore?.focus();
  focusedBefore = undefined;
}
