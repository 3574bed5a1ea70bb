import { html, type TemplateResult } from 'lit/html.js';
import type { Panel } from '../predict/panel.ts';
import { menuKey } from './menuKey.ts';

const copies = [
  ['command', 'Copy Command'],
  ['summary', 'Copy Summary'],
  ['output', 'Copy Output'],
  ['markdown', 'Copy as Markdown'],
  ['transcript', 'Copy as Shell Transcript'],
  ['json', 'Copy as JSON'],
] as const;

/** What of a prediction can be copied. */
export function copyMenu(panel: Panel): TemplateResult {
  const { run } = panel.state;
  const close = () => {
    panel.dispatch({ type: 'open', what: undefined });
    document.getElementById('copy')?.focus();
  };
  return html`<div class="menu" role="menu" aria-label="Copy" @keydown=${(event: KeyboardEvent) => menuKey(event, close)}>
    ${copies.map(
      ([what, words]) =>
        html`<button
          role="menuitem"
          tabindex="-1"
          @click=${() => {
            panel.send({ type: 'copy', run, what });
            close();
          }}
        >
          ${words}
        </button>`,
    )}
  </div>`;
}
