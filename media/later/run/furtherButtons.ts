import { drawing as compare } from 'codicon:git-compare';
import { drawing as shield } from 'codicon:shield';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { whyNotApplied } from '../../../src/core/apply/whyNotApplied.ts';
import type { Prediction } from '../../../src/core/prediction/prediction.ts';
import { headlineOf } from '../../../src/core/verdict/headlineOf.ts';
import type { Errand } from '../../../src/protocol/panelProtocol.ts';
import type { Panel } from '../../predict/panel.ts';
import { drawn, icon } from '../../shared/icons.ts';

/** A button whose words stand beside its icon. `tail`: what is left out where there is little room. */
function furtherButton(
  panel: Panel,
  errand: Errand,
  { word, tail = '', title, drawing }: { word: string; tail?: string; title: string; drawing: TemplateResult },
): TemplateResult {
  return html`<button
    class="secondary"
    title=${title}
    aria-label=${`${word}${tail}`}
    @click=${() => panel.send({ type: 'errand', errand })}
  >
    ${drawing}<span>${word}${tail ? html`<span class="tail">${tail}</span>` : nothing}</span>
  </button>`;
}

/** A rule can only allow what is wholly known. */
function isCertain({ assumptions, questions, exitBasis }: Prediction): boolean {
  return assumptions.length === 0 && questions.length === 0 && (exitBasis === 'rehearsed' || exitBasis === 'computed');
}

/** What can be done with a prediction besides running it: its result put in place, its effects allowed. */
export function furtherButtons(panel: Panel): TemplateResult {
  const { prediction, workspace, session, observed } = panel.state;
  if (!prediction || !workspace.trusted || observed?.state === 'running') return html``;
  const isCommand = prediction.action.kind === 'command';
  const applies = isCommand && session.scripts.length === 0 && whyNotApplied(prediction) === undefined;
  // What is dangerous is not allowed by a click beside it, and nobody asks for a rule about what fails or only reads; the
  // command is still in the menu of the view.
  const isKnown =
    isCommand &&
    prediction.ending === 'done' &&
    !['danger', 'fails'].includes(headlineOf(prediction.verdict)) &&
    prediction.files.length + prediction.effects.length > 0 &&
    isCertain(prediction);
  return html`${
    applies
      ? furtherButton(panel, 'applyPrediction', {
          word: 'Apply',
          tail: ' Without Running',
          title: 'Put the predicted files in place without running the command',
          drawing: icon('check'),
        })
      : nothing
  }${
    isKnown
      ? furtherButton(panel, 'allowEffects', {
          word: 'Allow Effects',
          tail: ' Like These…',
          title: 'Allow Effects Like These: add a rule to your policy for agents',
          drawing: drawn(shield),
        })
      : nothing
  }`;
}

/** The way back, after something was lost for real and the safety net has kept some of it. */
export function afterRealButtons(panel: Panel): TemplateResult | typeof nothing {
  if (panel.state.observed?.keptLost === undefined) return nothing;
  return furtherButton(panel, 'restoreLost', {
    word: 'Restore',
    tail: ' What Was Lost…',
    title: 'Choose from what the safety net has kept',
    drawing: icon('discard'),
  });
}

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
    ${drawn(compare)}<span class="label">Last Run</span>
  </button>`;
}
