import { html, type TemplateResult } from 'lit/html.js';
import type { Panel } from '../predict/panel.ts';
import { modelShown } from '../predict/state.ts';
import { icon } from '../shared/icons.ts';

/** Whether something of the model's part is unfolded. The user's choice counts for this prediction. */
export function isOpen(panel: Panel, name: string, startsOpen: boolean): boolean {
  return modelShown(panel.state).open[name] ?? startsOpen;
}

/** A button that folds and unfolds something by its name. */
export function foldButton(panel: Panel, name: string, open: boolean, content: unknown): TemplateResult {
  const toggle = () => {
    const shown = { open: { ...modelShown(panel.state).open, [name]: !open } };
    panel.dispatch({ type: 'model', shown });
  };
  return html`<button class="fold" aria-expanded=${open} @click=${toggle}>
    ${icon(open ? 'chevronDown' : 'chevronRight')}${content}
  </button>`;
}
