import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Prediction } from '../../../src/core/prediction/prediction.ts';
import type { Panel } from '../../predict/panel.ts';
import { section } from '../../predict/section.ts';
import { basisBadge, sharedBasis } from '../../shared/basis.ts';
import { counted, grouped } from '../../shared/format.ts';
import { type EffectNode, effectRows, effectWords } from './effectRows.ts';

/** Marks besides files: network, signals, skipped waits. */
export function effectsSection(panel: Panel, { effects }: Prediction): TemplateResult {
  const basis = sharedBasis(effects);
  return section(panel, {
    name: 'effects',
    title: 'Other effects',
    beside: html`<span class="count">${counted(effects.length, 'effect')}</span>${basis ? basisBadge(basis) : nothing}`,
    content: () => effectsTree(panel),
  });
}

function effectsTree(panel: Panel): TemplateResult {
  const { prediction, sequence, run } = panel.state;
  const effects = prediction?.effects ?? [];
  const rows = panel.remember('effects', [effects, sequence, run], () => effectRows(effects));
  const mixed = !sharedBasis(effects);
  const times = (node: EffectNode) => (node.times > 1 ? `${grouped(node.times)} times` : '');
  return panel.tree<EffectNode>('effects', 'Effects', rows, {
    content: (node) => html`<span class="effect-kind">${effectWords[node.effect.effect] ?? node.effect.effect}</span>
      <span class="name" title=${node.effect.detail}>${node.effect.detail}</span>
      <span class="detail"></span>
      ${mixed ? basisBadge(node.effect.basis) : nothing}<span class="size">${times(node)}</span>`,
    spoken: ({ effect }) => (mixed ? '' : effect.basis),
    onOpen: () => {},
  });
}
