import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Prediction } from '../../src/core/prediction/prediction.ts';
import { agreedChangeText } from '../../src/core/words/agreementText.ts';
import { programText } from '../../src/core/words/programText.ts';
import type { Panel } from '../predict/panel.ts';
import { section } from '../predict/section.ts';
import { basisBadge } from '../shared/basis.ts';
import { codeText } from '../shared/codeText.ts';
import { grouped, shownPath } from '../shared/format.ts';
import { visibleText } from '../shared/visibleText.ts';

/** So many files and lines are listed; the others are counted. */
const most = 200;

/** Where the samples of a model lead: each end, then every file and line with how many samples have it. */
export function futuresSection(panel: Panel, { futures, output }: Prediction): unknown {
  if (!futures) return nothing;
  const { of, ends, files, output: agreed } = futures;
  const { folders, home } = panel.state.workspace;
  const row = (count: number, text: unknown) => html`<li>${countView(count, of)}<span>${text}</span></li>`;
  return section(panel, {
    name: 'futures',
    title: ends.length > 0 ? 'Several futures' : 'Samples agree',
    beside: html`<span class="count">${of} samples</span>${basisBadge('imagined')}`,
    startsFolded: ends.length === 0,
    content: () => html`<ul class="list">
        ${ends.map((end) =>
          row(
            end.count,
            html`<code>${programText(end)}</code> ${end.programExit === undefined ? '' : `exits ${end.programExit}`}:
              ${end.isShown ? `as shown here; exit code ${end.exitCode}` : codeText(visibleText(end.detail))}`,
          ),
        )}
        ${files
          .slice(0, most)
          .map(({ path, change, count }) =>
            row(count, html`<code>${visibleText(shownPath(path, folders, home))}</code> ${agreedChangeText(change)}`),
          )}
      </ul>
      ${moreView(files)}
      ${agreed.map(({ stream, counts }) => {
        if (counts.every((count) => count === of)) return nothing;
        const lines = output.flatMap((piece) => (piece.stream === stream ? (piece.text ?? '') : []));
        const all = lines.join('').split('\n');
        return html`<div class="model-text observation" role="region" aria-label=${stream} tabindex="0">
            ${counts.slice(0, most).map((count, at) => agreedLine(all[at] ?? '', count, of))}
          </div>
          ${moreView(counts)}`;
      })}`,
  });
}

function moreView({ length }: readonly unknown[]): unknown {
  return length > most ? html`<p class="dim">and ${grouped(length - most)} more</p>` : nothing;
}

/** A line, with how many samples have it beside it. */
export function agreedLine(line: string, count: number, of: number): TemplateResult {
  return html`<div class="agreed-line ${count < of ? 'apart' : ''}">
    ${line.trim() === '' ? html`<span class="agreement"></span>` : countView(count, of)}<span class="agreed-text"
      >${visibleText(line)}</span
    >
  </div>`;
}

function countView(count: number, of: number): TemplateResult {
  return html`<span class="agreement" title="${count} of ${of} samples: a hint, no truth"
    ><span aria-hidden="true">${count}/${of}</span><span class="spoken">${count} of ${of} agree:</span></span
  >`;
}
