import { html, nothing, type TemplateResult } from 'lit/html.js';
import { happensColumn, reasonsColumn, stakesColumn } from './factsView.ts';
import type { Panel } from './panel.ts';
import { modelShown, needsModel } from './state.ts';
import { commandView, verdictView } from './topView.ts';

/** The whole panel, from its state. */
export function panelView(panel: Panel): TemplateResult {
  const { state } = panel;
  if (!state.connected) return html`<main class="panel" aria-busy="true"><h1 class="spoken">Foretell</h1></main>`;
  const { prediction } = state;
  const running = prediction !== undefined && prediction.ending === undefined;
  const asked = prediction !== undefined && prediction.questions.length > 0;
  return html`<main class="panel" aria-busy=${running} ?data-loading=${!panel.later || (!panel.model && needsModel(state))}>
    <h1 class="spoken">Foretell: what a command would do</h1>
    ${running ? progressView(panel) : nothing}
    ${state.find ? panel.later?.findView(panel, state.find) : nothing}
    <div class="top">
      ${panel.later?.sessionView(panel)}${commandView(panel)}${state.open === 'past' ? panel.later?.pastView(panel) : nothing}${state.open === 'imagine' ? panel.later?.imagineView(panel) : nothing}${panel.later?.bannersView(panel)}${verdictView(panel)}${state.open === 'rehearse' ? panel.later?.rehearseView(panel) : nothing}${panel.later?.askView(panel)}
      ${asked ? panel.model?.tabsView(panel) : nothing}
    </div>
    ${prediction ? factsView(panel) : panel.later?.welcomeView(panel)}
    <span class="probe output" aria-hidden="true">${'m'.repeat(50)}</span>
  </main>`;
}

function progressView(panel: Panel): TemplateResult {
  const { text, done, total } = panel.state.prediction?.progress ?? {
    text: 'Predicting',
    done: undefined,
    total: undefined,
  };
  if (done === undefined || !total) return html`<div class="progress" role="progressbar" aria-label=${text}></div>`;
  return html`<progress class="progress" aria-label=${text} max=${total} value=${done}></progress>`;
}

function factsView(panel: Panel): TemplateResult | typeof nothing {
  const { prediction } = panel.state;
  if (!prediction) return nothing;
  const asked = panel.model !== undefined && prediction.questions.length > 0;
  if (asked && modelShown(panel.state).view === 'prompt') return panel.model?.promptView(panel, prediction) ?? nothing;
  if (prediction.ending === 'failed' && prediction.output.length + prediction.files.length === 0 && !asked) {
    return panel.later?.failedView(panel) ?? nothing;
  }
  const stakes = stakesColumn(panel, prediction);
  const reasons = reasonsColumn(panel, prediction);
  const sides = [stakes, reasons].filter((column) => column !== nothing).length;
  return html`<div
    class="facts sides-${sides}"
    id=${asked ? 'view-prediction' : nothing}
    role=${asked ? 'tabpanel' : nothing}
    aria-labelledby=${asked ? 'tab-prediction' : nothing}
  >
    ${sides > 0 ? html`<div class="sides">${stakes}${reasons}</div>` : nothing} ${happensColumn(panel, prediction)}
  </div>`;
}
