import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Refusal } from '../../../src/protocol/panelProtocol.ts';
import type { Panel } from '../../predict/panel.ts';
import { codeText } from '../../shared/codeText.ts';
import { icon } from '../../shared/icons.ts';

/** A question without an answer. The prediction before it is a click away, and cannot be taken for the answer. */
export function refusalView(panel: Panel, { sentence, hasEarlier }: Refusal): TemplateResult {
  return html`<div class="verdict refused">
    <div class="verdict-line" id="verdict" role="status" aria-atomic="true" tabindex="-1">
      <span class="level">${icon('circleSlash')}<span>NOT PREDICTED</span></span>
      <span class="sentence">${codeText(sentence)}</span>
    </div>
    ${
      hasEarlier
        ? html`<div class="actions">
            <button class="secondary" @click=${() => panel.send({ type: 'showEarlier' })}>Show Earlier Prediction</button>
          </div>`
        : nothing
    }
  </div>`;
}
