import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { LabRun } from '../../src/protocol/labProtocol.ts';
import { counted } from '../shared/format.ts';
import { icon } from '../shared/icons.ts';
import { longText } from '../shared/longText.ts';
import { questionEffort } from '../shared/modelWords.ts';
import { isOpen, type Lab } from './lab.ts';

/** What is under way for a turn, as it comes; and, smaller, what is under way for others. */
export function runView(lab: Lab, id: string): TemplateResult {
  const { runs, tree } = lab.state;
  return html`${runs.map((run) => {
    if (run.id === id) return html`<div class="run">${headOf(lab, run)} ${bodyOf(lab, run)}</div>`;
    const turn = tree.byId.get(run.id)?.turn;
    return html`<div class="run elsewhere">${headOf(lab, run, turn)}</div>`;
  })}`;
}

function headOf(lab: Lab, { run, what, how, waiting, prediction }: LabRun, turn?: number): TemplateResult {
  const question = prediction.questions.at(-1);
  const sample = question?.sample === undefined ? '' : ` · sample ${question.sample}`;
  const effort = question ? questionEffort(question, true) : '';
  const words = what === 'rehearse' ? 'Rehearsing' : `Predicting${how === '' ? '' : ` ${how}`}`;
  return html`<div class="run-head">
    <span class="spinning">${icon('loading')}</span>
    <span class="run-words" role="status">${words}${turn === undefined ? '' : ` turn ${turn}`}${sample}…</span>
    <span class="dim"
      >${effort}${waiting > 0 ? html` · ${counted(waiting, 'more turn')} after it` : nothing}</span
    >
    <button class="secondary" @click=${() => lab.send({ type: 'cancel', run })}>Cancel</button>
  </div>`;
}

function bodyOf(lab: Lab, run: LabRun): TemplateResult | typeof nothing {
  const { prediction, what } = run;
  const question = prediction.questions.at(-1);
  if (what === 'rehearse' || !question) {
    const printed = prediction.output.map((piece) => piece.text ?? '').join('');
    return printed === '' ? nothing : html`<div class="code boxed">${longText(run, 'output', printed)}</div>`;
  }
  const open = isOpen(lab, 'thoughts', false);
  const toggle = () => lab.dispatch({ type: 'fold', what: 'sections', key: 'thoughts', open: !open });
  return html`${
    question.thoughts === ''
      ? nothing
      : html`<button class="fold" id="fold-thoughts" aria-expanded=${open} @click=${toggle}>
            ${icon(open ? 'chevronDown' : 'chevronRight')}Reasoning
          </button>
          ${
            open
              ? html`<div class="prose boxed thoughts">${longText(prediction, `thoughts ${question.id}`, question.thoughts)}</div>`
              : nothing
          }`
  }
  ${
    question.said === ''
      ? nothing
      : html`<div class="code boxed said">${longText(prediction, `said ${question.id}`, question.said)}</div>`
  }`;
}
