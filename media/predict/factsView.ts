import { html, nothing, type TemplateResult } from 'lit/html.js';
import { holdsSomething, isLostForGood } from '../../src/core/facts/recovery.ts';
import { decodedBytes } from '../../src/core/prediction/decodedBytes.ts';
import type { Prediction } from '../../src/core/prediction/prediction.ts';
import { lostTitle } from '../../src/core/words/recoveryText.ts';
import { basisBadge, sharedBasis, volatileBadge } from '../shared/basis.ts';
import { bytes, counted, grouped } from '../shared/format.ts';
import { icon } from '../shared/icons.ts';
import {
  createOutputMemory,
  lineCount,
  type OutputMemory,
  type OutputPiece,
  outputTemplate,
  takeOutput,
} from '../shared/outputView.ts';
import { filesTree, lossTree } from './listViews.ts';
import { type LossHalves, lossCount, lossHalves, lossWeight } from './lossGroups.ts';
import type { Panel } from './panel.ts';
import { reasonsSection } from './reasonsView.ts';
import { section } from './section.ts';
import { hasAssumptions, type OutputName } from './state.ts';

/** First column: what is at stake, which files first. `nothing` when there is nothing to say. */
export function stakesColumn(panel: Panel, prediction: Prediction): TemplateResult | typeof nothing {
  const { state, later, model } = panel;
  const parts: unknown[] = [];
  if (later && state.observed) parts.push(later.observedSection(panel, prediction));
  if (later && state.edit) parts.push(later.consequencesView(panel));
  if (model && state.beside) parts.push(model.besideSection(panel, prediction, state.beside));
  const { gone } = lossesOf(panel, prediction);
  if (gone.nodes.length > 0) {
    const net = later?.netOf(panel, prediction);
    const isLost = !net?.title && prediction.loss.some((loss) => isLostForGood(loss) && holdsSomething(loss));
    const title = net?.title ?? (isLost ? lostTitle(prediction.loss.filter(isLostForGood)) : 'Empty files');
    parts.push(
      section(panel, {
        ...{ name: isLost ? 'gone' : 'net', title },
        beside: html`<span class="count">${lossCount(prediction.loss.filter(isLostForGood))} · ${lossWeight(gone.totals).join(' · ')}</span>${basisBadge('computed')}`,
        content: () => html`${net?.note}${lossTree(panel, 'gone', title, gone.nodes)}`,
      }),
    );
  }
  // Behind what is lost: it comes later, and must not push that away from who reads it.
  if (later && state.safer && state.observed?.state !== 'ended') parts.push(later.saferSection(panel));
  if (prediction.files.length > 0) parts.push(filesSection(panel, prediction));
  return parts.length > 0 ? html`<div class="column stakes">${parts}</div>` : nothing;
}

/** Second column: why, and what is not known. `nothing` when there is nothing to say. */
export function reasonsColumn(panel: Panel, prediction: Prediction): TemplateResult | typeof nothing {
  const { later } = panel;
  const parts: unknown[] = [];
  const reasons = reasonsSection(panel, prediction);
  if (reasons) parts.push(reasons);
  if (later && hasAssumptions(prediction)) parts.push(later.assumptionsSection(panel, prediction));
  const { recoverable } = lossesOf(panel, prediction);
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
  return parts.length > 0 ? html`<div class="column reasons">${parts}</div>` : nothing;
}

function lossesOf(panel: Panel, { loss }: Prediction): LossHalves {
  const { run, workspace } = panel.state;
  const { folders, home } = workspace;
  return panel.remember('loss', [loss, loss.length, run, folders], () => lossHalves(loss, folders, home));
}

function filesSection(panel: Panel, prediction: Prediction): TemplateResult {
  const { tree, run } = panel.state;
  const counts = (
    [
      ['created', 'created'],
      ['modified', 'modified'],
      ['mode', 'mode changed'],
      ['renamed', 'renamed'],
      ['deleted', 'deleted'],
    ] as const
  ).filter(([kind]) => tree.all[kind] > 0);
  const basis = panel.remember('files basis', [tree, tree.version], () => sharedBasis(prediction.files));
  return section(panel, {
    name: 'files',
    title: 'Files',
    beside: html`<span class="count"
        >${counts.map(([kind, word], index) => `${index > 0 ? ', ' : ''}${grouped(tree.all[kind])} ${word}`)}${
          tree.all.sizeBytes > 0 ? ` · ${bytes(tree.all.sizeBytes)}` : ''
        }${tree.git.files > 0 ? `${counts.length > 0 ? ' · ' : ''}${grouped(tree.git.files)} in .git` : ''}</span
      >${basis ? basisBadge(basis) : nothing}`,
    buttons: html`<button
      class="icon-button"
      title="Open All Changes"
      aria-label="Open All Changes"
      @click=${() => panel.send({ type: 'openAllChanges', run })}
    >
      ${icon('changes')}<span class="label">Open All</span>
    </button>`,
    content: () => filesTree(panel),
  });
}

/** Third column: what happens while it runs. */
export function happensColumn(panel: Panel, prediction: Prediction): TemplateResult | typeof nothing {
  const { later } = panel;
  // An edit has no output; what was run for it may have some.
  const isSilent = panel.state.edit && prediction.exitCode === 0 && prediction.output.length === 0;
  const parts: TemplateResult[] = isSilent ? [] : [outputSection(panel, prediction)];
  if (later && panel.state.observed?.output?.some((piece) => piece.text)) parts.push(later.observedOutput(panel));
  if (prediction.questions.length > 0 && panel.model) parts.push(panel.model.modelSection(panel, prediction));
  if (later && prediction.programs.length > 0) parts.push(later.programsSection(panel, prediction));
  if (later && prediction.effects.length > 0) parts.push(later.effectsSection(panel, prediction));
  if (later && prediction.notices.length > 0) parts.push(later.notesSection(panel, prediction));
  return parts.length > 0 ? html`<div class="column happens">${parts}</div>` : nothing;
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
          : (piece.text ?? decoded(piece)),
      basis: piece.basis,
      volatile: piece.volatile ?? false,
    })),
  );
  const basis = output.length > 0 ? sharedBasis(output) : exitBasis;
  const lines = lineCount(memory);
  return section(panel, {
    name: 'output',
    title: 'Output',
    beside: html`${lines > 0 && (memory.isWhole || ending === undefined) ? html`<span class="count">${counted(lines, 'line')}</span>` : nothing}${exitView(exitBasis === 'assumed' ? undefined : exitCode)}${
      basis ? basisBadge(basis) : nothing
    }${output.some((piece) => piece.volatile) ? volatileBadge() : nothing}`,
    content: () =>
      lines > 0
        ? html`<div class="output" role="region" aria-label="Predicted output" tabindex="0">
            ${outputTemplate(memory, basis === undefined)}
          </div>`
        : html`<p class="note">${
            ending === undefined
              ? 'Nothing printed yet.'
              : ending !== 'done'
                ? 'Prints nothing, as far as it is known.'
                : 'Prints nothing.'
          }</p>`,
  });
}

/** The text of bytes that are none wholly, made out once. */
function decoded(piece: Prediction['output'][number]): string {
  const known = decodedPieces.get(piece) ?? decodedBytes(piece.base64);
  decodedPieces.set(piece, known);
  return known;
}

const decodedPieces = new WeakMap<object, string>();

/** How something ended. */
export function exitView(exitCode: number | undefined): TemplateResult | typeof nothing {
  if (exitCode === undefined) return nothing;
  return html`<span class="exit ${exitCode === 0 ? 'zero' : 'nonzero'}"
    >${icon(exitCode === 0 ? 'check' : 'close')}exit code ${exitCode}</span
  >`;
}

/** The drawn output of that name, a slice more of it each time; drawn anew when it is of something else. */
export function outputMemory(panel: Panel, name: OutputName, of: unknown, pieces: () => OutputPiece[]): OutputMemory {
  let kept = panel.outputs.get(name);
  if (!kept || kept.of !== of) {
    kept = { of, memory: createOutputMemory() };
    panel.outputs.set(name, kept);
  }
  takeOutput(kept.memory, pieces());
  // The rest comes behind what the user does meanwhile.
  if (!kept.memory.isWhole) panel.redraw(1);
  return kept.memory;
}
