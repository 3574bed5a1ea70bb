import { html, type TemplateResult } from 'lit/html.js';
import { isLostForGood } from '../../../src/core/facts/recovery.ts';
import type { Prediction } from '../../../src/core/prediction/prediction.ts';
import type { Panel } from '../../predict/panel.ts';

/** What is said, after a real run, of what it has lost. */
export interface Net {
  /** In place of “Lost for good”; absent: some of it is. */
  title?: string;
  note: TemplateResult;
}

/** What the safety net holds of what was lost for good; undefined: nothing, or nothing was run yet. */
export function netOf(panel: Panel, { loss }: Prediction): Net | undefined {
  const { observed } = panel.state;
  const { keptLost = 0, state } = observed ?? {};
  if (keptLost === 0 || state === 'running') return undefined;
  const lost = loss.filter(isLostForGood).length;
  const isAll = keptLost === lost;
  const what = isAll ? (lost === 1 ? 'It is' : 'They are') : `${keptLost} of ${lost} ${keptLost === 1 ? 'is' : 'are'}`;
  const note = html`<p class="note">${what} kept for a week: <em>Restore What Was Lost…</em> brings ${isAll && lost === 1 ? 'it' : 'them'} back.</p>`;
  return { ...(isAll ? { title: 'Kept by the safety net' } : {}), note };
}
