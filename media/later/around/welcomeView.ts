import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Errand } from '../../../src/protocol/panelProtocol.ts';
import type { Panel } from '../../predict/panel.ts';
import { icon } from '../../shared/icons.ts';
import { errandButton } from '../errandButton.ts';

/** What to do when nothing was predicted yet. */
export function welcomeView(panel: Panel): TemplateResult | typeof nothing {
  const { settings, workspace, refusal } = panel.state;
  const { engine } = workspace;
  if (!engine.available) return unavailableView(panel, engine);
  if (refusal) return nothing;
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
      workspace.folders.length === 0
        ? html`<p class="welcome-folder">
            No folder is open: commands are predicted in your home directory. ${errandButton(panel, 'openFolder')}
          </p>`
        : nothing
    }
  </div>`;
}

/** Why nothing can be rehearsed on this machine, and how to go on. */
function unavailableView(panel: Panel, engine: { sentence: string; errands: Errand[] }): TemplateResult {
  return html`<div class="welcome">
    <p class="welcome-title">${icon('circleSlash')} Commands cannot be rehearsed here</p>
    <p>${engine.sentence}</p>
    <div class="actions">${engine.errands.map((errand, index) => errandButton(panel, errand, index === 0))}</div>
  </div>`;
}

/** What to do when a prediction failed, and nothing is known. */
export function failedView(panel: Panel): TemplateResult {
  const { engine } = panel.state.workspace;
  if (!engine.available) return unavailableView(panel, engine);
  return html`<div class="welcome"><div class="actions">${errandButton(panel, 'showLog')}</div></div>`;
}
