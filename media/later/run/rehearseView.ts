import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Panel } from '../../predict/panel.ts';
import { icon } from '../../shared/icons.ts';
import { stoppedPrograms } from './programTree.ts';

/** Which programs would run, before the gate opens. */
export function rehearseView(panel: Panel): TemplateResult | typeof nothing {
  const { open, prediction, run, workspace } = panel.state;
  if (open !== 'rehearse' || !prediction || !workspace.trusted) return nothing;
  const programs = stoppedPrograms(prediction);
  return html`<div class="question" role="group" aria-labelledby="rehearse-question">
    <p id="rehearse-question">
      ${programs.length === 1 ? 'This program' : `These ${programs.length} programs`} would really run: confined, on the
      copy, without network.
    </p>
    <ul class="programs-to-run">
      ${programs.map(({ line, why }) => html`<li><code>${line}</code> <span class="dim">${why}</span></li>`)}
    </ul>
    <div class="actions">
      <button class="primary" @click=${() => panel.send({ type: 'rehearseForReal', run })}>Rehearse</button>
      <button class="secondary" @click=${() => panel.send({ type: 'askConsent', run, to: 'rehearse' })}>
        Always Rehearse Programs of This Workspace…
      </button>
      <button class="secondary" @click=${() => panel.dispatch({ type: 'open', what: undefined })}>Not Now</button>
    </div>
  </div>`;
}

/** Opens and closes it. `isNext`: it is what to do next. */
export function rehearseButton(panel: Panel, isNext: boolean): TemplateResult {
  const isOpen = panel.state.open === 'rehearse';
  return html`<button
    class=${isNext ? 'primary' : 'secondary'}
    aria-expanded=${isOpen}
    aria-label="Rehearse Fully"
    title="Let the stopped programs really run, confined on the copy"
    @click=${() => panel.dispatch({ type: 'open', what: isOpen ? undefined : 'rehearse' })}
  >
    ${icon('beaker')}<span>Rehearse<span class="tail"> Fully</span></span>
  </button>`;
}
