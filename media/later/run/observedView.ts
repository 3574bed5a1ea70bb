import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Prediction } from '../../../src/core/prediction/prediction.ts';
import { type Comparison, compare } from '../../predict/compare.ts';
import { exitView } from '../../predict/factsView.ts';
import type { Panel } from '../../predict/panel.ts';
import { section } from '../../predict/section.ts';
import { basisBadge } from '../../shared/basis.ts';
import { shownPath } from '../../shared/format.ts';
import { type IconName, icon } from '../../shared/icons.ts';
import type { TreeNode } from '../../shared/tree.ts';

/** Icon, and the word behind one thing and behind several. */
const words: Record<Comparison['result'], [icon: IconName, one: string, several: string]> = {
  agrees: ['check', 'agrees', 'agree'],
  apart: ['check', 'agrees', 'agree'],
  differs: ['close', 'differs', 'differ'],
  unknown: ['question', 'unknown', 'unknown'],
};

interface ObservedNode extends TreeNode {
  detail: string;
  path: string;
}

/** What the real run did, beside what was predicted. */
export function observedSection(panel: Panel, prediction: Prediction): TemplateResult {
  const { observed, workspace } = panel.state;
  const results = panel.remember('compare', [prediction, panel.state.sequence, observed], () =>
    observed ? compare(prediction, observed) : [],
  );
  const wrong = panel.remember('observed wrong', [observed], () =>
    (observed?.files ?? [])
      .filter((file) => !file.agrees)
      .map(
        ({ path, detail }): ObservedNode => ({
          key: path,
          label: shownPath(path, workspace.folders, workspace.home),
          path,
          detail,
        }),
      ),
  );
  const sentence =
    observed?.state === 'running'
      ? observed.isApplied
        ? 'Applying …'
        : 'Running in the terminal …'
      : observed?.state === 'lost'
        ? (observed.sentence ?? 'It could not be watched to its end.')
        : undefined;
  return section(panel, {
    name: 'observed',
    title: 'Predicted beside observed',
    icon: icon('eye'),
    content: () => html`${sentence ? html`<p class="note">${sentence}</p>` : nothing}
      <ul class="list">
        ${results.map(({ what, result, sentence: says, ...lines }) => {
          const [name, one, several] = words[result];
          return html`<li class="compared ${result}">
            ${icon(name)}<span
              ><strong>${what} ${what === 'Files' ? several : one}</strong>: ${says}${
                lines.predicted === undefined
                  ? nothing
                  : html`<span class="difference"
                      ><span class="dim">predicted</span> <code>${lines.predicted}</code><span class="dim">observed</span>
                      <code>${lines.observed}</code></span
                    >`
              }</span
            >
          </li>`;
        })}
      </ul>
      ${
        wrong.length > 0
          ? panel.tree<ObservedNode>('observed', 'Files that are not as predicted', wrong, {
              content: (node) =>
                html`<span class="name" title=${node.path}>${node.label}</span><span class="detail" title=${node.detail}>${node.detail}</span>`,
              spoken: () => '',
              onOpen: (node) => panel.send({ type: 'openFile', path: node.path }),
            })
          : nothing
      }`,
  });
}

/** What a real run printed. */
export function observedOutput(panel: Panel): TemplateResult {
  const { observed } = panel.state;
  const pieces = () =>
    (observed?.output ?? []).map((piece) => ({ ...piece, basis: 'observed' as const, volatile: false }));
  return section(panel, {
    name: 'observedOutput',
    title: 'Observed output',
    icon: icon('eye'),
    beside: html`${exitView(observed?.exitCode)}${basisBadge('observed')}`,
    content: () =>
      html`<div class="output" role="region" aria-label="Observed output" tabindex="0">
        ${panel.output('observed', observed?.output, pieces)}
      </div>`,
  });
}
