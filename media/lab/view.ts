import { html, type TemplateResult } from 'lit/html.js';
import { detailView } from './detailView.ts';
import type { Lab } from './lab.ts';
import { listView } from './listView.ts';
import { topView } from './topView.ts';

/** The whole editor. */
export function labView(lab: Lab): TemplateResult {
  return html`<main class="lab" aria-busy=${lab.state.revision < 0 || lab.state.lines.length < lab.state.total}>
    ${topView(lab)}
    <div class="panes">${listView(lab)} ${detailView(lab)}</div>
  </main>`;
}
