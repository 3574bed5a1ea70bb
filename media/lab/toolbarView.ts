import { drawing as rehearse } from 'codicon:beaker';
import { drawing as branch } from 'codicon:git-branch';
import { drawing as predict } from 'codicon:telescope';
import { drawing as samplesIcon } from 'codicon:versions';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { StepSummary } from '../../src/core/trajectory/step/stepSummary.ts';
import { followersOf, type TreePlace } from '../../src/core/trajectory/step/stepTree.ts';
import type { StepDetail } from '../../src/protocol/labProtocol.ts';
import { counted } from '../shared/format.ts';
import { drawn, icon } from '../shared/icons.ts';
import type { Lab } from './lab.ts';

/** What can be done at a turn. */
export function toolbarView(lab: Lab, place: TreePlace<StepSummary>, detail: StepDetail | undefined): TemplateResult {
  const { step } = place;
  const { id } = step;
  const { runs, editor } = lab.state;
  const busy = runs.some((run) => run.id === id);
  const again = step.hasPrediction ? 'Predict Again' : 'Predict';
  const model = editor.model === undefined ? 'no model is connected' : `with ${editor.model}`;
  const send = (choose: 'model' | 'template' | 'conditions') => () => lab.send({ type: 'predict', id, choose });
  return html`<div class="toolbar" role="group" aria-label="At this turn">
    <button
      class=${lab.state.kept.draft ? 'secondary' : 'primary'}
      id="predict"
      ?disabled=${busy}
      title="${again}, ${model}"
      @click=${() => lab.send({ type: 'predict', id })}
    >
      ${drawn(predict)}${again}
    </button>
    <span class="button-row" role="group" aria-label="Predict again with another">
      <span class="dim">with another</span>
      <button class="secondary" ?disabled=${busy} @click=${send('model')}>Model…</button>
      <button class="secondary" ?disabled=${busy} @click=${send('template')}>Template…</button>
      <button class="secondary" ?disabled=${busy} @click=${send('conditions')}>Condition…</button>
    </span>
    ${samplesView(lab, id, busy)}
    ${step.canRehearse ? rehearseView(lab, place, busy) : nothing}
    <button
      class="secondary"
      id="edit-fork"
      ?disabled=${!detail}
      title="A new branch: another action after this turn"
      @click=${() => detail && lab.dispatch({ type: 'draft', draft: { id, what: 'fork', text: detail.action.text } })}
    >
      ${drawn(branch)}Fork From Here
    </button>
  </div>`;
}

/** The same asked several times. */
function samplesView(lab: Lab, id: string, busy: boolean): TemplateResult {
  const { kept } = lab.state;
  return html`<span class="button-row">
  <button
    class="secondary"
    id="samples"
    ?disabled=${busy}
    title="Ask the same several times and group what is answered"
    @click=${() => lab.send({ type: 'predict', id, samples: kept.samples })}
  >
    ${drawn(samplesIcon)}Samples
  </button>
  <input
    class="count-input"
    type="number"
    min="2"
    max="32"
    aria-label="How many samples"
    .value=${String(kept.samples)}
    @change=${(event: Event) =>
      lab.dispatch({ type: 'samples', samples: Number((event.target as HTMLInputElement).value) })}
  />
</span>`;
}

/** The true observation: after the commands before it, or from the files as they are. */
function rehearseView(lab: Lab, { step: { id }, parent }: TreePlace<StepSummary>, busy: boolean): TemplateResult {
  return html`<span class="button-row"
            ><button
              class="secondary"
              id="rehearse"
              ?disabled=${busy}
              title=${parent ? 'Run it confined, on a copy, after the commands before it: the true observation' : 'Run it confined, on a copy: the true observation'}
              @click=${() => lab.send({ type: 'rehearse', id, from: 'turns' })}
            >
              ${drawn(rehearse)}Rehearse</button
            >${
              parent
                ? html`<button
                    class="secondary"
                    ?disabled=${busy}
                    title="Rehearse from the files as they are now, without the commands before it"
                    @click=${() => lab.send({ type: 'rehearse', id, from: 'files' })}
                  >
                    Rehearse Alone
                  </button>`
                : nothing
            }</span
          >`;
}

/** That a turn, or turns after it, were made before an edit. */
export function restingView(lab: Lab, place: TreePlace<StepSummary>): TemplateResult | typeof nothing {
  const { restsOnEdited, observationIsOld, step } = place;
  const isEdited = step.editedAction !== undefined || step.editedObservation !== undefined;
  const following = followersOf(place).filter((one) => one.restsOnEdited || one.observationIsOld);
  if (!restsOnEdited && !observationIsOld && following.length === 0) return nothing;
  const parts = [
    restsOnEdited ? 'This was predicted before an edit that it rests on.' : '',
    observationIsOld ? 'What was observed belongs to the turns as they were before an edit.' : '',
    !restsOnEdited && !observationIsOld && isEdited ? 'This turn was edited.' : '',
    following.length > 0 ? `${counted(following.length, 'turn')} after it may be otherwise now.` : '',
  ];
  return html`<div class="resting-note" role="note">
    ${icon('warning')}<span>${parts.filter(Boolean).join(' ')}</span>
    ${
      following.length > 0
        ? html`<button
            class="secondary"
            id="predict-following"
            ?disabled=${lab.state.runs.length > 0}
            @click=${() => lab.send({ type: 'predictFollowing', id: step.id })}
          >
            Predict What Follows
          </button>`
        : nothing
    }
  </div>`;
}
