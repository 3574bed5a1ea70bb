import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { AskedQuestion } from '../../src/core/prediction/question.ts';
import type { Panel } from '../predict/panel.ts';
import { type ModelShown, modelShown } from '../predict/state.ts';
import { grouped } from '../shared/format.ts';
import { icon } from '../shared/icons.ts';
import { visibleText } from '../shared/visibleText.ts';

const tabs = [
  ['prediction', 'Prediction'],
  ['prompt', 'Prompt'],
] as const;

/** The two views of a prediction, and under what it was imagined. */
export function tabsView(panel: Panel): TemplateResult {
  const questions = panel.state.prediction?.questions ?? [];
  const { view } = modelShown(panel.state);
  return html`<div class="tabs">
    <div
      class="tab-list"
      role="tablist"
      aria-label="Views of this prediction"
      @keydown=${(event: KeyboardEvent) => tabKey(panel, event, view)}
    >
      ${tabs.map(
        ([name, words]) =>
          html`<button
            role="tab"
            id="tab-${name}"
            aria-selected=${name === view}
            aria-controls=${name === view ? `view-${name}` : nothing}
            tabindex=${name === view ? 0 : -1}
            @click=${() => choose(panel, name)}
          >
            ${words}${name === 'prompt' ? html`<span class="tab-count">${grouped(questions.length)}</span>` : nothing}
          </button>`,
      )}
    </div>
    ${conditionsView(questions)}
  </div>`;
}

function choose(panel: Panel, view: ModelShown['view']): void {
  panel.dispatch({ type: 'model', shown: { view } });
  document.getElementById(`tab-${view}`)?.focus();
}

function tabKey(panel: Panel, event: KeyboardEvent, view: ModelShown['view']): void {
  const at = tabs.findIndex(([name]) => name === view);
  const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 };
  const step = steps[event.key];
  const next = step === undefined ? undefined : tabs.at(step % tabs.length);
  if (!next) return;
  event.preventDefault();
  choose(panel, next[0]);
}

/** Under what the model imagined, and how often. */
function conditionsView(questions: readonly AskedQuestion[]): TemplateResult | typeof nothing {
  const titles = [...new Set(questions.flatMap(({ conditions }) => conditions))];
  const samples = questions.reduce(
    (most, { sample = 1, reply }) => Math.max(most, sample, reply?.agreement?.samples ?? 1),
    1,
  );
  if (titles.length === 0 && samples === 1) return nothing;
  return html`<p class="conditions">
    ${titles.length > 0 ? html`<span class="dim">under</span>` : nothing}
    ${titles.map((title) => html`<span class="chip">${icon('warning')}${visibleText(title)}</span>`)}
    ${samples > 1 ? html`<span class="chip">${samples} samples</span>` : nothing}
  </p>`;
}
