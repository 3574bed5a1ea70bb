import { html, type TemplateResult } from 'lit/html.js';
import type { Prediction } from '../../../src/core/prediction/prediction.ts';
import type { Panel } from '../../predict/panel.ts';
import { section } from '../../predict/section.ts';

/** So many lines are in sight while they come. */
const watchedLines = 20;

/** What it has printed so far, while it runs and after it was cancelled. It is drawn anew each time: it is only an end. */
export function soFarSection(panel: Panel, { ending }: Prediction, text: string): TemplateResult {
  return section(panel, {
    name: 'output',
    title: 'Output',
    beside: html`<span class="count">${ending === undefined ? 'so far' : 'until it was cancelled'}</span>`,
    content: () => {
      const isRunning = ending === undefined;
      const lines = isRunning ? text.split('\n').slice(-watchedLines - 1) : [text];
      return html`<div class="output" role="region" aria-label="Output so far" tabindex="0">
        ${panel.output('soFar', `${isRunning} ${text}`, () => [
          { stream: 'stdout', text: lines.join('\n'), basis: 'rehearsed', volatile: false },
        ])}
      </div>`;
    },
  });
}
