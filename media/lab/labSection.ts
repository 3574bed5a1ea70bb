import { html, nothing, type TemplateResult } from 'lit/html.js';
import { icon } from '../shared/icons.ts';
import { isOpen, type Lab } from './lab.ts';

/** A part of a turn that can be folded; its content is only made when it is unfolded. */
export interface LabSection {
  name: string;
  title: string;
  startsOpen: boolean;
  /** Beside the title, for example a number. */
  beside?: unknown;
  buttons?: unknown;
  content(): unknown;
}

/** Draws a section. The choice to fold it counts for all turns. */
export function labSection(
  lab: Lab,
  { name, title, startsOpen, beside, buttons, content }: LabSection,
): TemplateResult {
  const open = isOpen(lab, name, startsOpen);
  const toggle = () => lab.dispatch({ type: 'fold', what: 'sections', key: name, open: !open });
  return html`<section class="lab-section section-${name}">
    <div class="section-title">
      <h3>
        <button class="fold" id="fold-${name}" aria-expanded=${open} @click=${toggle}>
          ${icon(open ? 'chevronDown' : 'chevronRight')}${title}
        </button>
      </h3>
      <span class="beside">${beside ?? nothing}</span>
      ${buttons ?? nothing}
    </div>
    ${open ? html`<div class="section-body">${content()}</div>` : nothing}
  </section>`;
}
