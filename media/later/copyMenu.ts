import { html, type TemplateResult } from 'lit/html.js';
import type { Panel } from '../predict/panel.ts';

const copies = [
  ['command', 'Copy Command'],
  ['summary', 'Copy Summary'],
  ['output', 'Copy Output'],
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

function menuKey(event: KeyboardEvent, close: () => void): void {
  const items = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('[role=menuitem]')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
  const step = steps[event.key];
  if (event.key === 'Escape' || event.key === 'Tab') close();
  if (event.key !== 'Escape' && step === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  if (step !== undefined) items.at(step % items.length)?.focus();
}
