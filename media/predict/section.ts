import { html, nothing, type TemplateResult } from 'lit/html.js';
import { icon } from '../shared/icons.ts';
import type { Panel } from './panel.ts';

/** One part of what is shown, with a title that folds it. */
export interface Section {
  name: string;
  title: string;
  icon?: TemplateResult;
  /** Beside the title: counts, badges. */
  beside?: unknown;
  /** Buttons at the right end. */
  buttons?: unknown;
  /** Folded until the user unfolds it. */
  startsFolded?: boolean;
  content: () => unknown;
}

/** Draws a section. Its name is unique in the panel; whether it is folded is remembered under it. */
export function section(
  panel: Panel,
  { name, title, beside, buttons, startsFolded, content, ...rest }: Section,
): TemplateResult {
  const open = panel.state.kept.sections[name] ?? !startsFolded;
  return html`<section class="facts-${name}" aria-labelledby="title-${name}">
    <h2 class="section-title">
      <button
        id="title-${name}"
        aria-expanded=${open}
        @click=${() => panel.dispatch({ type: 'section', name, open: !open })}
      >
        ${icon(open ? 'chevronDown' : 'chevronRight')}${rest.icon ?? nothing}<span>${title}</span>
      </button>
      <span class="beside">${beside}</span>${buttons}
    </h2>
    ${open ? html`<div class="section-content">${content()}</div>` : nothing}
  </section>`;
}
