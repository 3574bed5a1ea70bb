import { html, type TemplateResult } from 'lit/html.js';
import type { Prediction } from '../../../src/core/prediction/prediction.ts';
import type { Panel } from '../../predict/panel.ts';
import { section } from '../../predict/section.ts';
import { codeText } from '../../shared/codeText.ts';
import { icon } from '../../shared/icons.ts';

/** What the reader should know besides. */
export function notesSection(panel: Panel, { notices }: Prediction): TemplateResult {
  return section(panel, {
    name: 'notices',
    title: 'Notes',
    content: () =>
      html`<ul class="list">${notices.map((text) => html`<li>${icon('info')}<span>${codeText(text)}</span></li>`)}</ul>`,
  });
}
