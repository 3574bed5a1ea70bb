import { drawing as branch } from 'codicon:git-branch';
import { drawing as history } from 'codicon:history';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { TrajectoryRow } from '../../src/core/trajectory/file/trajectoryRows.ts';
import { counted, duration } from '../shared/format.ts';
import { drawn, icon } from '../shared/icons.ts';
import { visibleRows } from '../shared/tree.ts';
import { type TreeModel, treeTemplate } from '../shared/treeView.ts';
import { visibleText } from '../shared/visibleText.ts';
import type { Lab } from './lab.ts';
import { type LabNode, labNodes } from './rows.ts';
import { shortCount, statusIcon, statusWords } from './words.ts';

/** The list of turns. Only the rows in sight are in the document. */
export function listView(lab: Lab): TemplateResult {
  const { state } = lab;
  const { lines, tree, found, kept } = state;
  const nodes = lab.remember('nodes', [lines, tree, found, kept.filters, kept.query], () => labNodes(state));
  const rows = lab.remember('rows', [nodes, kept.folding], () => visibleRows(nodes.roots, kept.folding));
  const running = new Set(state.runs.map(({ id }) => id));
  const model: TreeModel<LabNode> = {
    name: 'turns',
    label: 'Turns',
    rows,
    activeKey: kept.active,
    content: (node) => rowContent(node.row, running),
    spoken: (node) => spokenOf(node.row, running),
    rowClass: (node) => rowClass(node.row),
    onFold: (key, open) => lab.dispatch({ type: 'fold', what: 'folding', key, open }),
    onActive: (key) => lab.dispatch({ type: 'activate', key }),
    onOpen: (node, aside) => openRow(lab, node.row, aside),
  };
  lab.list = model;
  const isJudged = lab.remember('judged', [tree], () => tree.rows.some(({ step }) => step.judged !== undefined));
  return html`<div class="list-pane ${isJudged ? 'with-judge' : ''}">
    <div class="columns" aria-hidden="true">
      <span class="column-name">turn</span>
      <span class="cells"
        ><span class="cell exit">exit</span><span class="cell score">score</span
        ><span class="cell where-wide judged">judge</span><span class="cell where-wide">tokens</span
        ><span class="cell where-wide time">time</span></span
      >
    </div>
    <div class="rows">${nodes.count === 0 ? emptyView(lab) : treeTemplate('turns', 'Turns')}</div>
  </div>`;
}

function openRow(lab: Lab, row: TrajectoryRow, aside: boolean): void {
  if (aside || row.kind === 'bad') lab.send({ type: 'openLine', line: row.index + 1 });
}

function emptyView(lab: Lab): TemplateResult {
  const { state } = lab;
  const { filters, query } = state.kept;
  if (state.revision < 0 || state.lines.length < state.total) return html`<p class="empty dim">Reading the file…</p>`;
  if (filters.length > 0 || query !== '') {
    const isSearching = query !== '' && state.found?.query !== query;
    if (isSearching) return html`<p class="empty dim">Searching…</p>`;
    return html`<div class="empty">
      <p>No turn is like that.</p>
      <button class="secondary" @click=${() => lab.dispatch({ type: 'clear' })}>Show All</button>
    </div>`;
  }
  return html`<div class="empty">
    <p>This file has no turns yet. Each line is one step of a trajectory, as JSON.</p>
    <button class="secondary" @click=${() => lab.send({ type: 'errand', errand: 'openAsText' })}>Open as Text</button>
  </div>`;
}

function rowClass(row: TrajectoryRow): string {
  if (row.kind !== 'step') return row.kind;
  const { status } = row.place.step;
  return `status-${status} ${row.place.restsOnEdited || row.place.observationIsOld ? 'resting' : ''}`;
}

function rowContent(row: TrajectoryRow, running: ReadonlySet<string>): TemplateResult {
  if (row.kind === 'trajectory') {
    return html`<span class="name heading">${visibleText(row.name)}</span
      ><span class="detail">${counted(row.turns, 'turn')}</span>`;
  }
  if (row.kind === 'bad') {
    return html`<span class="number" aria-hidden="true"></span>${icon('warning')}<span class="name"
        >line ${row.index + 1}</span
      ><span class="detail">${visibleText(row.problem)}</span>`;
  }
  const { step, turn, isFork, restsOnEdited, observationIsOld } = row.place;
  const isResting = restsOnEdited || observationIsOld;
  return html`<span class="number" aria-hidden="true">${turn}</span
    ><span class="status" title=${statusWords[step.status]}
      >${running.has(step.id) ? html`<span class="spinning">${icon('loading')}</span>` : statusIcon(step.status)}</span
    >${isFork ? html`<span class="fork" title="A branch">${drawn(branch)}</span>` : nothing}
    <span class="name title-text" title=${step.title}>${visibleText(step.title)}</span>
    ${isResting ? html`<span class="resting-icon" title="Made before an edit that it rests on">${drawn(history)}</span>` : nothing}
    ${isEdited(row) ? html`<span class="tag">edited</span>` : nothing}
    ${step.others > 0 ? html`<span class="tag" title="Tries that are kept">×${step.others + 1}</span>` : nothing}
    <span class="cells" aria-hidden="true">${cells(row)}</span>`;
}

function isEdited({ place }: TrajectoryRow & { kind: 'step' }): boolean {
  return place.step.editedAction !== undefined || place.step.editedObservation !== undefined;
}

function cells({ place: { step } }: TrajectoryRow & { kind: 'step' }): TemplateResult {
  const wrongExit =
    step.trueExit !== undefined && step.predictedExit !== undefined && step.trueExit !== step.predictedExit;
  const tokens = step.completionTokens;
  return html`<span class="cell exit">${
    wrongExit ? html`<span class="wrong">${step.predictedExit}≠${step.trueExit}</span>` : (step.trueExit ?? nothing)
  }</span
    ><span class="cell score">${step.factual === undefined ? nothing : step.factual.toFixed(2)}</span
    ><span class="cell where-wide judged">${step.judged === undefined ? nothing : `${step.judged.toFixed(1)}/5`}</span
    ><span class="cell where-wide">${tokens === undefined ? nothing : shortCount(tokens)}</span
    ><span class="cell where-wide time"
      >${step.durationMs === undefined ? nothing : duration(step.durationMs)}</span
    >`;
}

function spokenOf(row: TrajectoryRow, running: ReadonlySet<string>): string {
  if (row.kind !== 'step') return '';
  const { step, turn, isFork, restsOnEdited, observationIsOld } = row.place;
  const parts = [
    `turn ${turn}`,
    running.has(step.id) ? 'being predicted' : statusWords[step.status],
    isFork ? 'a branch' : '',
    isEdited(row) ? 'edited' : '',
    restsOnEdited || observationIsOld ? 'made before an edit' : '',
    step.others > 0 ? `${step.others + 1} tries` : '',
    step.factual === undefined ? '' : `score ${step.factual.toFixed(2)}`,
    step.trueExit === undefined ? '' : `exit code ${step.trueExit}`,
    step.predictedExit !== undefined && step.predictedExit !== step.trueExit ? `predicted ${step.predictedExit}` : '',
    step.completionTokens === undefined ? '' : counted(step.completionTokens, 'token'),
    step.domain,
  ];
  return `, ${parts.filter(Boolean).join(', ')}`;
}
