import { drawing as search } from 'codicon:search';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { filterCounts } from '../../src/core/trajectory/file/trajectoryRows.ts';
import { stepFilters } from '../../src/core/trajectory/step/stepFilter.ts';
import { counted, grouped } from '../shared/format.ts';
import { drawn, icon } from '../shared/icons.ts';
import type { Lab } from './lab.ts';
import { filterWords } from './rows.ts';

/** Search, filters and what stands above the list. */
export function topView(lab: Lab): TemplateResult {
  const { state } = lab;
  const { lines, tree, kept } = state;
  const counts = lab.remember('counts', [lines, tree], () => filterCounts(lines, tree, stepFilters));
  const shown = stepFilters.filter((filter) => counts[filter] > 0 || kept.filters.includes(filter));
  return html`<header class="top">
    <h1 class="spoken">Trajectory ${state.editor.file}</h1>
    <div class="search-line">
      <span class="search-box"
        >${drawn(search)}<input
          id="search"
          type="search"
          placeholder="Search actions, observations, reasoning"
          aria-label="Search in all turns"
          .value=${kept.query}
          @input=${(event: Event) => searchFor(lab, (event.target as HTMLInputElement).value)}
      /></span>
      <span class="sum dim" role="status">${sumWords(lab)}</span>
    </div>
    ${
      shown.length === 0
        ? nothing
        : html`<div class="filters" role="group" aria-label="Filters">
            ${shown.map(
              (filter) =>
                html`<button
                  class="filter filter-${filter}"
                  aria-pressed=${kept.filters.includes(filter)}
                  @click=${() => lab.dispatch({ type: 'filter', filter })}
                >
                  ${filterWords[filter]} <span class="count">${grouped(counts[filter])}</span>
                </button>`,
            )}
          </div>`
    }
    ${noticeView(lab)}
  </header>`;
}

function searchFor(lab: Lab, query: string): void {
  lab.dispatch({ type: 'query', query });
  lab.send({ type: 'search', query });
}

function sumWords(lab: Lab): string {
  const { state } = lab;
  if (state.revision < 0) return '';
  if (state.lines.length < state.total) {
    return `reading… ${grouped(state.lines.length)} of ${counted(state.total, 'line')}`;
  }
  const turns = state.tree.byId.size;
  const { query } = state.kept;
  if (query !== '') {
    if (state.found?.query !== query) return 'searching…';
    return `${grouped(state.found.lines.size)} of ${counted(turns, 'turn')}`;
  }
  const scores = lab.remember('mean', [state.tree], () =>
    state.tree.rows.map(({ step }) => step.factual).filter((score) => score !== undefined),
  );
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const words = scores.length === 0 ? '' : ` · score ${mean.toFixed(2)} over ${grouped(scores.length)}`;
  return `${counted(turns, 'turn')}${words}`;
}

function noticeView(lab: Lab): TemplateResult | typeof nothing {
  const { notice } = lab.state;
  if (!notice) return nothing;
  const { kind, sentence, offer } = notice;
  const icons = { information: 'info', warning: 'warning', error: 'error' } as const;
  const offers = {
    connectModel: 'Connect a Model…',
    manageTrust: 'Manage Workspace Trust',
    openAsText: 'Open as Text',
  };
  return html`<div class="banner ${kind}" role="alert">
    ${icon(icons[kind])}<span>${sentence}</span>
    ${
      offer
        ? html`<button class="secondary" @click=${() => lab.send({ type: 'errand', errand: offer })}>
            ${offers[offer]}
          </button>`
        : nothing
    }
  </div>`;
}
