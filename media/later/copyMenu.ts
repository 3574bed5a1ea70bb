import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Panel } from '../predict/panel.ts';
import { icon } from '../shared/icons.ts';
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
function copyMenu(panel: Panel): TemplateResult {
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

/** The button that opens the menu of what can be copied. */
export function copyView(panel: Panel): TemplateResult {
  const isOpen = panel.state.open === 'copy';
  return html`<span class="menu-place">
    <button
      class="icon-button"
      id="copy"
      title="Copy …"
      aria-label="Copy"
      aria-haspopup="menu"
      aria-expanded=${isOpen}
      @click=${() => panel.dispatch({ type: 'open', what: isOpen ? undefined : 'copy' })}
    >
      ${icon('copy')}<span class="label">Copy</span>
    </button>
    ${isOpen ? copyMenu(panel) : nothing}
  </span>`;
}
