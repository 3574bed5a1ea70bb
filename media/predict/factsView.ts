import { html, nothing, type TemplateResult } from 'lit/html.js';
import { isLostForGood } from '../../src/core/facts/recovery.ts';
import type { Prediction } from '../../src/core/prediction/prediction.ts';
import { basisBadge, sharedBasis, volatileBadge } from '../shared/basis.ts';
import { codeText } from '../shared/codeText.ts';
import { bytes, counted, decoded, shownPath } from '../shared/format.ts';
import { type IconName, icon } from '../shared/icons.ts';
import {
  createOutputMemory,
  lineCount,
  type OutputMemory,
  type OutputPiece,
  outputTemplate,
  takeOutput,
} from '../shared/outputView.ts';
import { filesTree, lossTree } from './listViews.ts';
import { lossCount, lossHalves, lossWeight } from './lossGroups.ts';
import type { OutputName, Panel } from './panel.ts';
import { section } from './section.ts';
import { hasAssumptions } from './state.ts';
import { headline } from './summary.ts';

/** First column: what is at stake. `nothing` when there is nothing to say. */
export function stakesColumn(panel: Panel, prediction: Prediction): TemplateResult | typeof nothing {
  const { state } = panel;
  const { folders, home } = state.workspace;
  const halves = panel.remember('loss', [prediction.loss, prediction.loss.length, state.run, folders], () =>
    lossHalves(prediction.loss, folders, home),
  );
  const parts: TemplateResult[] = [];
  const { later, model } = panel;
  if (later && state.observed) parts.push(later.observedSection(panel, prediction));
  if (later && state.safer) parts.push(later.saferSection(panel));
  if (later && state.edit) parts.push(later.consequencesView(panel));
  if (model && state.beside) parts.push(model.besideSection(panel, prediction, state.beside));
  const { gone, recoverable } = halves;
  if (gone.nodes.length > 0) {
    parts.push(
      section(panel, {
        name: 'gone',
        title: 'Lost for good',
        beside: html`<span class="count">${lossCount(prediction.loss.filter(isLostForGood))} · ${lossWeight(gone.totals).join(' · ')}</span>${basisBadge('computed')}`,
        content: () => lossTree(panel, 'gone', 'Lost for good', gone.nodes),
      }),
    );
  }
  const reasons = reasonsSection(panel, prediction);
  if (reasons) parts.push(reasons);
  if (later && hasAssumptions(prediction)) parts.push(later.assumptionsSection(panel, prediction));
  if (recoverable.nodes.length > 0) {
    parts.push(
      section(panel, {
        name: 'recoverable',
        title: 'Can be brought back',
        icon: icon('discard'),
        beside: html`<span class="count">${lossCount(prediction.loss.filter((loss) => !isLostForGood(loss)))} · ${lossWeight(recoverable.totals).join(' · ')}</span>`,
        content: () => lossTree(panel, 'recoverable', 'Can be brought back', recoverable.nodes),
      }),
    );
  }
  return parts.length > 0 ? html`<div class="column stakes">${parts}</div>` : nothing;
}

function reasonsSection(panel: Panel, prediction: Prediction): TemplateResult | undefined {
  const shown = headline(prediction, panel.state.tree, panel.state).reason;
  const lost = new Set(prediction.loss.map((loss) => loss.path));
  // What the verdict line and the list of losses say already is not said a third time.
  const reasons = prediction.verdict.reasons.filter(
    (reason) => reason !== shown || !reason.evidence.every((item) => lost.has(item)),
  );
  if (reasons.length === 0) return undefined;
  const all = reasons.length === prediction.verdict.reasons.length;
  const icons: Record<string, IconName> = { safe: 'pass', caution: 'warning', danger: 'error' };
  return section(panel, {
    name: 'reasons',
    title: all ? 'Why' : 'More reasons',
    beside: reasons.length > 1 ? html`<span class="count">${reasons.length}</span>` : nothing,
    content: () => html`<ul class="list">
      ${reasons.map(({ level, text, evidence }) => {
        // What the sentence names already is not said again.
        const others = evidence.filter((item) => !text.includes(item));
        return html`<li class="reason ${level}">
          ${icon(icons[level] ?? 'info')}<span class="spoken">${level}:</span>
          <span>${codeText(text)} <span class="evidence">${others.slice(0, 4).map((item) => evidenceView(panel, item))}</span>${
            others.length > 4
              ? html`<span class="dim">and ${counted(others.length - 4, 'more path')}, below</span>`
              : nothing
          }</span>
        </li>`;
      })}
    </ul>`,
  });
}

function evidenceView(panel: Panel, item: string): TemplateResult {
  const { tree, run, workspace } = panel.state;
  const text = shownPath(item, workspace.folders, workspace.home);
  const node = tree.nodes.get(item);
  if (!item.startsWith('/') || !node?.change || node.change.type === 'directory') return html`<code>${text}</code> `;
  return html`<button class="link code" title="Open the diff" @click=${() => panel.send({ type: 'openDiff', run, path: item })}
      >${text}</button
    > `;
}

/** Second column: the files. */
export function filesColumn(panel: Panel, prediction: Prediction): TemplateResult | typeof nothing {
  const { tree, run } = panel.state;
  if (prediction.files.length === 0) return nothing;
  const counts = (
    [
      ['created', 'A', 'created'],
      ['modified', 'M', 'modified'],
      ['mode', 'M', 'mode changed'],
      ['renamed', 'R', 'renamed'],
      ['deleted', 'D', 'deleted'],
    ] as const
  ).filter(([kind]) => tree.all[kind] > 0);
  const basis = panel.remember('files basis', [tree, tree.version], () => sharedBasis(prediction.files));
  return html`<div class="column changes">
    ${section(panel, {
      name: 'files',
      title: 'Files',
      beside: html`<span class="count"
          >${counts.map(([kind, , word], index) => `${index > 0 ? ', ' : ''}${tree.all[kind].toLocaleString('en')} ${word}`)}${
            tree.all.sizeBytes > 0 ? ` · ${bytes(tree.all.sizeBytes)}` : ''
          }${tree.git.files > 0 ? `${counts.length > 0 ? ' · ' : ''}${tree.git.files.toLocaleString('en')} in .git` : ''}</span
        >${basis ? basisBadge(basis) : nothing}`,
      buttons: html`<button
        class="icon-button"
        title="Open All Changes"
        aria-label="Open All Changes"
        @click=${() => panel.send({ type: 'openAllChanges', run })}
      >
        ${icon('changes')}
      </button>`,
      content: () => filesTree(panel),
    })}
  </div>`;
}

/** Third column: what happens while it runs. */
export function happensColumn(panel: Panel, prediction: Prediction): TemplateResult {
  const parts: TemplateResult[] = [outputSection(panel, prediction)];
  const { later } = panel;
  if (later && panel.state.observed?.output?.some((piece) => piece.text)) parts.push(later.observedOutput(panel));
  if (prediction.questions.length > 0 && panel.model) parts.push(panel.model.modelSection(panel, prediction));
  if (later && prediction.programs.length > 0) parts.push(later.programsSection(panel, prediction));
  if (later && prediction.effects.length > 0) parts.push(later.effectsSection(panel, prediction));
  if (later && prediction.notices.length > 0) parts.push(later.notesSection(panel, prediction));
  return html`<div class="column happens">${parts}</div>`;
}

function outputSection(panel: Panel, prediction: Prediction): TemplateResult {
  const { output, exitCode, exitBasis, ending, progress } = prediction;
  if (panel.later && output.length === 0 && progress?.printed !== undefined)
    return panel.later.soFarSection(panel, prediction, progress.printed);
  // The second script has the words for what nobody can say; what is printed behind that waits for it.
  const unsaid = panel.later ? -1 : output.findIndex(({ basis }) => basis === 'unknown');
  const said = unsaid < 0 ? output : output.slice(0, unsaid);
  const memory = outputMemory(panel, 'predicted', prediction, () =>
    said.map((piece) => ({
      stream: piece.stream,
      text:
        piece.basis === 'unknown'
          ? (panel.later?.unknownText(prediction, piece) ?? '')
          : (piece.text ?? decoded(piece.base64)),
      basis: piece.basis,
      volatile: piece.volatile ?? false,
    })),
  );
  const basis = output.length > 0 ? sharedBasis(output) : exitBasis;
  const lines = lineCount(memory);
  return section(panel, {
    name: 'output',
    title: 'Output',
    beside: html`${output.length > 0 ? html`<span class="count">${counted(lines, 'line')}</span>` : nothing}${exitView(exitBasis === 'assumed' ? undefined : exitCode)}${
      basis ? basisBadge(basis) : nothing
    }${output.some((piece) => piece.volatile) ? volatileBadge() : nothing}`,
    content: () =>
      output.length > 0
        ? html`<div class="output" role="region" aria-label="Predicted output" tabindex="0">
            ${outputTemplate(memory, basis === undefined)}
          </div>`
        : html`<p class="note">${
            ending === undefined
              ? 'Nothing printed yet.'
              : prediction.assumptions.length > 0
                ? 'Prints nothing, as far as it is known.'
                : 'Prints nothing.'
          }</p>`,
  });
}

/** How something ended. */
export function exitView(exitCode: number | undefined): TemplateResult | typeof nothing {
  if (exitCode === undefined) return nothing;
  return html`<span class="exit ${exitCode === 0 ? 'zero' : 'nonzero'}"
    >${icon(exitCode === 0 ? 'check' : 'close')}exit code ${exitCode}</span
  >`;
}

/** The drawn output of that name; drawn anew when it is of something else. */
export function outputMemory(panel: Panel, name: OutputName, of: unknown, pieces: () => OutputPiece[]): OutputMemory {
  let kept = panel.outputs.get(name);
  if (!kept || kept.of !== of) {
    kept = { of, memory: createOutputMemory() };
    panel.outputs.set(name, kept);
  }
  takeOutput(kept.memory, pieces());
  return kept.memory;
}
