import { drawing as lock } from 'codicon:lock';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Panel } from '../../predict/panel.ts';
import { codeText } from '../../shared/codeText.ts';
import { counted } from '../../shared/format.ts';
import { drawn, icon } from '../../shared/icons.ts';
import { unsavedView } from '../edit/unsavedView.ts';
import { errandButton } from '../errandButton.ts';
import { modelFailureView } from './modelFailureView.ts';

/** What the page itself says when a message of the host is none. */
const notUnderstood =
  'This panel and the rest of Foretell do not understand each other, as after an update. What it shows may be old; reload the window.';

/** One sentence of the host, and states that hold for everything below. */
export function bannersView(panel: Panel): TemplateResult {
  const { banner, workspace, gateOpened, keptAnswers, run, edit, observed, prediction } = panel.state;
  const offer = banner?.offer;
  return html`${
    banner && !(offer === 'confirmRun' && observed)
      ? html`<div class="banner ${banner.kind}" role=${banner.kind === 'error' ? 'alert' : 'status'}>
          ${icon(banner.kind === 'information' ? 'info' : banner.kind)}
          <span>${codeText(banner.sentence || notUnderstood)}</span>
          ${
            offer === 'confirmRun'
              ? html`<button class="secondary" @click=${() => panel.send({ type: 'confirmRun', run })}>${edit ? 'Apply' : 'Run'} Anyway</button>`
              : offer === 'predict'
                ? html`<button class="secondary" @click=${(event: Event) => panel.predict(event)}>Predict Again</button>`
                : offer
                  ? errandButton(panel, offer)
                  : nothing
          }
        </div>`
      : nothing
  }${modelFailureView(panel)}${unsavedView(panel)}${
    workspace.trusted
      ? nothing
      : html`<div class="banner information">
          ${drawn(lock)}
          <span
            >Restricted Mode: predictions work, but programs of this workspace never run, not even confined.</span
          >
          ${errandButton(panel, 'manageTrust')}
        </div>`
  }${
    keptAnswers > 0
      ? html`<div class="banner information">
          ${icon('check')}<span>Answered as before, with ${counted(keptAnswers, 'answer')} of yours.</span>
          <button class="secondary" @click=${() => panel.send({ type: 'answerAnew', run })}>Answer Anew</button>
        </div>`
      : nothing
  }${
    gateOpened
      ? html`<div class="banner information">
          ${icon('beaker')}<span>${prediction?.ending === undefined ? 'Rehearsing fully: every program runs' : 'Rehearsed fully: every program ran'}, confined and without network.</span>
        </div>`
      : nothing
  }`;
}
