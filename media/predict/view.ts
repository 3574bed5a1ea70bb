import { html, nothing, type TemplateResult } from 'lit/html.js';
import { icon } from '../shared/icons.ts';
import { filesColumn, happensColumn, stakesColumn } from './factsView.ts';
import type { Panel } from './panel.ts';
import { modelShown, needsLater } from './state.ts';
import { askView, bannersView, commandView, errandButton, sessionView, verdictView } from './topView.ts';

/** The whole panel, from its state. */
export function panelView(panel: Panel): TemplateResult {
  const { state } = panel;
  if (!state.connected) return html`<main class="panel" aria-busy="true"><h1 class="spoken">Foretell</h1></main>`;
  const { prediction, surroundings } = state;
  const running = prediction !== undefined && prediction.ending === undefined;
  const asked = prediction !== undefined && prediction.questions.length > 0;
  return html`<main class="panel" aria-busy=${running} ?data-loading=${!panel.later && needsLater(state)}>
    <h1 class="spoken">Foretell: what a command would do</h1>
    ${running ? progressView(panel) : nothing}
    <div class="top">
      ${sessionView(panel)}${commandView(panel)}${state.open === 'imagine' ? panel.later?.imagineView(panel) : nothing}${bannersView(panel)}${verdictView(panel)}${state.open === 'rehearse' ? panel.later?.rehearseView(panel) : nothing}${askView(panel)}
      ${asked ? panel.later?.tabsView(panel) : nothing}
    </div>
    ${
      surroundings.engine.available || prediction
        ? nothing
        : html`<div class="welcome">
            <p class="welcome-title">${icon('circleSlash')} Commands cannot be predicted here</p>
            <p>${surroundings.engine.sentence}</p>
            ${surroundings.engine.errand ? errandButton(panel, surroundings.engine.errand) : nothing}
          </div>`
    }
    ${prediction ? factsView(panel) : surroundings.engine.available && !state.refusal ? welcomeView(panel) : nothing}
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
  const asked = panel.later !== undefined && prediction.questions.length > 0;
  if (asked && modelShown(panel.state).view === 'prompt') return panel.later?.promptView(panel, prediction) ?? nothing;
  if (prediction.ending === 'failed' && prediction.output.length + prediction.files.length === 0 && !asked) {
    return html`<div class="welcome">
      <div class="actions">
        <button class="secondary" @click=${(event: Event) => panel.predict(event)}>Predict Again</button>
        ${errandButton(panel, 'showLog')}
      </div>
    </div>`;
  }
  const stakes = stakesColumn(panel, prediction);
  const files = filesColumn(panel, prediction);
  const sides = [stakes, files].filter((column) => column !== nothing).length;
  return html`<div
    class="facts sides-${sides}"
    id=${asked ? 'view-prediction' : nothing}
    role=${asked ? 'tabpanel' : nothing}
    aria-labelledby=${asked ? 'tab-prediction' : nothing}
  >
    ${sides > 0 ? html`<div class="sides">${stakes}${files}</div>` : nothing} ${happensColumn(panel, prediction)}
  </div>`;
}

/** What to do when nothing was predicted yet. */
function welcomeView(panel: Panel): TemplateResult {
  const { settings, surroundings } = panel.state;
  const key = settings.keys.predict;
  return html`<div class="welcome">
    <p class="welcome-title">See what a command would do before you run it</p>
    <ul>
      <li>Type a command above and press <kbd>Enter</kbd>.</li>
      <li>
        Or select one in an editor or in the terminal${key ? html` and press <kbd>${key}</kbd>` : ', and choose Foretell from its menu'}.
      </li>
    </ul>
    <p class="dim">The real programs run on a copy of your files, without network. Nothing is changed.</p>
    ${
      surroundings.folders.length === 0
        ? html`<p class="welcome-folder">
            No folder is open: commands are predicted in your home directory. ${errandButton(panel, 'openFolder')}
          </p>`
        : nothing
    }
  </div>`;
}
