import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Level } from '../../src/core/facts/level.ts';
import type { Prediction, Reason } from '../../src/core/prediction/prediction.ts';
import { codeText } from '../shared/codeText.ts';
import { counted, shownPath } from '../shared/format.ts';
import { type IconName, icon } from '../shared/icons.ts';
import type { Panel } from './panel.ts';
import { section } from './section.ts';
import { hasAssumptions } from './state.ts';
import { headline, isOfAssumption } from './summary.ts';

/** So many things that one reason rests on are named. */
const mostNamed = 4;

const icons: Record<Level, IconName> = { safe: 'pass', caution: 'warning', danger: 'error' };

/** Why the verdict is what it is. `undefined`: everything is said elsewhere. */
export function reasonsSection(panel: Panel, prediction: Prediction): TemplateResult | undefined {
  const all = prediction.verdict.reasons;
  const lost = new Set(prediction.loss.map((loss) => loss.path));
  // What came out as predicted was safe; that it would be is nobody's question any more.
  const isDone = panel.state.observed?.state === 'ended';
  const shown = isDone ? undefined : headline(prediction, panel.state.tree, panel.state).reason;
  const reasons = all.filter((reason) => {
    // Each fact is said once: lists of losses and of what is not known say theirs, the verdict line its own.
    if (isDone && reason.level === 'safe') return false;
    if (isOfAssumption(reason)) return !hasAssumptions(prediction);
    if (reason !== shown && !(reason.fact && 'amount' in reason.fact)) return true;
    return unsaid(reason, lost).some((item) => !panel.state.tree.nodes.has(item));
  });
  if (reasons.length === 0) return undefined;
  // Those of a sample are found last; what the verdict line is about stands below it.
  reasons.sort((one, other) => Number(other === shown) - Number(one === shown));
  return section(panel, {
    name: 'reasons',
    title: reasons.length === all.length ? 'Why' : 'More reasons',
    beside: reasons.length > 1 ? html`<span class="count">${reasons.length}</span>` : nothing,
    content: () => html`<ul class="list">
      ${reasons.map(
        (reason) => html`<li class="reason ${reason.level}">
          ${icon(icons[reason.level])}<span class="spoken">${reason.level}:</span>
          <span>${reason === shown ? nothing : codeText(reason.text)}${evidenceView(panel, unsaid(reason, lost), reason.unnamed)}</span>
        </li>`,
      )}
    </ul>`,
  });
}

/** Of its evidence what neither its sentence nor the list of losses names already. */
function unsaid({ text, evidence }: Reason, lost: ReadonlySet<string>): string[] {
  const said = text.toLowerCase();
  return evidence.filter((item) => !said.includes(item.toLowerCase()) && !lost.has(item));
}

function evidenceView(panel: Panel, others: readonly string[], unnamed = 0): unknown {
  if (others.length === 0) return nothing;
  const more = others.length - mostNamed + unnamed;
  return html`<span class="evidence"
    >${others.slice(0, mostNamed).map((item) => html` ${itemView(panel, item)}`)}${more > 0 ? html` <span class="dim">and ${counted(more, 'more', 'more')}</span>` : nothing}</span
  >`;
}

function itemView(panel: Panel, item: string): TemplateResult {
  const { tree, run, workspace } = panel.state;
  const link = (title: string, onClick: () => void) =>
    html`<button class="link code" title=${title} @click=${onClick}
      >${shownPath(item, workspace.folders, workspace.home)}</button
    >`;
  const change = tree.nodes.get(item)?.change;
  if (change && change.type !== 'directory')
    return link('Open the diff', () => panel.send({ type: 'openDiff', run, path: item }));
  if (item.startsWith('/') && !item.includes(' '))
    return link('Open', () => panel.send({ type: 'openFile', path: item }));
  const show = panel.later?.programShower(panel, item);
  return show ? link('Show among the programs', show) : html`<code>${item}</code>`;
}
