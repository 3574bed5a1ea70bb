import { drawing as note } from 'codicon:note';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { StepSummary } from '../../src/core/trajectory/step/stepSummary.ts';
import type { TreePlace } from '../../src/core/trajectory/step/stepTree.ts';
import { contradictionText } from '../../src/core/words/contradictionText.ts';
import type { StepDetail } from '../../src/protocol/labProtocol.ts';
import { shownPath } from '../shared/format.ts';
import { drawn, icon } from '../shared/icons.ts';
import { longText } from '../shared/longText.ts';
import { visibleText } from '../shared/visibleText.ts';
import { answersView } from './answersView.ts';
import { compareView } from './compareView.ts';
import { draftView, editButton, isDrafting } from './draftView.ts';
import type { Lab } from './lab.ts';
import { labSection } from './labSection.ts';
import { numbersView, promptView, reasoningView } from './modelParts.ts';
import { runView } from './runView.ts';
import { activeId, activePlace } from './state.ts';
import { restingView, toolbarView } from './toolbarView.ts';
import { statusIcon, statusMeaning, statusWords } from './words.ts';

/** The turn that is shown, beside the list. */
export function detailView(lab: Lab): TemplateResult {
  const { state } = lab;
  const place = activePlace(state);
  const detail = state.detail?.id === activeId(state) ? state.detail : undefined;
  return html`<section class="detail-pane" id="detail" tabindex="-1" aria-label="The turn that is chosen">
    ${place ? turnView(lab, place, detail) : badLineView(lab)}
  </section>`;
}

function badLineView(lab: Lab): TemplateResult {
  const { active } = lab.state.kept;
  const row = lab.list?.rows.find(({ node }) => node.key === active)?.node.row;
  if (row?.kind !== 'bad') return html``;
  return html`<div class="turn-head">
      <h2>Line ${row.index + 1} is no step</h2>
    </div>
    <p class="resting-note">${icon('warning')}<span>${visibleText(row.problem)}</span></p>
    <p class="dim part">It is kept as it stands. It begins with:</p>
    <div class="code part">${visibleText(row.begins)}</div>
    <p class="part">
      <button class="secondary" @click=${() => lab.send({ type: 'openLine', line: row.index + 1 })}>
        Show Line in Text Editor
      </button>
    </p>`;
}

function turnView(lab: Lab, place: TreePlace<StepSummary>, detail: StepDetail | undefined): TemplateResult {
  return html`${headView(lab, place, detail)} ${toolbarView(lab, place, detail)} ${restingView(lab, place)}
  ${runView(lab, place.step.id)}
  ${
    detail
      ? html`${actionView(lab, detail)} ${compareView(lab, place, detail)} ${answersView(lab, detail)}
        ${reasoningView(lab, detail)} ${promptView(lab, detail)} ${numbersView(lab, detail)} ${noteView(lab, detail)}`
      : nothing
  }`;
}

function headView(
  lab: Lab,
  { step, turn, isFork }: TreePlace<StepSummary>,
  detail: StepDetail | undefined,
): TemplateResult {
  const { home } = lab.state.editor;
  const folder = detail?.cwd === undefined ? undefined : shownPath(detail.cwd, [], home);
  return html`<div class="turn-head">
    <h2>Turn ${turn}</h2>
    <span class="badge status-${step.status}" title=${statusMeaning[step.status]}
      >${statusIcon(step.status)}${statusWords[step.status]}</span
    >
    ${isFork ? html`<span class="badge">branch</span>` : nothing}
    <span class="where dim"
      >${visibleText(step.trajectory)} · ${step.domain}${folder === undefined ? nothing : html` · ${visibleText(folder)}`}
      ${
        detail
          ? html` ·
              <button
                class="link"
                title="Show Line in Text Editor"
                @click=${() => lab.send({ type: 'openLine', line: detail.line })}
              >
                line ${detail.line}
              </button>`
          : nothing
      }</span
    >
  </div>`;
}

function actionView(lab: Lab, detail: StepDetail): TemplateResult {
  const { id, action } = detail;
  const isForking = isDrafting(lab, id, 'fork');
  return html`${labSection(lab, {
    name: 'action',
    title: 'Action',
    startsOpen: true,
    buttons: editButton(lab, { id, what: 'action', text: action.text }, 'Edit Action'),
    content: () =>
      isDrafting(lab, id, 'action')
        ? draftView(lab, 'Save Action', action.form)
        : html`<div class="code action-text ${action.form}" tabindex="0" role="region" aria-label="Action">
            ${longText(detail, 'action', action.text)}
          </div>`,
  })}
  ${isForking ? html`<div class="part fork-draft">${draftView(lab, 'Fork With This Action', action.form)}</div>` : nothing}
  ${detail.uncertain.map(
    (sentence) => html`<p class="part uncertain dim">${icon('question')}<span>${visibleText(sentence)}</span></p>`,
  )}
  ${(detail.contradictions ?? []).map(
    (one) =>
      html`<p class="part contradiction">${icon('warning')}<span>${visibleText(contradictionText(one))}</span></p>`,
  )}
  ${
    detail.agent?.thought === undefined
      ? nothing
      : labSection(lab, {
          name: 'agent',
          title: 'What the agent thought',
          startsOpen: false,
          beside: detail.agent.model === undefined ? nothing : visibleText(detail.agent.model),
          content: () =>
            html`<div class="prose boxed" tabindex="0">${longText(detail, 'agent', detail.agent?.thought ?? '')}</div>`,
        })
  }
  ${
    detail.state === undefined
      ? nothing
      : labSection(lab, {
          name: 'state',
          title: 'The screen before',
          startsOpen: false,
          content: () =>
            html`<div class="code boxed" tabindex="0">${longText(detail, 'state', detail.state ?? '')}</div>`,
        })
  }`;
}

function noteView(lab: Lab, { id, note: text = '' }: StepDetail): TemplateResult {
  if (isDrafting(lab, id, 'note')) return html`<div class="part">${draftView(lab, 'Save Note', 'text')}</div>`;
  return html`<div class="part note">
    ${drawn(note)}
    ${text === '' ? html`<span class="dim">No note</span>` : html`<span class="note-text">${visibleText(text)}</span>`}
    ${editButton(lab, { id, what: 'note', text }, text === '' ? 'Write a Note' : 'Edit Note')}
  </div>`;
}
