import { html, type TemplateResult } from 'lit/html.js';
import { SaferCommands } from '../../../src/protocol/compareProtocol.ts';
import type { Panel } from '../../predict/panel.ts';
import { section } from '../../predict/section.ts';
import { codeText } from '../../shared/codeText.ts';
import { icon } from '../../shared/icons.ts';

/** Commands that reach the same and lose nothing, each proven by a rehearsal. */
export function saferSection(panel: Panel): TemplateResult {
  const { data = [] } = SaferCommands.safeParse(panel.state.safer);
  return section(panel, {
    name: 'safer',
    title: 'Safer',
    icon: icon('pass'),
    content: () =>
      html`<ul class="list safer">
        ${data.map(
          ({ script, proven, remains }) => html`<li>
            <span
              ><code>${script}</code> <span class="dim">${codeText(proven)}</span> ${remains.map(
                (text) => html`<span>Still: ${codeText(text)}</span> `,
              )}
              <button class="link" title="Predict this command" @click=${() => panel.send({ type: 'predict', script })}>
                Predict This
              </button></span
            >
          </li>`,
        )}
      </ul>`,
  });
}
