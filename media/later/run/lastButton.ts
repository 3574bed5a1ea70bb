import { drawing as compare } from 'codicon:git-compare';
import { html, type TemplateResult } from 'lit/html.js';
import type { Panel } from '../../predict/panel.ts';
import { drawn } from '../../shared/icons.ts';

/** Puts the run before beside this one, and takes it away. */
export function lastButton(panel: Panel): TemplateResult {
  const { beside, run } = panel.state;
  const on = beside?.isLast === true;
  return html`<button
    class="icon-button"
    title="Compare with Last Run"
    aria-label="Compare with Last Run"
    aria-pressed=${on}
    @click=${() => panel.send({ type: 'compareLast', run, on: !on })}
  >
    ${drawn(compare)}
  </button>`;
}
