import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Panel } from '../../predict/panel.ts';
import { counted, shownPath } from '../../shared/format.ts';
import { icon } from '../../shared/icons.ts';

/** What editors hold and the prediction did not see. */
export function unsavedView(panel: Panel): TemplateResult | typeof nothing {
  const { unsaved, workspace, prediction, run } = panel.state;
  if (!unsaved || !prediction) return nothing;
  const names = unsaved.paths.slice(0, 3).map((file) => shownPath(file, workspace.folders, workspace.home));
  const kind = unsaved.isNamed ? 'primary' : 'secondary';
  const rest = unsaved.paths.length - names.length;
  return html`<div class="banner ${unsaved.isNamed ? 'warning' : 'information'}" role="status">
    ${icon(unsaved.isNamed ? 'warning' : 'info')}
    <span
      >${names.map((name, index) => html`${index > 0 ? ', ' : ''}<code>${name}</code>`)}${rest > 0 ? ` and ${counted(rest, 'other file')}` : ''}
      ${
        unsaved.saved
          ? html`${unsaved.paths.length === 1 ? 'was' : 'were'} saved ${unsaved.saved === 'since' ? 'since: this prediction read what was on disk before.' : 'while this was predicted: it may have read what was on disk before.'}`
          : html`${unsaved.paths.length === 1 ? 'has' : 'have'} unsaved changes, which are not in this prediction: it reads
            what is on disk.`
      }</span
    >
    ${
      unsaved.saved
        ? html`<button class=${kind} @click=${() => panel.send({ type: 'predictAgain', run })}>Predict Again</button>`
        : html`<button class=${kind} @click=${() => panel.send({ type: 'saveAndPredict', run })}>Save and Predict Again</button>`
    }
  </div>`;
}
