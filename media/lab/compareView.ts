import { drawing as diffIcon } from 'codicon:diff';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { StepFacts } from '../../src/core/trajectory/step/step.ts';
import type { StepSummary } from '../../src/core/trajectory/step/stepSummary.ts';
import type { TreePlace } from '../../src/core/trajectory/step/stepTree.ts';
import { diffRows } from '../../src/core/view/lineDiff.ts';
import type { StepDetail } from '../../src/protocol/labProtocol.ts';
import { basisBadge } from '../shared/basis.ts';
import { allOf, counted, shownPath } from '../shared/format.ts';
import { drawn, icon } from '../shared/icons.ts';
import { longText } from '../shared/longText.ts';
import { visibleText } from '../shared/visibleText.ts';
import { draftView, editButton, isDrafting } from './draftView.ts';
import type { Lab } from './lab.ts';
import { labSection } from './labSection.ts';
import { underWords } from './words.ts';

/** Rows of a difference beyond which the rest is left to the diff editor. */
const mostRows = 1_500;

/** What was predicted, beside what is real. */
export function compareView(lab: Lab, place: TreePlace<StepSummary>, detail: StepDetail): TemplateResult {
  const { id, observation, prediction, score } = detail;
  const draft = { id, what: 'observation' as const, text: observation?.text ?? '' };
  const title = prediction && observation ? 'Predicted beside real' : prediction ? 'Predicted' : 'Observation';
  return labSection(lab, {
    name: 'compare',
    title,
    startsOpen: true,
    beside: score
      ? html`<span
          class="score"
          title="Lines, exit code, files and effects, weighed 4, 2, 3 and 1; what both have nothing to say of is left out"
          >factual score <strong>${score.score.toFixed(2)}</strong></span
        >`
      : nothing,
    buttons: html`${
      prediction && observation
        ? html`<button
            class="icon-button small"
            title="Open in the Diff Editor"
            aria-label="Open predicted and real in the diff editor"
            @click=${() => lab.send({ type: 'open', id, what: 'diff' })}
          >
            ${drawn(diffIcon)}
          </button>`
        : nothing
    }${editButton(lab, draft, observation ? 'Edit Observation' : 'Write Down the Observation')}`,
    content: () => {
      if (isDrafting(lab, id, 'observation')) return draftView(lab, 'Save Observation', 'text');
      return html`${factsView(lab, detail)} ${textsView(lab, place, detail)}`;
    },
  });
}

function textsView(lab: Lab, place: TreePlace<StepSummary>, detail: StepDetail): TemplateResult {
  const { prediction, observation } = detail;
  if (prediction && observation && prediction.ending === 'done') return sidesView(lab, place, detail);
  return html`${
    prediction
      ? html`<div class="side-name">${predictedName(detail)}</div>
          ${prediction.ending === 'done' ? textView(detail, 'prediction', prediction.text) : endingView(prediction)}`
      : nothing
  }
  ${
    observation
      ? html`<div class="side-name">${realName(observation, place.observationIsOld)}</div>
          ${textView(detail, 'observation', observation.text)}`
      : html`<p class="dim none">
          No observation: nobody knows what really
          happens.${place.step.canRehearse ? ' Rehearse it, or write it down.' : ' Write it down to compare.'}
        </p>`
  }`;
}

function endingView({ ending, reason }: NonNullable<StepDetail['prediction']>): TemplateResult {
  return html`<p class="ending ${ending}">
    ${icon(ending === 'abstained' ? 'question' : ending === 'cancelled' ? 'circleSlash' : 'error')}
    <span>${visibleText(reason ?? `It ended as ${ending}.`)}</span>
  </p>`;
}

function textView(owner: object, name: string, text: string): TemplateResult {
  if (text === '') return html`<p class="dim none">Nothing is shown.</p>`;
  return html`<div class="code boxed" tabindex="0" role="region" aria-label=${name}>${longText(owner, name, text)}</div>`;
}

function predictedName({ way, prediction }: StepDetail): TemplateResult {
  const engine = prediction?.engine === 'language' || prediction?.engine === undefined;
  return html`predicted ${basisBadge(engine ? 'imagined' : 'rehearsed')}${
    way.model === undefined ? nothing : html`<span class="dim"> by ${visibleText(way.model)}</span>`
  }${way.conditions.length > 0 ? html`<span class="dim"> under ${visibleText(underWords(way))}</span>` : nothing}`;
}

function realName({ basis, source }: NonNullable<StepDetail['observation']>, isOld: boolean): TemplateResult {
  return html`real ${basisBadge(basis)}${
    source === undefined ? nothing : html`<span class="dim"> ${visibleText(source)}</span>`
  }${isOld ? html`<span class="tag resting-tag">before the edit</span>` : nothing}`;
}

/** Texts of up to so many lines are shown whole; of longer ones only what differs, with some lines around it. */
const mostWhole = 200;

/** A row of two sides. */
interface SideRow {
  kind: 'same' | 'changed' | 'gap';
  left?: string | undefined;
  right?: string | undefined;
}

function sideRows(left: string, right: string): SideRow[] {
  const rows: SideRow[] = [];
  let waiting: { predicted: string[]; truth: string[] } = { predicted: [], truth: [] };
  const close = () => {
    const { predicted, truth } = waiting;
    for (let row = 0; row < Math.max(predicted.length, truth.length); row++) {
      rows.push({ kind: 'changed', left: predicted[row], right: truth[row] });
    }
    waiting = { predicted: [], truth: [] };
  };
  const [before, after] = [linesOf(left), linesOf(right)];
  const around = Math.max(before.length, after.length) <= mostWhole ? Number.POSITIVE_INFINITY : 6;
  for (const { kind, text } of diffRows(before, after, around)) {
    if (kind === 'predicted') waiting.predicted.push(text);
    else if (kind === 'truth') waiting.truth.push(text);
    else {
      close();
      rows.push({ kind, left: text, right: text });
    }
  }
  close();
  return rows;
}

function linesOf(text: string): string[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function sidesView(lab: Lab, place: TreePlace<StepSummary>, detail: StepDetail): TemplateResult {
  const [left, right] = [detail.prediction?.text ?? '', detail.observation?.text ?? ''];
  const rows = lab.remember('sides', [left, right], () => sideRows(left, right));
  const shown = rows.slice(0, mostRows);
  return html`<div class="sides" role="table" aria-label="Predicted beside real, line by line">
      <div class="side-row names" role="row">
        <div class="side" role="columnheader">${predictedName(detail)}</div>
        <div class="side" role="columnheader">
          ${detail.observation ? realName(detail.observation, place.observationIsOld) : nothing}
        </div>
      </div>
      <div class="side-rows" role="rowgroup" tabindex="0">${shown.map(sideRow)}</div>
    </div>
    ${
      rows.length > mostRows
        ? html`<p class="dim none">
            … and ${counted(rows.length - mostRows, 'more row')}:
            <button class="link" @click=${() => lab.send({ type: 'open', id: detail.id, what: 'diff' })}>
              open the diff editor
            </button>
          </p>`
        : nothing
    }`;
}

function sideRow({ kind, left, right }: SideRow): TemplateResult {
  if (kind === 'gap') {
    return html`<div class="side-row gap" role="row">
      <div class="side" role="cell">… ${counted(Number(left), 'equal line')}</div>
      <div class="side" role="cell" aria-hidden="true"></div>
    </div>`;
  }
  return html`<div class="side-row ${kind}" role="row">
    ${sideCell('left', kind, left)} ${sideCell('right', kind, right)}
  </div>`;
}

function sideCell(side: 'left' | 'right', kind: SideRow['kind'], text: string | undefined): TemplateResult {
  if (text === undefined)
    return html`<div class="side ${side} missing" role="cell"><span class="spoken">nothing</span></div>`;
  const sign = kind === 'same' ? '\u00a0' : side === 'left' ? '−' : '+';
  return html`<div class="side ${side}" role="cell"><span class="sign" aria-hidden="true">${sign}</span
      >${kind === 'changed' ? html`<span class="spoken">${side === 'left' ? 'only predicted: ' : 'only real: '}</span>` : nothing}<span class="side-text">${visibleText(text)}</span></div>`;
}

/** Exit code, files and effects: one line each, only where somebody says something. */
function factsView(lab: Lab, { prediction, observation, score }: StepDetail): TemplateResult {
  const [predicted, truth] = [prediction?.facts, observation?.facts];
  if (!score) {
    const facts = truth ?? predicted;
    return facts ? html`<ul class="facts">${aloneView(lab, facts)}</ul>` : html``;
  }
  const { lines, exitCode, files, effects } = score;
  const linesWords =
    lines.exact && lines.extra === 0
      ? lines.truth === 0
        ? 'nothing printed, as predicted'
        : allOf(lines.truth, 'line')
      : `${lines.matched} of ${counted(lines.truth, 'line')} said${lines.extra > 0 ? `, ${lines.extra} made up` : ''}`;
  const wrongFiles = files.different.length + files.missing.length + files.extra.length;
  const wrongEffects = effects.missing.length + effects.extra.length;
  return html`<ul class="facts">
    ${fact(lines.matched === lines.truth && lines.extra === 0, 'Output', linesWords)}
    ${
      exitCode.predicted === undefined && exitCode.truth === undefined
        ? nothing
        : fact(
            exitCode.same,
            'Exit code',
            exitCode.same
              ? String(exitCode.truth)
              : `predicted ${exitCode.predicted ?? 'none'}, real ${exitCode.truth ?? 'none'}`,
          )
    }
    ${files.same.length + wrongFiles === 0 ? nothing : fact(wrongFiles === 0, 'Files', filesWords(lab, files))}
    ${
      effects.same.length + wrongEffects === 0
        ? nothing
        : fact(wrongEffects === 0, 'Effects', [...effects.same, ...effects.missing, ...effects.extra].join(', '))
    }
  </ul>`;
}

function filesWords(lab: Lab, files: NonNullable<StepDetail['score']>['files']): string {
  const name = (path: string) => visibleText(shownPath(path, [], lab.state.editor.home));
  const parts = [
    files.same.length > 0 ? `${files.same.length} the same` : '',
    ...files.different.slice(0, 5).map((path) => `${name(path)} in another way`),
    ...files.missing.slice(0, 5).map((path) => `${name(path)} only real`),
    ...files.extra.slice(0, 5).map((path) => `${name(path)} only predicted`),
  ];
  return parts.filter(Boolean).join(', ');
}

function aloneView(lab: Lab, { exitCode, files, effects }: StepFacts): TemplateResult {
  const { home } = lab.state.editor;
  return html`${exitCode === undefined ? nothing : plainFact('Exit code', String(exitCode))}
  ${
    files.length === 0
      ? nothing
      : plainFact(
          'Files',
          files
            .slice(0, 8)
            .map(({ path, change }) => `${visibleText(shownPath(path, [], home))} ${change}`)
            .join(', ') + (files.length > 8 ? ` and ${counted(files.length - 8, 'more path')}` : ''),
        )
  }
  ${effects.length === 0 ? nothing : plainFact('Effects', effects.map(({ effect }) => effect).join(', '))}`;
}

function fact(agrees: boolean, what: string, words: string): TemplateResult {
  return html`<li class="fact ${agrees ? 'agrees' : 'differs'}">
    ${icon(agrees ? 'check' : 'close')}<strong>${what}</strong>
    <span>${words}</span>
  </li>`;
}

function plainFact(what: string, words: string): TemplateResult {
  return html`<li class="fact"><strong>${what}</strong> <span>${words}</span></li>`;
}
