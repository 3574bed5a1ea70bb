import { html, nothing, type TemplateResult } from 'lit/html.js';
import { type FactualScore, factualScore, outputLines } from '../../src/core/bench/score/factualScore.ts';
import type { Prediction } from '../../src/core/prediction/prediction.ts';
import { type DiffRow, diffRows } from '../../src/core/view/lineDiff.ts';
import type { Panel } from '../predict/panel.ts';
import { section } from '../predict/section.ts';
import { allOf, counted, grouped, shownPath } from '../shared/format.ts';
import { icon } from '../shared/icons.ts';
import { visibleText } from '../shared/visibleText.ts';

/** Rows of a difference, and paths, beyond which the rest is only counted until somebody asks for it. */
const shownRows = 60;

/** Another prediction of the same command beside this one: what agrees, what differs, and how much in all. */
export function besideSection(
  panel: Panel,
  prediction: Prediction,
  { title, isLast = false, prediction: other }: NonNullable<Panel['state']['beside']>,
): TemplateResult {
  const { run, sequence } = panel.state;
  const { isSwapped, guess, truth, score } = measured(panel, prediction, other);
  const varies = outputLines(truth).some((line) => line.volatile);
  const rows = panel.remember('beside lines', [run, sequence, prediction, other], () =>
    diffRows(
      outputLines(guess).map(({ text }) => text),
      outputLines(truth).map(({ text }) => text),
    ),
  );
  const names = isLast ? ['this run', 'last run'] : ['imagined', isSwapped ? 'rehearsed' : title.toLowerCase()];
  return section(panel, {
    name: 'beside',
    title: isLast ? 'Beside the last run' : isSwapped ? `Beside: ${title}` : `Imagined beside ${title.toLowerCase()}`,
    icon: icon('eye'),
    beside: html`<span
      class="count score"
      title="Lines, exit code, files and effects, weighed 4, 2, 3 and 1; what both have nothing to say of is left out"
      >${isLast ? sameText(score.score < 1, varies || truth.files.some((file) => file.volatile)) : `factual score ${score.score.toFixed(2)}`}</span
    >`,
    content: () => html`<ul class="list">
      ${linesView(score, rows, names, varies)}${exitView(score, names)}${filesView(panel, score, names)}${effectsView(score, names)}
    </ul>`,
  });
}

function sameText(differs: boolean, varies: boolean): string {
  if (differs) return 'not all is the same';
  return varies ? 'the same but for what varies' : 'all is the same';
}

/** What a model imagined is measured by what was rehearsed, whichever of them stands beside. */
function measured({ remember, state: { run, sequence } }: Panel, prediction: Prediction, other: Prediction) {
  const isSwapped = prediction.questions.length === 0 && other.questions.length > 0;
  const [guess, truth] = isSwapped ? [other, prediction] : [prediction, other];
  const score = remember('beside score', [run, sequence, prediction, other], () => factualScore(guess, truth));
  return { isSwapped, guess, truth, score };
}

/** Beside a verdict on what a model imagined: that a rehearsal of the same command says something else. */
export function besideDoubt(panel: Panel): string | undefined {
  const { prediction, beside } = panel.state;
  if (!prediction || !beside || beside.isLast || prediction.questions.length === 0) return undefined;
  return measured(panel, prediction, beside.prediction).score.score < 1
    ? 'The rehearsal says something else'
    : undefined;
}

type Names = readonly (string | undefined)[];

function row(agrees: boolean, what: string, words: unknown, more: unknown = nothing): TemplateResult {
  return html`<li class="compared ${agrees ? 'agrees' : 'differs'}">
    ${icon(agrees ? 'check' : 'close')}<span class="compared-text"
      ><strong>${what}</strong>${words}${more}</span
    >
  </li>`;
}

function linesView({ lines }: FactualScore, rows: readonly DiffRow[], names: Names, varies: boolean): TemplateResult {
  const apart = varies ? '; what else it prints varies' : '';
  const agrees = lines.matched === lines.truth && lines.extra === 0;
  if (agrees && lines.exact) {
    const said = varies ? counted(lines.truth, 'line') : allOf(lines.truth, 'line');
    const words = lines.truth > 0 ? `${said}${apart}` : varies ? 'what it prints varies' : 'nothing printed';
    return row(true, 'Output agrees', `: ${words}`);
  }
  if (agrees) return row(true, 'Output agrees', `: the same ${counted(lines.truth, 'line')}, in another order${apart}`);
  const words = `: ${grouped(lines.matched)} of ${counted(lines.truth, 'line')} said${lines.extra > 0 ? `, ${grouped(lines.extra)} made up` : ''}`;
  return row(false, 'Output differs', words, diffView(rows, names));
}

function diffView(rows: readonly DiffRow[], [guess, truth]: Names): TemplateResult {
  const shown = rows.slice(0, shownRows);
  return html`<div class="diff" role="region" aria-label="Lines that differ" tabindex="0">
    <p class="diff-names"><span class="predicted-line">− ${guess}</span> <span class="truth-line">+ ${truth}</span></p>
    ${shown.map(({ kind, text }) => {
      if (kind === 'gap') return html`<div class="gap">… ${counted(Number(text), 'equal line')}</div>`;
      const sign = { same: '\u00a0', predicted: '−', truth: '+' }[kind];
      const said = { same: '', predicted: `only ${guess}: `, truth: `only ${truth}: ` }[kind];
      return html`<div class="diff-line ${kind}-line"
        ><span aria-hidden="true">${sign}</span><span class="spoken">${said}</span><span>${visibleText(text)}</span></div
      >`;
    })}
    ${rows.length > shownRows ? html`<div class="gap">… ${counted(rows.length - shownRows, 'more row')}</div>` : nothing}
  </div>`;
}

function exitView({ exitCode }: FactualScore, [guess, truth]: Names): TemplateResult {
  if (exitCode.truth === undefined || exitCode.predicted === undefined) {
    const known = exitCode.truth ?? exitCode.predicted;
    if (known === undefined) return html``;
    const who = exitCode.truth === undefined ? truth : guess;
    return row(false, 'Exit code differs', `: ${known}, and ${who} says none`);
  }
  if (exitCode.same) return row(true, 'Exit code agrees', `: ${exitCode.truth}`);
  return row(false, 'Exit code differs', `: ${guess} ${exitCode.predicted}, ${truth} ${exitCode.truth}`);
}

function filesView(panel: Panel, { files }: FactualScore, [guess, truth]: Names): TemplateResult {
  const wrong = [
    ...files.different.map((path) => ({ path, says: 'changed in another way' })),
    ...files.missing.map((path) => ({ path, says: `only ${truth}` })),
    ...files.extra.map((path) => ({ path, says: `only ${guess}` })),
  ];
  if (wrong.length === 0) {
    const count = files.same.length;
    return row(true, 'Files agree', `: ${count === 0 ? 'none changed' : allOf(count, 'path')}`);
  }
  const { folders, home } = panel.state.workspace;
  const words = `: ${grouped(files.same.length)} of ${counted(files.same.length + wrong.length, 'path')} the same`;
  return row(
    false,
    'Files differ',
    words,
    html`<ul class="differing">
      ${wrong
        .slice(0, shownRows)
        .map(
          ({ path, says }) =>
            html`<li><code>${visibleText(shownPath(path, folders, home))}</code> <span class="dim">${says}</span></li>`,
        )}
      ${wrong.length > shownRows ? html`<li class="dim">and ${counted(wrong.length - shownRows, 'more path')}</li>` : nothing}
    </ul>`,
  );
}

function effectsView({ effects }: FactualScore, [guess, truth]: Names): TemplateResult {
  const { same, missing, extra } = effects;
  if (missing.length + extra.length === 0) {
    return same.length === 0 ? html`` : row(true, 'Other effects agree', `: ${same.join(', ')}`);
  }
  const parts = [
    missing.length > 0 ? `only ${truth}: ${missing.join(', ')}` : '',
    extra.length > 0 ? `only ${guess}: ${extra.join(', ')}` : '',
  ];
  return row(false, 'Other effects differ', `: ${parts.filter(Boolean).join('; ')}`);
}
